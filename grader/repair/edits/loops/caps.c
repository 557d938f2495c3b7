// caps.c: a number that is cut off at a limit: the question before it is missing, or all of it.
//
//     if (count > SIZE) count = SIZE;       count = SIZE;
//     if (last > length) last = length;     nothing
#include "edits.h"

#include <string.h>

enum { ASKED = 10, WHOLE = 30 };  // ranks

static const variable *seen(const edits *e, const expression *x) {
    const token *t = &e->u.tokens[x->first];
    return x->kind == E_NAME ? edits_visible(e, t->at, t->length, x->first) : NULL;
}

void edits_change_caps(edits *e, int place, expression *x) {
    const struct place *p = &e->places[place];
    if (x->parent || x->kind != E_ASSIGN || x->op_end != x->op + 1 || p->kind != P_STATEMENT) return;
    const variable *v = seen(e, x->a), *w = seen(e, x->b);
    if (!v || !edits_is_whole(v->type) ||
        (w ? !edits_is_whole(w->type) : edits_type_of(e, x->b).base != BASE_INT || x->b->kind != E_MEMBER))
        return;
    const char *left = edits_text(e, x->a->first, x->a->end), *right = edits_text(e, x->b->first, x->b->end);
    const char *text = edits_text(e, x->first, x->end);
    edits_replace(e, place, ASKED, "cap", p->first, p->end, "if (%s > %s) %s", left, right, text);
    edits_replace(e, place, ASKED + 6, "cap", p->first, p->end, "if (%s < %s) %s", left, right, text);
}

static int after(const edits *e, int s) {
    for (int k = s + 1; k < e->n_statements; k++)
        if (e->statements[k].first >= e->statements[s].end) return e->statements[k].listed ? k : -1;
    return -1;
}

void edits_change_uncapped(edits *e) {
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (!edits_is_whole(v->type) || v->is_const || v->is_parameter || v->is_global || v->is_loop ||
            v->value_end - v->value < 2)
            continue;
        int s = -1;
        for (int k = 0; k < e->n_statements; k++)
            if (e->statements[k].kind == S_DECLARATION && e->statements[k].first < v->declared &&
                v->declared < e->statements[k].end)
                s = k;
        const int at = s >= 0 ? after(e, s) : -1;
        if (at < 0 || !edits_wanted(e, s) || e->statements[at].function != e->statements[s].function ||
            e->statements[at].parent != e->statements[s].parent)
            continue;
        for (int k = 0; k < e->n_variables; k++) {
            const variable *w = &e->variables[k];
            if (w != v && edits_is_whole(w->type) && !w->is_loop && edits_sees(e, w, e->statements[at].first) &&
                !w->owner)
                edits_insert(e, at, false, WHOLE, "cap",
                             format(&e->u, "if (%s > %s) %s = %s;", v->name, w->name, v->name, w->name));
        }
    }
}
