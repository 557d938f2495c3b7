// ragged_place.c: what a number leaves over in whole tiles is compared with a place within each tile: it is the place of
// all that is compared, with the number itself.
//
//     const int j = k0 + c, rest = n % BC; if (rest && c >= rest) s[c] = hidden;      j >= n
//     if (c < n % BC) sum += s[c];                                                    k0 + c < n
#include "edits.h"

#include <string.h>

enum { ASKED = 3 };  // rank

static bool is_sign(const edits *e, const expression *x, const char *one, const char *other) {
    const char *op = x && x->kind == E_BINARY ? edits_operator_text(&e->u, x->op) : "";
    return !strcmp(op, one) || !strcmp(op, other);
}

// X % T in these tokens: that is all of them, and X is returned.
static const expression *number_of_rest(edits *e, const expression *x) {
    x = edits_bare(x);
    return is_operator(e, x, "%") && edits_is_whole(edits_type_of(e, x)) ? edits_bare(x->a) : NULL;
}

// The same of a variable that begins with it.
static const expression *rest_of(edits *e, const expression *x) {
    x = edits_bare(x);
    const expression *number = number_of_rest(e, x);
    if (number || x->kind != E_NAME) return number;
    const token *t = &e->u.tokens[x->first];
    const variable *v = edits_visible(e, t->at, t->length, x->first);
    for (int p = 0; v && v->value > 0 && p < e->n_places; p++)
        if (e->places[p].first == v->value && e->places[p].end == v->value_end && e->places[p].tree)
            return number_of_rest(e, e->places[p].tree);
    return NULL;
}

// base + c, under its name if it has one.
static const char *place_of_all(edits *e, int place, const expression *c) {
    const unit *u = &e->u;
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        const int n = v->value_end - v->value;
        if (n != 3 || !is(u, v->value + 1, "+") || !edits_sees(e, v, c->first)) continue;
        if (edits_same(u, v->value, c->first, 1) || edits_same(u, v->value + 2, c->first, 1)) return v->name;
    }
    const function *f = &e->functions[e->statements[e->places[place].statement].function];
    for (int i = f->body; i + 3 < f->end; i++) {
        const ingredient sum = {.first = i, .end = i + 3};
        if (is_name(u, i) && is(u, i + 1, "+") && edits_same(u, i + 2, c->first, 1) && !is(u, i - 1, "*") &&
            !is(u, i - 1, ".") && !is(u, i - 1, "->") && !is(u, i + 3, "*") && edits_usable(e, &sum, c->first))
            return edits_text(e, i, i + 3);
    }
    return NULL;
}

// rest != 0 && (c >= rest), !rest || c < rest: the question whether there is a rest goes, too.
static const expression *with_question(const edits *e, const expression *x) {
    const expression *up = x->parent, *bare = x;
    while (up && up->kind == E_PAREN) bare = up, up = up->parent;
    if (!up || !is_sign(e, up, "&&", "||") || up->b != bare) return x;
    const expression *asked = edits_bare(up->a), *rest = edits_bare(x->b);
    const unit *u = &e->u;
    const int n = rest->end - rest->first, at = is(u, asked->first, "!") ? asked->first + 1 : asked->first;
    const bool same = at + n <= asked->end && edits_same(u, at, rest->first, n);
    return same && asked->end - asked->first <= n + 3 ? up : x;
}

void edits_change_ragged_places(edits *e, int place, const expression *x) {
    const unit *u = &e->u;
    if (!is_sign(e, x, "<", ">=")) return;
    const expression *c = edits_bare(x->a), *number = c->kind == E_NAME ? rest_of(e, x->b) : NULL;
    const char *all = number ? place_of_all(e, place, c) : NULL;
    if (!all) return;
    const ingredient known = {.first = number->first, .end = number->end};
    if (!edits_usable(e, &known, x->first)) return;
    const expression *old = with_question(e, x);
    edits_replace(e, place, ASKED, "placed", old->first, old->end, "%s %s %s", all, edits_operator_text(u, x->op),
                  edits_text_of(e, number));
}
