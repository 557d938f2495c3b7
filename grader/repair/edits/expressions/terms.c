// terms.c: a term, a factor or a divisor that is missing.
#include "edits.h"

#include <string.h>

static int function_of(const edits *e, int place) { return e->statements[e->places[place].statement].function; }

// Does it hold together where a factor stands?
static const char *tight(edits *e, const expression *x) {
    const char *text = edits_text(e, x->first, x->end);
    const bool loose = x->kind == E_TERNARY || x->kind == E_ASSIGN || (x->kind == E_BINARY && !is_operator(e, x, "*/"));
    return loose ? format(&e->u, "(%s)", text) : text;
}

static bool written(const expression *x) {
    const expression *p = x->parent;
    return p && ((p->kind == E_ASSIGN && p->a == x) || p->kind == E_POSTFIX || p->kind == E_UNARY);
}

static bool adds_to_pointer(edits *e, const expression *x) {
    return is_operator(e, x->parent, "+") && x->parent->b == x && edits_type_of(e, x->parent).pointers;
}

// ---- Whole numbers: places in memory -------------------------------------------------------------------------------

static void missing_terms(edits *e, int place, const expression *x) {
    for (int i = 0; i < e->n_ingredients; i++) {
        const ingredient *g = &e->ingredients[i];
        const bool here = g->function == function_of(e, place);
        if (g->kind != I_TERM || g->type.base == BASE_FLOAT || g->type.pointers || !edits_usable(e, g, x->first))
            continue;
        edits_replace(e, place, here ? 36 : 46, "term", x->first, x->end, "%s + %s", edits_text(e, x->first, x->end),
                      g->text);
    }
}

// Loop variables, parameters, and what is computed of them.
static bool counts(const edits *e, const variable *v, int token) {
    return !v->is_enumerator && v->type.base == BASE_INT && !v->type.pointers && !v->is_global &&
           edits_sees(e, v, token);
}

static void missing_names(edits *e, int place, const expression *x, bool terms, bool factors) {
    const char *text = edits_text(e, x->first, x->end);
    const bool inner = x->parent && (is_operator(e, x->parent, "*/%") || x->parent->kind == E_CAST);
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (!counts(e, v, x->first)) continue;
        if (terms)
            edits_replace(e, place, 42, "term", x->first, x->end, inner ? "(%s + %s)" : "%s + %s", text, v->name);
        if (factors) edits_replace(e, place, 43, "factor", x->first, x->end, "%s * %s", tight(e, x), v->name);
    }
}

static void missing_atoms(edits *e, int place, const expression *x, bool terms) {
    for (int i = 0; i < e->n_ingredients; i++) {
        const ingredient *g = &e->ingredients[i];
        if (g->kind != I_ATOM || g->type.base != BASE_INT || g->type.pointers || !edits_usable(e, g, x->first))
            continue;
        const int far = g->function == function_of(e, place) ? 0 : 8;
        edits_replace(e, place, 45 + far, "factor", x->first, x->end, "%s * %s", tight(e, x), g->text);
        if (terms)
            edits_replace(e, place, 46 + far, "term", x->first, x->end, "%s + %s", edits_text(e, x->first, x->end),
                          g->text);
    }
}

static void change_whole(edits *e, int place, const expression *x) {
    const expression *p = x->parent;
    const bool subscript = p && p->kind == E_INDEX && p->b == x, argument = p && p->kind == E_CALL && p->a != x;
    const bool value = (!p && e->places[place].kind <= P_VALUE) || (p && p->kind == E_ASSIGN && p->b == x);
    const bool bound = p && p->kind == E_BINARY && strchr("<>", *edits_operator_text(&e->u, p->op)) &&
                       (p->b == x || x->kind == E_NAME);
    if (x->kind == E_NUMBER || x->kind == E_ASSIGN || written(x)) return;
    if (subscript || value || argument || adds_to_pointer(e, x)) missing_terms(e, place, x);
    if (!(edits_in_subscript(x) || adds_to_pointer(e, x) || value || argument || bound || is_operator(e, p, "*")))
        return;
    const bool summand = is_operator(e, p, "+-") && !edits_type_of(e, p).pointers;
    missing_names(e, place, x, !summand, !is_operator(e, x, "+-"));
    if (x->kind == E_NAME || x->kind == E_PAREN || x->kind == E_MEMBER || bound) missing_atoms(e, place, x, bound);
}

// ---- Floats: what is computed --------------------------------------------------------------------------------------

static void apply(edits *e, int place, const expression *x, const char *other, int rank, bool difference) {
    const char *text = tight(e, x);
    edits_replace(e, place, rank, "factor", x->first, x->end, "%s * %s", text, other);
    edits_replace(e, place, rank, "factor", x->first, x->end, "%s / %s", text, other);
    if (!difference) return;
    edits_replace(e, place, rank - 2, "term", x->first, x->end, "%s - %s", edits_text(e, x->first, x->end), other);
    edits_replace(e, place, rank + 8, "term", x->first, x->end, "%s + %s", edits_text(e, x->first, x->end), other);
}

static void divide_by_root(edits *e, int place, const expression *x) {
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (counts(e, v, x->first))
            edits_replace(e, place, 40, "factor", x->first, x->end, "%s / sqrtf((float)%s)", tight(e, x), v->name);
    }
    for (int i = 0; i < e->n_ingredients; i++) {
        const ingredient *g = &e->ingredients[i];
        if (g->kind == I_ATOM && g->type.base == BASE_INT && !g->type.pointers &&
            memchr(g->text, '.', strlen(g->text)) && !strchr(g->text, '[') && edits_usable(e, g, x->first))
            edits_replace(e, place, 42, "factor", x->first, x->end, "%s / sqrtf((float)%s)", tight(e, x), g->text);
    }
}

// a.sum * expf(a.top - top) + b.sum: what one summand is multiplied by is missing at the other, with b for a.
static void as_other_summand(edits *e, int place, const expression *x) {
    const expression *p = x->parent, *o = is_operator(e, p, "+-") ? (p->a == x ? p->b : p->a) : NULL;
    if (!is_operator(e, o, "*") || x->kind == E_BINARY) return;
    const unit *u = &e->u;
    const int n = x->end - x->first;
    if (o->a->end - o->a->first != n) return;
    const token *mine = &u->tokens[x->first], *its = &u->tokens[o->a->first];
    const char *text = "";
    for (int i = o->b->first; i < o->b->end; i++) {
        const token *t = &u->tokens[i];
        const bool it = t->length == its->length && !memcmp(t->at, its->at, (size_t)t->length) && !is(u, i - 1, ".") &&
                        !is(u, i - 1, "->");
        const bool gap = i + 1 < o->b->end && u->tokens[i + 1].at > t->at + t->length;
        text = format(&e->u, "%s%.*s%s", text, it ? mine->length : t->length, it ? mine->at : t->at, gap ? " " : "");
    }
    edits_replace(e, place, 12, "factor", x->first, x->end, "%s * %s", edits_text(e, x->first, x->end), text);
}

// An array that is handed over and that nobody reads: its element, by a number that others are read by.
static void by_unread(edits *e, int place, const expression *x) {
    const statement *st = &e->statements[e->places[place].statement];
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (v->type.base != BASE_FLOAT || v->type.pointers != 1 || !v->type.constant || !edits_sees(e, v, x->first) ||
            !edits_is_unread(e, v))
            continue;
        for (int k = 0; k < e->n_variables; k++)
            if (e->variables[k].is_loop && edits_sees(e, &e->variables[k], x->first))
                apply(e, place, x, format(&e->u, "%s[%s]", v->name, e->variables[k].name), 14, false);
        for (int k = 0; k < e->n_ingredients; k++)
            if (e->ingredients[k].kind == I_INDEX && e->ingredients[k].function == st->function &&
                edits_usable(e, &e->ingredients[k], x->first))
                apply(e, place, x, format(&e->u, "%s[%s]", v->name, e->ingredients[k].text), 18, false);
    }
}

static void change_float(edits *e, int place, const expression *x) {
    as_other_summand(e, place, x);
    const bool root = !x->parent || (x->parent->kind == E_ASSIGN && x->parent->b == x);
    const bool argument = x->parent && x->parent->kind == E_CALL && x->parent->a != x;
    const bool operand =
        is_operator(e, x->parent, "+-") || (x->parent && x->parent->kind == E_TERNARY && x->parent->a != x);
    if (written(x) || !(root || argument || operand) || (!x->parent && e->places[place].kind > P_VALUE)) return;
    if (x->kind == E_ASSIGN) return;
    if (!operand) divide_by_root(e, place, x);
    if (x->kind == E_NUMBER || (x->kind == E_UNARY && root)) return;
    if (root) by_unread(e, place, x);
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        const bool visible = edits_sees(e, v, x->first);
        if (visible && v->type.base == BASE_FLOAT && !v->type.pointers)
            apply(e, place, x, v->name, edits_is_unread(e, v) ? 6 : 34, argument || root);
    }
    for (int i = 0; i < e->n_ingredients; i++) {
        const ingredient *g = &e->ingredients[i];
        const bool fits = (g->kind == I_ATOM || g->kind == I_FACTOR) && g->type.base == BASE_FLOAT && !g->type.pointers;
        const int far = g->function == function_of(e, place) ? 0 : 10;
        const bool adds = root && x->parent && x->kind == E_NAME && adjacent(&e->u, x->parent->op, "+=") && !far;
        const int rank = adds && strchr(g->text, '[') ? 24 : 38 + far;  // the next sum may have one
        if (fits && edits_usable(e, g, x->first)) apply(e, place, x, g->text, rank, argument || root);
    }
}

void edits_change_terms(edits *e, int place, expression *x) {
    const bool called = x->parent && x->parent->kind == E_CALL && x->parent->a == x;
    const value_type type = called ? (value_type){.base = BASE_UNKNOWN} : edits_type_of(e, x);
    if (type.base == BASE_INT && !type.pointers) change_whole(e, place, x);
    if (type.base == BASE_FLOAT && !type.pointers) change_float(e, place, x);
}
