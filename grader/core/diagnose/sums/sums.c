// sums.c: one thing in the loops of a sum is changed at a time, until the output is the student's.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sum_reading.h"

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
static int try_factor(lab_sum_problem *p, int which, char *text, size_t size) {
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
                const int same_length = length->value == lab_sum_length(x, f->length);
                if (other + !same_length == 0 || (other == 2 && !turned) || (other && !turned && !same_length))
                    continue;
                lab_reading y = lab_right_reading(x);
                char is[80], due[80], sentence[240];
                y.row[which] = row, y.column[which] = column, y.length[which] = length->value;
                p->factor = 1;
                if (!lab_reading_fits(p, &y)) continue;
                write_factor(x, f->name, row, column, same_length ? f->length : length->name, is, sizeof is);
                write_factor(x, f->name, f->row, f->column, f->length, due, sizeof due);
                snprintf(sentence, sizeof sentence, "matches %s: it is %s", is, due);
                known = lab_sum_say(p, sentence, text, size);
                if (!same_length) return known;
            }
    return known;
}

static int try_both(lab_sum_problem *p, char *text, size_t size) {
    const lab_sum *x = p->right;
    lab_reading y = lab_right_reading(x);
    char sentence[240];
    if (!x->b.tensor) return 0;
    for (int f = 0; f < 2; f++) {
        y.row[f] = y.row[f] == LAB_ROW ? LAB_COLUMN : y.row[f] == LAB_COLUMN ? LAB_ROW : y.row[f];
        y.column[f] = y.column[f] == LAB_ROW ? LAB_COLUMN : y.column[f] == LAB_COLUMN ? LAB_ROW : y.column[f];
    }
    p->factor = 1;
    lab_reading turned = lab_right_reading(x);
    turned.turned = 1;
    if (!lab_reading_fits(p, &y) && !lab_reading_fits(p, &turned)) return 0;
    snprintf(sentence, sizeof sentence, "matches %s the wrong way round: what belongs to [%s][%s] stands at [%s][%s]",
             x->out, x->index[LAB_ROW], x->index[LAB_COLUMN], x->index[LAB_COLUMN], x->index[LAB_ROW]);
    return lab_sum_say(p, sentence, text, size);
}

// Both factors lie column by column, as one who thinks so of a matrix thinks of both.
static int try_columns(lab_sum_problem *p, char *text, size_t size) {
    const lab_sum *x = p->right;
    const lab_factor *of[2] = {&x->a, &x->b};
    lab_reading y = lab_right_reading(x);
    char is[2][80], due[2][80], sentence[400];
    for (int f = 0; f < 2; f++) {
        const char *length = NULL;
        if (!of[f]->tensor || of[f]->row > LAB_TERM || of[f]->column > LAB_TERM) return 0;
        for (int l = 0; l < LAB_MOST_LENGTHS && x->length[l].name; l++)
            if (x->length[l].value == x->count[of[f]->row]) length = x->length[l].name;
        if (!length) return 0;
        y.row[f] = of[f]->column, y.column[f] = of[f]->row, y.length[f] = x->count[of[f]->row];
        write_factor(x, of[f]->name, y.row[f], y.column[f], length, is[f], sizeof is[f]);
        write_factor(x, of[f]->name, of[f]->row, of[f]->column, of[f]->length, due[f], sizeof due[f]);
    }
    p->factor = 1;
    if (!lab_reading_fits(p, &y)) return 0;
    snprintf(sentence, sizeof sentence, "matches %s and %s: both lie row by row, %s and %s", is[0], is[1], due[0],
             due[1]);
    return lab_sum_say(p, sentence, text, size);
}

// Rows of the output that lie closer together or further apart.
static int try_out_row(lab_sum_problem *p, char *text, size_t size) {
    const lab_sum *x = p->right;
    const size_t due = lab_right_reading(x).out_row;
    for (int l = 0; l < LAB_MOST_LENGTHS && x->length[l].name; l++) {
        lab_reading y = lab_right_reading(x);
        char sentence[240];
        y.out_row = x->length[l].value;
        p->factor = 1;
        if (y.out_row == due || !lab_reading_fits(p, &y)) continue;
        const char *right = "";
        for (int k = 0; k < LAB_MOST_LENGTHS && x->length[k].name; k++)
            if (x->length[k].value == due) right = x->length[k].name;
        snprintf(sentence, sizeof sentence, "matches %s[%s * %s + %s]: rows of %s are %s apart", x->out,
                 x->index[LAB_ROW], x->length[l].name, x->index[LAB_COLUMN], x->out, right);
        return lab_sum_say(p, sentence, text, size);
    }
    return 0;
}

static int try_start(lab_sum_problem *p, char *text, size_t size) {
    const lab_sum *x = p->right;
    char sentence[240];
    p->factor = 1;
    for (int runs_on = 1; runs_on < 3; runs_on++) {
        lab_reading y = lab_right_reading(x);
        y.runs_on = runs_on;
        if (!lab_reading_fits(p, &y)) continue;
        snprintf(sentence, sizeof sentence, "matches a sum that goes on from one %s to the next: set it to 0 for each",
                 x->index[LAB_COLUMN]);
        return lab_sum_say(p, sentence, text, size);
    }
    lab_reading y = lab_right_reading(x);
    y.set = 1;
    if (!x->added || !lab_reading_fits(p, &y)) return 0;
    snprintf(sentence, sizeof sentence, "%s is set to the sum: add to it, it holds earlier tiles", x->out);
    return lab_sum_say(p, sentence, text, size);
}

// The sum so far is scaled with each term; or it has no digits after the point.
static int try_arithmetic(lab_sum_problem *p, char *text, size_t size) {
    const lab_sum *x = p->right;
    lab_reading y = lab_right_reading(x);
    y.scaled = 1, p->factor = 1;
    if (x->scale && lab_reading_fits(p, &y))
        return lab_sum_say(p, "matches a sum that is scaled with each term: scale it once, after the loop", text, size);
    y.scaled = 0, y.plus = 1;
    if (lab_reading_fits(p, &y))
        return lab_sum_say(p, "matches a sum of sums: the two factors are added, and must be multiplied", text, size);
    for (y.lacks = 1; y.lacks < 3 && x->a.tensor && x->b.tensor; y.lacks++)
        for (int mean = 0; mean < 2; mean++) {
            const lab_factor *left = y.lacks == 1 ? &x->b : &x->a, *out = y.lacks == 1 ? &x->a : &x->b;
            p->factor = mean ? 1.0 / (double)x->count[LAB_TERM] : 1, y.plus = 0;
            if (!lab_reading_fits(p, &y)) continue;
            char is[80], sentence[240];
            write_factor(x, out->name, out->row, out->column, out->length, is, sizeof is);
            snprintf(sentence, sizeof sentence, "matches the %s of %s alone: each is multiplied by %s first",
                     mean ? "mean" : "sum", left->name, is);
            return lab_sum_say(p, sentence, text, size);
        }
    y.lacks = 0, p->factor = 1, y.plus = -1;
    if (lab_reading_fits(p, &y))
        return lab_sum_say(p, "matches a sum of differences: the two factors must be multiplied", text, size);
    for (y.plus = LAB_SQUARED, p->factor = -1; p->factor < 2; p->factor += 2)
        if (x->a.tensor && x->b.tensor && lab_reading_fits(p, &y))
            return lab_sum_say(
                p, "matches a sum of squared differences, a distance: the two factors must be multiplied", text, size);
    p->factor = 1;
    const size_t width = x->out_row ? x->out_row : x->count[LAB_COLUMN];
    for (size_t i = 0; i < x->count[LAB_ROW] && !x->added; i++)
        for (size_t j = 0; j < x->count[LAB_COLUMN]; j++) {
            const double sum = p->s->got[i * width + j] / lab_scale_of(x),
                         want = p->s->want[i * width + j] / lab_scale_of(x);
            if (!(fabs(sum - rint(sum)) < 2e-3) || !(fabs(sum - want) < x->count[LAB_TERM])) return 0;
        }
    return !x->added &&
           lab_sum_say(p, "each sum is a whole number: it is kept in an int, and loses what is after the point", text,
                       size);
}

// The sum is right, and an input is added to it, or what the output held.
static int try_more(lab_sum_problem *p, char *text, size_t size) {
    const lab_sum *x = p->right;
    const size_t n = p->s->op->elements(p->s->shape, 0);
    const lab_factor *of[] = {&x->a, &x->b};
    for (int f = 0; f < 2 && !x->added; f++) {
        int same = of[f]->tensor && p->s->op->elements(p->s->shape, of[f]->tensor) == n;
        char sentence[240];
        for (size_t i = 0; i < n && same; i++)
            same = lab_sum_equals(p->s->got[i], p->s->want[i] + p->s->in[of[f]->tensor][i]);
        if (!same) continue;
        snprintf(sentence, sizeof sentence, "matches the sum with %s added to it: %s is the sum alone", of[f]->name,
                 x->out);
        return lab_sum_say(p, sentence, text, size);
    }
    return 0;
}

// Rows counted from the begin of the matrix, where its pointer stands at the tile already.
static int try_begin(lab_sum_problem *p, char *text, size_t size) {
    const lab_sum *x = p->right;
    for (int f = 0; f < 2; f++) {
        const lab_factor *of = f ? &x->b : &x->a;
        lab_reading y = lab_right_reading(x);
        char sentence[240];
        y.begin[f] = of->begin;
        p->factor = 1;
        if (!of->begin || !lab_reading_fits(p, &y)) continue;
        snprintf(sentence, sizeof sentence,
                 "matches rows of %s that are %s too far down: the pointer stands at row %s already", of->name,
                 of->begin_name, of->begin_name);
        return lab_sum_say(p, sentence, text, size);
    }
    return 0;
}

// A pointer that moves on with each product, and is not set back.
static int try_walks(lab_sum_problem *p, char *text, size_t size) {
    const lab_sum *x = p->right;
    char sentence[240];
    p->factor = 1;
    for (int code = 1; code < 9; code++) {
        lab_reading y = lab_right_reading(x);
        y.walks[0] = code % 3, y.walks[1] = code / 3;
        if (y.column[1] != LAB_TERM || y.walks[1] == 1 || !lab_reading_fits(p, &y)) continue;
        snprintf(sentence, sizeof sentence,
                 "matches a pointer into %s that moves on from one %s to the next: set it back to the row's begin",
                 y.walks[0] ? x->a.name : x->b.name, x->index[y.walks[0] ? LAB_COLUMN : LAB_ROW]);
        return lab_sum_say(p, sentence, text, size);
    }
    return 0;
}

int lab_explain_sum(const lab_symptom *s, const lab_sum *right, char *text, size_t size) {
    lab_sum_problem p = {.s = s, .right = right};
    for (size_t i = 0; i < s->op->elements(s->shape, 0); i++) p.bad += lab_element_bad(s, i, 0);
    return lab_sum_scale(&p, text, size) || lab_sum_bounds(&p, text, size) || lab_sum_ends(&p, text, size) ||
           try_start(&p, text, size) || try_factor(&p, 0, text, size) || try_factor(&p, 1, text, size) ||
           try_columns(&p, text, size) || try_both(&p, text, size) || try_arithmetic(&p, text, size) ||
           try_more(&p, text, size) || lab_sum_rows(&p, text, size) || try_begin(&p, text, size) ||
           try_out_row(&p, text, size) || try_walks(&p, text, size) || lab_sum_taken_for(&p, text, size) ||
           lab_sum_some(&p, text, size) || lab_sum_terms(&p, text, size);
}
