// reductions.c: a row whose threads each hold a part, and whose sum or maximum over the threads is put together wrongly. The
// row is computed as such threads would, once for each lab_way to go wrong.
#include "reductions.h"

#include "kept_scores.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const ways[LAB_N_WAYS] = {
    [LAB_OWN] = "each of %d threads keeps its own part: exchange it (__shfl_xor_sync, distances %d, ..., 2, 1)",
    [LAB_TO_LANE_0] =
        "of %d threads, thread 0 alone has the whole: shuffles downwards leave it there; send it to all, or "
        "use __shfl_xor_sync",
    [LAB_LATE_START] = "two halves of %d threads each have their own: the first distance of the shuffles is %d",
    [LAB_EARLY_END] = "of %d threads, those of even and of odd number have their own: the shuffles' last distance is 1",
};

void lab_reduce(lab_way w, int lanes, int is_max, const double x[], double out[LAB_MOST_LANES]) {
    double next[LAB_MOST_LANES];
    memcpy(out, x, lanes * sizeof *out);
    for (int bit = w == LAB_LATE_START ? lanes / 4 : lanes / 2; w != LAB_OWN && bit > (w == LAB_EARLY_END); bit /= 2) {
        for (int t = 0; t < lanes; t++) {
            const int from = w == LAB_TO_LANE_0 ? (t + bit < lanes ? t + bit : t) : t ^ bit;
            next[t] = is_max ? fmax(out[t], out[from]) : out[t] + out[from];
        }
        memcpy(out, next, lanes * sizeof *out);
    }
}

// Which thread has column c of the output.
int lab_owner(int kind, int lanes, int D, int c) {
    return kind == 0 ? c % lanes : kind == 1 ? c / 4 % lanes : c / ((D + lanes - 1) / lanes);
}

int lab_is_near(double due, double got) { return fabs(due - got) < 2 * LAB_TOLERANCE * (1 + fabs(due)); }

// Is the computed row what was got, and closer to it than the right one?
int lab_is_closer(const lab_wrong_row *r, const double *due, int D) {
    double off = 0, wrong = 0;
    for (int c = 0; c < D; c++) {
        if (!lab_is_near(due[c], r->got[c])) return 0;
        off = fmax(off, fabs(due[c] - r->got[c])), wrong = fmax(wrong, fabs(r->want[c] - r->got[c]));
    }
    return off < 0.2 * wrong;
}

double lab_exp_or_0(double x, double max) { return x == -INFINITY ? 0 : exp(x - max); }

int lab_has_few_keys(const lab_wrong_rows *w) {
    for (int i = 0; i < w->n; i++)
        if (w->row[i].seen < 2 || w->row[i].seen > LAB_MOST_KEYS) return 0;
    return w->n > 0 && w->shape.head_dim >= 8 && w->shape.head_dim <= LAB_MOST_DIMS;
}

// ---- Threads that share a row's keys

typedef struct {
    int lanes, tile, owner;
    lab_way of_max, of_sum;
    int sum_at_end;  // the parts of l are added once, after the last tile
} keys_plan;

// columns: of the output, from 0 on, that are looked at.
static int keys_match(const lab_wrong_rows *w, const lab_wrong_row *r, const keys_plan *k, int columns) {
    const lab_kept_row *row = lab_kept_row_of(w, r, r->query);
    const int D = w->shape.head_dim, n = k->lanes;
    double m[LAB_MOST_LANES], l[LAB_MOST_LANES], part[LAB_MOST_LANES], all[LAB_MOST_LANES], *o = w->scratch;
    double a[LAB_MOST_LANES], p[LAB_MOST_KEYS];
    if (!row) return 0;
    for (int t = 0; t < n; t++) m[t] = -INFINITY, l[t] = 0;
    memset(o, 0, columns * sizeof *o);
    for (int from = 0; from < r->seen; from += k->tile) {
        const int end = from + k->tile < r->seen ? from + k->tile : r->seen;
        for (int t = 0; t < n; t++) part[t] = -INFINITY;
        for (int j = from; j < end; j++) part[(j - from) % n] = fmax(part[(j - from) % n], row->score[j]);
        lab_reduce(k->of_max, n, 1, part, all);
        for (int t = 0; t < n; t++) {
            const double now = fmax(m[t], all[t]);
            a[t] = lab_exp_or_0(m[t], now), m[t] = now, part[t] = 0;
        }
        for (int j = from; j < end; j++) part[(j - from) % n] += p[j] = exp(row->score[j] - m[(j - from) % n]);
        lab_reduce(k->sum_at_end ? LAB_OWN : k->of_sum, n, 0, part, all);
        for (int t = 0; t < n; t++) l[t] = l[t] * a[t] + all[t];
        for (int c = 0; c < columns; c++) {
            o[c] *= a[lab_owner(k->owner, n, D, c)];
            for (int j = from; j < end; j++) o[c] += p[j] * r->v[(size_t)j * D + c];
        }
    }
    if (k->sum_at_end) memcpy(part, l, sizeof part), lab_reduce(k->of_sum, n, 0, part, l);
    for (int c = 0; c < columns; c++) {
        o[c] /= l[lab_owner(k->owner, n, D, c)];
        if (!lab_is_near(o[c], r->got[c])) return 0;
    }
    return columns < D || lab_is_closer(r, o, D);
}

static int all_keys_match(const lab_wrong_rows *w, const keys_plan *k) {
    int all = 1;
    for (int i = 0; i < 2 * w->n && all; i++)
        all = keys_match(w, &w->row[i % w->n], k, lab_columns_in_turn(w->shape.head_dim, w->n, i));
    return all;
}

void lab_say_way(const char *what, lab_way w, int lanes, char *text, size_t size) {
    const int used = snprintf(text, size, "matches %s ", what);
    if (w == LAB_OWN && lanes <= 4)
        snprintf(text + used, size - used,
                 "each of %d threads keeps its own part: exchange it (__shfl_xor_sync, distance%s 1)", lanes,
                 lanes == 2 ? "" : "s 2 and");
    else
        snprintf(text + used, size - used, ways[w], lanes, lanes / 2);
}

static void say_keys(const lab_wrong_rows *w, int of_max, lab_way x, int lanes, char *text, size_t size) {
    if (w->on_cpu)
        snprintf(text, size,
                 "matches %d parts of the keys' %s, of which each is used alone for its columns: join the parts first, "
                 "all columns have the same",
                 lanes, of_max ? "maximum" : "sum");
    else
        lab_say_way(of_max ? "a row maximum that the threads do not agree on:"
                           : "a row sum that does not reach every thread:",
                    x, lanes, text, size);
}

static int explain_keys(const lab_wrong_rows *w, char *text, size_t size) {
    for (int lanes = LAB_MOST_LANES; lanes >= 2; lanes /= 2)
        for (int i = 0; i < (lanes > 32 ? 13 : 24); i++) {
            const int tile = i % 4 == 0 ? lanes : i % 4 == 1 ? 32 : i % 4 == 2 ? 64 : 16;
            if (tile < lanes || (i % 4 && tile == lanes)) continue;
            for (lab_way x = LAB_OWN; x < LAB_N_WAYS; x++)
                for (int of_max = 0; of_max < 2; of_max++) {
                    const keys_plan k = {lanes,  tile, i / 4 % 3, of_max ? x : LAB_WHOLE, of_max ? LAB_WHOLE : x,
                                         i >= 12};
                    if (((lanes == 2 || w->on_cpu) && x > LAB_OWN) || !all_keys_match(w, &k)) continue;
                    say_keys(w, of_max, x, lanes, text, size);
                    return 1;
                }
        }
    return 0;
}

// ---- Columns that are right up to a factor, another for each thread

static int factors_by_thread(const lab_wrong_row *r, int D, int kind, int lanes) {
    int differ = 0;
    double first = 0;
    for (int t = 0; t < lanes; t++) {
        double gw = 0, ww = 0, rest = 0;
        int columns = 0;
        for (int c = 0; c < D; c++) {
            if (lab_owner(kind, lanes, D, c) != t) continue;
            gw += r->got[c] * r->want[c], ww += r->want[c] * r->want[c], columns++;
        }
        const double f = gw / ww;
        for (int c = 0; c < D; c++)
            if (lab_owner(kind, lanes, D, c) == t) rest += pow(r->got[c] - f * r->want[c], 2);
        if (columns < 2 || !(rest < 1e-6 * (1e-4 + f * f * ww))) return 0;
        first = t ? first : f;
        differ |= fabs(f - first) > 0.01 * fabs(first);
    }
    return differ;
}

static int explain_factors(const lab_wrong_rows *w, char *text, size_t size) {
    for (int lanes = 2; lanes <= 32; lanes *= 2)
        for (int kind = 0; kind < 3; kind++) {
            int all = 1;
            for (int i = 0; i < w->n && all; i++) all = factors_by_thread(&w->row[i], w->shape.head_dim, kind, lanes);
            if (!all) continue;
            snprintf(
                text, size,
                "matches a row sum that the %d threads of a row do not agree on: the columns of each are the right "
                "ones times a number of its own; who exchanges with whom?",
                lanes);
            return 1;
        }
    return 0;
}

int lab_explain_reductions(const lab_wrong_rows *w, char *text, size_t size) {
    return lab_has_few_keys(w) && (explain_keys(w, text, size) || explain_factors(w, text, size));
}
