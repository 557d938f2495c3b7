// call.c: one line per function that students implement. The task headers check the prototypes.
#include "call.h"

#include "cache.h"
#include "memory.h"
#include "sizes.h"
#include "task1.h"
#include "task2.h"
#include "task3.h"
#include "task4.h"
#include "task5.h"

#define AS(prototype) ((__typeof__(prototype) *)function[0])

// Task 5's state is one tensor for the lab, and three pointers for the student.
static attn_status append(void *const function[2], const lab_request *r, float *const t[LAB_MAX_TENSORS]) {
    const attn_shape s = r->shape;
    float *const K = t[0], *const V = K + lab_elements_kv(s), *const lengths = V + lab_elements_kv(s);
    const attn_cache cache = {s.batch, s.heads, s.seq_kv, s.head_dim};
    return AS(attn_cache_append)(K, V, (int *)lengths, t[2], t[3], cache, NULL);
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
        if (status == ATTN_OK && r->op == LAB_TOKENS)
            status = AS(attn_decode)(O, Q, t[4], t[5], (int *)t[6], cache, stream);
        else if (status == ATTN_OK)
            status = AS(attn_decode_split)(O, Q, t[4], t[5], (int *)t[6], t[7], r->extra[0], cache, stream);
    }
    return status;
}

attn_status lab_call_function(void *const function[2], const lab_request *r, float *const t[LAB_MAX_TENSORS]) {
    const attn_shape s = r->shape;
    const attn_cache cache = {s.batch, s.heads, s.seq_kv, s.head_dim};
    void *const stream = lab_memory_stream();
    attn_status (*const probe)(float *const tensors[], attn_shape shape, const int extra[2], cudaStream_t stream) =
        function[0];
    if (lab_op_get(r->op)->probe) return probe(t, s, r->extra, stream);
    switch ((lab_op)r->op) {
    case LAB_SOFTMAX_ROWS: return AS(attn_softmax_rows)(t[0], t[1], s.seq_q, s.seq_kv);
    case LAB_SPLIT_HEADS: return AS(attn_split_heads)(t[0], t[1], s);
    case LAB_MERGE_HEADS: return AS(attn_merge_heads)(t[0], t[1], s);
    case LAB_SDPA: return AS(attn_sdpa)(t[0], t[1], t[2], t[3], s);
    case LAB_MHA: return AS(attn_mha)(t[0], t[1], t[2], t[3], t[4], t[5], s);
    case LAB_TILED: return AS(attn_tiled)(t[0], t[1], t[2], t[3], s, (attn_tiles){r->extra[0], r->extra[1]});
    case LAB_SOFTMAX_BATCHED: return AS(attn_softmax_batched)(t[0], t[1], s.seq_q, s.seq_kv, stream);
    case LAB_GEMM_NT: return AS(attn_gemm_nt)(t[0], t[1], t[2], s.batch, s.seq_q, s.seq_kv, s.head_dim, stream);
    case LAB_GEMM_NN: return AS(attn_gemm_nn)(t[0], t[1], t[2], s.batch, s.seq_q, s.seq_kv, s.head_dim, stream);
    case LAB_NAIVE: return AS(attn_naive)(t[0], t[1], t[2], t[3], t[4], s, stream);
    case LAB_FLASH: return AS(attn_flash)(t[0], t[1], t[2], t[3], s, stream);
    case LAB_CACHE_APPEND: return append(function, r, t);
    case LAB_DECODE: return AS(attn_decode)(t[0], t[1], t[2], t[3], (int *)t[4], cache, stream);
    case LAB_DECODE_SPLIT:
        return AS(attn_decode_split)(t[0], t[1], t[2], t[3], (int *)t[4], t[5], r->extra[0], cache, stream);
    case LAB_TOKENS:
    case LAB_TOKENS_SPLIT: return tokens(function, r, t, stream);
    default: return ATTN_BAD_SHAPE;
    }
}
