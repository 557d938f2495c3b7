// instances.c: of a template that stands with many numbers, launch<8>(..) .. launch<128>(..), the file whose changes are
// data has one: each of them would be compiled with all of its hooks. Claims with another number are not tried with it.
#include <stdlib.h>

#include "writer.h"

enum { LEAST = 4, STEP = 8 };  // numbers; sizes of a head are multiples of it

static int number_at(const edits *e, int i) {
    const token *t = &e->u.tokens[i];
    const int n = t->kind == TOKEN_NUMBER ? atoi(t->at) : 0;
    return n % STEP ? 0 : n;
}

// launch<64> or launch<64, ...: the token of its number; 0: it is none.
static int argument_of(const edits *e, int i, const function *f) {
    const unit *u = &e->u;
    const bool is_one = is(u, i, f->name) && is(u, i + 1, "<") && (is(u, i + 3, ">") || is(u, i + 3, ","));
    return is_one && number_at(e, i + 2) ? i + 2 : 0;
}

static int numbers_of(const edits *e, const function *f, int wanted, bool *has_wanted) {
    int list[32], n = 0;
    for (int i = 0; i + 3 < e->u.token_count; i++) {
        const int at = argument_of(e, i, f), number = at ? number_at(e, at) : 0;
        bool known = !at;
        for (int k = 0; k < n; k++) known |= list[k] == number;
        if (!known && n < 32) list[n++] = number;
        *has_wanted |= number && number == wanted;
    }
    return n;
}

void edits_take_instance(edits *e) {
    int swapped = 0;
    for (int k = 0; k < e->n_functions && e->dim; k++) {
        const function *f = &e->functions[k];
        bool has_wanted = false;
        if (numbers_of(e, f, e->dim, &has_wanted) < LEAST || !has_wanted) continue;
        for (int i = 0; i + 3 < e->u.token_count; i++) {
            const int at = argument_of(e, i, f);
            if (at && number_at(e, at) != e->dim) *EDITS_ADD(e, swaps, n_swaps) = at, swapped++;
        }
    }
    if (!swapped) e->dim = 0;
}
