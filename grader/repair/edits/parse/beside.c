// beside.c: what a function of the file is given beside a lambda: fold(0.0f, n, [=](float a, int c) { ... }). The whole
// statement is no place, for those of the lambda's body lie in it; each of the other arguments is one.
#include "edits.h"

#include <string.h>

static bool has_lambda(const unit *u, int first, int end) {
    for (int i = first; i < end; i++)
        if (edits_lambda(u, i)) return true;
    return false;
}

// A function of the file by this name that takes no reference: a copy of an argument is as good there.
static bool takes_copies(const edits *e, int name) {
    const unit *u = &e->u;
    const char *called = edits_text((edits *)e, name, name + 1);
    bool known = false;
    for (int f = 0; f < e->n_functions; f++) {
        const function *g = &e->functions[f];
        if (strcmp(g->name, called)) continue;
        known = true;
        for (int i = g->open; i < u->tokens[g->open].match; i++)
            if (is(u, i, "&")) return false;
    }
    return known;
}

// A number, a name of one, an expression; no array, object or reference, of which no copy can be had.
static bool is_number(edits *e, int first, int end) {
    const unit *u = &e->u;
    if (end - first > 1) {
        for (int i = first; i < end; i++)
            if (is(u, i, ".") || is(u, i, "&") || is(u, i, "{") || is(u, i, "->")) return false;
        return true;
    }
    const token *t = &u->tokens[first];
    if (t->kind != TOKEN_NAME) return t->kind == TOKEN_NUMBER;
    const variable *v = edits_visible(e, t->at, t->length, first);
    if (!v) return strcmp(edits_text(e, first, end), "INFINITY") == 0;
    const bool named = v->declared > 0 && (is(u, v->declared - 1, "&") || is(u, v->declared + 1, "["));
    return !named && (v->type.base == BASE_INT || v->type.base == BASE_FLOAT);
}

void edits_add_beside(edits *e, int first, int end, int statement) {
    const unit *u = &e->u;
    for (int i = first; i < end; i++) {
        const int brace = edits_lambda(u, i), close = u->tokens[i].match;
        if (brace) i = u->tokens[brace].match;
        if (brace || !is(u, i, "(") || close <= i || close >= end || !is_name(u, i - 1)) continue;
        if (!has_lambda(u, i + 1, close) || !takes_copies(e, i - 1)) continue;
        for (int from = i + 1, k = i + 1; k <= close; k = skip_group(u, k)) {
            if (!is(u, k, ",") && k != close) continue;
            if (from < k && !has_lambda(u, from, k) && is_number(e, from, k))
                edits_add_place(e, P_VALUE, from, k, format(&e->u, "__typeof__(%s)", edits_text(e, from, k)),
                                statement);
            from = k + 1;
        }
    }
}
