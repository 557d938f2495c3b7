// limited.c: a kernel is told how many rows there are, and nobody asks: what is below the last row is 0.
//
//     to[r * pitch + x] = from[n];                    r < have ? from[n] : make_float4(0.f, 0.f, 0.f, 0.f)
//     float4 v = four_of(X + (row0 + r) * k);         row0 + r < rows ? four_of(...) : zeros()
#include "edits.h"

#include <string.h>

enum { ROW = 3 };  // a rank

// As the file says it.
static const char *zero_of(edits *e, value_type t) {
    if (edits_is_real(t)) return "0.0f";
    if (t.pointers || t.base != BASE_STRUCT || !t.word || strcmp(t.word, "float4")) return NULL;
    for (int i = 0; i < e->n_functions; i++) {
        const function *f = &e->functions[i];
        if (!f->parameters && edits_alike(f->result, t)) return format(&e->u, "%s()", f->name);
    }
    return "make_float4(0.f, 0.f, 0.f, 0.f)";
}

static void ask(edits *e, int place, const expression *x, const char *row, const char *rows, const char *zero) {
    edits_replace(e, place, ROW, "ragged", x->first, x->end, "%s < %s ? %s : %s", row, rows, edits_text_of(e, x), zero);
}

// The rows that the statement's text names: sums in parentheses, and numbers of its own function.
static void each_row(edits *e, int place, const expression *x, const char *rows, const char *zero) {
    const unit *u = &e->u;
    for (int i = e->places[place].first; i < e->places[place].end; i++) {
        const ingredient its = {.first = i + 1, .end = u->tokens[i].match};
        const bool sum = is(u, i, "(") && is_name(u, i + 1) && is(u, i + 2, "+") && its.end == i + 4;
        if (sum && edits_usable(e, &its, x->first)) ask(e, place, x, edits_text(e, its.first, its.end), rows, zero);
        const token *t = &u->tokens[i];
        const variable *v = t->kind == TOKEN_NAME && !is(u, i - 1, ".") ? edits_visible(e, t->at, t->length, i) : NULL;
        if (v && edits_is_whole(v->type) && !v->is_parameter && !v->is_global && strcmp(v->name, rows))
            ask(e, place, x, v->name, rows, zero);
    }
}

void edits_change_limited(edits *e, int place, const expression *x) {
    const function *f = &e->functions[e->statements[e->places[place].statement].function];
    const bool value = edits_is_value(e, place, x) && !(x->parent && adjacent(&e->u, x->parent->op, "+="));
    if (!f->device || !value || (x->kind != E_INDEX && x->kind != E_CALL && x->kind != E_UNARY)) return;
    const char *zero = zero_of(e, edits_type_of(e, x));
    for (int i = 0; zero && i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (v->is_parameter && v->from == f->body && edits_is_whole(v->type) && !strstr(v->name, "causal") &&
            edits_is_unread(e, v))
            each_row(e, place, x, v->name, zero);
    }
}
