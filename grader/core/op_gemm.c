// op_gemm.c: the two products of task 2's chain. seq_q is m, seq_kv is n, head_dim is k.
#include "heuristics.h"

#include <math.h>
#include <stdio.h>

static size_t elements(attn_shape s, int t) {
    const size_t m = s.seq_q, n = s.seq_kv, k = s.head_dim;
    return s.batch * (t == 0 ? m * n : t == 1 ? m * k : n * k);
}

static void extent(attn_shape s, size_t extent[4]) { extent[1] = 1, extent[3] = s.seq_kv; }

static double flops(attn_shape s) { return 2.0 * s.batch * s.seq_q * s.seq_kv * s.head_dim; }

// Products near N(0, 1), so that one tolerance fits every k.
static void fill(attn_shape s, const int extra[2], int t, lab_input_kind kind, uint64_t key, float *x) {
    lab_fill_scaled(x, elements(s, t), t == 1 ? 1 / sqrtf((float)s.head_dim) : 1, key);
}

static void multiply(attn_shape s, const float *a, const float *b, int transposed, double *c) {
    const size_t m = s.seq_q, n = s.seq_kv, k = s.head_dim;
    for (size_t g = 0; g < (size_t)s.batch; g++, a += m * k, b += n * k)
        for (size_t i = 0; i < m; i++)
            for (size_t j = 0; j < n; j++) {
                double sum = 0;
                for (size_t l = 0; l < k; l++) sum += (double)a[i * k + l] * (transposed ? b[j * k + l] : b[l * n + j]);
                *c++ = sum;
            }
}

static int nt(attn_shape s, const int extra[2], const float *const in[LAB_MAX_TENSORS], int mistake, double *out) {
    multiply(s, in[1], in[2], 1, out);
    return 1;
}

static int nn(attn_shape s, const int extra[2], const float *const in[LAB_MAX_TENSORS], int mistake, double *out) {
    multiply(s, in[1], in[2], 0, out);
    return 1;
}

static void draw(uint64_t key, attn_shape *s, int extra[2]) {
    s->heads = 1;
    s->head_dim = (int)(1 + lab_bits(key, 3) % 128);
}

static int diagnose(const lab_symptom *s, char *text, size_t size) {
    const lab_sample bad = lab_sample_bad_rows(s);
    if (s->cmp.not_finite == 0) return lab_explain_factor(s, &bad, "", text, size);
    snprintf(text, size, "NaN: a read beyond the matrix or the tile, or of a tile before it is written");
    return 1;
}

// ---- The rows

// clang-format off
#define GEMM \
    .n_tensors = 3, .tensors = {"C", "A", "B"}, .elements = elements, .extent = extent, .flops = flops, \
    .fill = fill, .draw = draw, .diagnose = diagnose
const lab_op lab_gemm_nt = {.name = "gemm_nt", .symbol = "attn_gemm_nt", .oracle = nt, GEMM};
const lab_op lab_gemm_nn = {.name = "gemm_nn", .symbol = "attn_gemm_nn", .oracle = nn, GEMM};
const lab_op lab_gemm_nn_kernel = {
    .name = "gemm_nn_kernel", .symbol = "lab_probe_gemm_nn", .probe = 1, .oracle = nn, GEMM};
