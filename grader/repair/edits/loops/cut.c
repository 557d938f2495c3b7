// cut.c: n of them are left, n = min(SIZE, all - first), and all SIZE are taken: in one place, in each loop, in each call.
//
//     for (c = 0; c < SIZE; c++)      c < n, there and in the next loop
//     scores(S, k, SIZE);             scores(S, k, n), and in the next call
#include "edits.h"

#include <string.h>

enum { ALL = 3, ONE = 5, TWO = 4, MOST = 8 };  // ranks; places

typedef enum { BOUND, ARGUMENT, USES } use;

typedef struct {
    replacement at[MOST];
    int n;
} spots;

// SIZE of min(SIZE, x), least(x, SIZE) and SIZE < x ? SIZE : x, in tokens: a name alone. Returns how many there are.
static int limits_of(const edits *e, const variable *v, int found[2]) {
    const unit *u = &e->u;
    int n = 0, depth = 0;
    bool least = false, choice = false;
    for (int i = v->value; i < v->value_end; i++) {
        least |= is_name(u, i) && is(u, i + 1, "(") && i == v->value;
        choice |= is(u, i, "?");
    }
    for (int i = v->value; i < v->value_end && n < 2; i++) {
        depth += is(u, i, "(") - is(u, i, ")");
        if (u->tokens[i].kind != TOKEN_NAME || depth != (least && !choice ? 1 : 0)) continue;
        const bool begins = least ? is(u, i - 1, "(") || is(u, i - 1, ",") : is(u, i - 1, "?") || is(u, i - 1, ":");
        const bool ends = least ? is(u, i + 1, ",") || is(u, i + 1, ")") : is(u, i + 1, ":") || i + 1 == v->value_end;
        if ((least || choice) && begins && ends) found[n++] = i;
    }
    return n;
}

static void collect(edits *e, int place, const expression *x, int limit, const variable *v, spots list[USES]) {
    if (!x) return;
    const expression *up = x->parent;
    if (x->kind == E_NAME && edits_same(&e->u, x->first, limit, 1) && up && edits_sees(e, v, x->first)) {
        const bool bound = up->kind == E_BINARY && up->b == x && !strcmp(edits_operator_text(&e->u, up->op), "<") &&
                           e->places[place].kind == P_CONDITION &&
                           e->statements[e->places[place].statement].kind == S_LOOP;
        const bool argument = up->kind == E_CALL && up->a != x && !up->c;
        spots *s = bound ? &list[BOUND] : &list[ARGUMENT];
        if ((bound || argument) && s->n < MOST) s->at[s->n++] = (replacement){place, x->first, x->end, v->name};
    }
    collect(e, place, x->a, limit, v, list), collect(e, place, x->b, limit, v, list);
    for (const expression *c = x->c; c; c = c->next) collect(e, place, c, limit, v, list);
    for (const expression *c = x->arguments; c; c = c->next) collect(e, place, c, limit, v, list);
}

static void cut(edits *e, const variable *v, int limit) {
    static spots list[USES];
    memset(list, 0, sizeof list);
    for (int p = 0; p < e->n_places; p++)
        if (e->places[p].first > v->value_end && e->places[p].end <= v->to && edits_wanted(e, e->places[p].statement))
            collect(e, p, e->places[p].tree, limit, v, list);
    for (int k = 0; k < USES; k++) {
        const spots *s = &list[k];
        for (int i = 0; i < s->n; i++)
            edits_replace(e, s->at[i].place, ONE, "cut", s->at[i].first, s->at[i].end, "%s", v->name);
        for (int i = 0; i + 1 < s->n; i++)
            if (s->at[i].place != s->at[i + 1].place)
                edits_replace_two(e, s->n == 2 ? ALL : TWO, "cut", &s->at[i], &s->at[i + 1]);
    }
    if (list[BOUND].n == 1 && list[ARGUMENT].n == 1)
        edits_replace_two(e, ALL, "cut", &list[BOUND].at[0], &list[ARGUMENT].at[0]);
}

void edits_change_cut(edits *e) {
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        int limit[2];
        if (v->type.base != BASE_INT || v->type.pointers || v->value_end <= v->value || v->is_global) continue;
        for (int k = 0, n = limits_of(e, v, limit); k < n; k++) cut(e, v, limit[k]);
    }
}
