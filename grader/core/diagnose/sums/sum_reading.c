// sum_reading.c: the output that a reading of a sum's loops gives, compared with the student's.
#include "sum_reading.h"

#include <math.h>
#include <string.h>

size_t lab_sum_length(const lab_sum *x, const char *name) {
    for (int i = 0; i < LAB_MOST_LENGTHS && x->length[i].name && name; i++)
        if (strcmp(x->length[i].name, name) == 0) return x->length[i].value;
    return 1;
}

lab_reading lab_right_reading(const lab_sum *x) {
    return (lab_reading){.row = {x->a.row, x->b.row},
                         .column = {x->a.column, x->b.column},
                         .length = {lab_sum_length(x, x->a.length), lab_sum_length(x, x->b.length)},
                         .to = x->count[LAB_TERM],
                         .step = 1,
                         .out_row = x->out_row ? x->out_row : x->count[LAB_COLUMN]};
}

// A factor; NAN where it lies outside of its tensor.
double lab_factor_at(const lab_sum_problem *p, const lab_reading *y, int which, const size_t index[4]) {
    const lab_factor *f = which ? &p->right->b : &p->right->a;
    if (!f->tensor) return 1;
    size_t at[4];
    memcpy(at, index, sizeof at);
    if (y->unit && y->of == which && at[LAB_TERM] % y->unit == y->lane) at[LAB_TERM] += y->other - y->lane;
    const size_t row = y->walks[which] == 2   ? at[LAB_ROW] * p->right->count[LAB_COLUMN] + at[LAB_COLUMN]
                       : y->walks[which] == 1 ? at[y->row[which]] + at[LAB_COLUMN]
                                              : at[y->row[which]];
    const size_t place = (row + y->begin[which]) * y->length[which] + at[y->column[which]];
    return place < p->s->op->elements(p->s->shape, f->tensor) ? p->s->in[f->tensor][place] : NAN;
}

static double term(const lab_sum_problem *p, const lab_reading *y, const size_t index[4]) {
    const double a = lab_factor_at(p, y, 0, index), b = lab_factor_at(p, y, 1, index);
    if (y->lacks) return y->lacks == 1 ? b : a;
    if (y->plus == LAB_SQUARED) return (a - b) * (a - b);
    return y->plus ? a + y->plus * b : a * b;
}

double lab_scale_of(const lab_sum *x) { return x->scale ? x->scale : 1; }

int lab_sum_equals(double got, double due) { return fabs(got - due) < LAB_TOLERANCE / 2 * (1 + fabs(due)); }

// What is written twice holds what came last: of two rows that overlap, the lower one.
static int is_overwritten(const lab_sum *x, const lab_reading *y, size_t i, size_t j) {
    const size_t at = i * y->out_row + j;
    if (y->turned || y->out_row >= x->count[LAB_COLUMN]) return 0;
    for (size_t k = i + 1; k < x->count[LAB_ROW] && k * y->out_row <= at; k++)
        if (at - k * y->out_row < x->count[LAB_COLUMN]) return 1;
    return 0;
}

// Does this reading give the student's output, if it is multiplied by p->factor?
int lab_reading_fits(lab_sum_problem *p, const lab_reading *y) {
    const lab_sum *x = p->right;
    const size_t n = p->s->op->elements(p->s->shape, 0), width = x->out_row ? x->out_row : x->count[LAB_COLUMN];
    size_t explained = 0, all = 0;
    double sum = 0;
    float untouched = NAN;
    for (size_t i = 0; i < x->count[LAB_ROW]; i++)
        for (size_t j = 0; j < x->count[LAB_COLUMN]; j++) {
            const size_t at = y->turned ? j * x->count[LAB_ROW] + i : i * y->out_row + j;
            size_t index[4] = {i, j, 0, 0};
            if (y->runs_on == 0 || (y->runs_on == 1 && j == 0)) sum = 0;
            for (size_t l = y->from; l < y->to && !isnan(sum); l += y->step) {
                index[LAB_TERM] = l, sum += term(p, y, index);
                if (y->scaled && l + 1 < y->to) sum *= lab_scale_of(x);
            }
            if ((y->end[LAB_ROW] && i >= y->end[LAB_ROW]) || (y->end[LAB_COLUMN] && j >= y->end[LAB_COLUMN])) {
                const float got = p->s->got[at];  // not reached: NaN, or what the probe has put there
                if (!x->added && isnan(untouched)) untouched = got;
                if (x->added ? got != p->s->in[x->added][i * width + j] : lab_is_finite(got) && got != untouched)
                    return 0;
                explained += lab_element_bad(p->s, at, 0);
                continue;
            }
            const int beyond = isnan(sum) && (y->walks[0] || y->walks[1]);  // the lab has put NaN there
            if (at < n && beyond && !lab_is_finite(p->s->got[at]) && !lab_element_bad(p->s, at, 1))
                explained += lab_element_bad(p->s, at, 0);
            if (at >= n || isnan(sum) || is_overwritten(x, y, i, j)) continue;
            double due = sum * lab_scale_of(x);
            due *= p->factor;
            if (x->added && !y->set) due += p->s->in[x->added][i * width + j];
            if (!lab_sum_equals(p->s->got[at], due)) return 0;
            explained += lab_element_bad(p->s, at, 0), all++;
        }
    return explained >= 4 && 4 * explained >= p->bad && all >= 8;
}

int lab_sum_say(const lab_sum_problem *p, const char *sentence, char *text, size_t size) {
    return lab_guess(p->s->guesses, sentence, text, size);
}
