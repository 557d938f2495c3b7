// begins.c: of sums and maxima that stand side by side one is never set before it is changed. It begins where its sister
// does, with 0, or with what is less than all.
//
//     t.top[r] = -INFINITY;                  t.top[r] = -INFINITY;
//     ...                                    t.sum[r] = 0.0f;
//     t.sum[r] = t.sum[r] * f + more;
#include "edits.h"

#include <string.h>

enum { SUM = 2, MAXIMUM = 4 };  // ranks

static bool is_field(const unit *u, int i) { return is(u, i - 1, ".") || is(u, i - 1, "->"); }

// Behind the subscripts, and behind .x of four.
static int behind_place(const unit *u, int i) {
    i++;
    while (is(u, i, "[")) i = u->tokens[i].match + 1;
    return is(u, i, ".") ? i + 2 : i;
}

static bool is_named(const edits *e, const variable *v, int i) {
    const unit *u = &e->u;
    if (!is(u, i, v->name) || is_field(u, i) != (v->owner != NULL)) return false;
    return v->owner || edits_visible(e, u->tokens[i].at, u->tokens[i].length, i) == v;
}

static bool is_in_value(const edits *e, const variable *v, int first) {
    for (int i = first; i < e->u.token_count && !is(&e->u, i, ";"); i++)
        if (is_named(e, v, i)) return true;
    return false;
}

// Is it changed somewhere, and set nowhere? What a function is handed may be set there.
static bool is_never_begun(const edits *e, const variable *v) {
    const unit *u = &e->u;
    bool changed = false;
    for (int i = 1; i + 1 < u->token_count; i++) {
        if (i == v->declared || !is_named(e, v, i)) continue;
        const int behind = behind_place(u, i);
        const bool whole = v->type.pointers && !is(u, i + 1, "[");
        if (is(u, i - 1, "&") || (whole && !v->owner)) return false;
        const bool sets = is(u, behind, "=") && !adjacent(u, behind, "==") && !whole;
        if (sets && !is_in_value(e, v, behind + 1)) return false;
        changed |= sets || adjacent(u, behind, "+=") || adjacent(u, behind, "*=");
    }
    return changed;
}

// struct s x = {..} sets all of them.
static bool is_listed_at_once(const edits *e, const char *owner) {
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (v->type.base == BASE_STRUCT && v->type.word && !strcmp(v->type.word, owner) && v->value > 0 &&
            (is(&e->u, v->value, "{") || is(&e->u, v->value - 1, "{")))
            return true;
    }
    return false;
}

// The token of its sister's name on the left side; -1: there is none.
static int sister_in(const edits *e, const variable *v, const expression *left) {
    const unit *u = &e->u;
    for (int i = left->first; i < left->end; i = skip_group(u, i)) {
        const token *t = &u->tokens[i];
        if (!is_name(u, i) || is(u, i, v->name) || is_field(u, i) != (v->owner != NULL)) continue;
        const variable *w = v->owner ? NULL : edits_visible(e, t->at, t->length, i);
        for (int k = 0; v->owner && k < e->n_variables; k++)
            if (e->variables[k].owner && !strcmp(e->variables[k].owner, v->owner) && is(u, i, e->variables[k].name))
                w = &e->variables[k];
        if (w && w->type.pointers == v->type.pointers && (v->owner || edits_sees(e, v, i))) return i;
    }
    return -1;
}

static void begin_beside(edits *e, const variable *v, const statement *st, int s) {
    const int p = edits_place_of(e, st->first, st->end - 1);
    const expression *x = p >= 0 ? e->places[p].tree : NULL;
    if (!x || x->kind != E_ASSIGN || !is(&e->u, x->op, "=") || x->op_end != x->op + 1) return;
    const int at = sister_in(e, v, x->a);
    if (at < 0) return;
    const char *left =
        format(&e->u, "%s%s%s", edits_text(e, x->a->first, at), v->name, edits_text(e, at + 1, x->a->end));
    const bool four = v->type.base == BASE_STRUCT;
    edits_insert(e, s, false, SUM, "begins",
                 format(&e->u, "%s = %s;", left, four ? "make_float4(0.0f, 0.0f, 0.0f, 0.0f)" : "0.0f"));
    if (!four) edits_insert(e, s, false, MAXIMUM, "begins", format(&e->u, "%s = -INFINITY;", left));
}

void edits_change_begins(edits *e) {
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        const bool four = v->type.base == BASE_STRUCT && v->type.word && !strcmp(v->type.word, "float4");
        if ((v->type.base != BASE_FLOAT && !four) || v->is_parameter || v->is_global || v->value > 0 ||
            !(v->owner || v->type.pointers) || !is_never_begun(e, v) || (v->owner && is_listed_at_once(e, v->owner)))
            continue;
        for (int s = 0; s < e->n_statements; s++) {
            const statement *st = &e->statements[s];
            if (st->kind == S_EXPRESSION && st->listed && !st->fixed && edits_wanted(e, s) &&
                e->functions[st->function].device)
                begin_beside(e, v, st, s);
        }
    }
}
