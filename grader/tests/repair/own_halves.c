// Log-sum-exp: a probability is exp(s - lse). Small functions that return structs; recursion in halves.
#include "task1.h"
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

typedef struct {
    float max, sum;
} mass;

static mass join(mass a, mass b) {
    if (a.max < b.max) {
        const mass t = a;
        a = b;
        b = t;
    }
    if (b.max == -INFINITY) return a;
    return (mass){a.max, a.sum + b.sum * expf(b.max - a.max)};
}

static mass weigh(const float *s, int n) {
    if (n == 1) return (mass){s[0], 1.0f};
    const int half = n / 2;
    return join(weigh(s, half), weigh(s + half, n - half));
}

static float lse(const float *s, int n) {
    const mass w = weigh(s, n);
    return w.max + logf(w.sum);
}

attn_status attn_softmax_rows(float *P, const float *S, int rows, int cols) {
    for (size_t at = 0; at < (size_t)rows * cols; at += cols) {
        int first = 0;
        while (S[at + first] == -INFINITY) P[at + first++] = 0;
        int last = cols;
        while (S[at + last - 1] == -INFINITY) P[at + --last] = 0;
        const float z = lse(S + at + first, last - first);
        for (int c = first; c < last; c++) P[at + c] = expf(S[at + c] - z);
    }
    return ATTN_OK;
}

typedef struct {
    int b, h, s;
} token;

static size_t packed(attn_shape f, token t) { return (((size_t)t.b * f.seq_q + t.s) * f.heads + t.h) * f.head_dim; }
static size_t apart(attn_shape f, token t) { return (((size_t)t.b * f.heads + t.h) * f.seq_q + t.s) * f.head_dim; }

static bool next(attn_shape f, token *t) {
    if (++t->s < f.seq_q) return true;
    t->s = 0;
    if (++t->h < f.heads) return true;
    t->h = 0;
    return ++t->b < f.batch;
}

static void copy(float *to, const float *from, int n) {
    for (int i = 0; i < n; i++) to[i] = from[i];
}

attn_status attn_split_heads(float *Y, const float *X, attn_shape f) {
    token t = {0};
    do copy(Y + apart(f, t), X + packed(f, t), f.head_dim);
    while (next(f, &t));
    return ATTN_OK;
}

attn_status attn_merge_heads(float *X, const float *Y, attn_shape f) {
    token t = {0};
    do copy(X + packed(f, t), Y + apart(f, t), f.head_dim);
    while (next(f, &t));
    return ATTN_OK;
}

static float dot(const float *a, const float *b, int n) {
    return n == 1 ? a[0] * b[0] : dot(a, b, n / 2) + dot(a + n / 2, b + n / 2, n - n / 2);
}

static int count_seen(attn_shape f, int query) { return f.causal ? query + 1 + f.seq_kv - f.seq_q : f.seq_kv; }

attn_status attn_sdpa(float *O, const float *Q, const float *K, const float *V, attn_shape f) {
    float *s = malloc(f.seq_kv * sizeof *s);
    if (!s) return ATTN_NO_MEMORY;
    token t = {0};
    do {
        const float *q = Q + apart(f, t);
        float *o = O + apart(f, t);
        const size_t head = ((size_t)t.b * f.heads + t.h) * f.seq_kv * f.head_dim;
        const int seen = count_seen(f, t.s);
        for (int j = 0; j < seen; j++) s[j] = dot(q, K + head + (size_t)j * f.head_dim, f.head_dim) / sqrtf(f.head_dim);
        const float z = lse(s, seen);
        for (int d = 0; d < f.head_dim; d++) o[d] = 0;
        for (int j = 0; j < seen; j++) {
            const float p = expf(s[j] - z);
            for (int d = 0; d < f.head_dim; d++) o[d] += p * V[head + (size_t)j * f.head_dim + d];
        }
    } while (next(f, &t));
    free(s);
    return ATTN_OK;
}

static float *linear(const float *x, const float *w, int rows, int e, float *y) {
    for (int i = 0; i < rows * e; i++) y[i] = dot(x + i / e * e, w + i % e * e, e);
    return y;
}

attn_status attn_mha(float *Y, const float *X, const float *Wq, const float *Wk, const float *Wv, const float *Wo,
                     attn_shape f) {
    const int rows = f.batch * f.seq_q, e = f.heads * f.head_dim;
    enum { FLAT, Qs, Ks, Vs, Os, PARTS };
    float *part[PARTS];
    bool there = true;
    for (int i = 0; i < PARTS; i++) there &= (part[i] = malloc(sizeof(float) * rows * e)) != NULL;
    attn_status status = ATTN_NO_MEMORY;
    if (there) {
        attn_split_heads(part[Qs], linear(X, Wq, rows, e, part[FLAT]), f);
        attn_split_heads(part[Ks], linear(X, Wk, rows, e, part[FLAT]), f);
        attn_split_heads(part[Vs], linear(X, Wv, rows, e, part[FLAT]), f);
        status = attn_sdpa(part[Os], part[Qs], part[Ks], part[Vs], f);
        attn_merge_heads(part[FLAT], part[Os], f);
        linear(part[FLAT], Wo, rows, e, Y);
    }
    for (int i = 0; i < PARTS; i++) free(part[i]);
    return status;
}
