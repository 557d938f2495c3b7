// remembered.c: work that is left out where it was done before: what is kept beside the condition's own side, and asked
// by nobody, is to be the same, too.
//
//     if (me->tile == K) return;            if (me->tile == K && me->width == n) return;
//     ...
//     me->tile = K;
//     me->width = n;                        width is read nowhere
#include "edits.h"

#include <string.h>

enum { KEPT = 2 };  // a rank

static bool is_field(const edits *e, int i) { return i > 0 && (is(&e->u, i - 1, ".") || is(&e->u, i - 1, "->")); }

// Anywhere in the file: a field of that name that is not set there.
static bool is_asked(const edits *e, int name) {
    for (int i = 1; i + 1 < e->u.token_count; i++)
        if (is_field(e, i) && edits_same(&e->u, i, name, 1) && !edits_assigns(&e->u, i + 1)) return true;
    return false;
}

// The statement of this function that sets the field: field = value;
static bool sets(const edits *e, int i, int function, const expression *field, const expression *value) {
    const statement *st = &e->statements[i];
    const int n = field->end - field->first, m = value->end - value->first;
    return st->kind == S_EXPRESSION && st->function == function && st->end - st->first >= n + m + 1 &&
           edits_same(&e->u, st->first, field->first, n) && is(&e->u, st->first + n, "=") &&
           edits_same(&e->u, st->first + n + 1, value->first, m);
}

void edits_change_remembered(edits *e, int place, const expression *x) {
    if (x->kind != E_BINARY || strcmp(edits_operator_text(&e->u, x->op), "==") || x->a->kind != E_MEMBER) return;
    const int function = e->statements[e->places[place].statement].function;
    bool kept = false;
    for (int i = 0; i < e->n_statements && !kept; i++) kept = sets(e, i, function, x->a, x->b);
    for (int i = 0; i < e->n_statements && kept; i++) {
        const statement *st = &e->statements[i];
        if (st->kind != S_EXPRESSION || st->function != function) continue;
        int eq = st->first;
        while (eq < st->end && !is(&e->u, eq, "=")) eq++;
        if (eq + 3 == st->end && is_field(e, eq - 1) && is_name(&e->u, eq + 1) && !is_asked(e, eq - 1))
            edits_replace(e, place, KEPT, "remembered", x->first, x->end, "%s && %s == %s", edits_text_of(e, x),
                          edits_text(e, st->first, eq), edits_text(e, eq + 1, eq + 2));
    }
}
