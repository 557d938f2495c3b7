// openblas_chain.c: attention as most people would write it in C: two GEMMs of a tuned library around a softmax.
// S = Q K^T / sqrt(D) is a whole Sq x Sk matrix per head.
//
// OpenBLAS and OpenMP each have threads of their own, which spin while they wait; used in turn, each waits for the other
// to give up its cores, and everything is many times slower. So only one of them works in parallel: OpenMP over heads
// where there are enough of them to keep half of the threads busy, else OpenBLAS inside of each product.
#include <cblas.h>
#include <math.h>
#include <omp.h>
#include <stdlib.h>

#include "task1.h"

static void softmax_row(float *s, int seen, int cols) {
    float max = s[0], sum = 0;
    for (int j = 1; j < seen; j++) max = fmaxf(max, s[j]);
    for (int j = 0; j < seen; j++) sum += s[j] = expf(s[j] - max);
    for (int j = 0; j < seen; j++) s[j] /= sum;
    for (int j = seen; j < cols; j++) s[j] = 0;
}

// One head; S is scratch for Sq x Sk scores.
static void attend(float *o, const float *q, const float *k, const float *v, float *S, attn_shape shape) {
    const int Sq = shape.seq_q, Sk = shape.seq_kv, D = shape.head_dim;
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, Sq, Sk, D, 1 / sqrtf(D), q, D, k, D, 0, S, Sk);
    for (int i = 0; i < Sq; i++) softmax_row(S + (size_t)i * Sk, shape.causal ? i + Sk - Sq + 1 : Sk, Sk);
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, Sq, D, Sk, 1, S, Sk, v, D, 0, o, D);
}

attn_status attn_sdpa(float *O, const float *Q, const float *K, const float *V, attn_shape shape) {
    const size_t q_head = (size_t)shape.seq_q * shape.head_dim, k_head = (size_t)shape.seq_kv * shape.head_dim;
    const int heads = shape.batch * shape.heads, threads = omp_get_max_threads(), over_heads = 2 * heads >= threads;
    attn_status status = ATTN_OK;
    openblas_set_num_threads(over_heads ? 1 : threads);
#pragma omp parallel num_threads(!over_heads ? 1 : heads < threads ? heads : threads)
    {
        float *S = malloc(sizeof *S * shape.seq_q * shape.seq_kv);
        if (!S) {
#pragma omp atomic write
            status = ATTN_NO_MEMORY;
        }
#pragma omp for schedule(dynamic)
        for (int bh = 0; bh < heads; bh++)
            if (S) attend(O + bh * q_head, Q + bh * q_head, K + bh * k_head, V + bh * k_head, S, shape);
        free(S);
    }
    return status;
}
