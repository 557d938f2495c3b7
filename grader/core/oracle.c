// oracle.c: attention by its definition, in float64.
#include "oracle.h"

#include <math.h>

void lab_oracle_softmax(double *p, const float *s, int cols, lab_mistake mistake) {
    double max = -INFINITY, sum = 0;
    for (int c = 0; c < cols; c++) max = s[c] > max ? s[c] : max;
    for (int c = 0; c < cols; c++) sum += p[c] = exp(s[c] - max);
    if (mistake == LAB_NO_DIVISION) return;
    for (int c = 0; c < cols; c++) p[c] /= sum;
}

static double dot(const float *a, const float *b, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += (double)a[i] * b[i];
    return sum;
}

// The number of keys that query i sees, from key 0 on.
static int seen_keys(attn_shape shape, int i, lab_mistake mistake) {
    int seen = shape.causal ? i + shape.seq_kv - shape.seq_q + 1 : shape.seq_kv;
    switch (mistake) {
    case LAB_NO_MASK: seen = shape.seq_kv; break;
    case LAB_MASK_ALWAYS: seen = i + shape.seq_kv - shape.seq_q + 1; break;
    case LAB_MASK_PLUS_ONE: seen += shape.causal; break;
    case LAB_MASK_MINUS_ONE: seen -= shape.causal; break;
    case LAB_MASK_TOP_LEFT: seen = shape.causal ? i + 1 : seen; break;
    case LAB_DROP_LAST_KEY: seen = seen < shape.seq_kv ? seen : shape.seq_kv - 1; break;
    default: break;
    }
    return seen < 0 ? 0 : seen > shape.seq_kv ? shape.seq_kv : seen;
}

static double scale_of(attn_shape shape, lab_mistake mistake) {
    double root = 1 / sqrt(shape.head_dim);
    switch (mistake) {
    case LAB_NO_SCALE:
    case LAB_SCALE_AFTER: return 1;
    case LAB_SCALE_BY_D: return root * root;
    case LAB_UNIFORM: return 0;
    default: return root;
    }
}

void lab_oracle_row(double *o, const float *q, const float *k, const float *v, attn_shape shape, int b, int h, int i,
                    lab_mistake mistake, double *p) {
    const int d = shape.head_dim, seen = seen_keys(shape, i, mistake), all = shape.seq_kv;
    const int qb = mistake == LAB_BATCH_ZERO ? 0 : b, qh = mistake == LAB_HEAD_ZERO ? 0 : h;
    const int kb = qb, kh = mistake == LAB_KV_HEAD_ZERO ? 0 : qh;
    const size_t q_head = ((size_t)qb * shape.heads + qh) * shape.seq_q * d;
    const size_t k_head = ((size_t)kb * shape.heads + kh) * shape.seq_kv * d;
    const float *query = q + q_head + (size_t)i * d, *keys = k + k_head, *values = v + k_head;
    if (mistake == LAB_K_AS_V) values = keys;
    if (mistake == LAB_K_V_SWAPPED) values = keys, keys = v + k_head;
    if (mistake == LAB_Q_AS_K) keys = q + q_head;
    if (mistake == LAB_Q_K_SWAPPED) query = keys + (size_t)i * d, keys = q + q_head;

    const double scale = scale_of(shape, mistake);
    const int kept = mistake == LAB_MASK_AFTER || mistake == LAB_MASK_IS_ZERO ? all : seen;
    double max = -INFINITY, sum = 0;
    for (int j = 0; j < kept; j++) {
        p[j] = mistake == LAB_MASK_IS_ZERO && j >= seen ? 0 : scale * dot(query, keys + (size_t)j * d, d);
        max = p[j] > max ? p[j] : max;
    }
    for (int j = 0; j < kept; j++) sum += p[j] = exp(p[j] - max);
    if (mistake == LAB_NO_DIVISION) sum = 1;
    if (mistake == LAB_SCALE_AFTER) sum *= sqrt(d);

    for (int c = 0; c < d; c++) o[c] = 0;
    for (int j = 0; j < (mistake == LAB_MASK_IS_ZERO ? all : seen); j++)
        for (int c = 0; c < d; c++) o[c] += p[j] / sum * values[(size_t)j * d + c];
}
