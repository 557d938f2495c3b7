// left_unwritten.c: what was never written is what is left over behind whole groups of 2 to 32 rows, columns or
// elements: a loop goes on while a whole group fits, and nobody does the rest.
//
//     5 rows of each head, four at a time   | 0 1 2 3 | 4 |    rows 0 .. 3 are written, and row 4 is not
#include "heuristics.h"

#include <stdio.h>
#include <string.h>

enum { LEAST = 2, MOST = 32, GRID = 8 };

// Of each n pieces of `unit` elements, one behind the other in the output.
typedef struct {
    const char *name;
    size_t unit, n;
} piece;

// Is it so that of each n the last n % group were never written, and all others were?
static int is_left(const lab_symptom *s, const piece *p, size_t group) {
    const size_t all = s->op->elements(s->shape, 0), first = p->n / group * group;
    if (!first || first == p->n || all % (p->unit * p->n)) return 0;
    for (size_t i = 0; i < all; i++)
        if (lab_element_bad(s, i, 1) != (i / p->unit % p->n >= first)) return 0;
    return 1;
}

static void say(const piece *p, const char *groups, size_t most, size_t left, char *text, size_t size) {
    snprintf(text, size, "the %s that are left over behind whole groups of %s are never written: %s?", p->name, groups,
             left == 1      ? "does the loop end one short, or is there none behind it for the rest"
             : most >= GRID ? "is there a loop behind for the rest, or in a grid a block"
                            : "is there a loop behind for the rest");
}

// All groups that fit are said; then each alone goes to what fits: other claims have other rests, and tell which it is.
static int explain(const lab_symptom *s, const piece *p, char *text, size_t size) {
    size_t fits[8], n = 0;
    char groups[40] = "", one[8], sentence[240], aside[240];
    for (size_t group = LEAST; group <= MOST; group *= 2)
        if (is_left(s, p, group)) fits[n++] = group;
    for (size_t i = 0; i < n; i++)
        snprintf(groups + strlen(groups), sizeof groups - strlen(groups), "%s%zu",
                 !i          ? ""
                 : i + 1 < n ? ", "
                             : " or ",
                 fits[i]);
    if (!n) return 0;
    say(p, groups, fits[n - 1], p->n % fits[n - 1], sentence, sizeof sentence);
    lab_guess(s->guesses, sentence, text, size);
    for (size_t i = 0; i < n && n > 1; i++) {
        snprintf(one, sizeof one, "%zu", fits[i]), aside[0] = 0;
        say(p, one, fits[i], 0, sentence, sizeof sentence);
        lab_guess(s->guesses, sentence, aside, sizeof aside);
    }
    return 1;
}

int lab_explain_left_unwritten(const lab_symptom *s, char *text, size_t size) {
    const size_t all = s->op->elements(s->shape, 0), D = s->shape.head_dim;
    size_t extent[4];
    lab_op_extent(s->op, s->shape, extent);
    const piece of[] = {
        {"columns", 1, extent[3]},
        {"dims of each head", 1, D < extent[3] && extent[3] == D * s->shape.heads ? D : extent[3]},
        {"rows", extent[3], extent[2]},
        {"rows of the whole output", extent[3], extent[0] * extent[1] * extent[2]},
        {"elements of the whole output", 1, all},
    };
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        if (explain(s, &of[i], text, size)) return 1;
    return 0;
}
