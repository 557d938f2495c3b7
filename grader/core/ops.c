// ops.c: what a row leaves out.
#include "ops.h"

#include <string.h>

void lab_op_extent(const lab_op *op, attn_shape s, size_t extent[4]) {
    const size_t usual[4] = {s.batch, s.heads, s.seq_q, s.head_dim};
    memcpy(extent, usual, sizeof usual);
    if (op->extent) op->extent(s, extent);
}

size_t lab_op_row(const lab_op *op, attn_shape s) {
    size_t extent[4];
    lab_op_extent(op, s, extent);
    return extent[3];
}

double lab_op_flops(const lab_op *op, attn_shape s) { return op->flops ? op->flops(s) : lab_flops(s); }

uint64_t lab_op_bytes(const lab_op *op, attn_shape s, const int extra[2], int t) {
    return sizeof(float) * (uint64_t)(op->moved ? op->moved(s, extra, t) : op->elements(s, t));
}

void lab_op_fill(const lab_op *op, attn_shape s, const int extra[2], int t, lab_input_kind kind, uint64_t key,
                 float *x) {
    static const int none[2];
    if (op->fill)
        op->fill(s, extra ? extra : none, t, kind, key, x);
    else
        lab_fill(x, op->elements(s, t), lab_op_row(op, s), kind, key);
}

void lab_op_to_floats(const lab_op *op, attn_shape s, float *out) {
    if (op->to_floats) op->to_floats(s, out);
}

void lab_fill_scaled(float *x, size_t n, float scale, uint64_t key) {
    lab_fill(x, n, n, LAB_NORMAL, key);
    for (size_t i = 0; i < n; i++) x[i] *= scale;
}

int lab_int_at(const float *x, size_t i) {
    int32_t n;
    memcpy(&n, x + i, sizeof n);
    return n;
}
