// total.c: what is stored is not divided by the sum.
//
//     O[d] = o;                   O[d] = o / l;
//     y[c] = y[c];                y[c] = y[c] / total;
//     o[d] = acc[d];              o[d] = acc[d] / st[r].sum; a field of a state that nobody reads
//     o[d] = st.acc[d] / part;    o[d] = st.acc[d] / st.sum; the state of which it is a part has a sum that nobody reads
#include "edits.h"

#include <string.h>

enum { TOTAL = 16, UNREAD = 3 };  // ranks

static bool is_sum_by_name(const char *name) {
    static const char *const words[] = {"sum", "total", "mass", "den", "norm", NULL};
    for (int i = 0; words[i]; i++)
        if (strstr(name, words[i])) return true;
    return !strcmp(name, "l") || !strcmp(name, "z");
}

static bool is_changed_at(const edits *e, int i) {
    const unit *u = &e->u;
    return is(u, i + 1, "=") || adjacent(u, i + 1, "+=") || adjacent(u, i + 1, "*=");
}

// s->sum = s->sum * f + more: it is read for itself alone.
static bool is_read_field(const edits *e, const variable *f) {
    const unit *u = &e->u;
    for (int i = 1; i < u->token_count; i++) {
        if (!is(u, i, f->name) || !(is(u, i - 1, ".") || is(u, i - 1, "->")) || is_changed_at(e, i)) continue;
        int k = i;
        while (k > 0 && !is_any(u, k, (const char *const[]){";", "{", "}", NULL}) &&
               !(is(u, k, f->name) && is_changed_at(e, k)))
            k--;
        if (!is(u, k, f->name)) return true;
    }
    return false;
}

static void by_field(edits *e, int place, const expression *x, const char *text, const variable *f) {
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (v->type.base != BASE_STRUCT || !v->type.word || strcmp(v->type.word, f->owner) || v->type.pointers > 1 ||
            !edits_sees(e, v, x->first))
            continue;
        edits_replace(e, place, UNREAD, "divisor", x->first, x->end, "%s / %s%s%s", text, v->name,
                      v->type.pointers ? "->" : ".", f->name);
        for (int k = 0; v->type.pointers && k < e->n_variables; k++)
            if (e->variables[k].is_loop && edits_sees(e, &e->variables[k], x->first))
                edits_replace(e, place, UNREAD, "divisor", x->first, x->end, "%s / %s[%s].%s", text, v->name,
                              e->variables[k].name, f->name);
    }
}

// a / b becomes a / st.sum, where st is in scope and nobody reads its sum.
static void by_its_own_sum(edits *e, int place, const expression *x) {
    if (!is_operator(e, x, "/") || !edits_is_real(edits_type_of(e, x))) return;
    for (int i = 0; i < e->n_variables; i++) {
        const variable *f = &e->variables[i];
        if (!f->owner || !edits_is_real(f->type) || f->type.pointers || is_read_field(e, f)) continue;
        for (int k = 0; k < e->n_variables; k++) {
            const variable *v = &e->variables[k];
            if (v->type.base == BASE_STRUCT && v->type.word && !strcmp(v->type.word, f->owner) &&
                v->type.pointers < 2 && edits_sees(e, v, x->first))
                edits_replace(e, place, UNREAD, "divisor", x->b->first, x->b->end, "%s%s%s", v->name,
                              v->type.pointers ? "->" : ".", f->name);
        }
    }
}

void edits_change_total(edits *e, int place, expression *x) {
    const expression *up = x->parent;
    by_its_own_sum(e, place, x);
    const bool stored = up && up->kind == E_ASSIGN && up->b == x && is(&e->u, up->op, "=") && up->a->kind == E_INDEX;
    if (!stored || !edits_is_real(edits_type_of(e, x)) || is_operator(e, x, "/")) return;
    const char *text =
        x->kind == E_BINARY || x->kind == E_TERNARY ? format(&e->u, "(%s)", edits_text_of(e, x)) : edits_text_of(e, x);
    for (int i = 0; i < e->n_ingredients; i++) {
        const ingredient *g = &e->ingredients[i];
        const char *name = strrchr(g->text, '.') ? strrchr(g->text, '.') + 1 : g->text;
        if (g->kind == I_ATOM && edits_is_real(g->type) && !strchr(text, '/') && edits_usable(e, g, x->first) &&
            is_sum_by_name(name) && strcmp(g->text, text))
            edits_replace(e, place, TOTAL, "divisor", x->first, x->end, "%s / %s", text, g->text);
    }
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (v->owner && edits_is_real(v->type) && is_sum_by_name(v->name) && !is_read_field(e, v))
            by_field(e, place, x, text, v);
        if (edits_is_real(v->type) && edits_sees(e, v, x->first) && is_sum_by_name(v->name) && strcmp(v->name, text))
            edits_replace(e, place, TOTAL, "divisor", x->first, x->end, "%s / %s", text, v->name);
    }
}
