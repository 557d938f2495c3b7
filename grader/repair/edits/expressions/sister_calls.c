// sister_calls.c: two calls of one function, or of one lambda, near each other: what the other one hands over, and which
// lambda it hands over.
//
//     load(Kt, Kh, end);  load(Vt, Vh, k0);                    load(Kt, Kh, k0)
//     mx = group(mx, larger);  l += group(sum, larger);        group(sum, add)
//     m = peak(w, n, STEP);  shrink(w, n, 1);                  shrink(w, n, STEP), where both call it `step`
//     group(sum, [](float x, float y) { return fmaxf(x, y); })               { return x + y; }
#include "edits.h"

#include <string.h>

enum { SAME = 7, LAMBDA = 4, NAMED = 8 };  // ranks

static const variable *lambda_at(const edits *e, const expression *x) {
    if (x->kind != E_NAME) return NULL;
    const token *t = &e->u.tokens[x->first];
    const variable *v = edits_visible(e, t->at, t->length, x->first);
    return v && v->value > 0 && is(&e->u, v->value, "[") && edits_lambda(&e->u, v->value) ? v : NULL;
}

static bool is_reduction(const edits *e, const variable *v) {  // [](float a, float b) { return ...; }
    const int open = e->u.tokens[v->value].match + 1;
    return is(&e->u, v->value + 1, "]") && is(&e->u, open, "(");
}

static void other_lambda(edits *e, int place, const expression *argument) {
    const variable *own = lambda_at(e, argument);
    for (int i = 0; own && is_reduction(e, own) && i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (v == own || v->value <= 0 || !edits_sees(e, v, argument->first) || !is(&e->u, v->value, "[") ||
            !edits_lambda(&e->u, v->value) || !is_reduction(e, v))
            continue;
        edits_replace(e, place, LAMBDA, "function", argument->first, argument->end, "%s", v->name);
    }
}

// Of a lambda that is handed over as it is written: the larger of two, where their sum is meant.
static void other_body(edits *e, int place, const expression *x) {
    const unit *u = &e->u;
    const statement *st = &e->statements[e->places[place].statement];
    const expression *a = x->arguments;
    const int before = x->first - 2;  // { return fmaxf(x, y); }
    if (st->kind != S_RETURN || !is(u, x->first, "fmaxf") || !is(u, before, "{") || !is(u, x->end + 1, "}")) return;
    if (!is(u, before - 1, ")") || !is(u, u->tokens[before - 1].match - 1, "]") || !a || !a->next) return;
    edits_replace(e, place, LAMBDA, "function", x->first, x->end, "%s + %s", edits_text_of(e, a),
                  edits_text_of(e, a->next));
}

static int count(const expression *list) {
    int n = 0;
    for (; list; list = list->next) n++;
    return n;
}

static void as_sister(edits *e, int place, const expression *x, const expression *y) {
    const expression *a = x->arguments, *b = y->arguments;
    for (; a && b; a = a->next, b = b->next) {
        const int n = a->end - a->first;
        const value_type t = edits_type_of(e, a);
        const ingredient g = {.first = b->first, .end = b->end};
        if ((n == b->end - b->first && edits_same(&e->u, a->first, b->first, n)) || t.pointers || !edits_is_whole(t) ||
            !edits_usable(e, &g, x->first))
            continue;
        edits_replace(e, place, SAME, "call", a->first, a->end, "%s", edits_text_of(e, b));
    }
}

// A parameter of this name of another function, which is called beside this one: the same number, most often.
static void as_named_there(edits *e, int place, const expression *a) {
    const unit *u = &e->u;
    const function *f = &e->functions[e->statements[e->places[place].statement].function], *of = NULL, *other;
    const variable *v = edits_handed_as(e, a->first, a->end, &of);
    if (!v || !edits_is_whole(v->type)) return;
    for (int i = f->body; i + 1 < f->end; i++) {
        if (!is_name(u, i) || !is(u, i + 1, "(") || is(u, i, of->name)) continue;
        for (int first = i + 2, end, close = u->tokens[i + 1].match; first < close; first = end + 1) {
            for (end = first; end < close && !is(u, end, ","); end++)
                if (is(u, end, "(") || is(u, end, "[")) end = u->tokens[end].match;
            const variable *w = edits_handed_as(e, first, end, &other);
            const ingredient there = {.first = first, .end = end};
            const int n = end - first;
            if (w && edits_is_whole(w->type) && !strcmp(v->name, w->name) && n > 0 &&
                edits_usable(e, &there, a->first) && (n != a->end - a->first || !edits_same(u, first, a->first, n)))
                edits_replace(e, place, NAMED, "call", a->first, a->end, "%s", edits_text(e, first, end));
        }
    }
}

void edits_change_named_calls(edits *e, int place, const expression *x) {
    if (x->kind != E_CALL || x->a->kind != E_NAME) return;
    for (const expression *a = x->arguments; a; a = a->next) as_named_there(e, place, a);
}

void edits_change_sister_calls(edits *e, int place, const expression *x) {
    if (x->kind != E_CALL || x->a->kind != E_NAME || x->c) return;
    other_body(e, place, x);
    for (const expression *a = x->arguments; a; a = a->next) other_lambda(e, place, a);
    const int function = e->statements[e->places[place].statement].function;
    for (int p = 0; p < e->n_places; p++) {
        const expression *y = e->places[p].tree;
        if (!y || p == place || y->kind != E_CALL || y->c ||
            e->statements[e->places[p].statement].function != function ||
            !edits_same(&e->u, x->a->first, y->a->first, 1) || count(x->arguments) != count(y->arguments))
            continue;
        as_sister(e, place, x, y);
    }
}
