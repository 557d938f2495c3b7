// oracle.c: attention by its definition, in float64.
#include "oracle.h"

#include <math.h>
#include <stdlib.h>

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
    case LAB_SCALE_BY_D:
    case LAB_SCALE_TWICE: return root * root;
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

int lab_oracle_attention(double *o, const float *q, const float *k, const float *v, attn_shape shape,
                         lab_mistake mistake) {
    double *scratch = malloc(sizeof *scratch * shape.seq_kv);
    if (!scratch) return 0;
    for (int b = 0; b < shape.batch; b++)
        for (int h = 0; h < shape.heads; h++)
            for (int i = 0; i < shape.seq_q; i++, o += shape.head_dim)
                lab_oracle_row(o, q, k, v, shape, b, h, i, mistake, scratch);
    free(scratch);
    return 1;
}

// Where element i of a [batch, heads, seq, head_dim] tensor stands in [batch, seq, heads * head_dim].
static size_t packed_index(size_t i, attn_shape shape) {
    const size_t D = shape.head_dim, S = shape.seq_q, H = shape.heads;
    const size_t d = i % D, s = i / D % S, h = i / D / S % H, b = i / D / S / H;
    return ((b * S + s) * H + h) * D + d;
}

void lab_oracle_split(double *y, const float *x, attn_shape shape) {
    const size_t n = (size_t)shape.batch * shape.heads * shape.seq_q * shape.head_dim;
    for (size_t i = 0; i < n; i++) y[i] = x[packed_index(i, shape)];
}

void lab_oracle_merge(double *x, const float *y, attn_shape shape) {
    const size_t n = (size_t)shape.batch * shape.heads * shape.seq_q * shape.head_dim;
    for (size_t i = 0; i < n; i++) x[packed_index(i, shape)] = y[i];
}

// y[r][e] = sum_f x[r][f] w[e][f]; rows x E times (E x E)^T.
static void project(double *y, const float *x, const float *w, size_t rows, size_t e_dim, int transposed) {
    for (size_t r = 0; r < rows; r++)
        for (size_t e = 0; e < e_dim; e++) {
            double sum = 0;
            for (size_t f = 0; f < e_dim; f++)
                sum += (double)x[r * e_dim + f] * (transposed ? w[f * e_dim + e] : w[e * e_dim + f]);
            y[r * e_dim + e] = sum;
        }
}

int lab_oracle_mha(double *y, const float *x, const float *wq, const float *wk, const float *wv, const float *wo,
                   attn_shape shape, lab_mistake mistake, int transposed) {
    const size_t rows = (size_t)shape.batch * shape.seq_q, e_dim = (size_t)shape.heads * shape.head_dim;
    const size_t n = rows * e_dim;
    const float *const w[3] = {wq, wk, wv};
    double *wide = malloc(n * sizeof *wide);
    float *packed = malloc(n * sizeof *packed), *split = malloc(3 * n * sizeof *split);
    int ok = wide && packed && split;
    for (int t = 0; ok && t < 3; t++) {
        project(wide, x, w[t], rows, e_dim, transposed);
        for (size_t i = 0; i < n; i++) packed[i] = (float)wide[i];
        lab_oracle_split(wide, packed, shape);
        for (size_t i = 0; i < n; i++) split[t * n + i] = (float)wide[i];
    }
    ok = ok && lab_oracle_attention(wide, split, split + n, split + 2 * n, shape, mistake);
    if (ok) {
        for (size_t i = 0; i < n; i++) split[i] = (float)wide[i];
        lab_oracle_merge(wide, split, shape);
        for (size_t i = 0; i < n; i++) packed[i] = (float)wide[i];
        project(y, packed, wo, rows, e_dim, transposed);
    }
    free(wide);
    free(packed);
    free(split);
    return ok;
}
