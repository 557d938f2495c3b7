// indexed.c: an array that has one counter as its subscript everywhere else in the function, and another one here; of
// two arrays each with the other's.
//
//     x[a] = ...; y[b] = ...; sum[a][b] += x[b] * y[a];      x[a] * y[b]
//     l[r] = 0.0f; ... O[d] / l[d]                           O[d] / l[r]
#include "edits.h"

#include <string.h>

enum { ONE = 5, BOTH = 3 };  // ranks

static const variable *named(const edits *e, int token, int at) {
    return edits_visible(e, e->u.tokens[token].at, e->u.tokens[token].length, at);
}

// The token that is the subscript of this array wherever else the function has it; -1: there are several, or none.
static int usual(const edits *e, const expression *x, const function *f, int *times) {
    const unit *u = &e->u;
    const int array = x->a->first;
    const variable *v = named(e, array, array);
    int token = -1;
    *times = 0;
    for (int i = f->body; v && i + 3 < f->end; i++) {
        const bool it = i != array && edits_same(u, i, array, 1) && is(u, i + 1, "[") && !is(u, i - 1, ".");
        if (!it || i == v->declared || named(e, i, i) != v) continue;
        if (!is_name(u, i + 2) || !is(u, i + 3, "]") || (token >= 0 && !edits_same(u, token, i + 2, 1))) return -1;
        token = i + 2, (*times)++;
    }
    return token;
}

void edits_change_indexed(edits *e, int place) {
    const statement *st = &e->statements[e->places[place].statement];
    const function *f = &e->functions[st->function];
    subscripts all = {.n = 0};
    int other[EDITS_MOST_SUBSCRIPTS], times;
    edits_subscripts(e->places[place].tree, &all);
    for (int i = 0; i < all.n; i++) {
        other[i] = usual(e, all.list[i], f, &times);
        const expression *by = all.list[i]->b;
        if (other[i] < 0 || edits_same(&e->u, other[i], by->first, 1) || !named(e, other[i], by->first)) {
            other[i] = -1;
            continue;
        }
        if (times > 1)  // with one other use it may be that one
            edits_replace(e, place, ONE, "subscript", by->first, by->end, "%s", edits_text(e, other[i], other[i] + 1));
    }
    for (int i = 0; i < all.n; i++)
        for (int k = 0; k < all.n; k++)
            if (other[i] >= 0 && other[k] >= 0 && all.list[i]->end <= all.list[k]->first &&
                edits_same(&e->u, other[i], all.list[k]->b->first, 1) &&
                edits_same(&e->u, other[k], all.list[i]->b->first, 1))
                edits_swap(e, place, BOTH, "exchanged", all.list[i]->b, all.list[k]->b);
}
