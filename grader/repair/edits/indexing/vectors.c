// vectors.c: float4 has four numbers: a row of D floats is D / 4 of them, and number c of them begins at float 4 c.
//
//     if (c + 3 < cols) v = *(float4 *)(row + c);         c + 3 < cols && cols % 4 == 0
//     i < cols;  rows4[r * D + c];  &tile[l * W + t]      i < cols / 4;  rows4[r * (D / 4) + c];  &tile[l * W + t * 4]
#include "edits.h"

#include <string.h>

enum { COUNT = 4, KNOWN = 3, START = 4, WHERE = 5 };  // ranks

static bool mentions(const edits *e, int first, int end) {
    for (int i = first; i < end; i++)
        if (is(&e->u, i, "float4") || is(&e->u, i, "make_float4")) return true;
    return false;
}

static bool is_whole(const edits *e, const expression *x) {
    const value_type t = edits_type_of((edits *)e, x);
    return t.base == BASE_INT && !t.pointers;
}

// A name for x / 4 that is visible there; NULL: none.
static const char *quarter(edits *e, const char *text, int token) {
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (v->value < 0 || v->value_end <= v->value || !edits_sees(e, v, token)) continue;
        const char *value = edits_text(e, v->value, v->value_end);
        const size_t n = strlen(text);
        if (!strncmp(value, text, n) && (!strcmp(value + n, " / 4") || !strcmp(value + n, " >> 2"))) return v->name;
    }
    return NULL;
}

static void fewer(edits *e, int place, const expression *x, bool factor) {
    const char *text = edits_text(e, x->first, x->end), *known = quarter(e, text, x->first);
    if (known) edits_replace(e, place, KNOWN, "vector", x->first, x->end, "%s", known);
    if (!known) edits_replace(e, place, COUNT, "vector", x->first, x->end, factor ? "(%s / 4)" : "%s / 4", text);
}

// A number of floats comes from outside: a parameter, a field, or a name for one; and is no quarter already.
static bool is_given(edits *e, const expression *x) {
    if (x->kind == E_MEMBER) return !is(&e->u, x->first, "threadIdx") && !is(&e->u, x->first, "blockIdx");
    const token *t = &e->u.tokens[x->first];
    const variable *v = edits_visible(e, t->at, t->length, x->first);
    if (!v || v->is_loop || v->is_global) return false;
    const bool field = v->value_end - v->value == 3 && is(&e->u, v->value + 1, ".") &&
                       !is(&e->u, v->value, "threadIdx") && !is(&e->u, v->value, "blockIdx");
    return v->is_parameter || field;
}

static bool is_value(const edits *e, int place, const expression *x) {
    return (!x->parent && e->places[place].kind == P_VALUE) ||
           (x->parent && x->parent->kind == E_ASSIGN && x->parent->b == x);
}

// Where four are read at once: a row begins on 16 bytes only if its length is a multiple of 4.
static void aligned(edits *e, int place, const expression *x, const function *f) {
    const struct place *p = &e->places[place];
    const statement *st = &e->statements[p->statement];
    if (p->kind != P_CONDITION || x->parent || st->kind != S_IF || !mentions(e, p->end, st->end)) return;
    const char *text = edits_text_of(e, x);
    for (int i = 0; i < e->n_variables && !strchr(text, '%'); i++) {
        const variable *v = &e->variables[i];
        if (!v->is_parameter || v->from != f->body || !edits_is_whole(v->type)) continue;
        edits_replace(e, place, KNOWN, "vector", x->first, x->end, "%s && %s %% 4 == 0", text, v->name);
    }
}

void edits_change_vectors(edits *e, int place, expression *x) {
    const struct place *p = &e->places[place];
    const statement *st = &e->statements[p->statement];
    const function *f = &e->functions[st->function];
    const expression *up = x->parent;
    if (f->device) aligned(e, place, x, f);
    if (!f->device || !is_whole(e, x) || !mentions(e, f->open, f->end)) return;
    const bool name = x->kind == E_NAME || x->kind == E_MEMBER, given = name && is_given(e, x),
               here = mentions(e, p->first, p->end);
    if (given && is_operator(e, up, "<>") && up->b == x) fewer(e, place, x, false);
    if (given && st->kind == S_DECLARATION && is_value(e, place, x)) fewer(e, place, x, false);
    if (given && is_operator(e, up, "*") && (here || st->kind == S_LOOP)) fewer(e, place, x, true);
    if (name && is_operator(e, up, "+") && here)
        edits_replace(e, place, START, "vector", x->first, x->end, "%s * 4", edits_text(e, x->first, x->end));
    if (x->kind == E_BINARY && is_value(e, place, x) && is_operator(e, x, "-%"))
        edits_replace(e, place, START, "vector", x->first, x->end, "(%s) * 4", edits_text(e, x->first, x->end));
    if (x->kind == E_NUMBER && is(&e->u, x->first, "4") && up && up->kind == E_BINARY && up->b == x &&
        adjacent(&e->u, up->op, ">="))
        edits_replace(e, place, WHERE, "vector", up->first, up->end, "%s %% 4 == 0",
                      edits_text(e, up->a->first, up->a->end));
}
