// behind_part.c: two parts of one piece of memory begin at the same place: the second one begins behind the first.
//
//     q = base; k = q; v = k + BC * pitch;          k = q + BR * pitch
//     q = tmp + n, k = tmp + 2 * n, v = tmp;        v = tmp + 3 * n
#include "edits.h"

#include <stdlib.h>
#include <string.h>

enum { BEHIND = 4, MOST = 6 };  // a rank; factors of sizes

typedef struct {
    const char *list[MOST];
    int n, most;  // most: of 3 * n and 2 * n the 3
    bool chained;
} factors;

static void note(edits *e, factors *f, const expression *x) {
    while (x->kind == E_PAREN || x->kind == E_CAST) x = x->a;
    if (is_operator(e, x, "*")) {
        note(e, f, x->a), note(e, f, x->b);
        return;
    }
    const char *text = edits_text_of(e, x);
    const int number = x->kind == E_NUMBER ? atoi(text) : 0;
    if (number > f->most) f->most = number;
    bool known = f->n == MOST || x->kind == E_NUMBER || x->end - x->first > 6;
    for (int i = 0; i < f->n; i++) known |= !strcmp(f->list[i], text);
    if (!known) f->list[f->n++] = text;
}

// What is set at this place: of `v = k + n` and `w->v = w->k + n` the name.
static const char *target_of(edits *e, int place, const expression *value) {
    if (value->parent) return edits_text_of(e, value->parent->a);
    const int first = e->places[place].first;
    return is(&e->u, first - 1, "=") ? edits_text(e, first - 2, first - 1) : "";
}

static const expression *value_of(const edits *e, int place) {
    const struct place *p = &e->places[place];
    const expression *x = p->tree;
    if (x && x->kind == E_ASSIGN && x->op_end == x->op + 1) return x->b;
    return x && p->kind == P_VALUE ? x : NULL;
}

void edits_change_behind_part(edits *e, int place, const expression *x) {
    const bool bare = x->kind == E_NAME || x->kind == E_MEMBER;
    if (!bare || value_of(e, place) != x || edits_type_of(e, x).pointers != 1) return;
    const int function = e->statements[e->places[place].statement].function;
    const char *text = edits_text_of(e, x), *target = target_of(e, place, x);
    factors f = {.n = 0};
    for (int p = 0; p < e->n_places; p++) {
        const expression *sum = e->statements[e->places[p].statement].function == function ? value_of(e, p) : NULL;
        if (!is_operator(e, sum, "+") || edits_type_of(e, sum).pointers != 1) continue;
        const char *base = edits_text_of(e, sum->a);
        f.chained |= !strcmp(base, text) || !strcmp(base, target);
        note(e, &f, sum->b);
    }
    for (int i = 0; f.chained && i < f.n; i++) {
        edits_replace(e, place, BEHIND, "length", x->first, x->end, "%s + %s", text, f.list[i]);
        if (f.most)
            edits_replace(e, place, BEHIND, "length", x->first, x->end, "%s + %d * %s", text, f.most + 1, f.list[i]);
        for (int k = i; k < f.n; k++)
            edits_replace(e, place, BEHIND, "length", x->first, x->end, "%s + %s * %s", text, f.list[i], f.list[k]);
    }
}
