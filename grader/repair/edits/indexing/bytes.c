// bytes.c: bytes, where numbers are counted: in what memcpy and memset are told, in the pitches of a copy of rows, in
// what is called bytes.
#include "edits.h"

#include <string.h>

enum { BYTES = 8, PITCHES = 6 };  // ranks

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
    if (!x->parent && e->places[place].kind == P_VALUE) of_variable(e, place, x);
}
