// call.c: one line per function that students implement. The task headers check the prototypes.
#include "call.h"

#include <string.h>

#include "memory.h"
#include "refused.h"
#include "sizes.h"
#include "task1.h"
#include "task2.h"
#include "task3.h"
#include "task4.h"
#include "task5.h"

#define AS(prototype) ((__typeof__(prototype) *)function[0])

static int is(const lab_request *r, const char *op) { return strcmp(r->op, op) == 0; }

// Task 5's state is one tensor for the lab, and three pointers for the student.
static attn_status append(void *const function[2], const lab_request *r, float *const t[LAB_MAX_TENSORS],
                          void *stream) {
    const attn_shape s = r->shape;
    const size_t n = lab_elements_kv(r->laid_out);
    float *const K = t[0], *const V = K + n, *const lengths = V + n;
    const attn_cache cache = {s.batch, s.heads, s.seq_kv, s.head_dim};
    return AS(attn_cache_append)(K, V, (int *)lengths, t[2], t[3], cache, stream);
}

// One token after the other: its k and v go into the cache, then its q sees all of them. Token i of the tensors is
// [batch, heads, head_dim], as task 5 has it.
static attn_status tokens(void *const function[2], const lab_request *r, float *const t[LAB_MAX_TENSORS],
                          void *stream) {
    const attn_shape s = r->shape;
    const attn_cache cache = {s.batch, s.heads, s.seq_kv, s.head_dim};
    const size_t token = (size_t)s.batch * s.heads * s.head_dim;
    __typeof__(attn_cache_append) *append_token = function[1];
    attn_status status = ATTN_OK;
    for (int i = 0; i < s.seq_q && status == ATTN_OK; i++) {
        float *const O = t[0] + i * token, *const Q = t[1] + i * token;
        status = append_token(t[4], t[5], (int *)t[6], t[2] + i * token, t[3] + i * token, cache, stream);
        if (status == ATTN_OK && is(r, "tokens"))
            status = AS(attn_decode)(O, Q, t[4], t[5], (int *)t[6], cache, stream);
        else if (status == ATTN_OK)
            status = AS(attn_decode_split)(O, Q, t[4], t[5], (int *)t[6], t[7], r->extra[0], cache, stream);
    }
    return status;
}

static attn_status probe(void *const function[2], const lab_request *r, float *const t[LAB_MAX_TENSORS], void *stream) {
    attn_status (*call)(float *const[], attn_shape, const int32_t[2], void *) = function[0];  // in C without a stream
    return call(t, r->shape, r->extra, stream);
}

attn_status lab_call_function(void *const function[2], const lab_request *r, float *const t[LAB_MAX_TENSORS]) {
    const attn_shape s = r->shape;
    const attn_cache cache = {s.batch, s.heads, s.seq_kv, s.head_dim};
    void *const stream = lab_memory_stream();
    if (r->extra[1] == LAB_REFUSES && !r->probe) {
        const attn_status refused = lab_call_refused(lab_call_function, function, r, t);
        if (refused != ATTN_OK) return refused;
    }
    if (r->probe) return probe(function, r, t, stream);
    if (is(r, "softmax_rows")) return AS(attn_softmax_rows)(t[0], t[1], s.seq_q, s.seq_kv);
    if (is(r, "split_heads")) return AS(attn_split_heads)(t[0], t[1], s);
    if (is(r, "merge_heads")) return AS(attn_merge_heads)(t[0], t[1], s);
    if (is(r, "sdpa")) return AS(attn_sdpa)(t[0], t[1], t[2], t[3], s);
    if (is(r, "mha")) return AS(attn_mha)(t[0], t[1], t[2], t[3], t[4], t[5], s);
    if (is(r, "tiled")) return AS(attn_tiled)(t[0], t[1], t[2], t[3], s, (attn_tiles){r->extra[0], r->extra[1]});
    if (is(r, "softmax_batched")) return AS(attn_softmax_batched)(t[0], t[1], s.seq_q, s.seq_kv, stream);
    if (is(r, "gemm_nt")) return AS(attn_gemm_nt)(t[0], t[1], t[2], s.batch, s.seq_q, s.seq_kv, s.head_dim, stream);
    if (is(r, "gemm_nn")) return AS(attn_gemm_nn)(t[0], t[1], t[2], s.batch, s.seq_q, s.seq_kv, s.head_dim, stream);
    if (is(r, "naive")) return AS(attn_naive)(t[0], t[1], t[2], t[3], t[4], s, stream);
    if (is(r, "flash")) return AS(attn_flash)(t[0], t[1], t[2], t[3], s, stream);
    if (is(r, "cache_append")) return append(function, r, t, stream);
    if (is(r, "decode")) return AS(attn_decode)(t[0], t[1], t[2], t[3], (int *)t[4], cache, stream);
    if (is(r, "decode_split"))
        return AS(attn_decode_split)(t[0], t[1], t[2], t[3], (int *)t[4], t[5], r->extra[0], cache, stream);
    if (is(r, "combine")) return AS(attn_combine)(t[0], t[1], t[2], r->extra[0], cache, stream);
    if (is(r, "tokens") || is(r, "tokens_split")) return tokens(function, r, t, stream);
    return ATTN_BAD_SHAPE;
}
