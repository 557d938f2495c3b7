// sums.c: one thing in the loops of a sum is changed at a time, until the output is the student's.
#include "sums.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    int row[2], column[2];  // the indices of the factors
    size_t length[2];       // and the lengths of their rows
    size_t begin[2];        // rows further down
    size_t from, to;        // terms of the sum
    size_t step;            // from one term to the next
    int plus;               // 1: the factors are added, -1: subtracted
    int scaled;             // 1: the sum so far is scaled with each term
    int runs_on;            // 1: from column to column, 2: from row to row, too
    int set;                // 1: what the output held before is lost
    int turned;             // 1: the output lies the other way round
    size_t out_row;
} reading;

typedef struct {
    const lab_symptom *s;
    const lab_sum *right;
    size_t bad;  // elements that are not right
    double factor;
} problem;

static size_t length_of(const lab_sum *x, const char *name) {
    for (int i = 0; i < LAB_MOST_LENGTHS && x->length[i].name && name; i++)
        if (strcmp(x->length[i].name, name) == 0) return x->length[i].value;
    return 1;
}

static reading the_right_one(const lab_sum *x) {
    return (reading){.row = {x->a.row, x->b.row},
                     .column = {x->a.column, x->b.column},
                     .length = {length_of(x, x->a.length), length_of(x, x->b.length)},
                     .to = x->count[LAB_TERM],
                     .step = 1,
                     .out_row = x->out_row ? x->out_row : x->count[LAB_COLUMN]};
}

// A factor; NAN where it lies outside of its tensor.
static double factor_at(const problem *p, const reading *y, int which, const size_t index[4]) {
    const lab_factor *f = which ? &p->right->b : &p->right->a;
    if (!f->tensor) return 1;
    const size_t at = (index[y->row[which]] + y->begin[which]) * y->length[which] + index[y->column[which]];
    return at < p->s->op->elements(p->s->shape, f->tensor) ? p->s->in[f->tensor][at] : NAN;
}

static double term(const problem *p, const reading *y, const size_t index[4]) {
    const double a = factor_at(p, y, 0, index), b = factor_at(p, y, 1, index);
    return y->plus ? a + y->plus * b : a * b;
}

static double scale_of(const lab_sum *x) { return x->scale ? x->scale : 1; }

static int equals(double got, double due) { return fabs(got - due) < LAB_TOLERANCE / 2 * (1 + fabs(due)); }

// What is written twice holds what came last: of two rows that overlap, the lower one.
static int is_overwritten(const lab_sum *x, const reading *y, size_t i, size_t j) {
    const size_t at = i * y->out_row + j;
    if (y->turned || y->out_row >= x->count[LAB_COLUMN]) return 0;
    for (size_t k = i + 1; k < x->count[LAB_ROW] && k * y->out_row <= at; k++)
        if (at - k * y->out_row < x->count[LAB_COLUMN]) return 1;
    return 0;
}

// Does this reading give the student's output, if it is multiplied by p->factor?
static int fits(problem *p, const reading *y) {
    const lab_sum *x = p->right;
    const size_t n = p->s->op->elements(p->s->shape, 0), width = x->out_row ? x->out_row : x->count[LAB_COLUMN];
    size_t explained = 0, all = 0;
    double sum = 0;
    for (size_t i = 0; i < x->count[LAB_ROW]; i++)
        for (size_t j = 0; j < x->count[LAB_COLUMN]; j++) {
            const size_t at = y->turned ? j * x->count[LAB_ROW] + i : i * y->out_row + j;
            size_t index[4] = {i, j, 0, 0};
            if (y->runs_on == 0 || (y->runs_on == 1 && j == 0)) sum = 0;
            for (size_t l = y->from; l < y->to && !isnan(sum); l += y->step) {
                index[LAB_TERM] = l, sum += term(p, y, index);
                if (y->scaled && l + 1 < y->to) sum *= scale_of(x);
            }
            if (at >= n || isnan(sum) || is_overwritten(x, y, i, j)) continue;
            double due = sum * scale_of(x);
            due *= p->factor;
            if (x->added && !y->set) due += p->s->in[x->added][i * width + j];
            if (!equals(p->s->got[at], due)) return 0;
            explained += lab_element_bad(p->s, at, 0), all++;
        }
    return explained >= 4 && 4 * explained >= p->bad && all >= 8;
}

static int say(const problem *p, const char *sentence, char *text, size_t size) {
    return lab_guess(p->s->guesses, sentence, text, size);
}

static const char *index_name(const lab_sum *x, int i) { return i == LAB_NO_INDEX ? "0" : x->index[i]; }

static void write_factor(const lab_sum *x, const char *name, int row, int column, const char *length, char *text,
                         size_t size) {
    const char *r = index_name(x, row), *c = index_name(x, column);
    if (!*length)
        snprintf(text, size, "%s[%s][%s]", name, r, c);
    else if (strcmp(length, "1") == 0)
        snprintf(text, size, "%s[%s + %s]", name, r, c);
    else
        snprintf(text, size, "%s[%s * %s + %s]", name, r, length, c);
}

// Another index, or another length of a row.
static int try_factor(problem *p, int which, char *text, size_t size) {
    const lab_sum *x = p->right;
    const lab_factor *f = which ? &x->b : &x->a;
    const lab_length one = {"1", 1};
    int known = 0;
    for (int row = 0; f->tensor && row < 4; row++)
        for (int column = 0; column < 4; column++)
            for (int l = -1; l < LAB_MOST_LENGTHS && (l < 0 || x->length[l].name); l++) {
                const lab_length *length = l < 0 ? &one : &x->length[l];
                const int other = (row != f->row) + (column != f->column),
                          turned = row == f->column && column == f->row;
                const int same_length = length->value == length_of(x, f->length);
                if (other + !same_length == 0 || (other == 2 && !turned) || (other && !turned && !same_length))
                    continue;
                reading y = the_right_one(x);
                char is[80], due[80], sentence[240];
                y.row[which] = row, y.column[which] = column, y.length[which] = length->value;
                p->factor = 1;
                if (!fits(p, &y)) continue;
                write_factor(x, f->name, row, column, same_length ? f->length : length->name, is, sizeof is);
                write_factor(x, f->name, f->row, f->column, f->length, due, sizeof due);
                snprintf(sentence, sizeof sentence, "matches %s: it is %s", is, due);
                known = say(p, sentence, text, size);
                if (!same_length) return known;
            }
    return known;
}

static int try_both(problem *p, char *text, size_t size) {
    const lab_sum *x = p->right;
    reading y = the_right_one(x);
    char sentence[240];
    if (!x->b.tensor) return 0;
    for (int f = 0; f < 2; f++) {
        y.row[f] = y.row[f] == LAB_ROW ? LAB_COLUMN : y.row[f] == LAB_COLUMN ? LAB_ROW : y.row[f];
        y.column[f] = y.column[f] == LAB_ROW ? LAB_COLUMN : y.column[f] == LAB_COLUMN ? LAB_ROW : y.column[f];
    }
    p->factor = 1;
    reading turned = the_right_one(x);
    turned.turned = 1;
    if (!fits(p, &y) && !fits(p, &turned)) return 0;
    snprintf(sentence, sizeof sentence, "matches %s the wrong way round: what belongs to [%s][%s] stands at [%s][%s]",
             x->out, x->index[LAB_ROW], x->index[LAB_COLUMN], x->index[LAB_COLUMN], x->index[LAB_ROW]);
    return say(p, sentence, text, size);
}

// Rows of the output that lie closer together or further apart.
static int try_out_row(problem *p, char *text, size_t size) {
    const lab_sum *x = p->right;
    const size_t due = the_right_one(x).out_row;
    for (int l = 0; l < LAB_MOST_LENGTHS && x->length[l].name; l++) {
        reading y = the_right_one(x);
        char sentence[240];
        y.out_row = x->length[l].value;
        p->factor = 1;
        if (y.out_row == due || !fits(p, &y)) continue;
        const char *right = "";
        for (int k = 0; k < LAB_MOST_LENGTHS && x->length[k].name; k++)
            if (x->length[k].value == due) right = x->length[k].name;
        snprintf(sentence, sizeof sentence, "matches %s[%s * %s + %s]: rows of %s are %s apart", x->out,
                 x->index[LAB_ROW], x->length[l].name, x->index[LAB_COLUMN], x->out, right);
        return say(p, sentence, text, size);
    }
    return 0;
}

// The loop over the terms starts late, ends early or late; or its sum is not set to 0 where it must be.
static int try_bounds(problem *p, char *text, size_t size) {
    const lab_sum *x = p->right;
    const size_t n = x->count[LAB_TERM];
    const char *l = x->index[LAB_TERM], *end = x->end[LAB_TERM];
    char sentence[240] = "";
    reading y = the_right_one(x);
    p->factor = 1;
    if (n < 2) return 0;
    y.from = 1;
    if (fits(p, &y)) snprintf(sentence, sizeof sentence, "the term %s = 0 is left out: the loop starts at 0", l);
    y.from = n - 1;
    if (!*sentence && fits(p, &y))
        snprintf(sentence, sizeof sentence, "only the last %s is in the sum: add with +=", l);
    y.from = 0, y.step = 2;
    if (!*sentence && fits(p, &y)) snprintf(sentence, sizeof sentence, "every second %s is left out", l);
    y.step = 1, y.to = n - 1;
    if (!*sentence && fits(p, &y))
        snprintf(sentence, sizeof sentence, "the last %s is left out: it runs to %s - 1", l, end);
    y.to = 1;
    if (!*sentence && fits(p, &y)) snprintf(sentence, sizeof sentence, "only %s = 0 is in the sum: %s < %s", l, l, end);
    for (int k = 0; k < LAB_MOST_LENGTHS && x->length[k].name && !*sentence; k++) {
        y.to = x->length[k].value;
        if (y.to != n && fits(p, &y))
            snprintf(sentence, sizeof sentence, "matches a sum over %s < %s: it runs to %s", l, x->length[k].name, end);
    }
    for (y.to = n + 1; y.to > 2 && !*sentence; y.to--)
        if (y.to != n && fits(p, &y))
            snprintf(sentence, sizeof sentence, "matches a sum over the first %zu %s: there are %zu", y.to, l, n);
    return *sentence && say(p, sentence, text, size);
}

static int try_start(problem *p, char *text, size_t size) {
    const lab_sum *x = p->right;
    char sentence[240];
    p->factor = 1;
    for (int runs_on = 1; runs_on < 3; runs_on++) {
        reading y = the_right_one(x);
        y.runs_on = runs_on;
        if (!fits(p, &y)) continue;
        snprintf(sentence, sizeof sentence, "matches a sum that goes on from one %s to the next: set it to 0 for each",
                 x->index[LAB_COLUMN]);
        return say(p, sentence, text, size);
    }
    reading y = the_right_one(x);
    y.set = 1;
    if (!x->added || !fits(p, &y)) return 0;
    snprintf(sentence, sizeof sentence, "%s is set to the sum: add to it, it holds earlier tiles", x->out);
    return say(p, sentence, text, size);
}

// The sum so far is scaled with each term; or it has no digits after the point.
static int try_arithmetic(problem *p, char *text, size_t size) {
    const lab_sum *x = p->right;
    reading y = the_right_one(x);
    y.scaled = 1, p->factor = 1;
    if (x->scale && fits(p, &y))
        return say(p, "matches a sum that is scaled with each term: scale it once, after the loop", text, size);
    y.scaled = 0, y.plus = 1;
    if (fits(p, &y))
        return say(p, "matches a sum of sums: the two factors are added, and must be multiplied", text, size);
    y.plus = -1;
    if (fits(p, &y)) return say(p, "matches a sum of differences: the two factors must be multiplied", text, size);
    const size_t width = x->out_row ? x->out_row : x->count[LAB_COLUMN];
    for (size_t i = 0; i < x->count[LAB_ROW] && !x->added; i++)
        for (size_t j = 0; j < x->count[LAB_COLUMN]; j++) {
            const double sum = p->s->got[i * width + j] / scale_of(x), want = p->s->want[i * width + j] / scale_of(x);
            if (!(fabs(sum - rint(sum)) < 2e-3) || !(fabs(sum - want) < x->count[LAB_TERM])) return 0;
        }
    return !x->added &&
           say(p, "each sum is a whole number: it is kept in an int, and loses what is after the point", text, size);
}

// Each row is the right one times a number of its own.
static int try_rows(problem *p, char *text, size_t size) {
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
            if (!equals(p->s->got[j], factor * p->s->want[j])) return 0;
    }
    char sentence[240];
    snprintf(sentence, sizeof sentence,
             "each row is the right one times a number of its own (row %zu: %.4g): what %s is "
             "multiplied or divided by changes with %s",
             x->count[LAB_ROW] - 1, factor, x->out, x->index[LAB_ROW]);
    return say(p, sentence, text, size);
}

// The sum is right, and an input is added to it, or what the output held.
static int try_more(problem *p, char *text, size_t size) {
    const lab_sum *x = p->right;
    const size_t n = p->s->op->elements(p->s->shape, 0);
    const lab_factor *of[] = {&x->a, &x->b};
    for (int f = 0; f < 2 && !x->added; f++) {
        int same = of[f]->tensor && p->s->op->elements(p->s->shape, of[f]->tensor) == n;
        char sentence[240];
        for (size_t i = 0; i < n && same; i++) same = equals(p->s->got[i], p->s->want[i] + p->s->in[of[f]->tensor][i]);
        if (!same) continue;
        snprintf(sentence, sizeof sentence, "matches the sum with %s added to it: %s is the sum alone", of[f]->name,
                 x->out);
        return say(p, sentence, text, size);
    }
    return 0;
}

// All is right but a number that everything is multiplied by.
static int try_scale(problem *p, char *text, size_t size) {
    const lab_sum *x = p->right;
    const reading y = the_right_one(x);
    char sentence[240], name[48] = "";
    const size_t width = x->out_row ? x->out_row : x->count[LAB_COLUMN];
    double gw = 0, ww = 0;
    for (size_t i = 0; i < x->count[LAB_ROW] && !x->added; i++)
        for (size_t j = 0; j < x->count[LAB_COLUMN]; j++) {
            const size_t at = i * width + j;
            gw += p->s->got[at] * p->s->want[at], ww += p->s->want[at] * p->s->want[at];
        }
    p->factor = x->added ? 1 : gw / ww;
    if (!fits(p, &y) || fabs(p->factor - 1) < 1e-3) return 0;
    const double f = p->factor * scale_of(x);
    for (int k = 0; k < LAB_MOST_LENGTHS && x->length[k].name; k++) {
        const double n = x->length[k].value;
        const struct {
            double is;
            const char *form;
        } forms[] = {{1 / n, "1/%s"}, {sqrt(n), "sqrt(%s)"}, {1 / sqrt(n), "1/sqrt(%s)"}, {n, "%s"}};
        for (int i = 0; i < 4 && !*name; i++)
            if (n > 1 && fabs(f / forms[i].is - 1) < 1e-3)
                snprintf(name, sizeof name, forms[i].form, x->length[k].name);
    }
    if (!*name) snprintf(name, sizeof name, "%.4g", f);
    snprintf(sentence, sizeof sentence, "matches a sum that is multiplied by %s: it must be %.4g%s", name, scale_of(x),
             x->scale ? ", 1/sqrt(D)" : "");
    return say(p, sentence, text, size);
}

// Rows counted from the begin of the matrix, where its pointer stands at the tile already.
static int try_begin(problem *p, char *text, size_t size) {
    const lab_sum *x = p->right;
    for (int f = 0; f < 2; f++) {
        const lab_factor *of = f ? &x->b : &x->a;
        reading y = the_right_one(x);
        char sentence[240];
        y.begin[f] = of->begin;
        p->factor = 1;
        if (!of->begin || !fits(p, &y)) continue;
        snprintf(sentence, sizeof sentence,
                 "matches rows of %s that are %s too far down: the pointer stands at row %s already", of->name,
                 of->begin_name, of->begin_name);
        return say(p, sentence, text, size);
    }
    return 0;
}

int lab_explain_sum(const lab_symptom *s, const lab_sum *right, char *text, size_t size) {
    problem p = {.s = s, .right = right};
    for (size_t i = 0; i < s->op->elements(s->shape, 0); i++) p.bad += lab_element_bad(s, i, 0);
    return try_scale(&p, text, size) || try_bounds(&p, text, size) || try_start(&p, text, size) ||
           try_factor(&p, 0, text, size) || try_factor(&p, 1, text, size) || try_both(&p, text, size) ||
           try_arithmetic(&p, text, size) || try_more(&p, text, size) || try_rows(&p, text, size) ||
           try_begin(&p, text, size) || try_out_row(&p, text, size);
}
