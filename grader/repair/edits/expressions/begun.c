// begun.c: a variable that has begun with a value is the newer one of the two.
//
//     float max = *m;   for (...) max = s[c] > *m ? s[c] : *m;      max in place of *m, in both
#include "edits.h"

#include <string.h>

enum { NEWER = 8, LONGEST = 8 };  // rank; tokens

static bool same(const edits *e, int first, int end, int as) {
    for (int i = first; i < end; i++, as++) {
        const token *a = &e->u.tokens[i], *b = &e->u.tokens[as];
        if (a->length != b->length || memcmp(a->at, b->at, (size_t)a->length)) return false;
    }
    return true;
}

static bool is_set_before(const edits *e, const variable *v, int end) {
    for (int i = v->value_end; i < end; i++)
        if (is(&e->u, i, v->name) && edits_assigns(&e->u, i + 1)) return true;
    return false;
}

void edits_change_begun(edits *e, int place, expression *x) {
    const int n = x->end - x->first;
    const bool read = x->kind == E_UNARY || x->kind == E_INDEX || x->kind == E_MEMBER;
    if (!read || n < 2 || n > LONGEST || edits_is_set(e, x)) return;
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        const bool begun = v->declared >= 0 && !v->is_const && !v->is_global && !v->is_parameter && !v->is_loop;
        if (!begun || v->value_end - v->value != n || x->first <= v->value_end || !edits_sees(e, v, x->first) ||
            !same(e, x->first, x->end, v->value) || !is_set_before(e, v, e->places[place].end))
            continue;
        edits_replace(e, place, NEWER, "begun", x->first, x->end, "%s", v->name);
        for (int k = x->end; k + n <= e->places[place].end; k++)  // in both
            if (same(e, k, k + n, v->value) && !edits_assigns(&e->u, k + n))
                edits_replace(e, place, NEWER, "begun", x->first, k + n, "%s %s %s", v->name, edits_text(e, x->end, k),
                              v->name);
    }
}
