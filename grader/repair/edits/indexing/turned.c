// turned.c: a number within a tile is made of a row and a column. The row is what is multiplied by the tile's pitch, and
// the pitch is what other lines that use the tile multiply by.
//
//     v = tile + (u * 32 + src) * D        tile[d * BC + key]        tile[key * D + d]
#include "edits.h"

#include <string.h>

enum { TURNED = 3, SQUARE = 20, MOST = 6 };  // ranks: by another pitch, by its own; pitches of a tile

typedef struct {
    const expression *list[MOST];
    int n;
} pitches;

enum { DEEP = 3 };

// Does it name a counter: of a loop, of a thread, or what is made of one?
static bool counts(const edits *e, int first, int end, int deep) {
    for (int i = first; i < end; i++) {
        if (is(&e->u, i, "threadIdx") || is(&e->u, i, "blockIdx")) return true;
        const token *t = &e->u.tokens[i];
        const variable *v = t->kind == TOKEN_NAME ? edits_visible(e, t->at, t->length, i) : NULL;
        if (v && (v->is_loop || (deep && v->value > 0 && counts(e, v->value, v->value_end, deep - 1)))) return true;
    }
    return false;
}

static bool is_counter(const edits *e, const expression *x) { return counts(e, x->first, x->end, DEEP); }

static bool is_length(const edits *e, const expression *x) {
    const bool plain = x->kind == E_NAME || x->kind == E_PAREN || x->kind == E_MEMBER || x->kind == E_NUMBER;
    return plain && !is_counter(e, x);
}

// The factors of row * PITCH + column.
static void collect_factors(const edits *e, const expression *sum, pitches *p) {
    if (is_operator(e, sum, "+")) {
        collect_factors(e, sum->a, p), collect_factors(e, sum->b, p);
    } else if (is_operator(e, sum, "*")) {
        if (is_length(e, sum->b) && is_counter(e, sum->a) && p->n < MOST) p->list[p->n++] = sum->b;
        if (is_length(e, sum->a) && is_counter(e, sum->b) && p->n < MOST) p->list[p->n++] = sum->a;
    }
}

static bool is_tile(const edits *e, const expression *x, int name) {
    return x->kind == E_NAME && edits_same(&e->u, x->first, name, 1);
}

static const expression *leftmost(const edits *e, const expression *x) {
    while (is_operator(e, x, "+")) x = x->a;
    return x;
}

// What the tile is used with in x: tile[...], or tile + ....
static void collect(const edits *e, const expression *x, int name, pitches *p) {
    if (!x) return;
    if (x->kind == E_INDEX && x->a->first != name && is_tile(e, x->a, name)) collect_factors(e, x->b, p);
    const bool sum = is_operator(e, x, "+") && !is_operator(e, x->parent, "+");
    if (sum && is_tile(e, leftmost(e, x), name)) collect_factors(e, x, p);
    collect(e, x->a, name, p), collect(e, x->b, name, p);
    for (const expression *c = x->c; c; c = c->next) collect(e, c, name, p);
    for (const expression *c = x->arguments; c; c = c->next) collect(e, c, name, p);
}

void edits_change_turned(edits *e, int place, const expression *x) {
    if (x->kind != E_INDEX || x->a->kind != E_NAME || !is_operator(e, x->b, "+")) return;
    const expression *sum = x->b, *row = sum->a, *column = sum->b;
    const int function = e->statements[e->places[place].statement].function;
    if (!e->functions[function].device || !is_operator(e, row, "*") || column->kind != E_NAME || !is_counter(e, column))
        return;
    pitches p = {.n = 0};
    for (int q = 0; q < e->n_places; q++)
        if (e->statements[e->places[q].statement].function == function) collect(e, e->places[q].tree, x->a->first, &p);
    for (int i = 0; i < p.n; i++) {
        const ingredient pitch = {.first = p.list[i]->first, .end = p.list[i]->end};
        const char *text = edits_text_of(e, p.list[i]);
        for (int k = 0; k < 2; k++) {
            const expression *other = k ? row->b : row->a;
            if (other->kind == E_NAME && is_counter(e, other) && edits_usable(e, &pitch, x->first) &&
                strcmp(text, edits_text_of(e, other)) && strcmp(text, edits_text_of(e, column)))
                edits_replace(e, place, !strcmp(text, edits_text_of(e, k ? row->a : row->b)) ? SQUARE : TURNED,
                              "exchanged", sum->first, sum->end, "%s * %s + %s", edits_text_of(e, column), text,
                              edits_text_of(e, other));
        }
    }
}
