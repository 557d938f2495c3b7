// untouched.c: a call that stands once for each input, and not for the one that nobody reads.
//
//     project(flat, x, Wk);  split(k, flat);        project(flat, x, Wq);  is missing before split(q, flat)
#include "edits.h"

#include <string.h>

enum { FORGOTTEN = 5, LONGEST = 60 };  // a rank; tokens

// The statement's text with w for v.
static const char *text_with(edits *e, const statement *st, const variable *v, const variable *w) {
    const char *text = "";
    for (int i = st->first; i < st->end; i++) {
        const token *t = &e->u.tokens[i];
        const bool it = is(&e->u, i, v->name) && !is(&e->u, i - 1, ".") && !is(&e->u, i - 1, "->");
        const bool gap = i + 1 < st->end && e->u.tokens[i + 1].at > t->at + t->length;
        text = format(&e->u, "%s%.*s%s", text, it ? (int)strlen(w->name) : t->length, it ? w->name : t->at,
                      gap ? " " : "");
    }
    return text;
}

static bool names(const edits *e, const statement *st, const variable *v) {
    for (int i = st->first; i < st->end; i++)
        if (is(&e->u, i, v->name) && edits_visible(e, v->name, (int)strlen(v->name), i) == v) return true;
    return false;
}

// Before each statement of its list: where it is missing nobody knows.
static void call_for(edits *e, int s, const variable *v, const variable *w) {
    const statement st = e->statements[s];
    const char *text = text_with(e, &st, v, w);
    for (int k = 0, n = e->n_statements; k < n; k++)
        if (e->statements[k].parent == st.parent && e->statements[k].listed && edits_sees(e, w, e->statements[k].first))
            edits_insert(e, k, false, FORGOTTEN, "statement", text);
}

void edits_change_untouched(edits *e) {
    for (int i = 0; i < e->n_variables; i++) {
        const variable *w = &e->variables[i];
        if (!w->is_parameter || w->type.base != BASE_FLOAT || w->type.pointers != 1 || !w->type.constant ||
            !edits_is_unread(e, w))
            continue;
        for (int p = 0, n = e->n_places; p < n; p++) {
            const int s = e->places[p].statement;
            const expression *x = e->places[p].tree;
            const statement *st = &e->statements[s];
            if (e->places[p].kind != P_STATEMENT || !x || x->kind != E_CALL || !st->listed || st->parent < 0 ||
                st->end - st->first > LONGEST || !edits_wanted(e, s) || !edits_sees(e, w, st->first))
                continue;
            for (int k = 0; k < e->n_variables; k++) {
                const variable *v = &e->variables[k];
                if (v != w && v->is_parameter && edits_alike(v->type, w->type) && v->type.constant &&
                    edits_sees(e, v, st->first) && names(e, st, v))
                    call_for(e, s, v, w);
            }
        }
    }
}
