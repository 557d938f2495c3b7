// calls.c: a call around a value, or none; a result that is joined with what was there.
#include "edits.h"

#include <string.h>

// Is it called as a factor elsewhere?
static bool is_harvested(const edits *e, const char *name) {
    for (int i = 0; i < e->n_ingredients; i++)
        if (e->ingredients[i].kind == I_FACTOR && is(&e->u, e->ingredients[i].first, name)) return true;
    return false;
}

// Another line has K[c * STRIDE(D) + d] where this one has D.
static bool is_factor_of_another(const edits *e, const char *name, const expression *x) {
    const unit *u = &e->u;
    for (int i = 1; i + 3 < u->token_count; i++)
        if (is(u, i - 1, "*") && is(u, i, name) && is(u, i + 1, "(") &&
            edits_same(u, i + 2, x->first, x->end - x->first) && is(u, i + 2 + x->end - x->first, ")"))
            return true;
    return false;
}

// #define STRIDE(D) ... with one parameter. It is meant for factors; elsewhere it only happens to fit.
static void in_macros(edits *e, int place, const expression *x) {
    enum { OTHER_LINE = 6, HARVESTED = 16, FACTOR = 40, ANYWHERE = 80 };  // ranks
    const bool factor = is_operator(e, x->parent, "*");
    for (int i = 0; i < e->n_directives; i++) {
        char name[64], parameter[64], end;
        const directive *d = &e->directives[i];
        const char *line = format(&e->u, "%.*s", (int)(d->end - d->first), e->source + d->first);
        if (sscanf(line, " # define %63[A-Za-z0-9_](%63[A-Za-z0-9_]%c", name, parameter, &end) == 3 && end == ')' &&
            !strchr(line, ';'))
            edits_replace(e, place,
                          !factor                            ? ANYWHERE
                          : is_factor_of_another(e, name, x) ? OTHER_LINE
                          : is_harvested(e, name)            ? HARVESTED
                                                             : FACTOR,
                          "call", x->first, x->end, "%s(%s)", name, edits_text(e, x->first, x->end));
    }
}

static bool takes_one(edits *e, const function *f, value_type type) {
    if (f->parameters != 1 || f->kernel || f->result.pointers) return false;
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (v->is_parameter && v->from == f->body) return edits_alike(v->type, type) && edits_alike(f->result, type);
    }
    return false;
}

static void in_calls(edits *e, int place, const expression *x, value_type type) {
    const char *text = edits_text(e, x->first, x->end);
    const bool divisor = is_operator(e, x->parent, "/") && x->parent->b == x;
    for (int i = 0; i < e->n_functions; i++)
        if (e->functions[i].open < x->first && takes_one(e, &e->functions[i], type))
            edits_replace(e, place, edits_is_called(e, &e->functions[i]) ? 38 : 14, "call", x->first, x->end, "%s(%s)",
                          e->functions[i].name, text);
    if (type.base == BASE_FLOAT && x->kind != E_NUMBER) {
        edits_replace(e, place, divisor || x->kind == E_CAST ? 22 : 44, "call", x->first, x->end, "sqrtf(%s)", text);
        edits_replace(e, place, 46, "call", x->first, x->end, "expf(%s)", text);
        const bool tight = x->parent && (x->parent->kind == E_CAST || x->parent->kind == E_BINARY);
        edits_replace(e, place, 48, "call", x->first, x->end, tight ? "(1.0f / %s)" : "1.0f / %s",
                      x->kind == E_BINARY ? format(&e->u, "(%s)", text) : text);
    } else if (divisor) {
        const bool score = edits_type_of(e, x->parent->a).base == BASE_FLOAT && x->parent->a->kind != E_NUMBER;
        edits_replace(e, place, score ? 14 : 24, "call", x->first, x->end, "sqrtf((float)%s)", text);
    }
}

// f(x) becomes x; expf(a - b) becomes weight(a, b) and back.
static void without_call(edits *e, int place, const expression *x) {
    const expression *a = x->arguments;
    const bool loose = a && (a->kind == E_BINARY || a->kind == E_TERNARY) && x->parent && x->parent->kind == E_BINARY;
    if (a && !a->next && !x->c)
        edits_replace(e, place, 30, "call", x->first, x->end, loose ? "(%s)" : "%s", edits_text(e, a->first, a->end));
    if (!a || a->next || !is_operator(e, a, "-")) return;
    for (int i = 0; i < e->n_functions; i++) {
        const function *f = &e->functions[i];
        if (f->parameters == 2 && f->result.base == BASE_FLOAT && !f->result.pointers && f->open < x->first &&
            strncmp(f->name, "operator", 8))
            edits_replace(e, place, 40, "function", x->first, x->end, "%s(%s, %s)", f->name,
                          edits_text(e, a->a->first, a->a->end), edits_text(e, a->b->first, a->b->end));
    }
}

// a = b: the larger of both, or a times something and b, as an online softmax has it.
static void joined(edits *e, int place, const expression *x) {
    const char *a = edits_text(e, x->a->first, x->a->end), *b = edits_text(e, x->b->first, x->b->end);
    const value_type type = edits_type_of(e, x->a);
    if (x->b->kind == E_ASSIGN) b = format(&e->u, "(%s)", b);
    const bool sets = is(&e->u, x->op, "=") && x->op_end == x->op + 1, adds = adjacent(&e->u, x->op, "+=");
    if (type.pointers || (type.base != BASE_FLOAT && type.base != BASE_INT) || !(sets || adds)) return;
    const bool real = type.base == BASE_FLOAT;
    if (sets && x->a->kind == E_INDEX) return;  // a place that is set for the first time held nothing
    if (sets && (real || e->cuda))
        edits_replace(e, place, 32, "joined", x->b->first, x->b->end, real ? "fmaxf(%s, %s)" : "max(%s, %s)", a, b);
    if (sets && (real || e->cuda))
        edits_replace(e, place, 34, "joined", x->b->first, x->b->end, real ? "fminf(%s, %s)" : "min(%s, %s)", a, b);
    if (!real) return;
    if (adds && is_operator(e, x->b, "*")) {
        const char *f = edits_text(e, x->b->a->first, x->b->a->end), *g = edits_text(e, x->b->b->first, x->b->b->end);
        edits_replace(e, place, 20, "joined", x->first, x->end, "%s = %s * %s + %s", a, f, a, g);
        edits_replace(e, place, 20, "joined", x->first, x->end, "%s = %s * %s + %s", a, g, a, f);
    }
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        const bool fits = v->type.base == BASE_FLOAT && !v->type.pointers && strcmp(v->name, a);
        if (fits && edits_sees(e, v, x->first))
            edits_replace(e, place, 36, "joined", x->first, x->end, "%s = %s * %s + %s", a, a, v->name, b);
    }
    for (int i = 0; i < e->n_ingredients; i++) {
        const ingredient *g = &e->ingredients[i];
        if (g->kind == I_ATOM && g->type.base == BASE_FLOAT && !g->type.pointers && strcmp(g->text, a) &&
            edits_usable(e, g, x->first) && g->function == e->statements[e->places[place].statement].function)
            edits_replace(e, place, 46, "joined", x->first, x->end, "%s = %s * %s + %s", a, a, g->text, b);
    }
}

// A maximum of two by its name; softmax(to, from) gives no number.
static bool chooses(const edits *e, const char *name) {
    static const char *const words[] = {"max", "MAX", "min", "MIN"};
    for (int i = 0; i < e->n_functions; i++) {
        const value_type t = e->functions[i].result;
        if (!strcmp(e->functions[i].name, name) && (t.pointers || t.base == BASE_VOID || t.base == BASE_STRUCT))
            return false;
    }
    for (int i = 0; i < 4; i++)
        if (strstr(name, words[i])) return true;
    return false;
}

// What a limit is made of: a name, or how much is left of it: n - start.
static void limited(edits *e, int place, const expression *x, const char *name, value_type type) {
    const char *text = edits_text(e, x->first, x->end);
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (v->is_enumerator || v->is_loop || !edits_alike(v->type, type) || !edits_sees(e, v, x->first)) continue;
        if (!v->is_global && strcmp(v->name, text))
            edits_replace(e, place, 32, "call", x->first, x->end, "%s(%s, %s)", name, v->name, text);
        for (int k = 0; k < e->n_variables && type.base == BASE_INT && !v->is_global; k++)
            if (e->variables[k].is_loop && edits_sees(e, &e->variables[k], x->first))
                edits_replace(e, place, 30, "call", x->first, x->end, "%s(%s, %s - %s)", name, text, v->name,
                              e->variables[k].name);
    }
}

// b becomes MAX(c, b), with the functions and macros of this kind that the file calls.
static void larger_of(edits *e, int place, const expression *x) {
    const char *names[4];
    int n = 0;
    const int function = e->statements[e->places[place].statement].function;
    const value_type type = edits_type_of(e, x);
    for (int i = 0; i < e->n_ingredients && n < 4; i++) {
        const ingredient *g = &e->ingredients[i];
        const char *name = edits_text(e, g->first, g->first + 1);
        bool known = g->kind != I_CALL || g->function != function || !chooses(e, name) || !strchr(g->text, ',');
        for (int k = 0; k < n; k++) known |= !strcmp(names[k], name);
        if (!known) names[n++] = name;
    }
    for (int i = 0; i < e->n_ingredients; i++) {
        const ingredient *g = &e->ingredients[i];
        const bool fits = g->kind == I_ATOM && g->function == function && edits_alike(g->type, type);
        for (int k = 0; k < n && fits && edits_usable(e, g, x->first); k++)
            edits_replace(e, place, 30, "call", x->first, x->end, "%s(%s, %s)", names[k], g->text,
                          edits_text(e, x->first, x->end));
    }
    for (int k = 0; k < n; k++) limited(e, place, x, names[k], type);
}

// min(a, b) becomes one of them.
static void unlimited(edits *e, int place, const expression *x) {
    const expression *a = x->arguments, *b = a ? a->next : NULL;
    if (!b || b->next || x->a->kind != E_NAME || !chooses(e, edits_text(e, x->first, x->a->end))) return;
    const bool tight = x->parent && x->parent->kind == E_BINARY;
    for (const expression *kept = a; kept; kept = kept->next)
        edits_replace(e, place, 16, "left out", x->first, x->end, tight && kept->kind == E_BINARY ? "(%s)" : "%s",
                      edits_text(e, kept->first, kept->end));
}

void edits_change_calls(edits *e, int place, expression *x) {
    const bool called = x->parent && x->parent->kind == E_CALL && x->parent->a == x;
    const bool written =
        x->parent && ((x->parent->kind == E_ASSIGN && x->parent->a == x) || x->parent->kind == E_POSTFIX ||
                      x->parent->kind == E_UNARY || x->parent->kind == E_PAREN);
    if (x->kind == E_CALL) without_call(e, place, x), unlimited(e, place, x);
    if (x->kind == E_ASSIGN) joined(e, place, x);
    const bool value =
        !x->parent && (e->places[place].kind == P_VALUE || e->statements[e->places[place].statement].kind == S_RETURN);
    if ((value || (x->parent && x->parent->kind == E_ASSIGN && x->parent->b == x)) && x->kind != E_NUMBER)
        larger_of(e, place, x);
    if (called || written || x->kind == E_ASSIGN || x->kind == E_COMMA || x->kind == E_OPAQUE) return;
    const value_type type = edits_type_of(e, x);
    if (type.pointers) return;
    if (type.base == BASE_INT && (x->kind == E_NAME || x->kind == E_MEMBER)) in_macros(e, place, x);
    if (type.base == BASE_INT || type.base == BASE_FLOAT) in_calls(e, place, x, type);
}
