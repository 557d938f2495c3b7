// own_parts.c: a softmax whose threads take what they have found themselves, or what their warp has, for that of the row.
#include "reductions.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef enum { OWN_MAX, OWN_SUM, OWN_BOTH, N_OWN } own;
static const char *const sentence[N_OWN] = {
    [OWN_MAX] = "matches exp(s - m) with an m that is not the row's: %s",
    [OWN_SUM] = "matches a division by an l that is not the row's: %s (or its own m and l, in which m cancels)",
    [OWN_BOTH] = "matches an m and an l that are not the row's: %s",
};

// Which threads share what they found, and how it is put together. LAB_OWN: nobody does.
static const struct {
    lab_way way;
    const char *whose;
} shared[] = {{LAB_OWN, "each thread has its own"},
              {LAB_WHOLE, "each warp has its own"},
              {LAB_TO_LANE_0, "each thread has its own, lane 0 of a warp that of its warp"},
              {LAB_LATE_START, "each half warp has its own"},
              {LAB_EARLY_END, "even and odd lanes of a warp have their own"}};

enum { MOST_THREADS = 1024, WARP = 32 };

static void share(lab_way way, int threads, int is_max, double x[MOST_THREADS]) {
    double out[LAB_MOST_LANES];
    for (int w = 0; w < threads && way != LAB_OWN; w += WARP) {
        lab_reduce(way, WARP, is_max, x + w, out);
        memcpy(x + w, out, WARP * sizeof *out);
    }
}

// Column c belongs to thread c % threads. Of what a sum that all share is made is not asked: a ratio is free. So an m of
// their own shows only where some are not the row's: a wrong sum alone is a ratio, too.
static int row_fits(const lab_symptom *s, size_t r, own x, int threads, lab_way way) {
    const int cols = s->shape.seq_kv;
    const float *const in = s->in[1] + r * cols, *const got = s->got + r * cols;
    double m[MOST_THREADS], l[MOST_THREADS] = {0}, top = -INFINITY, ratio = 0;
    for (int t = 0; t < threads; t++) m[t] = -INFINITY;
    for (int c = 0; c < cols; c++) m[c % threads] = fmax(m[c % threads], in[c]), top = fmax(top, in[c]);
    share(way, threads, 1, m);
    for (int t = 0; t < threads && x == OWN_SUM; t++) m[t] = top;
    for (int c = 0; c < cols; c++) l[c % threads] += in[c] == -INFINITY ? 0 : exp(in[c] - m[c % threads]);
    share(way, threads, 0, l);
    int known = 0, differ = x != OWN_MAX;
    for (int c = 0; c < cols; c++) {
        const double due = exp(in[c] - m[c % threads]) / (x == OWN_MAX ? 1 : l[c % threads]);
        if (!isfinite(due) || due < 1e-6) continue;
        differ |= m[c % threads] < top;
        if (!known++) ratio = x == OWN_MAX ? got[c] / due : 1;
        if (!(fabs(got[c] - ratio * due) < LAB_TOLERANCE * 0.1 + 1e-3 * ratio * due)) return 0;
    }
    return known > 1 && ratio > 0 && differ;
}

int lab_explain_own_parts(const lab_symptom *s, char *text, size_t size) {
    const lab_sample bad = lab_sample_finite_bad_rows(s);
    if (s->op == &lab_softmax_rows) return 0;  // one thread has all of a row
    for (own x = 0; x < N_OWN; x++)
        for (size_t w = 0; w < sizeof shared / sizeof *shared; w++)
            for (int threads = MOST_THREADS; threads >= WARP; threads /= 2) {
                int all = bad.n > 1 && s->shape.seq_kv > 1 && (threads > WARP || shared[w].way != LAB_WHOLE);
                for (int i = 0; i < bad.n && all; i++) all = row_fits(s, bad.row[i], x, threads, shared[w].way);
                if (!all) continue;
                char said[240];
                snprintf(said, sizeof said, sentence[x], shared[w].whose);
                return lab_guess(s->guesses, said, text, size);
            }
    return 0;
}
