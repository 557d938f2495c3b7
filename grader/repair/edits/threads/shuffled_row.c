// shuffled_row.c: a loop that gets the number of one lane after the other reads the row of that lane, and not the thread's own.
//
//     for (from = 0; from < 32; from++) { w = __shfl_sync(ALL, p, from); v = V + (g * 32 + lane) * D; ... }     + from
#include "edits.h"

enum { ROW = 4 };  // rank

// Is it made of the thread's number?
static bool is_lane(const edits *e, const expression *x) {
    const token *t = &e->u.tokens[x->first];
    const variable *v = edits_visible(e, t->at, t->length, x->first);
    for (int i = v && !v->is_global && !v->is_parameter ? v->value : 0; i && i < v->value_end; i++)
        if (is(&e->u, i, "threadIdx")) return true;
    return false;
}

// The counter of a loop around this token in which a shuffle takes it as the lane; 0: there is none.
static int shuffled_counter(const edits *e, int inner) {
    const unit *u = &e->u;
    for (int at = e->statements[inner].parent; at >= 0; at = e->statements[at].parent) {
        const statement *s = &e->statements[at];
        if (s->kind != S_LOOP || !is(u, s->first, "for")) continue;
        for (int i = s->first; i < s->end; i++) {
            if (!is(u, i, "__shfl_sync") || !is(u, i + 1, "(")) continue;
            const int lane = u->tokens[i + 1].match - 1;
            if (!is_name(u, lane) || !is(u, lane - 1, ",")) continue;
            for (int k = s->first + 2; k < u->tokens[s->first + 1].match; k++)
                if (edits_same(u, k, lane, 1)) return lane;
        }
    }
    return 0;
}

void edits_change_shuffled_rows(edits *e, int place, expression *x) {
    const expression *p = x->parent;
    if (!e->cuda || x->kind != E_NAME) return;
    while (p && (p->kind == E_PAREN || is_operator(e, p, "+"))) p = p->parent;
    if (!is_operator(e, p, "*") || !is_lane(e, x)) return;
    const int counter = shuffled_counter(e, e->places[place].statement);
    if (counter && !edits_same(&e->u, counter, x->first, 1))
        edits_replace(e, place, ROW, "lane", x->first, x->end, "%s", edits_text(e, counter, counter + 1));
}
