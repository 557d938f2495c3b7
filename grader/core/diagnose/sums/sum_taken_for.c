// sum_taken_for.c: what a sum of products was taken for: a cosine, or the one product whose first factor is the largest.
#include <math.h>
#include <stdio.h>

#include "folded.h"
#include "sum_reading.h"

enum { COSINE = 1, BY_A, BY_B, SCALED_COSINE, LARGEST, LARGEST_ALONE, N_KINDS };

static double taken_for(const lab_sum_problem *p, const lab_reading *y, int kind, size_t i, size_t j) {
    double sum = 0, of_a = 0, of_b = 0, most = -INFINITY, product = 0, factor = 0;
    for (size_t l = y->from; l < y->to; l++) {
        const size_t index[4] = {i, j, l, 0};
        const double a = lab_factor_at(p, y, 0, index), b = lab_factor_at(p, y, 1, index);
        sum += a * b, of_a += a * a, of_b += b * b;
        if (a > most) most = a, product = a * b, factor = b;
    }
    const double scale = lab_scale_of(p->right);
    return kind == COSINE          ? sum / sqrt(of_a * of_b)
           : kind == SCALED_COSINE ? scale * sum / sqrt(of_a * of_b)
           : kind == BY_A          ? scale * sum / sqrt(of_a)
           : kind == BY_B          ? scale * sum / sqrt(of_b)
           : kind == LARGEST       ? scale * product
                                   : scale * factor;
}

static int fits(const lab_sum_problem *p, int kind) {
    const lab_sum *x = p->right;
    const lab_reading y = lab_right_reading(x);
    for (size_t i = 0; i < x->count[LAB_ROW]; i++)
        for (size_t j = 0; j < x->count[LAB_COLUMN]; j++) {
            const size_t at = i * y.out_row + j;
            const double old = x->added ? p->s->in[x->added][at] : 0;
            if (!lab_sum_equals(p->s->got[at], old + taken_for(p, &y, kind, i, j))) return 0;
        }
    return 1;
}

// The products of elements of the output, which are joined by something else than +.
static size_t places_of(const lab_sum_problem *p, int i) {
    const lab_sum *x = p->right;
    return i / x->count[LAB_COLUMN] * lab_right_reading(x).out_row + i % x->count[LAB_COLUMN];
}
static int terms_of(const void *of, int i) { return (int)((const lab_sum_problem *)of)->right->count[LAB_TERM]; }
static double term_of(const void *of, int i, int t) {
    const lab_sum_problem *p = of;
    const lab_reading y = lab_right_reading(p->right);
    const size_t columns = p->right->count[LAB_COLUMN], index[4] = {i / columns, i % columns, t, 0};
    return lab_factor_at(p, &y, 0, index) * lab_factor_at(p, &y, 1, index);
}
static double got_of(const void *of, int i) {
    const lab_sum_problem *p = of;
    return p->s->got[places_of(p, i)] / lab_scale_of(p->right);
}
static double before_of(const void *of, int i) {
    const lab_sum_problem *p = of;
    return p->s->in[p->right->added][places_of(p, i)];
}

static int is_folded(const lab_sum_problem *p, char *text, size_t size) {
    const lab_sum *x = p->right;
    char name[64];
    snprintf(name, sizeof name, "%s * %s", x->a.name, x->b.name);
    const lab_fold f = {
        p,   (int)(x->count[LAB_ROW] * x->count[LAB_COLUMN]), terms_of, term_of, got_of, x->added ? before_of : NULL,
        name};
    return lab_explain_fold(&f, p->s->guesses, text, size);
}

int lab_sum_taken_for(const lab_sum_problem *p, char *text, size_t size) {
    const lab_sum *x = p->right;
    const int of_rows = x->a.column == LAB_TERM && x->b.column == LAB_TERM;  // two rows, whose lengths can be asked for
    char sentence[240];
    if (!x->a.tensor || !x->b.tensor || x->count[LAB_TERM] < 2 || x->count[LAB_ROW] * x->count[LAB_COLUMN] < 8)
        return 0;
    if (is_folded(p, text, size)) return 1;
    for (int kind = of_rows ? COSINE : LARGEST; kind < N_KINDS; kind++) {
        if (!fits(p, kind)) continue;
        if (kind >= LARGEST)
            snprintf(sentence, sizeof sentence,
                     "matches the %s of the %s where %s is largest, alone: all of them count, each %s multiplied by "
                     "its %s",
                     kind == LARGEST ? "product" : x->b.name, x->index[LAB_TERM], x->a.name, x->b.name, x->a.name);
        else if (kind == BY_A || kind == BY_B)
            snprintf(sentence, sizeof sentence,
                     "matches sums that are divided by the length of the row of %s: %s asks for no length of a row",
                     kind == BY_A ? x->a.name : x->b.name, x->out);
        else
            snprintf(sentence, sizeof sentence,
                     "matches sums that are divided by the lengths of the rows of %s and %s (a cosine): %s asks for no "
                     "length of a row%s",
                     x->a.name, x->b.name, x->out, kind == COSINE && x->scale ? ", and for a factor 1/sqrt(D)" : "");
        return lab_sum_say(p, sentence, text, size);
    }
    return 0;
}
