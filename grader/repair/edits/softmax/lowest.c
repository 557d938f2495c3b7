// lowest.c: a maximum that another function makes begins with what it is handed: no 0, which is more than many a score.
//
//     fold(0.0f, n, [=](float m, int c) { return fmaxf(m, s[c]); })      fold(-INFINITY, ...
//     reduce(s, n, 0, larger), largest(0, s, n)
//     s[c] = seen ? dot : 0.0f                                           -INFINITY: 0 is a score like any other
//     float top = 0; ... top = larger(top, s[j]);      top = m, where m = -INFINITY is the maximum so far
#include "edits.h"

enum { LOWEST = 3, SO_FAR = 4, MASKED = 14 };  // ranks

// top = f(top, ...), where f is a maximum.
static bool is_maximised(const edits *e, const variable *v) {
    const unit *u = &e->u;
    for (int i = v->value_end; i < v->to && i + 4 < u->token_count; i++)
        if (is(u, i, v->name) && is(u, i + 1, "=") && edits_says_maximum(&u->tokens[i + 2]) && is(u, i + 3, "("))
            return true;
    return false;
}

static bool begins_lowest(const edits *e, const variable *v) {
    return v->value > 0 && v->value_end == v->value + 2 && is(&e->u, v->value + 1, "INFINITY");
}

static void begins_so_far(edits *e, int place, const expression *x) {
    const variable *v = NULL;
    for (int i = 0; i < e->n_variables && !v; i++)
        if (e->variables[i].value == x->first && e->variables[i].value_end == x->end) v = &e->variables[i];
    if (!v || !edits_is_real(v->type) || v->is_const || !is_maximised(e, v)) return;
    for (int i = 0; i < e->n_variables; i++) {
        const variable *m = &e->variables[i];
        if (m != v && edits_is_real(m->type) && edits_sees(e, m, x->first) && begins_lowest(e, m))
            edits_replace(e, place, SO_FAR, "begun", x->first, x->end, "%s", m->name);
    }
}

void edits_change_lowest(edits *e, int place, const expression *x) {
    static const char *const zeros[] = {"0", "0.0f", "0.f", "0.0", "0.", NULL};
    static const char *const own[] = {"fmaxf", "max", "fmax", "MAX", NULL};  // of x and 0 it is meant
    if (e->cuda && x->kind == E_NUMBER && !x->parent && is_any(&e->u, x->first, zeros)) begins_so_far(e, place, x);
    const expression *up = x->parent;
    if (x->kind == E_NUMBER && is_any(&e->u, x->first, zeros) && up && up->kind == E_TERNARY && up->a != x &&
        edits_is_real(edits_type_of(e, up)))
        edits_replace(e, place, MASKED, "hidden", x->first, x->end, "-INFINITY");
    if (x->kind != E_CALL || is_any(&e->u, x->first, own)) return;
    bool maximum = false;
    for (int i = x->first; i < x->end; i++) maximum |= edits_says_maximum(&e->u.tokens[i]);
    for (const expression *a = x->arguments; a && maximum; a = a->next)
        if (a->kind == E_NUMBER && is_any(&e->u, a->first, zeros))
            edits_replace(e, place, LOWEST, "constant", a->first, a->end, "-INFINITY");
}
