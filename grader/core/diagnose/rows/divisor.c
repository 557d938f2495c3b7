// divisor.c: rows that are the right ones times a number, another one in each row: which number are they divided by?
#include "row_number.h"
#include "rules_out.h"
#include "row_sums.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Of a row: its scores, n of them, their maximum, and the sum of the exponentials relative to it.
typedef struct {
    const double *s;
    int n;
    double max, sum;
} scores;

typedef enum {
    NUMBER,
    SUM_OF_SCORES,
    SUM_OF_DISTANCES,
    SUM_NOT_SHIFTED,
    OUTPUT_NOT_SHIFTED,
    LARGEST,
    MAX_OF_ZERO,
    FIRST_TWICE,
    ONE_MORE,
    TWICE,
    NOT_RESCALED,
    BEGUN_ANEW,
    LARGER_LEFT_OUT,
    MEAN_OF_VALUES,
    BY_HALVES,
    N_DIVISORS
} divisor;

static const char *const sentence[N_DIVISORS] = {
    [NUMBER] = "matches a division by the number of columns, or keys: divide by the sum of the row's exponentials",
    [SUM_OF_SCORES] = "matches a row sum of the scores: l is the sum of their exponentials",
    [SUM_OF_DISTANCES] = "matches a row sum of s - m: l is the sum of exp(s - m)",
    [SUM_NOT_SHIFTED] = "matches a row sum of exp(s) under weights exp(s - m): subtract the same maximum in both",
    [OUTPUT_NOT_SHIFTED] = "matches weights exp(s) over a row sum of exp(s - m): subtract the same maximum in both",
    [LARGEST] = "matches a division by the row maximum: divide by the row sum l",
    [FIRST_TWICE] = "matches a row sum in which the first key counts once more: l starts at 0, not at 1",
    [ONE_MORE] = "matches a row sum that is 1 too large: l starts at 0, not at 1",
    [TWICE] = "matches a division by the row sum l twice: once is right, after the last key",
    [NOT_RESCALED] = "matches a sum that is not rescaled when the maximum grows: multiply it by exp(old max - new max) "
                     "before the new key's 1 is added",
    [BEGUN_ANEW] = "matches a sum that begins anew when the maximum grows: multiply it by exp(old max - new max), and "
                   "add 1 for the new key",
    [LARGER_LEFT_OUT] = "matches a sum to which a key that is a new maximum adds nothing: multiply it by exp(old max - "
                        "new max), and add 1 for the new key",
    [MEAN_OF_VALUES] = "matches a division by the number of keys, too: the weights sum to 1, and their sum with the "
                       "values is no mean",
    [BY_HALVES] =
        "matches a row sum by halves, of which an odd last number is lost: half = n / 2 of n numbers leaves one "
        "out where n is odd: round up, and join k + half only where that is below n",
    [MAX_OF_ZERO] = "matches a row sum that has one key more, of score 0",
};

// Key by key, with the maximum so far: a sum that is kept, set to 1, or only rescaled where the maximum grows.
static double key_by_key(divisor d, const scores *r) {
    double x = 0, max = -INFINITY;
    for (int j = 0; j < r->n; j++) {
        const double old = max;
        max = fmax(max, r->s[j]);
        if (r->s[j] == -INFINITY) continue;
        if (max == old)
            x += exp(r->s[j] - max);
        else
            x = d == NOT_RESCALED ? x + 1 : d == BEGUN_ANEW ? 1 : x * exp(old - max);
    }
    return x;
}

static double value(divisor d, const scores *r) {
    double x = 0;
    switch (d) {
    case NUMBER: return r->n;
    case SUM_OF_SCORES:
        for (int j = 0; j < r->n; j++) x += r->s[j];
        return x;
    case SUM_OF_DISTANCES:
        for (int j = 0; j < r->n; j++) x += r->s[j] - r->max;
        return x;
    case SUM_NOT_SHIFTED: return r->sum * exp(r->max);
    case OUTPUT_NOT_SHIFTED: return r->sum * exp(-r->max);
    case LARGEST: return r->max;
    case FIRST_TWICE: return r->sum + exp(r->s[0] - r->max);
    case ONE_MORE: return r->sum + 1;
    case TWICE: return r->sum * r->sum;
    case BY_HALVES: return lab_sum_by_halves(r->s, r->n, r->max);
    case MEAN_OF_VALUES: return r->sum * r->n;
    case NOT_RESCALED:
    case BEGUN_ANEW:
    case LARGER_LEFT_OUT: return key_by_key(d, r);
    default: return r->sum + exp(-r->max);
    }
}

// The sum over the columns c with c % threads < some, or over the multiples of `step` threads alone.
static double partial_sum(const scores *r, int threads, int some, int step) {
    double x = 0;
    for (int j = 0; j < r->n; j++)
        if (j % threads < some && j % threads % step == 0) x += exp(r->s[j] - r->max);
    return x;
}

static int same(double a, double b) { return isfinite(a) && fabs(a - b) <= 2e-3 * fmax(fabs(a), fabs(b)); }

// Much nearer to what the row is divided by than the right sum is: of a hardly wrong row much is within 2e-3.
static int explains(double value, double due, double sum) {
    return same(value, due) && fabs(value - due) <= 0.25 * fabs(sum - due);
}

// l + 1e-6, which is no more than a guard, with a number that is too large.
static int name_summand(const scores r[], const double due[], int rows, char *text, size_t size) {
    double all = 0, least = INFINITY, most = 0;
    for (int i = 0; i < rows; i++) {
        all += (due[i] - r[i].sum) / rows;
        least = fmin(least, r[i].sum), most = fmax(most, r[i].sum);
    }
    for (int i = 0; i < rows; i++)
        if (!(fabs(due[i] - r[i].sum - all) < 0.03 * fabs(all))) return 0;
    if (rows < 2 || most < 1.2 * least || fabs(all) < 1e-4 * least) return 0;
    if (fabs(all) > 8 * most) return 0;  // hardly anything of l: it is another number
    return snprintf(text, size, "matches a division by l + %.3g: divide by l", all) > 0;
}

static int name_part(const scores r[], const double due[], int rows, char *text, size_t size) {
    for (int threads = 1024; threads >= 2; threads /= 2)
        for (int some = threads; some >= 1; some /= 2)
            for (int step = 1; step <= some; step *= 2) {
                int fits = some < threads || step > 1, more = 0;
                for (int i = 0; i < rows && fits; i++) {
                    fits = explains(partial_sum(&r[i], threads, some, step), due[i], r[i].sum);
                    more = more || r[i].n > threads / 2;
                }
                if (!fits || !more) continue;
                if (step == 1)
                    snprintf(text, size,
                             "matches a row sum over the columns of threads 0 .. %d of %d alone: the sums of the other "
                             "threads do not reach it",
                             some - 1, threads);
                else if (some < threads)
                    snprintf(text, size,
                             "matches a row sum over the columns of every %d. thread of threads 0 .. %d of %d alone: "
                             "the sums of the other threads do not reach it",
                             step, some - 1, threads);
                else  // how many threads there are the numbers do not say
                    snprintf(text, size,
                             "matches a row sum over the columns of every %d. thread alone: the sums of the other "
                             "threads do not reach it",
                             step);
                return 1;
            }
    return 0;
}

// 1 / l of each thread is added up, in place of l.
static int name_reciprocals(const scores r[], const double due[], int rows, char *text, size_t size) {
    for (int threads = 1024; threads >= 2; threads /= 2) {
        int fits = 1;
        for (int i = 0; i < rows && fits; i++) {
            double of_threads = 0;
            for (int t = 0; t < threads && t < r[i].n; t++) {
                double l = 0;
                for (int j = t; j < r[i].n; j += threads) l += exp(r[i].s[j] - r[i].max);
                of_threads += 1 / l;
            }
            fits = r[i].n >= threads && explains(1 / of_threads, due[i], r[i].sum);
        }
        if (fits)
            return snprintf(text, size,
                            "matches 1 / l of each of %d threads, added up: first their parts of l are added, then one "
                            "divides by the sum",
                            threads) > 0;
    }
    return 0;
}

int lab_name_divisor(const double *const score[], const int n[], const double factor[], int rows, char *text,
                     size_t size) {
    scores r[LAB_MOST_ROWS];
    double due[LAB_MOST_ROWS], so_far = 0;
    int runs_on = rows > 1;
    for (int i = 0; i < rows; i++) {
        r[i] = (scores){score[i], n[i], -INFINITY, 0};
        for (int j = 0; j < n[i]; j++) r[i].max = fmax(r[i].max, score[i][j]);
        for (int j = 0; j < n[i]; j++) r[i].sum += exp(score[i][j] - r[i].max);
        due[i] = r[i].sum / factor[i];
        runs_on = runs_on && due[i] > r[i].sum && due[i] > so_far;
        so_far = due[i];
    }
    for (divisor d = 0; d < N_DIVISORS && rows > 1; d++) {
        int fits = 1;
        for (int i = 0; i < rows && fits; i++) fits = explains(value(d, &r[i]), due[i], r[i].sum);
        if (!fits) continue;
        snprintf(text, size, "%s", sentence[d]);
        return 1;
    }
    if (name_summand(r, due, rows, text, size)) return 1;
    if (rows > 1 && name_reciprocals(r, due, rows, text, size)) return 1;
    if (rows > 1 && name_part(r, due, rows, text, size)) return 1;
    lab_row_number sum[LAB_MOST_ROWS] = {{0}};
    for (int i = 0; i < rows; i++) sum[i] = (lab_row_number){r[i].s, r[i].n, r[i].max, due[i]};
    if (lab_explain_row_number(sum, rows, "matches a division by ", 0, NULL, text, size)) return 1;
    if (!runs_on || rows < 4 || due[rows - 1] < 3 * r[rows - 1].sum) return 0;
    snprintf(text, size, LAB_SUM_RUNS_ON " row to row: set it to 0 for each row");
    return 1;
}

// The sum of exp(m - M) over the parts of the keys: part i begins with key n * i / parts, or parts are equally long.
static double sum_of_factors(const double *s, int n, int parts, int equal) {
    const int length = (n + parts - 1) / parts;
    double x = 0, max = s[0], m = -INFINITY;
    for (int j = 1; j < n; j++) max = fmax(max, s[j]);
    for (int j = 0; j < n; j++) {
        const int here = equal ? j / length : (int)(((long)(j + 1) * parts - 1) / n),
                  next = equal ? (j + 1) / length : (int)(((long)(j + 2) * parts - 1) / n);
        m = fmax(m, s[j]);
        if (j + 1 < n && next == here) continue;
        x += exp(m - max), m = -INFINITY;
    }
    return x;
}

static double sum_of_scores(const double *s, int n) {
    double sum = 0, max = s[0];
    for (int j = 1; j < n; j++) max = fmax(max, s[j]);
    for (int j = 0; j < n; j++) sum += exp(s[j] - max);
    return sum;
}

// Parts that are summed undivided: their l is their weight, and the divisor has to have it, too.
static int name_parts(const lab_wrong_rows *w, double *const score[], const double factor[], char *text, size_t size) {
    for (int equal = 0; equal < 2; equal++) {
        int fits = 1;
        for (int i = 0; i < w->n && fits; i++) {
            const int n = w->row[i].seen;
            fits = same(sum_of_factors(score[i], n, w->row[i].parts, equal), sum_of_scores(score[i], n) / factor[i]);
        }
        if (fits)
            return snprintf(text, size,
                            "matches a division by the sum of exp(m - M) over the parts: a part that is not divided by "
                            "its l counts l exp(m - M) there") > 0;
    }
    return 0;
}

int lab_explain_divisor(const lab_wrong_rows *w, char *text, size_t size) {
    const int D = w->shape.head_dim;
    double *score[LAB_MOST_ROWS] = {NULL}, factor[LAB_MOST_ROWS];
    int n[LAB_MOST_ROWS], known = w->n > 1;
    for (int i = 0; i < w->n && known; i++) {
        const lab_wrong_row *r = &w->row[i];
        double gw = 0, ww = 0, rest = 0;
        for (int c = 0; c < D; c++) gw += r->got[c] * r->want[c], ww += r->want[c] * r->want[c];
        factor[i] = gw / ww, n[i] = r->seen;
        for (int c = 0; c < D; c++) rest += pow(r->got[c] - factor[i] * r->want[c], 2);
        known = rest < 1e-6 * factor[i] * factor[i] * ww && (score[i] = malloc(r->seen * sizeof(double)));
        if (known) lab_row_scores(r, D, score[i]);
    }
    char own[240] = "";
    const double *const *of = (const double *const *)score;
    if (known) lab_explain_own_sums(of, n, factor, w->n, LAB_L_KEPT, own, sizeof own);
    known = known && (w->row[0].parts ? name_parts(w, score, factor, text, size)
                                      : lab_name_divisor(of, n, factor, w->n, text, size));
    // a part of one key each: what l is then is the number of keys, whoever adds it up
    if (*own && known && strcmp(own, LAB_L_KEPT) == 0) lab_guess(w->guesses, text, text, size);
    if (*own && known) lab_guess(w->guesses, own, own, sizeof own);
    if (*own && !known) known = snprintf(text, size, "%s", own) > 0;
    for (int i = 0; i < w->n; i++) free(score[i]);
    return known;
}
