// fit.c: numbers that are fitted to wrong rows of attention: the scale of the scores, a count of keys, a factor. What
// fits all rows with the same number is the mistake.
#include "kept_scores.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int same(double a, double b, double relative) { return fabs(a - b) <= relative * fmax(fabs(a), fabs(b)); }

// ---- Scores times a number

// The largest difference of the row from softmax(t * scores) V.
static double off_by(const lab_wrong_rows *w, const lab_wrong_row *r, const double *score, double t) {
    const int D = w->shape.head_dim;
    double *o = w->scratch + w->shape.seq_kv, max = -INFINITY, sum = 0, most = 0;
    memset(o, 0, D * sizeof *o);
    for (int j = 0; j < r->seen; j++) max = fmax(max, t * score[j]);
    for (int j = 0; j < r->seen; j++) {
        const double weight = exp(t * score[j] - max);
        sum += weight;
        if (weight > 1e-12)
            for (int c = 0; c < D; c++) o[c] += weight * r->v[(size_t)j * D + c];
    }
    for (int c = 0; c < D; c++) most = fmax(most, fabs(o[c] / sum - r->got[c]));
    return most;
}

// The t for which the row is softmax(t * scores) V; 0 if there is none.
static double fitted_scale(const lab_wrong_rows *w, const lab_wrong_row *r) {
    double *score = w->scratch, best = 0, least = INFINITY;
    lab_row_scores(r, w->shape.head_dim, score);
    for (int i = -28; i <= 28; i++) {
        const double off = off_by(w, r, score, exp2(i / 4.0));
        if (off < least) least = off, best = i / 4.0;
    }
    double low = best - 0.25, high = best + 0.25;
    for (int i = 0; i < 40; i++) {  // golden section
        const double third = 0.381966 * (high - low);
        if (off_by(w, r, score, exp2(low + third)) < off_by(w, r, score, exp2(high - third)))
            high -= third;
        else
            low += third;
    }
    const double t = exp2((low + high) / 2);
    return off_by(w, r, score, t) < LAB_TOLERANCE / 4 ? t : 0;
}

static void name_scale(const lab_wrong_rows *w, double t, char *text, size_t size) {
    const double D = w->shape.head_dim, root = sqrt(D), H = w->shape.heads, Sk = w->row[0].keys;
    const struct {
        double t;
        const char *sentence;
    } known[] = {
        {1 / log(2) / root, "matches scores that are multiplied by log2(e) / sqrt(D) twice: what q, or the score, has "
                            "already is not in the exponent again"},
        {log(2) / root, "matches scores that are divided by sqrt(D) twice, under 2^x in place of e^x"},
        {log(2) * root, "matches 2^x of scores that are not scaled: exp2f needs scores times log2(e) / sqrt(D)"},
        {log(2), "matches 2^x in place of e^x: exp2f needs scores that are multiplied by log2(e) = 1.4427"},
        {1 / log(2), "matches scores multiplied by log2(e) under an exponential that is not exp2f"},
        {root / floor(root), "matches 1/sqrt(D) with the root taken as a whole number: compute it in float"},
        {1 / sqrt(H), "matches a scale of 1/sqrt(H * D): D is the width of one head"},
        {sqrt(D / Sk), "matches a scale of 1/sqrt(seq_kv): it is 1/sqrt(D)"},
        {sqrt(D / w->shape.seq_q), "matches a scale of 1/sqrt(seq_q): it is 1/sqrt(D)"},
        {root / Sk, "matches a scale of 1/seq_kv: it is 1/sqrt(D)"},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (same(t, known[i].t, 0.005) && !same(1, known[i].t, 0.01)) {
            snprintf(text, size, "%s", known[i].sentence);
            return;
        }
    int used =
        snprintf(text, size, "matches scores that are %.4g times the right ones: look at the scale 1/sqrt(D)", t);
    for (int n = 2; n <= 32 && used < (int)size; n *= 2)
        if (same(t, 1.0 / n, 0.005))
            snprintf(text + used, size - used, ", or is the mean of %d parts taken in place of their sum?", n);
        else if (same(t, n, 0.005))
            snprintf(text + used, size - used, ", or does each product count %d times?", n);
}

int lab_explain_scale(const lab_wrong_rows *w, char *text, size_t size) {
    double t = 0;
    int rows = 0;
    for (int i = 0; i < w->n; i++) {
        if (w->row[i].seen < 2) return 0;
        const double fit = fitted_scale(w, &w->row[i]);
        if (fit == 0 || (rows && !same(fit, t, 0.005))) return 0;
        t = fit, rows++;
    }
    if (rows < 2 || same(t, 1, 0.005)) return 0;
    name_scale(w, t, text, size);
    return 1;
}

// ---- The output times a number

// The number f for which the row is f times the right one; 0 if there is none.
static double factor_of(const lab_wrong_row *r, int D) {
    double gw = 0, ww = 0, rest = 0;
    for (int c = 0; c < D; c++) gw += r->got[c] * r->want[c], ww += r->want[c] * r->want[c];
    const double f = gw / ww;
    for (int c = 0; c < D; c++) rest += (r->got[c] - f * r->want[c]) * (r->got[c] - f * r->want[c]);
    return rest < 1e-6 * f * f * ww ? f : 0;
}

#define MORE_KEYS                                                                                                      \
    "matches %g more keys of score 0 in every row sum: what lies behind the last key must get -INFINITY before the "   \
    "exponential, as exp(0) is 1"

int lab_explain_extra_keys(const lab_wrong_rows *w, char *text, size_t size) {
    const int D = w->shape.head_dim;
    double extra = 0;
    for (int i = 0; i < w->n; i++) {
        const double f = factor_of(&w->row[i], D), max = lab_row_scores(&w->row[i], D, w->scratch);
        double sum = 0;
        for (int j = 0; j < w->row[i].seen; j++) sum += exp(w->scratch[j] - max);
        const double n = f > 0 ? (1 / f - 1) * sum * exp(max) : 0;
        if (n < 0.5 || fabs(n - round(n)) > 0.02 + 0.002 * n || (i && round(n) != extra)) return 0;
        extra = round(n);
    }
    if (w->n < 2) return 0;
    snprintf(text, size, MORE_KEYS, extra);
    // Who masks with 0 does it behind the last key, too: claims with a causal mask tell.
    char aside[240] = "";
    lab_guess(w->guesses, text, aside, sizeof aside);
    return lab_guess(w->guesses, lab_attention_mistakes[LAB_MASK_IS_ZERO], aside, sizeof aside);
}

// ---- A mask behind the sum

#define BEHIND_TOO                                                                                                     \
    "matches a mask applied after the exponentials are summed: scores of hidden keys, and of those behind the last "   \
    "one, are still in the row sum l: set them to -INFINITY before the maximum and the sum"

// The sum of a row over all keys of the tiles that its tile of queries visits, relative to that over those that it
// sees. behind: there are such keys behind the last one, too, and their score is 0.
static double sum_of_tiles(const lab_wrong_rows *w, const lab_wrong_row *r, int Br, int Bc, int behind) {
    const lab_kept_row *row = lab_kept_row_of(w, r, r->query);
    const int last = r->query / Br * Br + Br + w->shape.seq_kv - w->shape.seq_q;
    const int walk = w->shape.causal && last < r->keys ? last : r->keys, end = (walk + Bc - 1) / Bc * Bc;
    double seen = 0, all = 0;
    if (!row) return 0;
    for (int j = 0; j < end && j < r->keys; j++) all += row->weight[j], seen += j < r->seen ? row->weight[j] : 0;
    if (behind && end > r->keys) all += (end - r->keys) * exp(-row->top);
    return all / seen;
}

static int is_sum_of_tiles(const lab_wrong_rows *w, int Br, int Bc, int behind) {
    for (int i = 0; i < w->n; i++) {
        const double f = factor_of(&w->row[i], w->shape.head_dim);
        if (!(f > 0 && same(1 / f, sum_of_tiles(w, &w->row[i], Br, Bc, behind), 0.001))) return 0;
    }
    return w->n > 0;
}

// Without a mask nothing but keys behind the last one counts, as it does where those alone are not masked.
int lab_explain_masked_late(const lab_wrong_rows *w, char *text, size_t size) {
    static const int tiles[] = {16, 32, 64, 128, 8, 4, 2, 1};
    enum { N = sizeof tiles / sizeof *tiles, NARROWEST = 8 };
    int known = 0;
    for (int behind = !w->shape.causal; behind < 2 && lab_are_enough(w); behind++)
        for (int i = 0, fits = 0; i < N * N && !fits; i++) {
            const int Bc = tiles[i % N];
            char more[240];
            if (!(fits = Bc >= behind * NARROWEST && is_sum_of_tiles(w, tiles[i / N], Bc, behind))) continue;
            snprintf(more, sizeof more, MORE_KEYS, (double)((w->shape.seq_kv + Bc - 1) / Bc * Bc - w->shape.seq_kv));
            if (!w->shape.causal) lab_guess(w->guesses, more, text, size);
            known = lab_guess(w->guesses, behind ? BEHIND_TOO : lab_attention_mistakes[LAB_MASK_AFTER], text, size);
        }
    return known;
}

int lab_explain_constant(const lab_wrong_rows *w, char *text, size_t size) {
    double f = 0;
    for (int i = 0; i < w->n; i++) {
        const double fit = factor_of(&w->row[i], w->shape.head_dim);
        if (fit == 0 || (i && !(fabs(fit - f) < 0.05 * fabs(1 - f) && same(fit, f, 0.001)))) return 0;
        f = fit;
    }
    if (w->n < 2 || w->row[0].seen < 2) return 0;
    const double times = fabs(f) < 1 ? 1 / f : f;
    const char *const is = fabs(f) < 1 ? "1/" : "";
    if (same(times, w->shape.seq_kv, 0.001))
        snprintf(text, size, "every row is %sseq_kv times the right one: the weights already sum to 1", is);
    else if (same(times, 32, 0.001) || same(times, 16, 0.001) || same(times, 8, 0.001) || same(times, 4, 0.001) ||
             same(times, 2, 0.001))
        snprintf(text, size,
                 "every row is %s%g times the right one: a sum over %g threads that each hold all of it, or %g of them "
                 "that add the same",
                 is, round(times), round(times), round(times));
    else
        snprintf(text, size, "every row is %.4g times the right one: a number that should not be there", f);
    return 1;
}
