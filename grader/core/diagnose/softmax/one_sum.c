// one_sum.c: rows that are right but for what they are divided by, which is made of the sums of several rows: one sum
// for all rows of a head, or a sum that goes on from row to row.
#include "rules_out.h"
#include "row_sums.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { LEAST_ROWS = 3, MOST_PRODUCTS = 1 << 28, STEPS = 9 };

// Of every row: its maximum, and the sum of its exponentials relative to that.
typedef struct {
    int n, of_head;
    double *m, *l;
} sums;

typedef enum { HEAD, HEAD_COMMON_MAX, ALL, ALL_COMMON_MAX, FIRST, SO_FAR, MAX_SO_FAR_TOO } rule;

// What row r is divided by, if that sum takes the place of its own. step: from one row of the same thread to the next.
static double divisor(rule rule, int step, const sums *x, int r) {
    const int head = r / x->of_head * x->of_head;
    if (rule == FIRST) return x->l[head];
    if (rule == MAX_SO_FAR_TOO) {  // exp(s - max) / sum, and nobody rescales the sum where the maximum grows
        double max = -INFINITY, sum = 0;
        for (int i = head; i <= r; i++) max = fmax(max, x->m[i]), sum += x->l[i] * exp(x->m[i] - max);
        return sum * exp(max - x->m[r]);
    }
    const int all = rule == ALL || rule == ALL_COMMON_MAX;
    const int from = rule == SO_FAR ? (r - head) % step + head : all ? 0 : head;
    const int to = rule == SO_FAR ? r + 1 : all ? x->n : head + x->of_head;
    double sum = 0;
    for (int i = from; i < to; i += step)
        sum += x->l[i] * (rule == HEAD_COMMON_MAX || rule == ALL_COMMON_MAX ? exp(x->m[i] - x->m[r]) : 1);
    return sum;
}

#define BOTH_RUN_ON                                                                                                    \
    "matches a maximum and a sum that go on from row to row: in each row the maximum begins with -INFINITY, and the "  \
    "sum with 0"

static const char *sentence_of(rule rule, int step, char text[240]) {
    if (rule == SO_FAR && step == 1) return LAB_SUM_RUNS_ON " row to row: set it to 0 for each row";
    if (rule == MAX_SO_FAR_TOO) return BOTH_RUN_ON;
    if (rule == SO_FAR)
        snprintf(text, 240,
                 LAB_SUM_RUNS_ON " each row to the one %d further, which the same thread or warp "
                                 "does next: set it to 0 for each row",
                 step);
    else if (rule == FIRST)
        snprintf(text, 240,
                 "matches a division of every row by the sum of the first row of its head: each has its own");
    else
        snprintf(text, 240,
                 "matches a division by one sum over all rows of %s: the softmax goes along rows, and each row is "
                 "divided by the sum of its own exponentials",
                 rule == HEAD || rule == HEAD_COMMON_MAX ? "a head" : "all heads");
    return text;
}

// due: what each of some rows is divided by. Much nearer than the right sum is.
static int fits(rule rule, int step, const sums *x, const int *row, const double *due, int n) {
    int differs = 0;
    for (int i = 0; i < n; i++) {
        const double is = divisor(rule, step, x, row[i]), own = x->l[row[i]];
        if (!(fabs(is - due[i]) <= 2e-3 * fabs(due[i]))) return 0;
        differs += fabs(own - due[i]) > 0.02 * own;
    }
    return differs >= LEAST_ROWS;
}

static void add_row(lab_wrong_row r, int D, double *scratch, sums *x) {
    const double m = lab_row_scores(&r, D, scratch);
    x->m[x->n] = m, x->l[x->n] = 0;
    for (int j = 0; j < r.seen; j++) x->l[x->n] += exp(scratch[j] - m);
    x->n++;
}

// got = factor * want, in all columns; 0: it is not so
static double factor_of(const lab_wrong_row *r, int D) {
    double gw = 0, ww = 0, rest = 0;
    for (int c = 0; c < D; c++) gw += r->got[c] * r->want[c], ww += r->want[c] * r->want[c];
    for (int c = 0; c < D; c++) rest += pow(r->got[c] - gw / ww * r->want[c], 2);
    return rest < 1e-6 * gw * gw / ww ? gw / ww : 0;
}

int lab_explain_one_sum(const lab_symptom *s, const lab_wrong_rows *w,
                        lab_wrong_row (*row)(const lab_symptom *s, size_t r), char *text, size_t size) {
    const int D = s->shape.head_dim, n = (int)(s->op->elements(s->shape, 0) / (size_t)D);
    double due[LAB_MOST_ROWS];
    int at[LAB_MOST_ROWS], known = 0;
    for (int i = 0; i < w->n; i++) {
        due[i] = factor_of(&w->row[i], D);
        at[i] = (int)((w->row[i].got - s->got) / D);
        if (!(due[i] > 0)) return 0;
    }
    if (w->n < LEAST_ROWS || (double)n * s->shape.seq_kv * D > MOST_PRODUCTS) return 0;
    sums x = {.of_head = s->shape.seq_q, .m = malloc(2 * (size_t)n * sizeof(double))};
    if (!x.m) return 0;
    x.l = x.m + n;
    for (int r = 0; r < n; r++) add_row(row(s, (size_t)r), D, w->scratch, &x);
    for (int i = 0; i < w->n; i++) due[i] = x.l[at[i]] / due[i];
    for (rule rule = HEAD; rule <= MAX_SO_FAR_TOO && !known; rule++)
        for (int k = 0; k < (rule == SO_FAR ? STEPS : 1) && !known; k++) {
            char sentence[240];
            if (s->shape.seq_q > 1 ? x.of_head == x.n && (rule == ALL || rule == ALL_COMMON_MAX)
                                   : rule != ALL && rule != ALL_COMMON_MAX)
                continue;
            if (fits(rule, 1 << k, &x, at, due, w->n))
                known = lab_guess(s->guesses, sentence_of(rule, 1 << k, sentence), text, size);
        }
    free(x.m);
    return known;
}

// The rows of a softmax are those of one head. got = factor * want in each of them.
int lab_explain_one_sum_of_softmax(const lab_symptom *s, const lab_sample *bad, char *text, size_t size) {
    const int rows = s->shape.seq_q, cols = s->shape.seq_kv;
    double due[LAB_SAMPLES];
    int at[LAB_SAMPLES], known = 0, finite = 1;
    sums x = {.n = rows, .of_head = rows, .m = malloc(2 * (size_t)rows * sizeof(double))};
    if (!x.m || bad->n < LEAST_ROWS) return free(x.m), 0;
    x.l = x.m + rows;
    for (int r = 0; r < rows; r++) {
        const float *score = s->in[1] + (size_t)r * cols;
        x.m[r] = -INFINITY, x.l[r] = 0;
        for (int c = 0; c < cols; c++) x.m[r] = fmax(x.m[r], score[c]);
        for (int c = 0; c < cols; c++) x.l[r] += exp(score[c] - x.m[r]);
    }
    for (int i = 0; i < bad->n && finite; i++) {
        const size_t row = bad->row[i] * cols;
        double gw = 0, ww = 0;
        for (size_t c = row; c < row + cols; c++) gw += s->got[c] * s->want[c], ww += s->want[c] * s->want[c];
        for (size_t c = row; c < row + cols && finite; c++)
            finite = gw > 0 && fabs(s->got[c] - gw / ww * s->want[c]) <= 1e-3 * fabs(gw / ww);
        at[i] = (int)bad->row[i], due[i] = x.l[at[i]] * ww / gw;
    }
    if (finite && fits(MAX_SO_FAR_TOO, 1, &x, at, due, bad->n)) known = lab_guess(s->guesses, BOTH_RUN_ON, text, size);
    for (rule rule = HEAD; rule <= HEAD_COMMON_MAX && finite && !known; rule++)
        known = fits(rule, 1, &x, at, due, bad->n) &&
                lab_guess(s->guesses,
                          "matches a division by one sum over all rows: the softmax goes along rows, and each row is "
                          "divided by the sum of its own exponentials",
                          text, size);
    free(x.m);
    return known;
}
