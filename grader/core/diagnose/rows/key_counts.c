// key_counts.c: a row with few keys tells how often each of them counts: its output is a sum of their values, and the weights
// can be solved for. Keys whose K and V are 0 from one key on are found for any number of keys.
#include "reductions.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_SOLVED = 40, FEWEST = 4 };

typedef struct {
    int n, count[MOST_SOLVED];
    double unit;  // the weight of a key that counts once, over the right one
} counts;

static int weights_of(const lab_wrong_row *r, int D, double x[MOST_SOLVED]) {
    double g[MOST_SOLVED * (MOST_SOLVED + 1)];
    const int n = r->seen;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= n; j++) {
            double *sum = &g[i * (n + 1) + j];
            *sum = 0;
            for (int c = 0; c < D; c++) *sum += r->v[(size_t)i * D + c] * (j < n ? r->v[(size_t)j * D + c] : r->got[c]);
        }
    if (!lab_solve(n, g, x)) return 0;
    for (int c = 0; c < D; c++) {
        double sum = 0;
        for (int j = 0; j < n; j++) sum += x[j] * r->v[(size_t)j * D + c];
        if (!(fabs(sum - r->got[c]) < LAB_TOLERANCE / 4 * (1 + fabs(sum)))) return 0;
    }
    return 1;
}

// How often each key of the row counts, if that is a whole number for all, and not the same one.
static int counts_of(const lab_wrong_rows *w, const lab_wrong_row *r, counts *k) {
    const int D = w->shape.head_dim;
    double *p = w->scratch, x[MOST_SOLVED], sum = 0, most = 0;
    int differ = 0;
    k->n = r->seen, k->unit = INFINITY;
    if (k->n < FEWEST || k->n > MOST_SOLVED || 2 * k->n > D || !weights_of(r, D, x)) return 0;
    const double max = lab_row_scores(r, D, p);
    for (int j = 0; j < k->n; j++) sum += p[j] = exp(p[j] - max);
    for (int j = 0; j < k->n; j++) {
        if (p[j] < 1e-3 * sum) return 0;  // too small to tell
        x[j] *= sum / p[j], most = fmax(most, x[j]);
    }
    for (int j = 0; j < k->n; j++)
        if (x[j] > 0.01 * most) k->unit = fmin(k->unit, x[j]);
    for (int j = 0; j < k->n; j++) {
        const double times = x[j] / k->unit;
        k->count[j] = (int)round(times);
        if (!(fabs(times - k->count[j]) < 0.02) || k->count[j] > 64) return 0;
        differ |= k->count[j] != k->count[0];
    }
    return differ;
}

static int end_of_run(const int count[], int n, int from) {
    int to = from;
    while (to < n && count[to] == count[from]) to++;
    return to;
}

static void say_times(int count, char *text, size_t size) {
    if (count == 0)
        snprintf(text, size, "not at all");
    else if (count == 1)
        snprintf(text, size, "once");
    else
        snprintf(text, size, "%d times", count);
}

// By runs, or by their number modulo a period where it repeats.
void lab_list_counts(const int count[], int n, const char *name, const char *index, char *text, size_t size) {
    int runs = 0, period = 0, used = 0;
    for (int j = 0; j < n; j = end_of_run(count, n, j)) runs++;
    for (int p = 2; p <= n / 2 && runs > 3 && !period; p++) {
        int same = 1;
        for (int j = p; j < n; j++) same &= count[j] == count[j - p];
        if (same) period = p;
    }
    for (int j = 0, to; j < (period ? period : n) && used < (int)size - 60; j = to) {
        char times[24];
        to = end_of_run(count, n, j);
        if (period && to > period) to = period;
        say_times(count[j], times, sizeof times);
        used += snprintf(text + used, size - used, "%s", j ? ", " : "");
        if (period)
            used += snprintf(text + used, size - used, "%s %% %d = %d", index, period, j);
        else
            used += snprintf(text + used, size - used, "%s%s %d", name, to - j > 1 ? "s" : "", j);
        if (to - j > 1) used += snprintf(text + used, size - used, " .. %d", to - 1);
        used += snprintf(text + used, size - used, " %s", times);
    }
}

int lab_explain_key_counts(const lab_wrong_rows *w, char *text, size_t size) {
    counts k[2];
    char keys[200];
    if (!w->n) return 0;
    for (int i = w->n - 1; i >= 0; i--)
        if (!counts_of(w, &w->row[i], &k[i != 0])) return 0;
    lab_list_counts(k[0].count, k[0].n, "key", "j", keys, sizeof keys);
    snprintf(text, size, "matches keys that do not count once each%s (in row %d, of %d keys, %s)",
             fabs(k[0].unit - 1) < 0.01 ? " in O, while l is right" : "", w->row[0].query, k[0].n, keys);
    return 1;
}

// ---- Zeros from one key on

typedef enum { K_AND_V, V_ALONE, K_ALONE, N_ZEROS } zeros;

// The first key that is 0 in the row, if it is one; 0: none.
static int first_zero(const lab_wrong_rows *w, const lab_wrong_row *r, zeros z) {
    const int D = w->shape.head_dim;
    double *p = w->scratch, *o = p + w->shape.seq_kv, *rest = o + D, all = 0, sum = 0, max;
    max = fmax(0, lab_row_scores(r, D, p));
    const double zero = exp(-max);
    memset(o, 0, D * sizeof *o), memset(rest, 0, D * sizeof *rest);
    for (int j = 0; j < r->seen; j++) {
        all += p[j] = exp(p[j] - max);
        for (int c = 0; c < D; c++) rest[c] += r->v[(size_t)j * D + c];
    }
    for (int f = 1; f < r->seen; f++) {
        const float *v = r->v + (size_t)(f - 1) * D;
        sum += p[f - 1];
        for (int c = 0; c < D; c++) o[c] += p[f - 1] * v[c], rest[c] -= v[c];
        const double l = z == V_ALONE ? all : sum + (r->seen - f) * zero;
        int fits = 1;
        for (int c = 0; c < D && fits; c++)
            fits = fabs((o[c] + (z == K_ALONE ? zero * rest[c] : 0)) / l - r->got[c]) < LAB_TOLERANCE / 2;
        if (fits) return f;
    }
    return 0;
}

int lab_explain_zero_keys(const lab_wrong_rows *w, char *text, size_t size) {
    static const char *const what[N_ZEROS] = {"K and V are", "V is", "K is"};
    for (zeros z = 0; z < N_ZEROS; z++) {
        const int first = w->n > 1 ? first_zero(w, &w->row[0], z) : 0;
        int all = first > 0;
        for (int i = 1; i < w->n && all; i++) all = first_zero(w, &w->row[i], z) == first;
        if (!all) continue;
        snprintf(text, size, "matches keys from number %d on whose %s 0%s", first, what[z],
                 first == w->shape.seq_q ? ": that is seq_q, and there are seq_kv of them"
                                         : ": are all rows of a tile loaded?");
        return 1;
    }
    return 0;
}
