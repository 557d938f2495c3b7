// untouched.c: a call that stands once for each input, and not for the one that nobody reads.
//
//     project(flat, x, Wk);  split(k, flat);        project(flat, x, Wq);  is missing before split(q, flat)
//     if (lane == 0) slots[warp] = sum;             if (lane == 0) slots[warp] = top;  is missing before a barrier
#include "edits.h"

#include <string.h>

enum { FORGOTTEN = 5, HANDED = 8, LONGEST = 60, SHORT = 30 };  // ranks; tokens

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

static bool is_own(const edits *e, const variable *v, const statement *st) {
    const function *f = &e->functions[st->function];
    return v->declared > f->body && v->declared < f->end && !v->is_parameter && edits_is_real(v->type);
}

static bool stands(edits *e, const statement *st, const char *text) {
    for (int k = 0; k < e->n_statements; k++)
        if (e->statements[k].function == st->function &&
            !strcmp(edits_text(e, e->statements[k].first, e->statements[k].end), text))
            return true;
    return false;
}

// What each warp hands over of one number, and not of another: before the barriers of that list.
static void hand_over(edits *e, int s) {
    const statement st = e->statements[s];
    const int last = st.end - 2;
    const token *t = &e->u.tokens[last];
    if ((st.kind != S_EXPRESSION && st.kind != S_IF) || !st.listed || st.end - st.first > SHORT ||
        !is(&e->u, last - 1, "=") || !is(&e->u, last - 2, "]") || t->kind != TOKEN_NAME || !edits_wanted(e, s))
        return;
    const variable *v = edits_visible(e, t->at, t->length, last);
    for (int i = 0; v && is_own(e, v, &st) && i < e->n_variables; i++) {
        const variable *w = &e->variables[i];
        if (w == v || !is_own(e, w, &st)) continue;
        const char *text = text_with(e, &st, v, w);
        if (stands(e, &st, text)) continue;
        for (int k = 0, n = e->n_statements; k < n; k++) {
            const statement *at = &e->statements[k];
            if (at->parent == st.parent && at->listed && is(&e->u, at->first, "__syncthreads") &&
                edits_sees(e, w, at->first))
                edits_insert(e, k, false, HANDED, "statement", text);
        }
    }
}

void edits_change_untouched(edits *e) {
    for (int s = 0, n = e->n_statements; e->cuda && s < n; s++) hand_over(e, s);
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
