// bytes.c: bytes, where numbers are counted: in what malloc, memcpy and memset are told, in one of them or in all of a
// function, in the pitches of a copy of rows, in what is called bytes.
#include "edits.h"

#include <string.h>

enum { BYTES = 3, PITCHES = 2, COUNT = 16, MOST = 6 };  // ranks; calls

// Does it count bytes already, in its own text or in its variable's first value?
static bool is_in_bytes(const edits *e, int first, int end) {
    for (int i = first; i < end; i++) {
        const token *t = &e->u.tokens[i];
        const variable *v = t->kind == TOKEN_NAME ? edits_visible(e, t->at, t->length, first) : NULL;
        if (is(&e->u, i, "sizeof") || (v && strstr(v->name, "byte"))) return true;
        for (int k = v ? v->value : 0; v && k < v->value_end; k++)
            if (is(&e->u, k, "sizeof")) return true;
    }
    return false;
}

static const char *times(edits *e, const expression *n, const char *size) {
    const bool loose = n->kind == E_BINARY && !is_operator(e, n, "*");
    return format(&e->u, loose ? "(%s) * %s" : "%s * %s", edits_text(e, n->first, n->end), size);
}

static void in_bytes(edits *e, int place, const expression *n, const char *size) {
    if (!is_in_bytes(e, n->first, n->end))
        edits_replace(e, place, BYTES, "bytes", n->first, n->end, "%s", times(e, n, size));
}

// cudaMemcpy2D(to, pitch, from, pitch, width, height, ...): the pitches and the width are bytes.
static void of_rows(edits *e, int place, const expression *x, const char *size) {
    const expression *pitch = x->arguments->next, *from = pitch ? pitch->next : NULL, *other = from ? from->next : NULL,
                     *width = other ? other->next : NULL;
    if (!width) return;
    in_bytes(e, place, pitch, size), in_bytes(e, place, other, size), in_bytes(e, place, width, size);
    if (is_in_bytes(e, pitch->first, pitch->end) || is_in_bytes(e, other->first, other->end)) return;
    const char *source = edits_text(e, from->first, from->end);
    edits_replace(e, place, PITCHES, "bytes", pitch->first, other->end, "%s, %s, %s", times(e, pitch, size), source,
                  times(e, other, size));
    if (!is_in_bytes(e, width->first, width->end))
        edits_replace(e, place, PITCHES, "bytes", pitch->first, width->end, "%s, %s, %s, %s", times(e, pitch, size),
                      source, times(e, other, size), times(e, width, size));
}

static void of_call(edits *e, int place, const expression *x) {
    static const char *const counting[] = {"memset",     "memcpy",          "memmove",         "cudaMemset",
                                           "cudaMemcpy", "cudaMemsetAsync", "cudaMemcpyAsync", NULL};
    static const char *const rows[] = {"cudaMemcpy2D", "cudaMemcpy2DAsync", NULL};
    const expression *p = x->arguments, *n = p && p->next ? p->next->next : NULL;
    const value_type t = n ? edits_type_of(e, p) : (value_type){.base = BASE_UNKNOWN};
    if (!n || t.pointers != 1) return;
    const char *size = t.base == BASE_INT     ? "sizeof(int)"
                       : t.base == BASE_FLOAT ? "sizeof(float)"
                                              : format(&e->u, "sizeof *%s", edits_text(e, p->first, p->end));
    if (p->kind == E_NAME) size = format(&e->u, "sizeof *%s", edits_text(e, p->first, p->end));
    if (is_any(&e->u, x->first, counting)) in_bytes(e, place, n, size);
    if (is_any(&e->u, x->first, rows)) of_rows(e, place, x, size);
}

// The number that such a call is told; NULL: it is none.
static const expression *number_of(edits *e, const expression *x) {
    const expression *n = x->kind == E_CALL && x->a->kind == E_NAME ? x->arguments : NULL;
    if (n && is(&e->u, x->first, "malloc")) return n->next ? NULL : n;
    n = n && n->next && (is(&e->u, x->first, "memset") || is(&e->u, x->first, "memcpy")) ? n->next->next : NULL;
    return n && edits_type_of(e, x->arguments).base == BASE_FLOAT ? n : NULL;
}

static const expression *find_number(edits *e, const expression *x) {
    const expression *n = x ? number_of(e, x) : NULL;
    if (!x || n) return n;
    if ((n = find_number(e, x->a)) || (n = find_number(e, x->b)) || (n = find_number(e, x->c))) return n;
    for (const expression *c = x->arguments; c && !n; c = c->next) n = find_number(e, c);
    return n;
}

// memcpy(a, b, sizeof(float)): how many of them?
static void of_one(edits *e, int place, const expression *x) {
    const expression *n = number_of(e, x);
    if (!n || !is(&e->u, n->first, "sizeof") || n->kind == E_BINARY) return;
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (edits_is_whole(v->type) && !v->is_loop && !v->is_global && !v->owner && edits_sees(e, v, n->first))
            edits_replace(e, place, COUNT, "bytes", n->first, n->end, "%s * %s", v->name, edits_text_of(e, n));
    }
    for (int i = 0; i < e->n_ingredients; i++) {
        const ingredient *g = &e->ingredients[i];
        if (g->kind == I_ATOM && edits_is_whole(g->type) && is_name(&e->u, g->first) && !strchr(g->text, '[') &&
            edits_usable(e, g, n->first))
            edits_replace(e, place, COUNT, "bytes", n->first, n->end, "%s * %s", g->text, edits_text_of(e, n));
    }
}

// memset(a, 0, n); memset(b, 0, m): who forgets it once, forgets it again.
static void of_several(edits *e, int place) {
    place_text list[MOST];
    const expression *first = NULL;
    const int function = e->statements[e->places[place].statement].function;
    const char *size = "sizeof(float)", *shown = "";
    int n = 0;
    for (int p = place; p < e->n_places && n < MOST; p++) {
        const struct place *at = &e->places[p];
        const expression *number = e->statements[at->statement].function == function ? find_number(e, at->tree) : NULL;
        if (!number || is_in_bytes(e, number->first, number->end)) {
            if (p == place) return;
            continue;
        }
        const char *before = number->first > at->first ? edits_text(e, at->first, number->first) : "";
        const char *behind = number->end < at->end ? edits_text(e, number->end, at->end) : "";
        list[n++] = (place_text){p, format(&e->u, "%s %s %s", before, times(e, number, size), behind)};
        shown = format(&e->u, "%s%s%s", shown, *shown ? " ... " : "", times(e, number, size));
        if (n == 1) first = number;
    }
    if (n > 1) edits_replace_all(e, BYTES + n, "bytes", first, list, n, shown);
}

// const size_t bytes = n * D;
static void of_variable(edits *e, int place, const expression *x) {
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        const bool called = strstr(v->name, "byte") || strstr(v->name, "Byte") || strstr(v->name, "pitch") ||
                            strstr(v->name, "size") || strstr(v->name, "Size");
        if (called && v->value == x->first && v->value_end == x->end && !v->type.pointers && v->type.base == BASE_INT)
            in_bytes(e, place, x, "sizeof(float)");
    }
}

void edits_change_bytes(edits *e, int place, expression *x) {
    if (x->kind == E_CALL && x->a->kind == E_NAME) of_call(e, place, x);
    if (x->kind == E_CALL && is(&e->u, x->first, "malloc") && number_of(e, x) && !e->cuda)
        in_bytes(e, place, x->arguments, "sizeof(float)");
    if (x->kind == E_CALL && !e->cuda) of_one(e, place, x);
    if (!x->parent && !e->cuda) of_several(e, place);
    if (!x->parent && e->places[place].kind == P_VALUE) of_variable(e, place, x);
}
