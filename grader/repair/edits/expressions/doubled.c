// doubled.c: what a call is given twice, of the same kind: one of the two is to be another one.
//
//     flash(o, q, k, k, shape)      v, which the function is given, too      flash(o, q, k, v, shape)
#include "edits.h"

#include <string.h>

enum { LATER = 9, EARLIER = 11 };  // ranks: the second of the two is the slip more often

static bool is_given(edits *e, const expression *call, const char *text) {
    for (const expression *a = call->arguments; a; a = a->next)
        if (!strcmp(edits_text_of(e, a), text)) return true;
    return false;
}

static void try_instead(edits *e, int place, const expression *call, const expression *x, value_type its, int rank,
                        const char *text) {
    const value_type type = edits_type_of(e, x);
    if (type.base != its.base || type.pointers != its.pointers || is_given(e, call, text)) return;
    if (its.constant && !type.constant) return;
    edits_replace(e, place, rank, "name", x->first, x->end, "%s", text);
}

// Other pointers: the object's other fields, or what else the function is given.
static void instead(edits *e, int place, const expression *call, const expression *x, int rank) {
    const unit *u = &e->u;
    const int function = e->statements[e->places[place].statement].function;
    const int body = function < 0 ? -1 : e->functions[function].body;
    for (int i = 0; i < e->n_variables && x->kind == E_NAME; i++) {
        const variable *v = &e->variables[i];
        if (v->is_parameter && v->from == body && edits_sees(e, v, x->first))
            try_instead(e, place, call, x, v->type, rank, v->name);
    }
    for (int i = 2; i < u->token_count && x->kind == E_MEMBER && x->a->kind == E_NAME; i++) {
        if (!is_name(u, i) || !(is(u, i - 1, ".") || is(u, i - 1, "->")) || is(u, i + 1, "(")) continue;
        if (!edits_same(u, i - 2, x->first, 1) || is(u, i - 3, ".") || is(u, i - 3, "->")) continue;
        const expression other = {.kind = E_MEMBER, .first = i - 2, .end = i + 1};
        try_instead(e, place, call, x, edits_type_of(e, &other), rank, edits_text(e, i - 2, i + 1));
    }
}

void edits_change_doubled(edits *e, int place, expression *x) {
    if (x->kind != E_CALL) return;
    for (const expression *a = x->arguments; a; a = a->next)
        for (const expression *b = a->next; b; b = b->next) {
            if ((a->kind != E_NAME && a->kind != E_MEMBER) || !edits_type_of(e, a).pointers) continue;
            if (strcmp(edits_text_of(e, a), edits_text_of(e, b))) continue;
            instead(e, place, x, b, LATER);
            instead(e, place, x, a, EARLIER);
        }
}
