// ops.c: one row per function that students implement.
#include "ops.h"

#include <math.h>

#include "sizes.h"

static const lab_op_info ops[LAB_N_OPS] = {
    [LAB_SOFTMAX_ROWS] = {"attn_softmax_rows", 2, {"P", "S"}, 0},
    [LAB_SPLIT_HEADS] = {"attn_split_heads", 2, {"Y", "X"}, 0},
    [LAB_MERGE_HEADS] = {"attn_merge_heads", 2, {"X", "Y"}, 0},
    [LAB_SDPA] = {"attn_sdpa", 4, {"O", "Q", "K", "V"}, 0},
    [LAB_MHA] = {"attn_mha", 6, {"Y", "X", "Wq", "Wk", "Wv", "Wo"}, 0},
    [LAB_TILED] = {"attn_tiled", 4, {"O", "Q", "K", "V"}, 2},
};

const lab_op_info *lab_op_get(lab_op op) { return &ops[op]; }

size_t lab_op_elements(lab_op op, attn_shape shape, int t) {
    const size_t e_dim = (size_t)shape.heads * shape.head_dim;
    switch (op) {
    case LAB_SOFTMAX_ROWS: return (size_t)shape.seq_q * shape.seq_kv;
    case LAB_MHA: return t < 2 ? shape.batch * shape.seq_q * e_dim : e_dim * e_dim;
    case LAB_SDPA:
    case LAB_TILED: return t < 2 ? lab_elements_q(shape) : lab_elements_kv(shape);
    default: return lab_elements_q(shape);
    }
}

size_t lab_op_row(lab_op op, attn_shape shape, int t) {
    (void)t;
    switch (op) {
    case LAB_SOFTMAX_ROWS: return shape.seq_kv;
    case LAB_MERGE_HEADS:
    case LAB_MHA: return (size_t)shape.heads * shape.head_dim;
    default: return shape.head_dim;
    }
}

void lab_op_fill(lab_op op, attn_shape shape, int t, lab_input_kind kind, uint64_t key, float *x) {
    const size_t n = lab_op_elements(op, shape, t);
    // Large and offset inputs are about Q and K, whose product the softmax sees; V and weights stay near N(0, 1).
    const int about_scores = op == LAB_SOFTMAX_ROWS || ((op == LAB_SDPA || op == LAB_TILED) && t < 3);
    lab_fill(x, n, lab_op_row(op, shape, t), about_scores ? kind : LAB_NORMAL, key);
    if (op == LAB_MHA && t > 1) {
        const float scale = 1.0f / sqrtf((float)(shape.heads * shape.head_dim));
        for (size_t i = 0; i < n; i++) x[i] *= scale;
    }
}

int lab_op_oracle(lab_op op, attn_shape shape, const float *const in[LAB_MAX_TENSORS], lab_mistake mistake,
                  double *out) {
    switch (op) {
    case LAB_SOFTMAX_ROWS:
        for (int r = 0; r < shape.seq_q; r++)
            lab_oracle_softmax(out + (size_t)r * shape.seq_kv, in[1] + (size_t)r * shape.seq_kv, shape.seq_kv, mistake);
        return 1;
    case LAB_SPLIT_HEADS: lab_oracle_split(out, in[1], shape); return 1;
    case LAB_MERGE_HEADS: lab_oracle_merge(out, in[1], shape); return 1;
    case LAB_SDPA:
    case LAB_TILED: return lab_oracle_attention(out, in[1], in[2], in[3], shape, mistake);
    case LAB_MHA: return lab_oracle_mha(out, in[1], in[2], in[3], in[4], in[5], shape, mistake, 0);
    default: return 0;
    }
}
