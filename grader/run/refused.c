// refused.c: the sizes that are out of range, one after the other.
#include "refused.h"

#include <string.h>

enum { BATCH, HEADS, SEQ_Q, SEQ_KV, HEAD_DIM, SPLITS };  // fields of attn_shape, in their order, and n_splits
enum { SOFTMAX = 1, GEMM = 2, ATTENTION = 4, CACHE = 8, SPLIT = 16, COMBINE = 32 };

static const struct {
    const char *name;
    int field, value, of;
} sizes[] = {
    {"batch = 0", BATCH, 0, GEMM | ATTENTION | CACHE},
    {"batch = -1", BATCH, -1, GEMM | ATTENTION | CACHE},
    {"heads = 0", HEADS, 0, ATTENTION | CACHE},
    {"rows = 0", SEQ_Q, 0, SOFTMAX},
    {"cols = 0", SEQ_KV, 0, SOFTMAX},
    {"m = 0", SEQ_Q, 0, GEMM},
    {"n = 0", SEQ_KV, 0, GEMM},
    {"k = 0", HEAD_DIM, 0, GEMM},
    {"seq_q = 0", SEQ_Q, 0, ATTENTION},
    {"seq_kv = 0", SEQ_KV, 0, ATTENTION},
    {"max_seq = 0", SEQ_KV, 0, CACHE},
    {"head_dim = 0", HEAD_DIM, 0, ATTENTION | CACHE},
    {"head_dim = 12, which is no multiple of 8", HEAD_DIM, 12, ATTENTION | CACHE},
    {"head_dim = 136, above 128", HEAD_DIM, 136, ATTENTION | CACHE},
    {"a causal shape with seq_q = 2 above seq_kv = 1", SEQ_Q, 2, ATTENTION},
    {"n_splits = 0, of parts that are there", SPLITS, 0, COMBINE},
    {"n_splits = -1", SPLITS, -1, SPLIT},
    {"n_splits = 65, above ATTN_MAX_SPLITS", SPLITS, 65, SPLIT},
};
enum { N = sizeof sizes / sizeof *sizes };

static int kind_of(const char *op) {
    if (strncmp(op, "softmax", 7) == 0) return SOFTMAX;
    if (strncmp(op, "gemm", 4) == 0) return GEMM;
    if (strcmp(op, "decode_split") == 0) return CACHE | SPLIT;
    if (strcmp(op, "combine") == 0) return CACHE | SPLIT | COMBINE;
    return strcmp(op, "naive") == 0 || strcmp(op, "flash") == 0 ? ATTENTION : CACHE;
}

// Small otherwise, so that a call that is not refused stays within the tensors.
static attn_shape shape_with(int i, int kind) {
    attn_shape s = {1, 1, 1, 1, 8, 0};
    int *const field[] = {&s.batch, &s.heads, &s.seq_q, &s.seq_kv, &s.head_dim};
    if (sizes[i].field < SPLITS) *field[sizes[i].field] = sizes[i].value;
    s.causal = kind == ATTENTION && s.seq_q > s.seq_kv && s.seq_kv == 1;
    return s;
}

attn_status lab_call_refused(lab_call *call, void *const function[2], const lab_request *r,
                             float *const t[LAB_MAX_TENSORS]) {
    const int kind = kind_of(r->op);
    for (int i = 0; i < N; i++) {
        lab_request other = *r;
        if (!(sizes[i].of & kind)) continue;
        other.shape = shape_with(i, kind);
        other.extra[0] = sizes[i].field == SPLITS ? sizes[i].value : r->extra[0], other.extra[1] = 0;
        const attn_status status = call(function, &other, t);
        if (status != ATTN_BAD_SHAPE) return status < 0 ? status : LAB_NOT_REFUSED_SIZES + i;  // < 0: a TODO
    }
    return ATTN_OK;
}

const char *lab_refused_name(int status) {
    const int i = status - LAB_NOT_REFUSED_SIZES;
    return i >= 0 && i < N ? sizes[i].name : NULL;
}
