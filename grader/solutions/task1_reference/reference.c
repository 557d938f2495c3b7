// reference.c: attention as the formula says it, in plain C on one thread. The contract is in task1.h.
//
//     softmax_rows     S -> P                     one row at a time, safe for large scores
//     split, merge     [B, S, E] <-> [B, H, S, D] move data only
//     sdpa             Q, K, V -> O               writes all Sq x Sk scores of a head to memory: task 3 will not
//     mha              X -> Y                     projections around the three above
//
// Indices are size_t: B * H * Sq * Sk outgrows an int long before the tensors outgrow the memory of a laptop.
#include "task1.h"

#include <math.h>
#include <stdlib.h>

attn_status attn_softmax_rows(float *P, const float *S, int rows, int cols) {
    for (int r = 0; r < rows; r++) {
        const float *s = S + (size_t)r * cols;
        float *p = P + (size_t)r * cols;

        float m = s[0];  // the row's maximum: every exponent below is <= 0, so nothing overflows
        for (int c = 1; c < cols; c++)
            m = fmaxf(m, s[c]);

        float l = 0.0f;  // the row's sum, at least exp(0) = 1: the division below is safe
        for (int c = 0; c < cols; c++) {
            p[c] = expf(s[c] - m);  // a masked score is -INFINITY, and exp(-INFINITY) is 0
            l += p[c];
        }

        for (int c = 0; c < cols; c++)
            p[c] /= l;
    }
    return ATTN_OK;
}

attn_status attn_split_heads(float *Y, const float *X, attn_shape shape) {
    const size_t B = shape.batch, H = shape.heads, S = shape.seq_q, D = shape.head_dim, E = H * D;
    for (size_t b = 0; b < B; b++)
        for (size_t h = 0; h < H; h++)
            for (size_t s = 0; s < S; s++)
                for (size_t d = 0; d < D; d++)
                    Y[((b * H + h) * S + s) * D + d] = X[(b * S + s) * E + h * D + d];
    return ATTN_OK;
}

attn_status attn_merge_heads(float *X, const float *Y, attn_shape shape) {
    const size_t B = shape.batch, H = shape.heads, S = shape.seq_q, D = shape.head_dim, E = H * D;
    for (size_t b = 0; b < B; b++)
        for (size_t s = 0; s < S; s++)
            for (size_t h = 0; h < H; h++)
                for (size_t d = 0; d < D; d++)
                    X[(b * S + s) * E + h * D + d] = Y[((b * H + h) * S + s) * D + d];
    return ATTN_OK;
}

// One head. Q, O: [Sq, D]. K, V: [Sk, D]. S, P: [Sq, Sk], scratch for the scores and the probabilities.
static attn_status attend_one_head(float *O, const float *Q, const float *K, const float *V, float *S, float *P,
                                   attn_shape shape) {
    const size_t Sq = shape.seq_q, Sk = shape.seq_kv, D = shape.head_dim;

    const float scale = 1.0f / sqrtf((float)D);
    for (size_t i = 0; i < Sq; i++)
        for (size_t j = 0; j < Sk; j++) {
            float dot = 0.0f;
            for (size_t d = 0; d < D; d++)
                dot += Q[i * D + d] * K[j * D + d];
            S[i * Sk + j] = scale * dot;
        }

    if (shape.causal)
        for (size_t i = 0; i < Sq; i++)
            for (size_t j = i + (Sk - Sq) + 1; j < Sk; j++)
                S[i * Sk + j] = -INFINITY;

    attn_status status = attn_softmax_rows(P, S, shape.seq_q, shape.seq_kv);
    if (status != ATTN_OK) return status;

    for (size_t i = 0; i < Sq; i++) {
        float *o = O + i * D;
        for (size_t d = 0; d < D; d++)
            o[d] = 0.0f;
        for (size_t j = 0; j < Sk; j++)
            for (size_t d = 0; d < D; d++)
                o[d] += P[i * Sk + j] * V[j * D + d];
    }
    return ATTN_OK;
}

attn_status attn_sdpa(float *O, const float *Q, const float *K, const float *V, attn_shape shape) {
    const size_t B = shape.batch, H = shape.heads, D = shape.head_dim;
    const size_t q_head = shape.seq_q * D, kv_head = shape.seq_kv * D;  // elements of one head
    const size_t scores = (size_t)shape.seq_q * shape.seq_kv;           // the O(S^2) memory

    float *S = malloc(scores * sizeof *S), *P = malloc(scores * sizeof *P);
    attn_status status = S && P ? ATTN_OK : ATTN_NO_MEMORY;
    for (size_t bh = 0; bh < B * H && status == ATTN_OK; bh++)
        status = attend_one_head(O + bh * q_head, Q + bh * q_head, K + bh * kv_head, V + bh * kv_head, S, P, shape);
    free(P);
    free(S);
    return status;
}

// Y = X W^T. X, Y: [rows, E]. W: [E, E], row e holds the weights of output feature e.
static attn_status project(float *Y, const float *X, const float *W, size_t rows, size_t E) {
    for (size_t r = 0; r < rows; r++)
        for (size_t e = 0; e < E; e++) {
            float dot = 0.0f;
            for (size_t k = 0; k < E; k++)
                dot += X[r * E + k] * W[e * E + k];
            Y[r * E + e] = dot;
        }
    return ATTN_OK;
}

attn_status attn_mha(float *Y, const float *X, const float *Wq, const float *Wk, const float *Wv, const float *Wo,
                     attn_shape shape) {
    const size_t rows = (size_t)shape.batch * shape.seq_q, E = (size_t)shape.heads * shape.head_dim;
    const size_t n = rows * E;  // elements of each tensor here

    float *flat = calloc(5 * n, sizeof *flat);  // [B, S, E], between a projection and a split or merge
    if (!flat) return ATTN_NO_MEMORY;
    float *Q = flat + n, *K = Q + n, *V = K + n, *O = V + n;  // [B, H, S, D]

    attn_status status = project(flat, X, Wq, rows, E);
    if (status == ATTN_OK) status = attn_split_heads(Q, flat, shape);
    if (status == ATTN_OK) status = project(flat, X, Wk, rows, E);
    if (status == ATTN_OK) status = attn_split_heads(K, flat, shape);
    if (status == ATTN_OK) status = project(flat, X, Wv, rows, E);
    if (status == ATTN_OK) status = attn_split_heads(V, flat, shape);
    if (status == ATTN_OK) status = attn_sdpa(O, Q, K, V, shape);
    if (status == ATTN_OK) status = attn_merge_heads(flat, O, shape);
    if (status == ATTN_OK) status = project(Y, flat, Wo, rows, E);
    free(flat);
    return status;
}
