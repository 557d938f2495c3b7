// pitch.c: what else says of itself what it should be: a row is as long as its columns are counted to, a template that
// has a twin, a tree of threads that begins with half of them.
#include "edits.h"

#include <stdlib.h>
#include <string.h>

enum { PITCH = 4, TWIN = 6, HALF = 5, USUAL = 12, OFTEN = 3 };  // ranks; in so many places a number is meant

// In row * M + x, where x < N is asked elsewhere in the function, M is N.
static void pitches(edits *e, int place, const expression *x) {
    const unit *u = &e->u;
    const expression *p = x->parent, *sum = p;
    if (!is_operator(e, p, "*") || p->b != x) return;
    while (is_operator(e, sum->parent, "+") && sum->parent->a == sum) sum = sum->parent;
    const int first = p->end + 1, n = sum->end - first;
    const function *f = &e->functions[e->statements[e->places[place].statement].function];
    if (n < 1 || !is(u, p->end, "+")) return;
    const ingredient column = {.first = first, .end = sum->end};
    for (int i = f->body; i + n + 1 < f->end; i++) {
        if (!is(u, i + n, "<") || !is_name(u, i + n + 1) || (is_name(u, i - 1) || is(u, i - 1, "+"))) continue;
        if (!edits_contains(e, &(expression){.first = i, .end = i + n}, &column)) continue;
        int end = i + n + 2;
        while (is(u, end, ".") || is(u, end, "->")) end += 2;
        const ingredient bound = {.first = i + n + 1, .end = end};
        if (edits_usable(e, &bound, x->first))
            edits_replace(e, place, PITCH, "habit", x->first, x->end, "%s", edits_text(e, bound.first, bound.end));
    }
}

// f<true>(x) and f<false>(x) are two functions.
static void other_template(edits *e, int place, const expression *x) {
    for (int i = x->first; x->a && i < x->a->end; i++) {
        const bool yes = is(&e->u, i, "true"), no = is(&e->u, i, "false");
        if (yes || no) edits_replace(e, place, TWIN, "habit", i, i + 1, yes ? "false" : "true");
    }
}

static bool stands_often(const edits *e, const char *number) {
    int n = 0;
    for (int i = 0; i < e->u.token_count; i++) n += is(&e->u, i, number);
    return n >= OFTEN;
}

// A number that halves or doubles: where a tree of threads begins. Elsewhere one that the file says often is meant.
static void halves(edits *e, int place, const expression *x) {
    const char *text = edits_text(e, x->first, x->end);
    const struct place *p = &e->places[place];
    const int n = atoi(text);
    if (n < 2 || n > 1024 || (n & (n - 1)) || x->end - x->first != 1) return;
    const bool begins = e->statements[p->statement].kind == S_LOOP && p->kind == P_VALUE;
    const int rank = begins || !stands_often(e, text) ? HALF : USUAL;
    edits_replace(e, place, rank, "habit", x->first, x->end, "%d", n * 2);
    edits_replace(e, place, rank, "habit", x->first, x->end, "%d", n / 2);
}

void edits_change_pitches(edits *e, int place, expression *x) {
    const value_type type = edits_type_of(e, x);
    const bool set = x->parent && x->parent->kind == E_ASSIGN && x->parent->a == x;
    if (x->kind == E_CALL) other_template(e, place, x);
    if (type.base != BASE_INT || type.pointers || set) return;
    if (x->kind == E_NUMBER) halves(e, place, x);
    if (x->kind == E_NAME || x->kind == E_MEMBER) pitches(e, place, x);
}
