// walks.c: how a pointer or a counter walks: by a row and not by one; on from where the loop before it ended; as far as
// a whole step fits.
//
//     x++                                      x += width
//     for (; i + 4 <= n; i += 4) ... for (i = 0; i < n; i++)     the rest of a row goes on: for (; i < n; i++)
//     for (i = 0; i < n; i += 4)               i + 4 <= n
//     y + fac * x                              fac * y + x: the factor belongs to what was summed before
#include "edits.h"

#include <string.h>

enum { ROW = 24, ON = 16, FITS = 22, FACTOR = 12 };  // ranks

static bool is_step(const edits *e, const expression *x) {
    return (x->kind == E_UNARY || x->kind == E_POSTFIX) && adjacent(&e->u, x->op, "++") && x->a->kind == E_NAME;
}

// Each whole number that is a name or a field here.
static void by_rows(edits *e, int place, const expression *x) {
    const char *name = edits_text(e, x->a->first, x->a->end);
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (v->type.base == BASE_INT && !v->type.pointers && !v->is_loop && !v->is_global && !v->owner &&
            edits_sees(e, v, x->first))
            edits_replace(e, place, ROW, "step", x->first, x->end, "%s += %s", name, v->name);
    }
    for (int i = 0; i < e->n_ingredients; i++) {
        const ingredient *g = &e->ingredients[i];
        if (g->kind == I_ATOM && g->type.base == BASE_INT && !g->type.pointers && g->end - g->first == 3 &&
            edits_usable(e, g, x->first))
            edits_replace(e, place, ROW, "step", x->first, x->end, "%s += %s", name, g->text);
    }
}

// Before a loop `i = 0` of its own there is one that leaves i where its last whole step ended.
static bool goes_on(const edits *e, int s, const expression *counter) {
    const function *f = &e->functions[e->statements[s].function];
    const unit *u = &e->u;
    for (int i = f->body; i < e->statements[s].first; i++) {
        const token *t = &u->tokens[i], *c = &u->tokens[counter->first];
        if (t->length == c->length && !memcmp(t->at, c->at, (size_t)t->length) && adjacent(u, i + 1, "+=")) return true;
    }
    return false;
}

static void begins(edits *e, int place, const expression *x) {
    const int s = e->places[place].statement;
    const bool start = x->kind == E_ASSIGN && x->op_end == x->op + 1 && x->a->kind == E_NAME && is(&e->u, x->op, "=");
    if (start && e->places[place].first == e->statements[s].first + 2 && goes_on(e, s, x->a))
        edits_replace(e, place, ON, "left out", x->first, x->end, "%s", edits_text(e, x->a->first, x->a->end));
}

// The step of the loop whose condition the place is; NULL: none, or 1.
static const char *step_of(edits *e, int s, const char *counter) {
    for (int p = 0; p < e->n_places; p++) {
        const expression *x = e->places[p].tree;
        if (e->places[p].statement != s || e->places[p].kind != P_VOID || !x || x->kind != E_ASSIGN) continue;
        if (adjacent(&e->u, x->op, "+=") && !strcmp(edits_text(e, x->a->first, x->a->end), counter))
            return edits_text(e, x->b->first, x->b->end);
    }
    return NULL;
}

static void whole_steps(edits *e, int place, const expression *x) {
    const int s = e->places[place].statement;
    if (e->places[place].kind != P_CONDITION || e->statements[s].kind != S_LOOP || x->parent || x->kind != E_BINARY ||
        strcmp(edits_operator_text(&e->u, x->op), "<") || x->a->kind != E_NAME)
        return;
    const char *counter = edits_text(e, x->a->first, x->a->end), *step = step_of(e, s, counter);
    if (step && !strstr(step, "blockDim"))
        edits_replace(e, place, FITS, "bound", x->first, x->end, "%s + %s <= %s", counter, step,
                      edits_text(e, x->b->first, x->b->end));
}

// In l = l + fac * sum: fac * l + sum.
static void other_summand(edits *e, int place, const expression *x) {
    const expression *p = x->parent, *left = NULL;
    if (p && p->kind == E_ASSIGN && p->b == x) left = p->a;
    if (!left || !is_operator(e, x, "+") || !edits_is_real(edits_type_of(e, x))) return;
    for (int k = 0; k < 2; k++) {
        const expression *plain = k ? x->b : x->a, *product = k ? x->a : x->b;
        if (!is_operator(e, product, "*") || is_operator(e, plain, "*+-")) continue;
        for (int f = 0; f < 2; f++) {
            const expression *factor = f ? product->b : product->a, *rest = f ? product->a : product->b;
            edits_replace(e, place, FACTOR, "state", x->first, x->end, "%s * %s + %s",
                          edits_text(e, factor->first, factor->end), edits_text(e, plain->first, plain->end),
                          edits_text(e, rest->first, rest->end));
        }
    }
}

void edits_change_walks(edits *e, int place, expression *x) {
    const bool alone = !x->parent || x->parent->kind == E_COMMA;
    if (alone && is_step(e, x) && edits_type_of(e, x->a).pointers == 1) by_rows(e, place, x);
    if (e->places[place].kind == P_VOID) begins(e, place, x);
    whole_steps(e, place, x);
    other_summand(e, place, x);
}
