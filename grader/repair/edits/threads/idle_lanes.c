// idle_lanes.c: a lane without dims of its own adds 0 to what its group adds up; a question says elsewhere which lanes have
// some.
//
//     const bool has = lane < quads;
//     s = warp_sum(dot(q, k));            s = warp_sum(has ? dot(q, k) : 0.0f);
//     if (lane < quads) o[lane] = ...;    s = warp_sum(lane < quads ? dot(q, k) : 0.0f);
#include "edits.h"
#include "reducers.h"

#include <string.h>

enum { FLAG = 4, ASKED = 5 };  // ranks

static bool is_bool(const edits *e, const variable *v) {
    return !v->is_parameter && !v->is_global && v->declared > 0 && is(&e->u, v->declared - 1, "bool");
}

static void add_for(edits *e, int place, const expression *x, int rank, const char *asks) {
    edits_replace(e, place, rank, "idle lanes", x->first, x->end, "%s ? %s : 0.0f", asks, edits_text_of(e, x));
}

// lane < quads, and no more.
static bool asks_lane(const edits *e, const ingredient *g) {
    const unit *u = &e->u;
    if (g->kind != I_CONDITION || g->end - g->first != 3 || !is(u, g->first + 1, "<")) return false;
    const token *t = &u->tokens[g->first];
    const variable *v = t->kind == TOKEN_NAME ? edits_visible(e, t->at, t->length, g->first) : NULL;
    return v && !v->is_loop && edits_is_of_block(e, v);
}

void edits_change_idle_lanes(edits *e, int place, const expression *x) {
    const reducer *list;
    const function *f = &e->functions[e->statements[e->places[place].statement].function];
    if (x->kind != E_CALL || !x->arguments || x->arguments->next || !f->device) return;
    const expression *given = x->arguments;
    if (edits_type_of(e, given).base != BASE_FLOAT || edits_type_of(e, given).pointers) return;
    bool sums = false;
    for (int i = 0, n = edits_reducers(e, &list); i < n; i++)
        sums |= is(&e->u, x->a->first, list[i].function->name) && list[i].kind != A_MAXIMUM;
    if (!sums) return;
    for (int i = 0; i < e->n_variables; i++)
        if (is_bool(e, &e->variables[i]) && edits_sees(e, &e->variables[i], given->first))
            add_for(e, place, given, FLAG, e->variables[i].name);
    for (int i = 0; i < e->n_ingredients; i++)
        if (asks_lane(e, &e->ingredients[i]) && edits_usable(e, &e->ingredients[i], given->first))
            add_for(e, place, given, ASKED, e->ingredients[i].text);
}
