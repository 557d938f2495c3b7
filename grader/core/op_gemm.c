// op_gemm.c: the two products of task 2's chain. seq_q is m, seq_kv is n, head_dim is k.
#include "heuristics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

// Mistakes: B taken as if it were stored the other way, batch 0's matrices for every batch.
enum { OTHER_WAY = 1, A_OF_BATCH0, B_OF_BATCH0, OF_BATCH0, N_GEMM_MISTAKES };

static int product(attn_shape s, const float *const in[LAB_MAX_TENSORS], int transposed, int mistake, double *out) {
    const attn_shape one = {1, s.heads, s.seq_q, s.seq_kv, s.head_dim, 0};
    const size_t m = s.seq_q, n = s.seq_kv, k = s.head_dim;
    for (size_t g = 0; g < (size_t)s.batch; g++)
        multiply(one, in[1] + (mistake == A_OF_BATCH0 || mistake == OF_BATCH0 ? 0 : g) * m * k,
                 in[2] + (mistake == B_OF_BATCH0 || mistake == OF_BATCH0 ? 0 : g) * n * k,
                 transposed != (mistake == OTHER_WAY), out + g * m * n);
    return 1;
}

static int nt(attn_shape s, const int extra[2], const float *const in[LAB_MAX_TENSORS], int mistake, double *out) {
    return product(s, in, 1, mistake, out);
}

static int nn(attn_shape s, const int extra[2], const float *const in[LAB_MAX_TENSORS], int mistake, double *out) {
    return product(s, in, 0, mistake, out);
}

static void draw(uint64_t key, attn_shape *s, int extra[2]) {
    s->heads = 1;
    s->head_dim = (int)(1 + lab_bits(key, 3) % 128);
}

// ---- Which mistake was it?

// Clears fits[t] unless the first t products of element i's sum alone explain it.
static void keep_fitting(const lab_symptom *s, size_t i, int transposed, char *fits) {
    const size_t m = s->shape.seq_q, n = s->shape.seq_kv, k = s->shape.head_dim, j = i % n;
    const float *a = s->in[1] + i / n * k, *b = s->in[2] + i / n / m * n * k;
    double sum = 0;
    for (size_t t = 0; t < k; t++) {
        fits[t] &= fabs(s->got[i] - sum) < LAB_TOLERANCE / 10;
        sum += (double)a[t] * (transposed ? b[j * k + t] : b[t * n + j]);
    }
}

// The loop along k makes k / step steps, and what is left over is nobody's: all elements lack the same products.
static int explain_whole_steps(const lab_symptom *s, size_t t, char *text, size_t size) {
    const size_t k = s->shape.head_dim;
    int known = 0;
    for (size_t step = 8; step <= 64; step *= 2) {  // of those that fit all claims the smallest is said
        char sentence[240];
        if (k / step * step != t) continue;
        snprintf(sentence, sizeof sentence,
                 "matches a loop along k that makes whole steps alone: k / step is rounded down, and the last products "
                 "are missing where k is no multiple of it: round up, with 0 behind k (tiles of %zu)",
                 step);
        known = lab_guess(s->guesses, sentence, text, size);
    }
    return known;
}

// Every wrong element is the sum of as many products.
static int explain_partial_sums(const lab_symptom *s, const lab_sample *bad, char *text, size_t size) {
    const size_t n = s->shape.seq_kv, k = s->shape.head_dim, all = s->op->elements(s->shape, 0);
    char *fits = malloc(k);
    size_t elements = 0, t = 0;
    int zero = 1;
    if (!fits) return 0;
    memset(fits, 1, k);
    for (int i = 0; i < bad->n; i++)
        for (size_t e = bad->row[i] * n; e < (bad->row[i] + 1) * n; e++)
            if (lab_element_bad(s, e, 0)) keep_fitting(s, e, s->op->oracle == nt, fits), elements++;
    while (t < k && !fits[t]) t++;
    free(fits);
    for (size_t e = 0; e < all && zero; e++) zero = s->got[e] == 0;
    if (all < 4 && zero) return explain_whole_steps(s, 0, text, size);
    if (elements < 4 || t == k) return 0;
    if (t == 0 && k < 16 && !zero) return 0;  // a loop that never runs adds nothing
    if (t > 0 || zero) explain_whole_steps(s, t, text, size);
    if (t > 0) lab_guess_first_step(s, (int)t);
    if (t == 0)
        snprintf(text, size,
                 k < 16 ? "matches sums over the first 0 of k = %zu products: is the last, ragged tile of k visited?"
                        : "is 0 where it is wrong, as if none of the %zu products were added there",
                 k);
    else
        snprintf(text, size,
                 "matches sums over the first %zu of k = %zu products: is the last, ragged tile of k visited?", t, k);
    return 1;
}

#define ALL_OF_BATCH0 "matches the A and B of batch 0 for every batch: batch g has A at g * m * k and B at g * n * k"

static int is_in_a_tile(attn_shape s) { return s.seq_q <= 64 && s.seq_kv <= 64 && s.head_dim <= 64; }

static int diagnose(const lab_symptom *s, char *text, size_t size) {
    static const char *const nt_sentence[] = {[OTHER_WAY] = "matches A B in place of A B^T: B is stored [n, k] here",
                                              [A_OF_BATCH0] = "matches the A of batch 0 for every batch",
                                              [B_OF_BATCH0] = "matches the B of batch 0 for every batch",
                                              [OF_BATCH0] = ALL_OF_BATCH0},
                             *const nn_sentence[] = {[OTHER_WAY] =
                                                         "matches A B^T in place of A B: B is stored [k, n] here",
                                                     [A_OF_BATCH0] = "matches the A of batch 0 for every batch",
                                                     [B_OF_BATCH0] = "matches the B of batch 0 for every batch",
                                                     [OF_BATCH0] = ALL_OF_BATCH0};
    const lab_sample bad = lab_sample_bad_rows(s), finite = lab_sample_finite_bad_rows(s);
    if (s->cmp.not_finite == 0 &&
        lab_recognise(s, s->op->oracle == nt ? nt_sentence : nn_sentence, N_GEMM_MISTAKES, text, size)) {
        char aside[240] = "";  // of a matrix that is no larger than a tile, the tile may be turned
        if (is_in_a_tile(s->shape)) lab_explain_product(s, s->op->oracle == nt, aside, sizeof aside);
        return 1;
    }
    if (lab_explain_product_factor(s, s->op->oracle == nt, text, size)) return 1;
    if (lab_explain_product(s, s->op->oracle == nt, text, size)) {
        lab_explain_product_batches(s, s->op->oracle == nt, text, size);  // a square matrix has other steps, too
        return 1;
    }
    if (lab_explain_product_held(s, s->op->oracle == nt, text, size)) return 1;
    char partial[240] = "";
    int known = finite.n == bad.n && explain_partial_sums(s, &bad, partial, sizeof partial) &&
                lab_guess(s->guesses, partial, text, size);
    known |= lab_explain_even_groups(s, s->op->oracle == nt, text, size);
    if (known) return 1;
    if (lab_explain_product_batches(s, s->op->oracle == nt, text, size)) return 1;
    if (lab_explain_product_tiles(s, s->op->oracle == nt, text, size)) return 1;
    if (lab_explain_product_counts(s, s->op->oracle == nt, text, size)) return 1;
    if (s->cmp.not_finite == 0) return lab_explain_factor(s, &bad, text, size);
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
