// harvest.c: what is missing at one place often stands at another. Here are the pieces of the file's own text:
// terms of sums, factors, conditions, subscripts, and all that is read as one number.
#include "edits.h"

#include <string.h>

static void add_ingredient(edits *e, ingredient_kind kind, const expression *x, int function) {
    if (x->end - x->first > 24) return;
    const char *text = edits_text(e, x->first, x->end);
    for (int i = 0; i < e->n_ingredients; i++) {
        const ingredient *o = &e->ingredients[i];
        if (o->kind == kind && o->function == function && !strcmp(o->text, text)) return;
    }
    *EDITS_ADD(e, ingredients, n_ingredients) = (ingredient){.kind = kind,
                                                             .first = x->first,
                                                             .end = x->end,
                                                             .function = function,
                                                             .type = edits_type_of(e, x),
                                                             .text = text};
}

static bool compares(const edits *e, const expression *x) {
    static const char *const list[] = {"<", "<=", ">", ">=", "==", "!=", "&&", "||", NULL};
    for (int i = 0; x->kind == E_BINARY && list[i]; i++)
        if (!strcmp(edits_operator_text(&e->u, x->op), list[i])) return true;
    return false;
}

static void harvest(edits *e, expression *x, int function) {
    if (!x) return;
    const bool called = x->parent && x->parent->kind == E_CALL && x->parent->a == x;
    const bool atom =
        (x->kind == E_MEMBER && !called) || x->kind == E_INDEX || (x->kind == E_UNARY && is(&e->u, x->op, "*"));
    if (atom && !(x->parent && x->parent->kind == E_UNARY && is(&e->u, x->parent->op, "&")))
        add_ingredient(e, I_ATOM, x, function);
    if (is_operator(e, x->parent, "+-") && (is_operator(e, x, "*/") || x->kind == E_PAREN))
        add_ingredient(e, I_TERM, x, function);
    if (is_operator(e, x->parent, "*/") && x->kind != E_NUMBER && x->kind != E_NAME && !atom)
        add_ingredient(e, I_FACTOR, x, function);
    if (x->kind == E_CALL && x->a->kind == E_NAME && !x->c) add_ingredient(e, I_CALL, x, function);
    if (compares(e, x)) add_ingredient(e, I_CONDITION, x, function);
    const bool flag = x->kind == E_NAME || x->kind == E_MEMBER;
    if (flag && x->parent && x->parent->kind == E_BINARY && edits_operator(&e->u, x->parent->op) == 2 &&
        adjacent(&e->u, x->parent->op, "&&"))
        add_ingredient(e, I_CONDITION, x, function);
    if (flag && x->parent && x->parent->kind == E_TERNARY && x->parent->a == x)
        add_ingredient(e, I_CONDITION, x, function);
    if (x->parent && x->parent->kind == E_INDEX && x->parent->b == x && x->kind != E_NAME && x->kind != E_NUMBER)
        add_ingredient(e, I_INDEX, x, function);
    harvest(e, x->a, function), harvest(e, x->b, function);
    for (expression *c = x->c; c; c = c->next) harvest(e, c, function);
    for (expression *c = x->arguments; c; c = c->next) harvest(e, c, function);
}

void edits_harvest(edits *e) {
    for (int p = 0; p < e->n_places; p++) {
        expression *x = e->places[p].tree;
        const int function = e->statements[e->places[p].statement].function;
        if (x && e->places[p].kind == P_CONDITION && x->kind != E_NUMBER) add_ingredient(e, I_CONDITION, x, function);
        harvest(e, x, function);
    }
}

// What a kernel alone knows.
static bool is_of_kernel(const edits *e, int i, int at) {
    static const char *const built_in[] = {"threadIdx", "blockIdx", "blockDim", "gridDim", NULL};
    bool device = false;
    if (!is_any(&e->u, i, built_in)) return false;
    for (int f = 0; f < e->n_functions; f++)
        device |= e->functions[f].device && e->functions[f].body <= at && at < e->functions[f].end;
    return !device;
}

static bool in_one_function(const edits *e, int i, int at) {
    for (int f = 0; f < e->n_functions; f++)
        if (e->functions[f].body <= i && i < e->functions[f].end)
            return e->functions[f].body <= at && at < e->functions[f].end;
    return false;
}

bool edits_usable(const edits *e, const ingredient *g, int at) {
    const unit *u = &e->u;
    for (int i = g->first; i < g->end; i++) {
        const token *t = &u->tokens[i];
        if (is_of_kernel(e, i, at)) return false;
        if (t->kind != TOKEN_NAME || is(u, i - 1, ".") || is(u, i - 1, "->")) continue;
        for (int f = 0; is(u, i + 1, "(") && f < e->n_functions; f++) {
            const bool early = e->functions[f].open > i && in_one_function(e, i, at);  // it is declared above
            if (e->functions[f].open > at && !early && is(u, i, e->functions[f].name)) return false;
        }
        const variable *here = edits_visible(e, t->at, t->length, i), *there = edits_visible(e, t->at, t->length, at);
        if (here && g->first <= here->declared && here->declared < g->end) continue;  // its own
        if (here && (!there || (here != there && !edits_alike(here->type, there->type)))) return false;
    }
    return true;
}
