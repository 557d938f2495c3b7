// oracle.c: attention by its definition, in float64.
#include "oracle.h"

#include <math.h>

void lab_oracle_softmax(double *p, const float *s, int cols, lab_mistake mistake) {
    double max = -INFINITY, sum = 0;
    for (int c = 0; c < cols; c++) max = s[c] > max ? s[c] : max;
    for (int c = 0; c < cols; c++) sum += p[c] = mistake == LAB_FIRST_IS_ONE && !c ? 1 : exp(s[c] - max);
    if (mistake == LAB_NO_DIVISION) return;
    for (int c = 0; c < cols; c++) p[c] /= sum;
}

// The number of keys that query i sees, from key 0 on.
static int seen_keys(attn_shape shape, int i, lab_mistake mistake) {
    int seen = shape.causal ? i + shape.seq_kv - shape.seq_q + 1 : shape.seq_kv;
    switch (mistake) {
    case LAB_NO_SCALE_NO_MASK:
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
    case LAB_NO_SCALE_NO_MASK:
    case LAB_SCALE_AFTER: return 1;
    case LAB_SCALE_UP: return sqrt(shape.head_dim);
    case LAB_SCALE_BY_D: return root * root;
    case LAB_UNIFORM: return 0;
    default: return root;
    }
}

// Scores of keys first .. end - 1 into p. by_columns: element c of key j is keys[c * all + j].
static void scores(double *p, const float *query, const float *keys, attn_shape shape, int first, int end,
                   lab_mistake mistake) {
    const size_t d = shape.head_dim, all = shape.seq_kv;
    const double scale = scale_of(shape, mistake);
    double so_far = 0;
    for (size_t j = first; j < (size_t)end; j++) {
        p[j] = scale * lab_dot(query, keys + j * d, d);
        if (mistake == LAB_K_BY_COLUMNS) {
            p[j] = 0;
            for (size_t c = 0; c < d; c++) p[j] += scale * query[c] * keys[c * all + j];
        }
        if (mistake == LAB_SCORES_RUN_ON) p[j] = so_far += p[j];
    }
}

// Scores become exponentials. Returns their sum.
static double exponentials(double *p, int first, int end) {
    double max = -INFINITY, sum = 0;
    for (int j = first; j < end; j++) max = p[j] > max ? p[j] : max;
    for (int j = first; j < end; j++) sum += p[j] = exp(p[j] - max);
    return sum;
}

// Scores of keys first .. end - 1 become weights.
static void weigh(double *p, int first, int end, int d, lab_mistake mistake) {
    if (mistake == LAB_RAW_SCORES) return;
    double sum = exponentials(p, first, end), so_far = 0;
    if (mistake == LAB_SOFTMAX_TWICE) {
        for (int j = first; j < end; j++) p[j] /= sum;
        sum = exponentials(p, first, end);
    }
    if (mistake == LAB_FIRST_IS_ONE && first < end) sum += 1 - p[first], p[first] = 1;
    if (mistake == LAB_NO_DIVISION) sum = 1;
    if (mistake == LAB_SCALE_AFTER) sum *= sqrt(d);
    for (int j = first; j < end; j++) {
        so_far += p[j];
        p[j] /= mistake == LAB_SUM_SO_FAR ? so_far : sum;
    }
}

LAB_WIDE
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

    const int first = mistake == LAB_MASK_INVERTED ? seen : 0;
    const int weighed = mistake == LAB_MASK_AFTER || mistake == LAB_MASK_IS_ZERO || first ? all : seen;
    scores(p, query, keys, shape, first, weighed, mistake);
    for (int j = seen; j < weighed && mistake == LAB_MASK_IS_ZERO; j++) p[j] = 0;
    for (int j = 0; j < i && j < weighed && i < all && mistake == LAB_FROM_OTHER_SIDE; j++)
        p[j] = lab_dot(q + q_head + (size_t)j * d, keys + (size_t)i * d, d) / sqrt(d);
    weigh(p, first, weighed, d, mistake);
    const int stay = mistake == LAB_SCORES_STAY || mistake == LAB_RAW_SCORES_STAY;
    for (int j = seen; j < all && stay; j++)
        p[j] = lab_dot(query, keys + (size_t)j * d, d) / (mistake == LAB_SCORES_STAY ? sqrt(d) : 1);
    const int end = mistake == LAB_MASK_AFTER ? seen : stay ? all : weighed;
    for (int c = 0; c < d; c++) o[c] = 0;
    for (int j = first; j < end; j++) {
        const float *value = values + (mistake == LAB_V_BY_COLUMNS ? (size_t)j : (size_t)j * d);
        if (mistake == LAB_V_BY_COLUMNS)
            for (int c = 0; c < d; c++) o[c] += p[j] * value[(size_t)c * all];
        else
            for (int c = 0; c < d; c++) o[c] += p[j] * value[c];
    }
}
