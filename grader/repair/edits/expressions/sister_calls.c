// sister_calls.c: two calls of one function, or of one lambda, near each other: what the other one hands over, and which
// lambda it hands over.
//
//     load(Kt, Kh, end);  load(Vt, Vh, k0);                    load(Kt, Kh, k0)
//     mx = group(mx, larger);  l += group(sum, larger);        group(sum, add)
//     group(sum, [](float x, float y) { return fmaxf(x, y); })               { return x + y; }
#include "edits.h"

enum { SAME = 7, LAMBDA = 4 };  // ranks

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
