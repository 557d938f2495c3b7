// hoisted.c: what is made of the first of many before a loop is made of the one of the round.
//
//     const float inv = 1 / l[0]; for (r ...) o[r] *= inv;          (1 / l[r])
#include "edits.h"

enum { OF_ROUND = 5, LONGEST = 16 };  // a rank; tokens of what is written out

// Its first value, with [counter] in the place of [0]; NULL: it has none.
static const char *of_round(edits *e, const variable *v, const char *counter) {
    const unit *u = &e->u;
    for (int i = v->value; i + 1 < v->value_end; i++)
        if (is(u, i - 1, "[") && is(u, i, "0") && is(u, i + 1, "]"))
            return format(&e->u, "%s%s%s", edits_text(e, v->value, i), counter, edits_text(e, i + 1, v->value_end));
    return NULL;
}

void edits_change_hoisted(edits *e, int place, const expression *x) {
    const token *t = &e->u.tokens[x->first];
    const variable *v = x->kind == E_NAME ? edits_visible(e, t->at, t->length, x->first) : NULL;
    if (!v || v->value <= 0 || v->is_loop || v->is_global || v->type.pointers || v->value_end - v->value > LONGEST ||
        !edits_is_real(v->type) || edits_is_set(e, x))
        return;
    for (int s = e->places[place].statement; s >= 0; s = e->statements[s].parent) {
        const statement *loop = &e->statements[s];
        const int body = loop->body >= 0 ? e->statements[loop->body].first : loop->end;
        for (int i = 0; loop->kind == S_LOOP && v->declared < loop->first && i < e->n_variables; i++) {
            const variable *c = &e->variables[i];
            if (!c->is_loop || c->declared < loop->first || c->declared >= body) continue;
            const char *text = of_round(e, v, c->name);
            if (text) edits_replace(e, place, OF_ROUND, "of the round", x->first, x->end, "(%s)", text);
        }
    }
}
