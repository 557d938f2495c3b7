// fields.c: what a struct has for each of many, and what the file reads of it for one.
//
//     after = t.past[b] + t.seq             t has count, too               t.past[b] + t.count[b]
//     t.count[b] * pitch                    t has seq, too                 t.seq * pitch
//     t.count[b] > most                                                    t.past[b] + t.count[b] > most
//     left = most - t.past[b]                                              most - t.past[b] - t.count[b]
//     which = sequence + head               size has heads                 sequence * size.heads + head
#include "edits.h"

#include <string.h>

enum { ELEMENT = 16, BOTH = 14, FACTOR = 20, WHOLE = 18 };  // ranks

static const char *struct_of(edits *e, const expression *x) {
    const value_type t = edits_type_of(e, x);
    return t.base == BASE_STRUCT && t.pointers < 2 ? t.word : NULL;
}

static bool is_field_of(const variable *f, const char *word, int pointers) {
    return f->owner && word && !strcmp(f->owner, word) && f->type.base == BASE_INT && f->type.pointers == pointers;
}

// t.seq: t.count[i], where the function reads another field of t at i.
static void elements(edits *e, int place, const expression *x) {
    const char *word = struct_of(e, x->a), *object = edits_text_of(e, x->a), *dot = is(&e->u, x->op, "->") ? "->" : ".";
    const int function = e->statements[e->places[place].statement].function;
    for (int k = 0; word && k < e->n_ingredients; k++) {
        const ingredient *g = &e->ingredients[k];
        const char *open = strchr(g->text, '[');
        const size_t n = strlen(object);
        if (g->kind != I_ATOM || g->function != function || !edits_is_whole(g->type) || !open ||
            strncmp(g->text, object, n) || strncmp(g->text + n, dot, strlen(dot)) || !edits_usable(e, g, x->first))
            continue;
        for (int i = 0; i < e->n_variables; i++)
            if (is_field_of(&e->variables[i], word, 1) && !strstr(e->variables[i].name, "device"))
                edits_replace(e, place, ELEMENT, "field", x->first, x->end, "%s%s%s%s", object, dot,
                              e->variables[i].name, open);
    }
}

// t.count[b]: t.seq, which the file reads of t.
static void wholes(edits *e, int place, const expression *x) {
    const expression *member = x->a;
    const char *word = struct_of(e, member->a), *object = edits_text_of(e, member->a);
    if (!edits_is_whole(edits_type_of(e, x))) return;
    for (int i = 0; i < e->n_variables; i++) {
        const variable *f = &e->variables[i];
        if (!is_field_of(f, word, 0)) continue;
        bool read = false;
        for (int k = 2; k < e->u.token_count && !read; k++) read = is(&e->u, k, f->name) && is(&e->u, k - 2, object);
        if (read)
            edits_replace(e, place, WHOLE, "field", x->first, x->end, "%s%s%s", object,
                          edits_text(e, member->op, member->op_end), f->name);
    }
}

// t.count[b]: t.past[b] + t.count[b]. What both are taken from loses both.
static void sums(edits *e, int place, const expression *x) {
    const expression *member = x->a;
    const char *word = struct_of(e, member->a), *own = edits_text(e, member->end - 1, member->end);
    const char *dot = is(&e->u, member->op, "->") ? "->" : ".";
    if (is_operator(e, x->parent, "+") || !edits_is_whole(edits_type_of(e, x))) return;
    const bool taken = is_operator(e, x->parent, "-") && x->parent->b == x, bound = is_operator(e, x->parent, "*/%");
    for (int i = 0; i < e->n_variables; i++) {
        const variable *f = &e->variables[i];
        if (!is_field_of(f, word, 1) || !strcmp(f->name, own) || strstr(f->name, "device")) continue;
        const char *other =
            format(&e->u, "%s%s%s[%s]", edits_text_of(e, member->a), dot, f->name, edits_text_of(e, x->b));
        if (taken)
            edits_replace(e, place, BOTH, "field", x->first, x->end, "%s - %s", edits_text_of(e, x), other);
        else
            edits_replace(e, place, BOTH, "field", x->first, x->end, bound ? "(%s + %s)" : "%s + %s", other,
                          edits_text_of(e, x));
    }
}

// A summand that counts rows of something: times a field of what is handed over.
static void factors(edits *e, int place, const expression *x) {
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (v->type.base != BASE_STRUCT || v->type.pointers || !v->is_parameter || !edits_sees(e, v, x->first))
            continue;
        for (int k = 0; k < e->n_variables; k++)
            if (is_field_of(&e->variables[k], v->type.word, 0))
                edits_replace(e, place, FACTOR, "field", x->first, x->end, "%s * %s.%s", edits_text_of(e, x), v->name,
                              e->variables[k].name);
    }
}

void edits_change_fields(edits *e, int place, expression *x) {
    const bool called = x->parent && x->parent->kind == E_CALL && x->parent->a == x;
    const bool indexed = x->parent && x->parent->kind == E_INDEX && x->parent->a == x;
    if (x->kind == E_MEMBER && !called && !indexed && edits_is_whole(edits_type_of(e, x))) elements(e, place, x);
    if (x->kind == E_INDEX && x->a->kind == E_MEMBER) sums(e, place, x), wholes(e, place, x);
    const bool summand = is_operator(e, x->parent, "+") && (x->kind == E_NAME || x->kind == E_CAST);
    const bool product = !x->parent && e->places[place].kind == P_VALUE && is_operator(e, x, "*");
    if ((summand || product) && edits_is_whole(edits_type_of(e, x)) && !strchr(edits_text_of(e, x), '='))
        factors(e, place, x);
}
