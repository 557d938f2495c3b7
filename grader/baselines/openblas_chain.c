// openblas_chain.c: attention as most people would write it in C: two GEMMs of a tuned library around a softmax.
// S = Q K^T / sqrt(D) is a whole Sq x Sk matrix per head. Softmax rows are shared among threads by OpenMP.
#include <cblas.h>
#include <math.h>
#include <stdlib.h>

#include "task1.h"

static void softmax_row(float *s, int seen, int cols) {
    float max = s[0], sum = 0;
    for (int j = 1; j < seen; j++) max = fmaxf(max, s[j]);
    for (int j = 0; j < seen; j++) sum += s[j] = expf(s[j] - max);
    for (int j = 0; j < seen; j++) s[j] /= sum;
    for (int j = seen; j < cols; j++) s[j] = 0;
}

attn_status attn_sdpa(float *O, const float *Q, const float *K, const float *V, attn_shape shape) {
    const int Sq = shape.seq_q, Sk = shape.seq_kv, D = shape.head_dim;
    float *S = malloc(sizeof *S * Sq * Sk);
    if (!S) return ATTN_NO_MEMORY;
    for (size_t bh = 0; bh < (size_t)shape.batch * shape.heads; bh++) {
        const float *q = Q + bh * Sq * D, *k = K + bh * Sk * D, *v = V + bh * Sk * D;
        cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, Sq, Sk, D, 1 / sqrtf(D), q, D, k, D, 0, S, Sk);
#pragma omp parallel for schedule(static)
        for (int i = 0; i < Sq; i++) softmax_row(S + (size_t)i * Sk, shape.causal ? i + Sk - Sq + 1 : Sk, Sk);
        cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, Sq, D, Sk, 1, S, Sk, v, D, 0, O + bh * Sq * D, D);
    }
    free(S);
    return ATTN_OK;
}
