// sum_scale.c: a sum that is right but for what it is multiplied by: one number for all, or another one for each row.
#include <math.h>
#include <stdio.h>

#include "sum_reading.h"

// All is right but a number that everything is multiplied by.
int lab_sum_scale(lab_sum_problem *p, char *text, size_t size) {
    const lab_sum *x = p->right;
    const lab_reading y = lab_right_reading(x);
    char sentence[240], name[48] = "";
    const size_t width = x->out_row ? x->out_row : x->count[LAB_COLUMN];
    double gw = 0, ww = 0;
    for (size_t i = 0; i < x->count[LAB_ROW] && !x->added; i++)
        for (size_t j = 0; j < x->count[LAB_COLUMN]; j++) {
            const size_t at = i * width + j;
            gw += p->s->got[at] * p->s->want[at], ww += p->s->want[at] * p->s->want[at];
        }
    p->factor = x->added ? 1 : gw / ww;
    if (!lab_reading_fits(p, &y) || fabs(p->factor - 1) < 1e-3) return 0;
    if (fabs(p->factor) < 1e-6) {
        snprintf(sentence, sizeof sentence,
                 "every sum is 0: does the loop over %s run at all, with %s = %zu? If it takes blocks, what is left "
                 "behind the last whole one counts, too",
                 x->index[LAB_TERM], x->end[LAB_TERM], x->count[LAB_TERM]);
        return lab_sum_say(p, sentence, text, size);
    }
    const double f = p->factor * lab_scale_of(x);
    for (int k = 0; k < LAB_MOST_LENGTHS && x->length[k].name; k++) {
        const double n = x->length[k].value;
        const struct {
            double is;
            const char *form;
        } forms[] = {{1 / n, "1/%s"}, {sqrt(n), "sqrt(%s)"}, {1 / sqrt(n), "1/sqrt(%s)"}, {n, "%s"}};
        for (int i = 0; i < 4 && !*name; i++)
            if (n > 1 && *x->length[k].name && fabs(f / forms[i].is - 1) < 1e-3)
                snprintf(name, sizeof name, forms[i].form, x->length[k].name);
    }
    if (!*name) snprintf(name, sizeof name, "%.4g", f);
    snprintf(sentence, sizeof sentence, "matches a sum that is multiplied by %s: it must be %.4g%s", name,
             lab_scale_of(x), x->scale ? ", 1/sqrt(D)" : "");
    return lab_sum_say(p, sentence, text, size);
}

// Each row is the right one times a number of its own.
int lab_sum_rows(lab_sum_problem *p, char *text, size_t size) {
    const lab_sum *x = p->right;
    const size_t width = x->out_row ? x->out_row : x->count[LAB_COLUMN];
    double factor = 1;
    if (x->count[LAB_COLUMN] < 4 || x->added) return 0;
    for (size_t i = 0; i < x->count[LAB_ROW]; i++) {
        double gw = 0, ww = 0;
        for (size_t j = i * width; j < i * width + x->count[LAB_COLUMN]; j++)
            gw += p->s->got[j] * p->s->want[j], ww += p->s->want[j] * p->s->want[j];
        factor = gw / ww;
        for (size_t j = i * width; j < i * width + x->count[LAB_COLUMN]; j++)
            if (!lab_sum_equals(p->s->got[j], factor * p->s->want[j])) return 0;
    }
    char sentence[240];
    snprintf(sentence, sizeof sentence,
             "each row is the right one times a number of its own (row %zu: %.4g): what %s is "
             "multiplied or divided by changes with %s",
             x->count[LAB_ROW] - 1, factor, x->out, x->index[LAB_ROW]);
    return lab_sum_say(p, sentence, text, size);
}

// Some are right, and each of the others is the right one times the same number.
int lab_sum_some(lab_sum_problem *p, char *text, size_t size) {
    const lab_sum *x = p->right;
    const size_t width = x->out_row ? x->out_row : x->count[LAB_COLUMN];
    double gw = 0, ww = 0;
    size_t bad = 0;
    for (int pass = 0; pass < 2; pass++)
        for (size_t k = 0; k < x->count[LAB_ROW] * x->count[LAB_COLUMN] && !x->added; k++) {
            const size_t at = k / x->count[LAB_COLUMN] * width + k % x->count[LAB_COLUMN];
            if (!lab_element_bad(p->s, at, 0)) continue;
            if (pass && !lab_sum_equals(p->s->got[at], gw / ww * p->s->want[at])) return 0;
            if (!pass) gw += p->s->got[at] * p->s->want[at], ww += p->s->want[at] * p->s->want[at], bad++;
        }
    if (bad < 4 || bad == x->count[LAB_ROW] * x->count[LAB_COLUMN]) return 0;
    const double f = gw / ww * lab_scale_of(x);
    char sentence[240];
    if (x->scale && fabs(f - 1) < 1e-3)
        snprintf(sentence, sizeof sentence,
                 "matches sums that are not scaled, where they are wrong: each %s is multiplied by %.4g, 1/sqrt(D)",
                 x->out, x->scale);
    else if (fabs(f) < 1e-6)
        return 0;
    else
        snprintf(sentence, sizeof sentence, "matches the right sums times %.4g, where they are wrong", gw / ww);
    return lab_sum_say(p, sentence, text, size);
}
