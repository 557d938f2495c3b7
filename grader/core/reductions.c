// reductions.c: a row whose threads each hold a part, and whose sum or maximum over the threads is put together wrongly. The
// row is computed as such threads would, once for each way to go wrong.
#include "wrong_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_LANES = 32, MOST_KEYS = 320 };

// What the exchange between the threads of a row does, with distances lanes / 2, ..., 2, 1.
typedef enum {
    WHOLE,       // as it should
    OWN,         // nothing: each thread keeps its own part
    TO_LANE_0,   // shuffles downwards: thread 0 alone has the whole
    LATE_START,  // the largest distance is left out: each half has its own
    EARLY_END,   // distance 1 is left out: threads of one parity have their own
    N_WAYS
} way;

static const char *const ways[N_WAYS] = {
    [OWN] = "each of %d threads keeps its own part: exchange it (__shfl_xor_sync, distances %d, ..., 2, 1)",
    [TO_LANE_0] = "of %d threads, thread 0 alone has the whole: shuffles downwards leave it there; send it to all, or "
                  "use __shfl_xor_sync",
    [LATE_START] = "two halves of %d threads each have their own: the first distance of the shuffles is %d",
    [EARLY_END] = "of %d threads, those of even and of odd number have their own: the shuffles' last distance is 1",
};

static void reduce(way w, int lanes, int is_max, const double x[], double out[MOST_LANES]) {
    double next[MOST_LANES];
    memcpy(out, x, lanes * sizeof *out);
    for (int bit = w == LATE_START ? lanes / 4 : lanes / 2; w != OWN && bit > (w == EARLY_END); bit /= 2) {
        for (int t = 0; t < lanes; t++) {
            const int from = w == TO_LANE_0 ? (t + bit < lanes ? t + bit : t) : t ^ bit;
            next[t] = is_max ? fmax(out[t], out[from]) : out[t] + out[from];
        }
        memcpy(out, next, lanes * sizeof *out);
    }
}

// Which thread has column c of the output.
static int owner(int kind, int lanes, int D, int c) {
    return kind == 0 ? c % lanes : kind == 1 ? c / 4 % lanes : c / ((D + lanes - 1) / lanes);
}

// Is the computed row what was got, and closer to it than the right one?
static int is_closer(const lab_wrong_row *r, const double *due, int D) {
    double off = 0, wrong = 0;
    for (int c = 0; c < D; c++) {
        if (!(fabs(due[c] - r->got[c]) < 2 * LAB_TOLERANCE * (1 + fabs(due[c])))) return 0;
        off = fmax(off, fabs(due[c] - r->got[c])), wrong = fmax(wrong, fabs(r->want[c] - r->got[c]));
    }
    return off < 0.2 * wrong;
}

static double exp_or_0(double x, double max) { return x == -INFINITY ? 0 : exp(x - max); }

// ---- Threads that share a row's keys

typedef struct {
    int lanes, tile, owner;
    way of_max, of_sum;
    int sum_at_end;  // the parts of l are added once, after the last tile
} keys_plan;

static int keys_match(const lab_wrong_rows *w, const lab_wrong_row *r, const keys_plan *k, const double *score) {
    const int D = w->shape.head_dim, n = k->lanes;
    double m[MOST_LANES], l[MOST_LANES], part[MOST_LANES], all[MOST_LANES], *o = w->scratch + w->shape.seq_kv;
    double a[MOST_LANES], p[MOST_KEYS];
    for (int t = 0; t < n; t++) m[t] = -INFINITY, l[t] = 0;
    memset(o, 0, D * sizeof *o);
    for (int from = 0; from < r->seen; from += k->tile) {
        const int end = from + k->tile < r->seen ? from + k->tile : r->seen;
        for (int t = 0; t < n; t++) part[t] = -INFINITY;
        for (int j = from; j < end; j++) part[(j - from) % n] = fmax(part[(j - from) % n], score[j]);
        reduce(k->of_max, n, 1, part, all);
        for (int t = 0; t < n; t++) {
            const double now = fmax(m[t], all[t]);
            a[t] = exp_or_0(m[t], now), m[t] = now, part[t] = 0;
        }
        for (int j = from; j < end; j++) part[(j - from) % n] += p[j] = exp(score[j] - m[(j - from) % n]);
        reduce(k->sum_at_end ? OWN : k->of_sum, n, 0, part, all);
        for (int t = 0; t < n; t++) l[t] = l[t] * a[t] + all[t];
        for (int c = 0; c < D; c++) {
            o[c] *= a[owner(k->owner, n, D, c)];
            for (int j = from; j < end; j++) o[c] += p[j] * r->v[(size_t)j * D + c];
        }
    }
    if (k->sum_at_end) memcpy(part, l, sizeof part), reduce(k->of_sum, n, 0, part, l);
    for (int c = 0; c < D; c++) o[c] /= l[owner(k->owner, n, D, c)];
    return is_closer(r, o, D);
}

static int all_keys_match(const lab_wrong_rows *w, const keys_plan *k) {
    int all = 1;
    for (int i = 0; i < w->n && all; i++) {
        lab_row_scores(&w->row[i], w->shape.head_dim, w->scratch);
        all = keys_match(w, &w->row[i], k, w->scratch);
    }
    return all;
}

static void say(const char *what, way w, int lanes, char *text, size_t size) {
    const int used = snprintf(text, size, "matches %s ", what);
    snprintf(text + used, size - used, ways[w], lanes, lanes / 2);
}

static int explain_keys(const lab_wrong_rows *w, char *text, size_t size) {
    for (int lanes = 32; lanes >= 2; lanes /= 2)
        for (int i = 0; i < 24; i++) {
            const int tile = i % 4 == 0 ? lanes : i % 4 == 1 ? 32 : i % 4 == 2 ? 64 : 16;
            if (tile < lanes || (i % 4 && tile == lanes)) continue;
            for (way x = OWN; x < N_WAYS; x++)
                for (int of_max = 0; of_max < 2; of_max++) {
                    const keys_plan k = {lanes, tile, i / 4 % 3, of_max ? x : WHOLE, of_max ? WHOLE : x, i >= 12};
                    if ((lanes == 2 && x > OWN) || !all_keys_match(w, &k)) continue;
                    say(of_max ? "a row maximum that the threads do not agree on:"
                               : "a row sum that does not reach every thread:",
                        x, lanes, text, size);
                    return 1;
                }
        }
    return 0;
}

// ---- Threads that share the dims of a score, in one warp or in several that share the keys

typedef struct {
    int lanes, owner, warps;
    way of_score;
    int keeper;  // the thread whose m and l count where warps are joined
} dims_plan;

static int dims_match(const lab_wrong_rows *w, const lab_wrong_row *r, const dims_plan *k) {
    const int D = w->shape.head_dim, n = k->lanes;
    static _Thread_local double score[MOST_KEYS][MOST_LANES];
    double part[MOST_LANES], top = -INFINITY, sum = 0, m[MOST_LANES][MOST_LANES], *o = w->scratch;
    for (int i = 0; i < k->warps; i++)
        for (int t = 0; t < n; t++) m[i][t] = -INFINITY;
    for (int j = 0; j < r->seen; j++) {
        memset(part, 0, sizeof part);
        for (int c = 0; c < D; c++)
            part[owner(k->owner, n, D, c)] += (double)r->q[c] * r->k[(size_t)j * D + c] / sqrt(D);
        reduce(k->of_score, n, 0, part, score[j]);
        for (int t = 0; t < n; t++) m[j % k->warps][t] = fmax(m[j % k->warps][t], score[j][t]);
    }
    for (int i = 0; i < k->warps; i++) top = fmax(top, m[i][k->keeper]);
    for (int j = 0; j < r->seen; j++) sum += exp(score[j][k->keeper] - top);
    memset(o, 0, D * sizeof *o);
    for (int c = 0; c < D; c++) {
        const int t = owner(k->owner, n, D, c);
        double own = 0;
        for (int j = 0; j < r->seen; j++) {
            const int i = j % k->warps;
            const double p = k->warps == 1 ? exp(score[j][t] - m[0][t])
                                           : exp(score[j][t] - m[i][t]) * exp_or_0(m[i][k->keeper], top);
            own += p, o[c] += p * r->v[(size_t)j * D + c];
        }
        o[c] /= k->warps == 1 ? own : sum;
    }
    return is_closer(r, o, D);
}

static int explain_dims(const lab_wrong_rows *w, char *text, size_t size) {
    for (int lanes = 32; lanes >= 8; lanes /= 2)
        for (int i = 0; i < 30; i++)
            for (way x = OWN; x < N_WAYS; x++) {
                const dims_plan k = {lanes, i % 3, (int[]){1, 4, 8, 2, 16}[i / 3 % 5], x, i < 15 ? 0 : lanes - 1};
                int all = k.warps > 1 || k.keeper == 0;
                for (int r = 0; r < w->n && all; r++) all = dims_match(w, &w->row[r], &k);
                if (!all) continue;
                say("scores whose sum over the dims does not reach every thread:", x, lanes, text, size);
                return 1;
            }
    return 0;
}

// ---- Scores over the dims of some threads alone, the same in all of them

static int some_dims_match(const lab_wrong_rows *w, const lab_wrong_row *r, int kind, int lanes, int step) {
    const int D = w->shape.head_dim;
    double *p = w->scratch, *o = p + w->shape.seq_kv, max = -INFINITY, sum = 0;
    for (int j = 0; j < r->seen; j++) {
        p[j] = 0;
        for (int c = 0; c < D; c++) {
            const int t = owner(kind, 32, D, c);
            if (t < lanes && t % step == 0) p[j] += (double)r->q[c] * r->k[(size_t)j * D + c] / sqrt(D);
        }
        max = fmax(max, p[j]);
    }
    memset(o, 0, D * sizeof *o);
    for (int j = 0; j < r->seen; j++) {
        const double weight = exp(p[j] - max);
        sum += weight;
        for (int c = 0; c < D; c++) o[c] += weight * r->v[(size_t)j * D + c];
    }
    for (int c = 0; c < D; c++) o[c] /= sum;
    return is_closer(r, o, D);
}

static int explain_some_dims(const lab_wrong_rows *w, char *text, size_t size) {
    for (int kind = 0; kind < 3; kind++)
        for (int lanes = 32; lanes >= 1; lanes /= 2)
            for (int step = lanes < 32 ? 1 : 2; step <= (lanes < 32 ? 1 : 16); step *= 2) {
                int all = 1;
                for (int i = 0; i < w->n && all; i++) all = some_dims_match(w, &w->row[i], kind, lanes, step);
                if (!all) continue;
                snprintf(text, size,
                         step > 1
                             ? "matches scores over the dims of every %d. thread of %d alone: the distances of the "
                               "shuffles are 16, 8, 4, 2 and 1"
                             : "matches scores over the dims of %d of 32 threads alone: the distances of the "
                               "shuffles are 16, 8, 4, 2 and 1",
                         step > 1 ? step : lanes, lanes);
                return 1;
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
            if (owner(kind, lanes, D, c) != t) continue;
            gw += r->got[c] * r->want[c], ww += r->want[c] * r->want[c], columns++;
        }
        const double f = gw / ww;
        for (int c = 0; c < D; c++)
            if (owner(kind, lanes, D, c) == t) rest += pow(r->got[c] - f * r->want[c], 2);
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
    if (w->n < 1 || w->shape.head_dim < 8) return 0;
    for (int i = 0; i < w->n; i++)
        if (w->row[i].seen < 2 || w->row[i].seen > MOST_KEYS) return 0;
    return explain_some_dims(w, text, size) || explain_keys(w, text, size) || explain_dims(w, text, size) ||
           explain_factors(w, text, size);
}
