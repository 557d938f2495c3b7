// reads.c: what else the function reads: another element, a field of what is handed over, what is called like the
// variable that gets it.
#include "edits.h"

#include <stdio.h>
#include <string.h>

enum { NAMESAKE = 14, SAME_ARRAY = 18, KEPT = 10, PART = 16, OF_ROUND = 5 };  // ranks

static int function_of(const edits *e, int place) { return e->statements[e->places[place].statement].function; }

// float top = 0: it is called like w.top[i].
static bool is_namesake(edits *e, const expression *x, const char *text) {
    const variable *v = NULL;
    for (int i = 0; i < e->n_variables && !v && !x->parent; i++)
        if (e->variables[i].value == x->first && e->variables[i].value_end == x->end) v = &e->variables[i];
    char last[64];
    const char *from = text + strcspn(text, "["), *end = from;
    while (from > text && from[-1] != '.' && from[-1] != '>' && from[-1] != '*') from--;
    snprintf(last, sizeof last, "%.*s", (int)(end - from), from);
    return v && *last && !v->is_loop && strcmp(text, v->name) && edits_related(v->name, last);
}

// mine.mass for mass, or mass for mine.mass: what a part has, and what all have together.
static bool is_part(const edits *e, const expression *x, const char *text) {
    const token *own = &e->u.tokens[x->end - 1];
    const char *dot = strrchr(text, '.'), *name = dot ? dot + 1 : text;
    return (x->kind == E_MEMBER) == !dot && (int)strlen(name) == own->length &&
           !memcmp(name, own->at, (size_t)own->length);
}

// Another element of the same array, as this function has it elsewhere.
static bool is_same_array(const edits *e, const expression *x, const ingredient *g) {
    return x->kind == E_INDEX && x->a->kind == E_NAME && edits_same(&e->u, x->first, g->first, 2) &&
           e->u.tokens[g->first + 1].match == g->end - 1;
}

// float top = LOWEST; ... w.top[i] = top; what is put there at the end was there at the beginning.
static bool is_put_back(edits *e, const expression *x, const ingredient *g) {
    const variable *v = NULL;
    for (int i = 0; i < e->n_variables && !v && !x->parent; i++)
        if (e->variables[i].value == x->first && e->variables[i].value_end == x->end) v = &e->variables[i];
    return v && !v->is_loop && !v->is_const && strchr(g->text, '[') && is(&e->u, g->end, "=") &&
           is(&e->u, g->end + 1, v->name) && is(&e->u, g->end + 2, ";") && g->first > x->end && g->end < v->to;
}

// *p beside p[c]: the pointer stands still, and the element of this round is meant.
static bool is_of_round(const edits *e, const expression *x, const ingredient *g) {
    return x->kind == E_UNARY && is(&e->u, x->op, "*") && x->a->kind == E_NAME && is(&e->u, g->first + 1, "[") &&
           edits_same(&e->u, x->a->first, g->first, 1) && e->u.tokens[g->first + 1].match == g->end - 1;
}

static void read_another(edits *e, int place, const expression *x, value_type type) {
    const bool index_like =
        edits_in_subscript(x) || e->places[place].kind == P_VALUE || (x->parent && x->parent->kind != E_BINARY);
    const bool set = edits_is_set(e, x);
    for (int i = 0; i < e->n_ingredients; i++) {
        const ingredient *g = &e->ingredients[i];
        if (g->kind != I_ATOM || !edits_alike(type, g->type) || !edits_usable(e, g, x->first)) continue;
        if (set && g->type.constant) continue;
        if (x->kind == E_INDEX && e->u.tokens[x->first].at == e->u.tokens[g->first].at) continue;
        const int far = g->function == function_of(e, place) ? 0 : 10;
        const int rank = is_of_round(e, x, g)         ? OF_ROUND
                         : is_put_back(e, x, g)       ? KEPT
                         : far                        ? 44 + far
                         : is_same_array(e, x, g)     ? SAME_ARRAY
                         : is_part(e, x, g->text)     ? PART
                         : is_namesake(e, x, g->text) ? NAMESAKE
                                                      : 44;
        edits_replace(e, place, rank, "name", x->first, x->end, "%s", g->text);
    }
    if (x->kind == E_NAME || (x->kind == E_NUMBER && !index_like)) return;
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        const bool visible = !v->is_enumerator && edits_sees(e, v, x->first);
        if (visible && edits_alike(type, v->type) && !(set && (v->is_const || v->type.constant)))
            edits_replace(e, place,
                          is_namesake(e, x, v->name) ? NAMESAKE
                          : is_part(e, x, v->name)   ? PART
                          : x->kind == E_NUMBER      ? 37
                                                     : 44,
                          "name", x->first, x->end, "%s", v->name);
    }
}

// shape.seq_kv of a struct that is handed over, in place of a name.
static void read_a_field(edits *e, int place, const expression *x) {
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (v->type.base != BASE_STRUCT || v->type.pointers > 1 || !v->is_parameter || !edits_sees(e, v, x->first))
            continue;
        for (int k = 0; k < e->n_variables; k++) {
            const variable *f = &e->variables[k];
            if (f->owner && !strcmp(f->owner, v->type.word) && f->type.base == BASE_INT && !f->type.pointers)
                edits_replace(e, place, 40, "name", x->first, x->end, "%s%s%s", v->name, v->type.pointers ? "->" : ".",
                              f->name);
        }
    }
}

// Is one token another one, and all others the same?
static bool one_apart(const unit *u, const expression *x, const ingredient *g) {
    int apart = 0;
    if (x->end - x->first != g->end - g->first || x->end - x->first < 3) return false;
    for (int i = 0; i < x->end - x->first; i++) {
        const token *a = &u->tokens[x->first + i], *b = &u->tokens[g->first + i];
        apart += a->length != b->length || memcmp(a->at, b->at, (size_t)a->length);
    }
    return apart == 1;
}

static void read_other_places(edits *e, int place, const expression *x) {
    for (int i = 0; i < e->n_ingredients; i++) {
        const ingredient *g = &e->ingredients[i];
        if (g->kind != I_INDEX || !edits_usable(e, g, x->first)) continue;
        const int rank = one_apart(&e->u, x, g) ? 20 : 39;
        edits_replace(e, place, g->function == function_of(e, place) ? rank : rank + 8, "subscript", x->first, x->end,
                      "%s", g->text);
    }
}

void edits_change_reads(edits *e, int place, expression *x) {
    const bool called = x->parent && x->parent->kind == E_CALL && x->parent->a == x;
    const value_type type = called ? (value_type){.base = BASE_UNKNOWN} : edits_type_of(e, x);
    const bool atom = x->kind == E_NAME || x->kind == E_MEMBER || x->kind == E_CAST || x->kind == E_NUMBER ||
                      x->kind == E_INDEX || (x->kind == E_UNARY && is(&e->u, x->op, "*")) ||
                      (x->kind == E_PAREN && type.base == BASE_INT) ||
                      (x->kind == E_UNARY && !x->parent && is(&e->u, x->op, "-"));
    if (x->kind == E_NAME && type.base == BASE_INT && !type.pointers && !edits_is_set(e, x)) read_a_field(e, place, x);
    if (atom && (type.base == BASE_INT || type.base == BASE_FLOAT)) read_another(e, place, x, type);
    if (x->kind == E_INDEX && x->b->kind != E_NUMBER) read_other_places(e, place, x->b);
}
