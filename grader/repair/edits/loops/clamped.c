// clamped.c: a loop that begins at a difference, which is below 0 where what it counts from has not begun yet.
//
//     visible = i + offset + 1 - t.j0;   for (c = visible; c < nk; c++) s[c] = ...      c = visible > 0 ? visible : 0
#include "edits.h"

enum { DIFFERENCE = 5 };  // rank

static bool subtracts(const edits *e, int first, int end) {
    for (int i = first; i < end; i++)
        if (is(&e->u, i, "-") && i > first && !adjacent(&e->u, i, "--") && !adjacent(&e->u, i, "->")) return true;
    return false;
}

// int c = first + 1 - keys; for (; c < n; c++): a loop whose counter was given that before.
static void begins_before(edits *e, int loop) {
    const unit *u = &e->u;
    const statement *s = &e->statements[loop];
    const int name = s->first + 3;
    if (s->kind != S_LOOP || !is(u, s->first, "for") || !is(u, s->first + 2, ";") || !is(u, name + 1, "<")) return;
    const token *t = &u->tokens[name];
    const variable *v = t->kind == TOKEN_NAME ? edits_visible(e, t->at, t->length, name) : NULL;
    if (!v || !edits_is_whole(v->type) || v->is_const || v->value <= 0 || !subtracts(e, v->value, v->value_end)) return;
    if (s->listed)
        edits_insert(e, loop, false, DIFFERENCE, "clamped", format(&e->u, "if (%s < 0) %s = 0;", v->name, v->name));
}

void edits_change_negative(edits *e) {
    for (int s = 0; s < e->n_statements; s++)
        if (edits_wanted(e, s)) begins_before(e, s);
}

void edits_change_clamped(edits *e, int place, expression *x) {
    const struct place *p = &e->places[place];
    const value_type t = edits_type_of(e, x);
    const bool begins = p->kind == P_VALUE && !x->parent && e->statements[p->statement].kind == S_LOOP;
    if (!begins || t.base != BASE_INT || t.pointers || x->kind == E_NUMBER) return;
    const char *text = edits_text(e, x->first, x->end);
    bool difference = subtracts(e, x->first, x->end);
    for (int i = 0; i < e->n_variables && x->kind == E_NAME; i++) {
        const variable *v = &e->variables[i];
        if (edits_sees(e, v, x->first) && is(&e->u, x->first, v->name))
            difference |= v->declared >= 0 && v->value > 0 && subtracts(e, v->value, v->value_end);
    }
    if (difference) edits_replace(e, place, DIFFERENCE, "clamped", x->first, x->end, "%s > 0 ? %s : 0", text, text);
}
