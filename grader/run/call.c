// call.c: one line per function that students implement. The task headers check the prototypes.
#include "call.h"

#include "task1.h"
#include "task3.h"

#define AS(prototype) ((__typeof__(prototype) *)function)

attn_status lab_call_function(void *function, const lab_request *r, float *const t[LAB_MAX_TENSORS]) {
    switch ((lab_op)r->op) {
    case LAB_SOFTMAX_ROWS: return AS(attn_softmax_rows)(t[0], t[1], r->shape.seq_q, r->shape.seq_kv);
    case LAB_SPLIT_HEADS: return AS(attn_split_heads)(t[0], t[1], r->shape);
    case LAB_MERGE_HEADS: return AS(attn_merge_heads)(t[0], t[1], r->shape);
    case LAB_SDPA: return AS(attn_sdpa)(t[0], t[1], t[2], t[3], r->shape);
    case LAB_MHA: return AS(attn_mha)(t[0], t[1], t[2], t[3], t[4], t[5], r->shape);
    case LAB_TILED: return AS(attn_tiled)(t[0], t[1], t[2], t[3], r->shape, (attn_tiles){r->extra[0], r->extra[1]});
    default: return ATTN_BAD_SHAPE;
    }
}
