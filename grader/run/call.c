// call.c: one line per function that students implement. The task headers check the prototypes.
#include "call.h"

#include "cache.h"
#include "sizes.h"
#include "task1.h"
#include "task2.h"
#include "task3.h"
#include "task4.h"
#include "task5.h"

#define AS(prototype) ((__typeof__(prototype) *)function)

// Task 5's state is one tensor for the lab, and three pointers for the student.
static attn_status append(void *function, const lab_request *r, float *const t[LAB_MAX_TENSORS]) {
    const attn_shape s = r->shape;
    float *const K = t[0], *const V = K + lab_elements_kv(s), *const lengths = V + lab_elements_kv(s);
    const attn_cache cache = {s.batch, s.heads, s.seq_kv, s.head_dim};
    return AS(attn_cache_append)(K, V, (int *)lengths, t[2], t[3], cache, NULL);
}

attn_status lab_call_function(void *function, const lab_request *r, float *const t[LAB_MAX_TENSORS]) {
    const attn_shape s = r->shape;
    const attn_cache cache = {s.batch, s.heads, s.seq_kv, s.head_dim};
    switch ((lab_op)r->op) {
    case LAB_SOFTMAX_ROWS: return AS(attn_softmax_rows)(t[0], t[1], s.seq_q, s.seq_kv);
    case LAB_SPLIT_HEADS: return AS(attn_split_heads)(t[0], t[1], s);
    case LAB_MERGE_HEADS: return AS(attn_merge_heads)(t[0], t[1], s);
    case LAB_SDPA: return AS(attn_sdpa)(t[0], t[1], t[2], t[3], s);
    case LAB_MHA: return AS(attn_mha)(t[0], t[1], t[2], t[3], t[4], t[5], s);
    case LAB_TILED: return AS(attn_tiled)(t[0], t[1], t[2], t[3], s, (attn_tiles){r->extra[0], r->extra[1]});
    case LAB_SOFTMAX_BATCHED: return AS(attn_softmax_batched)(t[0], t[1], s.seq_q, s.seq_kv, NULL);
    case LAB_GEMM_NT: return AS(attn_gemm_nt)(t[0], t[1], t[2], s.batch, s.seq_q, s.seq_kv, s.head_dim, NULL);
    case LAB_GEMM_NN: return AS(attn_gemm_nn)(t[0], t[1], t[2], s.batch, s.seq_q, s.seq_kv, s.head_dim, NULL);
    case LAB_NAIVE: return AS(attn_naive)(t[0], t[1], t[2], t[3], t[4], s, NULL);
    case LAB_FLASH: return AS(attn_flash)(t[0], t[1], t[2], t[3], s, NULL);
    case LAB_CACHE_APPEND: return append(function, r, t);
    case LAB_DECODE: return AS(attn_decode)(t[0], t[1], t[2], t[3], (int *)t[4], cache, NULL);
    case LAB_DECODE_SPLIT:
        return AS(attn_decode_split)(t[0], t[1], t[2], t[3], (int *)t[4], t[5], r->extra[0], cache, NULL);
    default: return ATTN_BAD_SHAPE;
    }
}
