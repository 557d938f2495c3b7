// made.c: a number, and what the function has made of it.
//
//     old = st->mass * fade;  ...  st->mass = st->mass + now       old + now: what was brought up to date is what counts
//     Br = t.Br ? t.Br : 32;  f(t.Br, t.Bc)                        f(Br, Bc): a field may be 0
//     half = n / 2;  sum(p, half), sum(p + half, half)             n - half: what is left of n
//     r = w * ROWS + i;  key > first + i                           first + r
//     for (j = 0; j < n; j++)                                      j < visible(i, n), as another loop of the file ends
//     e = expf(s[c] - m);  o += s[c] * v[c]                        e: the weight, and not the score of which it is made
#include "edits.h"

#include <string.h>

enum { HANDED = 3, WEIGHT = 4, NEWER = 12, INDEX = 5, REST = 16, CALLED = 18 };  // ranks

static bool is_local(const variable *v) {
    return v->declared >= 0 && v->value > v->declared && !v->is_global && !v->is_parameter && !v->is_loop &&
           !v->type.pointers;
}

static bool is_number(value_type t) { return !t.pointers && (t.base == BASE_FLOAT || t.base == BASE_INT); }

// x is read where a variable stands ready that was made of x, and is more than x.
static void newer(edits *e, int place, const expression *x, int rank) {
    const value_type type = edits_type_of(e, x);
    const ingredient its = {.first = x->first, .end = x->end};
    if (!is_number(type)) return;
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (!is_local(v) || v->type.base != type.base || !edits_sees(e, v, x->first) ||
            v->value_end - v->value <= x->end - x->first || (v->value <= x->first && x->first < v->value_end))
            continue;
        const expression value = {.first = v->value, .end = v->value_end};
        if (edits_contains(e, &value, &its)) edits_replace(e, place, rank, "name", x->first, x->end, "%s", v->name);
    }
}

// The score of which an exponential is made, in the place of that.
static void weight(edits *e, int place, const expression *x) {
    const ingredient its = {.first = x->first, .end = x->end};
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        const expression value = {.first = v->value, .end = v->value_end};
        if (!is_local(v) || !edits_is_real(v->type) || x->first < v->value_end || !edits_sees(e, v, x->first)) continue;
        if (is(&e->u, v->value + 1, "(") && strstr(edits_text(e, v->value, v->value + 1), "exp") &&
            edits_contains(e, &value, &its))
            edits_replace(e, place, WEIGHT, "weight", x->first, x->end, "%s", v->name);
    }
}

// A part of n is asked for, and it is the other one.
static void rest(edits *e, int place, const expression *x) {
    const token *t = &e->u.tokens[x->first];
    const variable *v = edits_visible(e, t->at, t->length, x->first);
    if (!v || !is_local(v) || v->type.base != BASE_INT || !is_name(&e->u, v->value)) return;
    const int op = v->value + 1;
    if (v->value_end - v->value != 3 || !(is(&e->u, op, "/") || is(&e->u, op, "%"))) return;
    edits_replace(e, place, REST, "term", x->first, x->end,
                  x->parent && x->parent->kind == E_BINARY ? "(%s - %s)" : "%s - %s",
                  edits_text(e, v->value, v->value + 1), v->name);
}

// A call is handed several fields, and of each the function has made a number of the same name: these are meant.
static void handed(edits *e, int place, const expression *x) {
    const char *text = "";
    const expression *last = NULL;
    int n = 0;
    for (const expression *a = x->arguments; a; a = a->next) {
        const char *is = edits_text(e, a->first, a->end), *name = edits_text(e, a->end - 1, a->end);
        const variable *v = a->kind == E_MEMBER ? edits_visible(e, name, (int)strlen(name), a->first) : NULL;
        const expression value = {.first = v ? v->value : 0, .end = v ? v->value_end : 0};
        const ingredient its = {.first = a->first, .end = a->end};
        const bool made = v && is_local(v) && v->value_end - v->value > a->end - a->first &&
                          edits_sees(e, v, a->first) && edits_contains(e, &value, &its);
        text = format(&e->u, "%s%s%s", text, *text ? ", " : "", made ? v->name : is);
        n += made, last = a;
    }
    if (n > 1) edits_replace(e, place, HANDED, "name", x->arguments->first, last->end, "%s", text);
}

// Where a loop ends: what a function of the file says of other loops.
static void ends(edits *e, int place, const expression *x) {
    if (e->places[place].kind != P_CONDITION || e->statements[e->places[place].statement].kind != S_LOOP) return;
    for (int i = 0; i < e->n_ingredients; i++) {
        const ingredient *g = &e->ingredients[i];
        if (g->kind == I_CALL && g->type.base == BASE_INT && !g->type.pointers && edits_usable(e, g, x->first))
            edits_replace(e, place, CALLED, "bound", x->b->first, x->b->end, "%s", g->text);
    }
}

void edits_change_made(edits *e, int place, expression *x) {
    const expression *p = x->parent;
    const bool set = p && ((p->kind == E_ASSIGN && p->a == x) || p->kind == E_UNARY || p->kind == E_POSTFIX);
    const bool part = p && (p->kind == E_MEMBER || (p->kind == E_CALL && p->a == x) || p->kind == E_INDEX);
    if (e->cuda) {  // whose lists are shorter: a whole number by its name
        if (!set && !part && x->kind == E_NAME && edits_is_whole(edits_type_of(e, x))) newer(e, place, x, INDEX);
        if (!set && !part && x->kind == E_INDEX && edits_is_real(edits_type_of(e, x))) weight(e, place, x);
        return;
    }
    if (!set && !part && (x->kind == E_NAME || x->kind == E_MEMBER || x->kind == E_INDEX)) newer(e, place, x, NEWER);
    if (x->kind == E_CALL) handed(e, place, x);
    if (x->kind == E_NAME && p && !set && !part) rest(e, place, x);
    if (x->kind == E_BINARY && *edits_operator_text(&e->u, x->op) == '<' && !p && x->b->kind == E_NAME)
        ends(e, place, x);
}
