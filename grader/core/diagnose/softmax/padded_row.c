// padded_row.c: a softmax of a row that is filled up to whole threads or tiles: what stands behind its end counts with a
// score of 0.
//
//     keep[u] = c < cols ? in[c] : 0.0f;      the sum has exp(0 - m) for each u behind the row
#include "row_sums.h"

#include <math.h>

enum { MOST = 4096, GROUP = 16 };

// The row's sum of exp(s - max), and max.
static double sum_of(const float *x, size_t cols, double *max) {
    double sum = 0;
    *max = x[0];
    for (size_t j = 1; j < cols; j++) *max = x[j] > *max ? x[j] : *max;
    for (size_t j = 0; j < cols; j++) sum += exp(x[j] - *max);
    return sum;
}

// How many numbers of 0 the sum has beside those of the row, by its largest element; *weight: of one of them.
static double number_in(const lab_symptom *s, size_t row, double *weight) {
    const size_t cols = s->shape.seq_kv;
    const float *x = s->in[1] + row * cols, *p = s->got + row * cols;
    double max;
    const double sum = sum_of(x, cols, &max);
    size_t at = 0;
    for (size_t j = 0; j < cols; j++) at = x[j] > x[at] ? j : at;
    *weight = exp(-max) / sum;
    return p[at] > 0 ? (1 / p[at] - sum) / exp(-max) : 0;
}

static int is_so(const lab_symptom *s, size_t row, double n) {
    const size_t cols = s->shape.seq_kv;
    const float *x = s->in[1] + row * cols, *p = s->got + row * cols;
    double max;
    const double sum = sum_of(x, cols, &max) + n * exp(-max);
    for (size_t j = 0; j < cols; j++)
        if (!(fabs(exp(x[j] - max) / sum - p[j]) < LAB_TOLERANCE / 10)) return 0;
    return 1;
}

int lab_explain_padded_row(const lab_symptom *s, const lab_sample *bad, char *text, size_t size) {
    double most = 0, weight, n = 0;
    for (int i = 0; i < bad->n; i++) {  // the row in which one of them weighs most tells best
        const double here = number_in(s, bad->row[i], &weight);
        if (weight > most && isfinite(weight)) most = weight, n = here;
    }
    const double whole = round(n);
    if (!(whole >= 1 && whole <= MOST && fabs(n - whole) < 0.05 * whole)) return 0;
    for (size_t group = GROUP; group <= MOST; group *= 2) {  // rows end with a group, and n is only nearly known
        const double to = ceil(s->shape.seq_kv / (double)group) * (double)group - s->shape.seq_kv;
        int same = bad->n > 0 && fabs(to - n) < 0.05 * n && to >= 1;
        for (int i = 0; i < bad->n && same; i++) same = is_so(s, bad->row[i], to);
        if (same)
            return lab_guess(
                s->guesses,
                "matches columns behind the end of a row that count with a score of 0: each has exp(0 - m) "
                "in the sum. What stands for a column that is not there is -INFINITY, in the maximum, too",
                text, size);
    }
    return 0;
}
