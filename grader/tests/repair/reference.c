// Task 1 in a style of its own: right. repair.sh changes one line at a time.
#include "task1.h"

#include <math.h>
#include <stdlib.h>

#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma GCC diagnostic ignored "-Wunused-function"

static attn_status row_max(float *m, const float *s, int cols) {
    *m = s[0];

    // TODO 1.1: the row's maximum.
    int k = 1;
    while (k < cols) {
        if (s[k] > *m) *m = s[k];
        k++;
    }

    return ATTN_OK;
}

static attn_status exponentials(float *p, float *l, const float *s, float m, int cols) {
    *l = 0.0f;

    // TODO 1.2: the exponentials and their sum.
    float total = 0;
    for (int k = 0; k < cols; ++k) {
        const float e = expf(s[k] - m);
        p[k] = e;
        total += e;
    }
    *l = total;

    return ATTN_OK;
}

static attn_status normalise(float *p, float l, int cols) {
    // TODO 1.3: normalise.
    const float inverse = 1.0f / l;
    for (float *q = p; q < p + cols; q++) *q *= inverse;

    return ATTN_OK;
}

attn_status attn_softmax_rows(float *P, const float *S, int rows, int cols) {
    attn_status status = ATTN_OK;
    for (int r = 0; r < rows && status == ATTN_OK; r++) {
        const float *s = S + (size_t)r * cols;
        float *p = P + (size_t)r * cols, m, l;
        status = row_max(&m, s, cols);
        if (status == ATTN_OK) status = exponentials(p, &l, s, m, cols);
        if (status == ATTN_OK) status = normalise(p, l, cols);
    }
    return status;
}

attn_status attn_split_heads(float *Y, const float *X, attn_shape shape) {
    const size_t B = shape.batch, H = shape.heads, S = shape.seq_q, D = shape.head_dim, E = H * D;

    // TODO 1.4: X -> Y.
    size_t n = B * S * E;
    for (size_t t = 0; t < n; t++) {
        size_t feature = t % E;
        size_t token = (t / E) % S;
        size_t batch = t / (E * S);
        size_t head = feature / D;
        size_t dim = feature % D;
        Y[batch * H * S * D + head * S * D + token * D + dim] = X[t];
    }

    return ATTN_OK;
}

attn_status attn_merge_heads(float *X, const float *Y, attn_shape shape) {
    const size_t B = shape.batch, H = shape.heads, S = shape.seq_q, D = shape.head_dim, E = H * D;

    // TODO 1.5: Y -> X, the way back.
    const float *from = Y;
    for (size_t batch = 0; batch < B; batch++) {
        for (size_t head = 0; head < H; head++) {
            for (size_t token = 0; token < S; token++) {
                float *to = X + batch * S * E + token * E + head * D;
                for (size_t dim = 0; dim < D; dim++) to[dim] = *from++;
            }
        }
    }

    return ATTN_OK;
}

static attn_status compute_scores(float *S, const float *Q, const float *K, attn_shape shape) {
    const size_t Sq = shape.seq_q, Sk = shape.seq_kv, D = shape.head_dim;

    // TODO 1.6: the scores.
    float norm = sqrtf((float)D);
    for (size_t row = 0; row < Sq; row++) {
        const float *q = Q + row * D;
        for (size_t col = 0; col < Sk; col++) {
            const float *k = K + col * D;
            double acc = 0.0;
            for (size_t d = 0; d < D; d++) acc += q[d] * k[d];
            S[row * Sk + col] = (float)(acc / norm);
        }
    }

    return ATTN_OK;
}

static attn_status mask_scores(float *S, attn_shape shape) {
    const size_t Sq = shape.seq_q, Sk = shape.seq_kv;

    // TODO 1.7: the causal mask.
    if (!shape.causal) return ATTN_OK;
    const size_t offset = Sk - Sq;
    for (size_t row = 0; row < Sq; row++) {
        for (size_t col = 0; col < Sk; col++) {
            if (col > row + offset) S[row * Sk + col] = -INFINITY;
        }
    }

    return ATTN_OK;
}

static attn_status weighted_sum(float *O, const float *P, const float *V, attn_shape shape) {
    const size_t Sq = shape.seq_q, Sk = shape.seq_kv, D = shape.head_dim;

    // TODO 1.8: the weighted sum of the values.
    for (size_t row = 0; row < Sq; row++) {
        for (size_t d = 0; d < D; d++) {
            double acc = 0;
            for (size_t col = 0; col < Sk; col++) acc += P[row * Sk + col] * V[col * D + d];
            O[row * D + d] = acc;
        }
    }

    return ATTN_OK;
}

attn_status attn_sdpa(float *O, const float *Q, const float *K, const float *V, attn_shape shape) {
    const size_t heads = (size_t)shape.batch * shape.heads, D = shape.head_dim;
    const size_t q_head = shape.seq_q * D, kv_head = shape.seq_kv * D;
    const size_t scores = (size_t)shape.seq_q * shape.seq_kv;

    float *S = malloc(scores * sizeof *S), *P = malloc(scores * sizeof *P);
    attn_status status = S && P ? ATTN_OK : ATTN_NO_MEMORY;
    for (size_t h = 0; h < heads && status == ATTN_OK; h++) {
        status = compute_scores(S, Q + h * q_head, K + h * kv_head, shape);
        if (status == ATTN_OK) status = mask_scores(S, shape);
        if (status == ATTN_OK) status = attn_softmax_rows(P, S, shape.seq_q, shape.seq_kv);
        if (status == ATTN_OK) status = weighted_sum(O + h * q_head, P, V + h * kv_head, shape);
    }
    free(P);
    free(S);
    return status;
}

static attn_status project(float *Y, const float *X, const float *W, size_t rows, size_t E) {
    // TODO 1.9: the projection.
    for (size_t t = 0; t < rows; t++) {
        const float *x = X + t * E;
        for (size_t out = 0; out < E; out++) {
            const float *w = W + out * E;
            Y[t * E + out] = 0;
            for (size_t in = 0; in < E; in++) Y[t * E + out] += x[in] * w[in];
        }
    }

    return ATTN_OK;
}

attn_status attn_mha(float *Y, const float *X, const float *Wq, const float *Wk, const float *Wv, const float *Wo,
                     attn_shape shape) {
    const size_t rows = (size_t)shape.batch * shape.seq_q, E = (size_t)shape.heads * shape.head_dim;
    const size_t n = rows * E;

    float *flat = calloc(5 * n, sizeof *flat);
    if (!flat) return ATTN_NO_MEMORY;
    float *Q = flat + n, *K = Q + n, *V = K + n, *O = V + n;

    attn_status status = project(flat, X, Wq, rows, E);
    if (status == ATTN_OK) status = attn_split_heads(Q, flat, shape);

    // TODO 1.10: put it together.
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
