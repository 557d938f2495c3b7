// Flat indexes: one loop over all elements, div and mod.
#include "task1.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>

attn_status attn_softmax_rows(float *P, const float *S, int rows, int cols) {
    const int total = rows * cols;
    int start = 0;
    while (start < total) {
        int end = start + cols;
        float biggest = -FLT_MAX, norm = 0.f;
        for (int at = start; at < end; ++at)
            if (S[at] >= biggest) biggest = S[at];
        for (int at = start; at < end; ++at) norm += P[at] = expf(S[at] - biggest);
        for (int at = start; at < end; ++at) P[at] /= norm;
        start = end;
    }
    return ATTN_OK;
}

attn_status attn_split_heads(float *Y, const float *X, attn_shape s) {
    long total = (long)s.batch * s.heads * s.seq_q * s.head_dim;
    for (long y = 0; y < total; ++y) {
        long d = y % s.head_dim, rest = y / s.head_dim;
        long t = rest % s.seq_q;
        rest /= s.seq_q;
        long h = rest % s.heads, b = rest / s.heads;
        Y[y] = X[b * s.seq_q * s.heads * s.head_dim + t * s.heads * s.head_dim + h * s.head_dim + d];
    }
    return ATTN_OK;
}

attn_status attn_merge_heads(float *X, const float *Y, attn_shape s) {
    long E = (long)s.heads * s.head_dim, total = s.batch * s.seq_q * E;
    for (long x = 0; x < total; ++x) {
        long e = x % E, token = x / E;
        long h = e / s.head_dim, d = e % s.head_dim;
        long b = token / s.seq_q, t = token % s.seq_q;
        X[x] = Y[b * s.heads * s.seq_q * s.head_dim + h * s.seq_q * s.head_dim + t * s.head_dim + d];
    }
    return ATTN_OK;
}

attn_status attn_sdpa(float *O, const float *Q, const float *K, const float *V, attn_shape s) {
    const long all = (long)s.batch * s.heads * s.seq_q;
    float *score = malloc(all * s.seq_kv * sizeof(float));
    if (!score) return ATTN_NO_MEMORY;
    for (long n = 0; n < all * s.seq_kv; ++n) {
        const long row = n / s.seq_kv, key = n % s.seq_kv, head = row / s.seq_q, query = row % s.seq_q;
        float sum = 0;
        for (long d = 0; d < s.head_dim; ++d)
            sum += Q[row * s.head_dim + d] * K[(head * s.seq_kv + key) * s.head_dim + d];
        score[n] = sum * powf(s.head_dim, -0.5f);
        if (s.causal && key > query + s.seq_kv - s.seq_q) score[n] = -INFINITY;
    }
    attn_softmax_rows(score, score, all, s.seq_kv);
    for (long n = 0; n < all * s.head_dim; ++n) {
        const long row = n / s.head_dim, d = n % s.head_dim, head = row / s.seq_q;
        float sum = 0;
        for (long key = 0; key < s.seq_kv; ++key)
            sum += score[row * s.seq_kv + key] * V[(head * s.seq_kv + key) * s.head_dim + d];
        O[n] = sum;
    }
    free(score);
    return ATTN_OK;
}

static void mul(float *C, const float *A, const float *W, long rows, long E) {
    for (long n = 0; n < rows * E; ++n) {
        const long r = n / E, c = n % E;
        C[n] = 0;
        for (long k = 0; k < E; ++k) C[n] += A[r * E + k] * W[c * E + k];
    }
}

attn_status attn_mha(float *Y, const float *X, const float *Wq, const float *Wk, const float *Wv, const float *Wo,
                     attn_shape s) {
    const long rows = s.batch * s.seq_q, E = s.heads * s.head_dim, size = rows * E;
    float *all = malloc(6 * size * sizeof(float));
    if (!all) return ATTN_NO_MEMORY;
    mul(all, X, Wq, rows, E);
    mul(all + size, X, Wk, rows, E);
    mul(all + 2 * size, X, Wv, rows, E);
    for (int i = 0; i < 3; ++i) attn_split_heads(all + (3 + i) * size, all + i * size, s);
    attn_status st = attn_sdpa(all, all + 3 * size, all + 4 * size, all + 5 * size, s);
    attn_merge_heads(all + size, all, s);
    mul(Y, all + size, Wo, rows, E);
    free(all);
    return st;
}
