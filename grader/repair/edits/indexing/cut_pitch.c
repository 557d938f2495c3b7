// cut_pitch.c: rows that are as far apart as a tile is large, or as many as are left of it, nk = min(Bc, end - j0): the
// other one of the two, where a number is multiplied by it.
//
//     values + f * W * k->Bc        f * W * nk, where a variable of that name is cut from Bc anywhere in the file
//     keys[d * nk + c]              d * Bc + c
#include "edits.h"

#include <string.h>

enum { CUT = 6 };  // rank

// MIN(k->Bc, end - j0), Bc < end - j0 ? Bc : end - j0.
static bool is_least(const edits *e, const variable *v) {
    const unit *u = &e->u;
    if (v->type.base != BASE_INT || v->type.pointers || v->value_end <= v->value + 1) return false;
    bool choice = false, left = false;
    for (int i = v->value; i < v->value_end; i++) choice |= is(u, i, "?"), left |= is(u, i, "-");
    const bool call = is_name(u, v->value) && is(u, v->value + 1, "(");
    return left && (choice || (call && u->tokens[v->value + 1].match == v->value_end - 1));
}

static bool is_cut_from(const edits *e, const variable *v, int size) {
    for (int i = v->value; i < v->value_end; i++)
        if (edits_same(&e->u, i, size, 1) && !is(&e->u, i + 1, "(")) return true;
    return false;
}

static void to_what_is_left(edits *e, int place, const expression *x) {
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i], *here;
        if (!is_least(e, v) || !is_cut_from(e, v, x->end - 1)) continue;
        here = edits_visible(e, v->name, (int)strlen(v->name), x->first);
        if (here && here->type.base == BASE_INT && !here->type.pointers)
            edits_replace(e, place, CUT, "cut", x->first, x->end, "%s", v->name);
    }
}

static void to_all(edits *e, int place, const expression *x) {
    const unit *u = &e->u;
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        const token *t = &u->tokens[x->first];
        if ((int)strlen(v->name) != t->length || memcmp(v->name, t->at, (size_t)t->length) || !is_least(e, v)) continue;
        for (int k = v->value; k < v->value_end; k++) {
            ingredient size = {.first = k, .end = k + 1};
            if (!is_name(u, k) || is(u, k + 1, "(") || is(u, k - 1, "->") || is(u, k - 1, ".")) continue;
            while (is(u, size.end, "->") || is(u, size.end, ".")) size.end += 2;
            if ((is(u, size.end, ",") || is(u, size.end, ")") || is(u, size.end, ":") || size.end == v->value_end) &&
                edits_usable(e, &size, x->first))
                edits_replace(e, place, CUT, "cut", x->first, x->end, "%s", edits_text(e, size.first, size.end));
        }
    }
}

void edits_change_cut_pitches(edits *e, int place, const expression *x) {
    if ((x->kind != E_NAME && x->kind != E_MEMBER) || !is_operator(e, x->parent, "*") ||
        edits_type_of(e, x->parent).base == BASE_FLOAT)
        return;
    to_what_is_left(e, place, x);
    if (x->kind == E_NAME) to_all(e, place, x);
}
