// sum_terms.c: which products are in a student's sum.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "reductions.h"
#include "rules_out.h"
#include "sum_reading.h"

// The loop over the terms starts late, ends early or late, or takes every second one.
int lab_sum_bounds(lab_sum_problem *p, char *text, size_t size) {
    const lab_sum *x = p->right;
    const size_t n = x->count[LAB_TERM];
    const char *l = x->index[LAB_TERM], *end = x->end[LAB_TERM];
    char sentence[240] = "";
    lab_reading y = lab_right_reading(x);
    p->factor = 1;
    if (n < 2) return 0;
    y.from = 1;
    if (lab_reading_fits(p, &y))
        snprintf(sentence, sizeof sentence, "the term %s = 0 is left out: the loop must start at 0", l);
    y.from = n - 1;
    if (!*sentence && lab_reading_fits(p, &y))
        snprintf(sentence, sizeof sentence,
                 x->added ? "only the last %s is added to what was there: that is taken once, before the loop, and "
                            "each %s is added with +="
                          : "only the last %s is in the sum: add with +=, and set to 0 before the loop",
                 l, l);
    y.from = 0, y.step = 2;
    if (!*sentence && lab_reading_fits(p, &y)) snprintf(sentence, sizeof sentence, "every second %s is left out", l);
    y.step = 1, y.to = n - 1;
    if (!*sentence && lab_reading_fits(p, &y))
        snprintf(sentence, sizeof sentence, "the last %s is left out: it runs to %s - 1", l, end);
    y.to = 1;
    if (!*sentence && lab_reading_fits(p, &y))
        snprintf(sentence, sizeof sentence, "only %s = 0 is in the sum: %s < %s", l, l, end);
    for (int k = 0; k < LAB_MOST_LENGTHS && x->length[k].name && !*sentence; k++) {
        y.to = x->length[k].value;
        if (y.to != n && lab_reading_fits(p, &y))
            snprintf(sentence, sizeof sentence, "matches a sum over %s < %s: it runs to %s", l, x->length[k].name, end);
    }
    for (y.to = n + 1; y.to > 2 && !*sentence; y.to--) {
        if (y.to == n || !lab_reading_fits(p, &y)) continue;
        int groups = 0;  // does it end behind a whole group of 4, 8 or more?
        for (size_t group = 4; group <= 64; group *= 2) groups |= n > y.to && n / group * group == y.to;
        snprintf(sentence, sizeof sentence, "matches a sum over the first %zu %s: there are %zu%s", y.to, l, n,
                 groups ? ", and what is left " LAB_BEHIND_GROUPS " of them counts, too" : "");
    }
    return *sentence && lab_sum_say(p, sentence, text, size);
}

// ---- How often each product is in the sum

enum { MOST_TERMS = 64 };

// Of output (i, j): its products, and what it is without what was there before.
static double products_of(const lab_sum_problem *p, const lab_reading *y, size_t i, size_t j, double *product) {
    const lab_sum *x = p->right;
    const size_t at = i * y->out_row + j;
    for (size_t l = 0; l < x->count[LAB_TERM]; l++) {
        const size_t index[4] = {i, j, l, 0};
        product[l] = lab_scale_of(x) * lab_factor_at(p, y, 0, index) * lab_factor_at(p, y, 1, index);
    }
    return p->s->got[at] - (x->added ? p->s->in[x->added][at] : 0);
}

// How often each product is in every element of the output; 0: that differs.
static int count_terms(const lab_sum_problem *p, int times[MOST_TERMS]) {
    const lab_sum *x = p->right;
    const lab_reading y = lab_right_reading(x);
    const int n = (int)x->count[LAB_TERM];
    static double a[MOST_TERMS * (MOST_TERMS + 1)];  // the equations: n rows of n + 1 numbers
    double product[MOST_TERMS], w[MOST_TERMS];
    if (n < 2 || n > MOST_TERMS || x->count[LAB_ROW] * x->count[LAB_COLUMN] < (size_t)n * 3 / 2) return 0;
    memset(a, 0, sizeof a);
    for (size_t i = 0; i < x->count[LAB_ROW]; i++)
        for (size_t j = 0; j < x->count[LAB_COLUMN]; j++) {
            const double sum = products_of(p, &y, i, j, product);
            for (int r = 0; r < n; r++) {
                for (int c = 0; c < n; c++) a[r * (n + 1) + c] += product[r] * product[c];
                a[r * (n + 1) + n] += product[r] * sum;
            }
        }
    if (!lab_solve(n, a, w)) return 0;
    for (int l = 0; l < n; l++) {
        if (!(fabs(w[l] - rint(w[l])) < 0.1) || fabs(w[l]) > 9) return 0;
        times[l] = (int)rint(w[l]);
    }
    for (size_t i = 0; i < x->count[LAB_ROW]; i++)
        for (size_t j = 0; j < x->count[LAB_COLUMN]; j++) {
            double due = 0;
            const double sum = products_of(p, &y, i, j, product);
            for (int l = 0; l < n; l++) due += times[l] * product[l];
            if (!lab_sum_equals(sum, due)) return 0;
        }
    return 1;
}

// "d % 4 = 3", "d = 5", "d = 5 .. 7" for the terms that are not in the sum once; nothing if no rule says it.
static void name_terms(const int *times, int n, const char *l, char *text, size_t size) {
    int first = n, last = 0, whole = 1;
    for (int i = 0; i < n; i++)
        if (times[i] != 1) first = i < first ? i : first, last = i;
    for (int i = first; i <= last; i++) whole = whole && times[i] == times[first];
    if (first == last)
        snprintf(text, size, "%s = %d", l, first);
    else if (whole)
        snprintf(text, size, "%s = %d .. %d", l, first, last);
    for (int unit = 2; unit <= n / 2 && !*text; unit *= 2) {
        int lanes = 0, low = unit, high = 0, same = 1;
        for (int i = 0; i < n && same; i++) same = times[i] == times[i % unit];
        for (int i = 0; i < unit; i++)
            if (times[i] != 1) lanes++, low = i < low ? i : low, high = i;
        if (!same || lanes != high - low + 1) continue;
        if (lanes == 1)
            snprintf(text, size, "%s %% %d = %d", l, unit, low);
        else
            snprintf(text, size, "%s %% %d = %d .. %d", l, unit, low, high);
    }
}

// What counts is behind the rest, and no longer than a block of which the rest is a whole number: the last one, perhaps,
// that overwrites.
static int is_last_block(const int *times, int n) {
    int first = 0;
    while (first < n && times[first] == 0) first++;
    for (int i = first; i < n; i++)
        if (times[i] != 1) return 0;
    const int block = first & -first;  // the largest power of two
    return block > 1 && n - first <= block;
}

static int explain_counts(const lab_sum_problem *p, char *text, size_t size) {
    int times[MOST_TERMS], n = (int)p->right->count[LAB_TERM], left_out = 0, more = 0;
    char which[80] = "", sentence[240];
    if (!count_terms(p, times)) return 0;
    for (int l = 0; l < n; l++) left_out += times[l] == 0, more += times[l] != 0 && times[l] != 1;
    if (left_out + more == 0 || left_out == n) return 0;
    name_terms(times, n, p->right->index[LAB_TERM], which, sizeof which);
    if (!*which || (left_out && more))
        snprintf(sentence, sizeof sentence,
                 "matches a sum of %d products of which %d are left out, and %d count more than once", n, left_out,
                 more);
    else if (!more)
        snprintf(sentence, sizeof sentence, "matches a sum without the products of %s%s", which,
                 is_last_block(times, n) ? ": is each block of them added to what the blocks before it gave, or put in "
                                           "its place?"
                                         : "");
    else
        snprintf(sentence, sizeof sentence, "matches a sum with the products of %s more than once, or subtracted",
                 which);
    return lab_sum_say(p, sentence, text, size);
}

// A loop that is written out four times, say, and a slip of the pen in one of them.
static int explain_slip(lab_sum_problem *p, char *text, size_t size) {
    const lab_sum *x = p->right;
    char sentence[240];
    p->factor = 1;
    for (size_t unit = 2; unit <= 8 && unit <= x->count[LAB_TERM]; unit *= 2)
        for (size_t code = 0; code < unit * unit * 2 && x->count[LAB_TERM] % unit == 0; code++) {
            lab_reading y = lab_right_reading(x);
            y.unit = unit, y.of = code & 1, y.lane = code / 2 / unit, y.other = code / 2 % unit;
            const lab_factor *f = y.of ? &x->b : &x->a;
            if (y.lane == y.other || !f->tensor || !lab_reading_fits(p, &y)) continue;
            snprintf(sentence, sizeof sentence,
                     "matches a sum written out %zu at a time in which product %s + %zu takes %s from %s + %zu", unit,
                     x->index[LAB_TERM], y.lane, f->name, x->index[LAB_TERM], y.other);
            return lab_sum_say(p, sentence, text, size);
        }
    return 0;
}

int lab_sum_terms(lab_sum_problem *p, char *text, size_t size) {
    return explain_counts(p, text, size) || explain_slip(p, text, size);
}
