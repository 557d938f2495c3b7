// ragged_place.c: what a number leaves over in whole tiles is compared with a place within each tile: it is the place of
// all that is compared, with the number itself.
//
//     const int j = k0 + c, rest = n % BC; if (rest && c >= rest) s[c] = hidden;      j >= n
//     if (c < n % BC) sum += s[c];                                                    k0 + c < n
//     left = m % BM ? m % BM : BM; if (r < left && x < right) C[...] = sum;           i0 + r < m && j0 + x < n
#include "edits.h"

#include <string.h>

enum { ASKED = 3, MOST = 3 };  // rank; places of all, for each place within a tile

static bool is_sign(const edits *e, const expression *x, const char *one, const char *other) {
    const char *op = x && x->kind == E_BINARY ? edits_operator_text(&e->u, x->op) : "";
    return !strcmp(op, one) || !strcmp(op, other);
}

// X % T, also X % T ? X % T : T and (X - 1) % T + 1: X.
static const expression *number_of_rest(edits *e, const expression *x) {
    x = edits_bare(x);
    if (x->kind == E_TERNARY) {
        const expression *rest = number_of_rest(e, x->b);
        return rest ? rest : number_of_rest(e, x->c);
    }
    const bool one_more = is_operator(e, x, "+") && is(&e->u, x->b->first, "1");
    const expression *left = one_more ? edits_bare(x->a) : x;
    if (!is_operator(e, left, "%") || !edits_is_whole(edits_type_of(e, left))) return NULL;
    const expression *number = edits_bare(left->a);
    if (!one_more) return number;
    return is_operator(e, number, "-") && is(&e->u, number->b->first, "1") ? edits_bare(number->a) : NULL;
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

static int add(const char **list, int n, const char *text) {
    for (int i = 0; i < n; i++)
        if (!strcmp(list[i], text)) return n;
    if (n < MOST) list[n++] = text;
    return n;
}

// base + c, under its name if it has one: the sums that the function has. Returns how many there are.
static int places_of_all(edits *e, int place, const expression *c, const char *list[MOST]) {
    const unit *u = &e->u;
    const int length = c->end - c->first;
    int n = 0;
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        const int at = v->value, last = v->value_end - length;
        if (at <= 0 || last < at + 2 || !edits_sees(e, v, c->first)) continue;
        if ((is(u, last - 1, "+") && edits_same(u, last, c->first, length)) ||
            (is(u, at + length, "+") && edits_same(u, at, c->first, length)))
            n = add(list, n, v->name);
    }
    const function *f = &e->functions[e->statements[e->places[place].statement].function];
    for (int i = f->body; i + length + 2 < f->end; i++) {
        const int end = i + length + 2;
        const ingredient sum = {.first = i, .end = end};
        if (is_name(u, i) && is(u, i + 1, "+") && edits_same(u, i + 2, c->first, length) && !is(u, i - 1, "*") &&
            !is(u, i - 1, ".") && !is(u, i - 1, "->") && !is(u, end, "*") && edits_usable(e, &sum, c->first))
            n = add(list, n, edits_text(e, i, end));
    }
    return n;
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

// c < rest: the number of which that is the rest, or NULL.
static const expression *asked_number(edits *e, const expression *x) {
    if (!is_sign(e, x, "<", ">=") || !edits_is_whole(edits_type_of(e, x->a))) return NULL;
    const expression *c = edits_bare(x->a), *number = rest_of(e, x->b);
    const ingredient known = {.first = number ? number->first : 0, .end = number ? number->end : 0};
    return number && c->kind != E_NUMBER && edits_usable(e, &known, x->first) ? number : NULL;
}

// r < left && x < right: of rows and of columns.
static void change_both(edits *e, int place, const expression *x) {
    const expression *side[2] = {edits_bare(x->a), edits_bare(x->b)}, *number[2];
    const char *all[2][MOST];
    int n[2];
    for (int i = 0; i < 2; i++) {
        number[i] = asked_number(e, side[i]);
        n[i] = number[i] ? places_of_all(e, place, edits_bare(side[i]->a), all[i]) : 0;
    }
    for (int i = 0; i < n[0]; i++)
        for (int k = 0; k < n[1]; k++)
            edits_replace(e, place, ASKED, "placed", x->first, x->end, "%s %s %s %s %s %s %s", all[0][i],
                          edits_operator_text(&e->u, side[0]->op), edits_text_of(e, number[0]),
                          edits_operator_text(&e->u, x->op), all[1][k], edits_operator_text(&e->u, side[1]->op),
                          edits_text_of(e, number[1]));
}

void edits_change_ragged_places(edits *e, int place, const expression *x) {
    const char *all[MOST];
    if (is_sign(e, x, "&&", "||")) change_both(e, place, x);
    const expression *number = asked_number(e, x);
    const int n = number ? places_of_all(e, place, edits_bare(x->a), all) : 0;
    const expression *old = n ? with_question(e, x) : NULL;
    for (int i = 0; i < n; i++)
        edits_replace(e, place, ASKED, "placed", old->first, old->end, "%s %s %s", all[i],
                      edits_operator_text(&e->u, x->op), edits_text_of(e, number));
}
