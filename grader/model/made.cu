// made.cu: a product and a prompt's attention, on the host, right and with mistakes; which of them a kernel has made.
// Some rows are compared with all mistakes, and all rows with what fits.
#include "made.h"

#include <math.h>
#include <stdlib.h>

static const double most_work = 2e7;  // multiplications; more is not looked at
enum { SOME = 4 };                    // rows of each sequence, one of them the last real one

static int same(double got, double want) { return fabs(got - want) <= 1e-3 * (1 + fabs(want)); }

// ---- One row: of x W + b, or of attention ---------------------------------------------------------------------------

static double weight_of(const lab_made *m, int how, int k, int c) {
    const size_t at = how == LAB_MADE_W_TURNED  ? (size_t)c * m->n_in + k
                      : how == LAB_MADE_W_PITCH ? (size_t)k * m->n_in + c
                                                : (size_t)k * m->n_out + c;
    return at < (size_t)m->n_in * m->n_out ? m->in[1][at] : 0;
}

static double bias_of(const lab_made *m, int how, int row, int c) {
    switch (how) {
    case LAB_MADE_NO_BIAS: return 0;
    case LAB_MADE_BIAS_OF_ROW: return row < m->n_out ? m->in[2][row] : NAN;  // behind its end: not known
    case LAB_MADE_BIAS_0: return m->in[2][0];
    default: return m->in[2][c];
    }
}

static int product_is(const lab_made *m, const int mistake[LAB_MADE_AXES], int b, int t, const float *got) {
    const int row = b * m->seq + t, cut[] = {0, 1, m->n_in % 32, m->n_in % 16}, last = m->n_in - cut[mistake[2]];
    const float *x = m->in[0] + (size_t)row * m->n_in;
    for (int c = 0; c < m->n_out; c++) {
        double sum = bias_of(m, mistake[0], row, c);
        for (int k = 0; k < last && sum == sum; k++) sum += x[k] * weight_of(m, mistake[1], k, c);
        if (sum == sum && !same(got[(size_t)row * m->n_out + c], sum)) return 0;
    }
    return 1;
}

static double scale_of(int how, int D) {
    return how == LAB_MADE_NO_SCALE ? 1 : how == LAB_MADE_SCALE_D ? 1.0 / D : 1 / sqrt((double)D);
}

static int attention_is(const lab_made *m, const int mistake[LAB_MADE_AXES], int b, int t, const float *got) {
    const int D = m->head_dim, before = (m->past ? m->past[b] : 0) + t;
    const int n = mistake[0] == LAB_MADE_SEES_ALL ? m->slots : before + (mistake[0] != LAB_MADE_NOT_ITSELF);
    for (int h = 0; h < m->heads; h++) {
        const size_t head = (size_t)(b * m->heads + h), row = (head * m->seq + t) * D, first = head * m->slots * D;
        const float *q = m->in[0] + row, *k = m->in[1] + first, *o = got + row;
        const float *v = (mistake[2] == LAB_MADE_K_AS_V ? m->in[1] : m->in[2]) + first;
        const double scale = scale_of(mistake[1], D);
        double top = -INFINITY, l = 0, sum[128] = {0};
        for (int j = 0; j < n; j++) {
            double s = 0;
            for (int d = 0; d < D; d++) s += (double)q[d] * k[(size_t)j * D + d];
            s *= scale;
            const double high = fmax(top, s), keep = l > 0 ? exp(top - high) : 0, w = exp(s - high);
            const float *value = v + (mistake[2] == LAB_MADE_V_STAYS ? 0 : (size_t)j * D);
            for (int d = 0; d < D; d++) sum[d] = (mistake[3] == LAB_MADE_O_KEPT ? 1 : keep) * sum[d] + w * value[d];
            l = (mistake[3] == LAB_MADE_L_KEPT ? 1 : keep) * l + w, top = high;
        }
        for (int d = 0; d < D && n; d++)
            if (!same(o[d], mistake[3] == LAB_MADE_UNDIVIDED ? sum[d] : sum[d] / l)) return 0;
    }
    return 1;
}

static int row_is(const lab_made *m, const int mistake[LAB_MADE_AXES], int b, int t, const float *got) {
    return m->kind == LAB_MADE_PRODUCT ? product_is(m, mistake, b, t, got) : attention_is(m, mistake, b, t, got);
}

// ---- All rows, or some -----------------------------------------------------------------------------------------------

static int rows_are(const lab_made *m, const int mistake[LAB_MADE_AXES], int step_of, const float *got) {
    for (int b = 0; b < m->batch; b++) {
        const int n = m->count[b], step = step_of ? (n + step_of - 1) / step_of : 1;
        for (int t = n - 1; t >= 0; t -= step)
            if (!row_is(m, mistake, b, t, got)) return 0;
    }
    return 1;
}

// Every choice of mistakes with n of them: the first that fits.
static int find(const lab_made *m, int n, const float *got) {
    int mistake[LAB_MADE_AXES];
    for (int code = 1; code < LAB_MADE_CODES; code++) {
        int wrong = 0;
        for (int i = 0, rest = code; i < LAB_MADE_AXES; i++, rest /= LAB_MADE_CHOICES)
            wrong += (mistake[i] = rest % LAB_MADE_CHOICES) != 0;
        if (wrong == n && rows_are(m, mistake, SOME, got) && rows_are(m, mistake, 0, got)) return code;
    }
    return LAB_MADE_OTHER;
}

int lab_made_look(const lab_made *m, const float *got) {
    static const int none[LAB_MADE_AXES] = {0};
    const double tokens = (double)m->batch * m->seq, width = (double)m->heads * m->head_dim;
    const double work = m->kind == LAB_MADE_PRODUCT ? tokens * m->n_in * m->n_out : tokens * m->slots * width;
    if (work > most_work || m->head_dim > 128) return LAB_MADE_UNKNOWN;
    if (rows_are(m, none, 0, got)) return LAB_MADE_RIGHT;
    const int one = find(m, 1, got);
    return one == LAB_MADE_OTHER ? find(m, 2, got) : one;
}
