// follows.c: one piece of memory in several parts: where one of them begins as far behind the one before as others do; C
// alone.
//
//     *k = q + n, *v = k + n, *o = v;          v + n
//     s->acc = s->logits + bq * wide; s->mx = s->acc;          s->acc + bq * dim, and the like
//     S = malloc((scores + output + keys) * 4), O = S + scores, Kt = O + keys;         O + output
#include "edits.h"

#include <string.h>

enum { NEXT = 3, PART = 6, MOST = 4 };  // ranks, how many lengths

// What a pointer begins with, or is set to, in this place; NULL: it is none.
static const expression *begun_with(edits *e, int place) {
    const struct place *p = &e->places[place];
    const expression *x = p->tree;
    if (x && x->kind == E_ASSIGN && x->op_end == x->op + 1) x = edits_type_of(e, x->a).pointers == 1 ? x->b : NULL;
    if (!x || (p->kind != P_VALUE && p->kind != P_STATEMENT)) return NULL;
    return edits_type_of(e, x).pointers == 1 ? x : NULL;
}

// O + keys: by another length of those that the function asks memory for.
static void other_part(edits *e, int place, const expression *x) {
    static const char *const asks[] = {"malloc", "calloc", "aligned_alloc", NULL};
    if (!is_operator(e, x, "+") || x->b->kind != E_NAME || (x->a->kind != E_NAME && x->a->kind != E_MEMBER)) return;
    const function *f = &e->functions[e->statements[e->places[place].statement].function];
    for (int i = f->body; i < f->end; i++) {
        if (!is_any(&e->u, i, asks) || !is(&e->u, i + 1, "(")) continue;
        for (int k = i + 2; k < e->u.tokens[i + 1].match; k++) {
            const token *t = &e->u.tokens[k];
            const variable *v = t->kind == TOKEN_NAME ? edits_visible(e, t->at, t->length, k) : NULL;
            if (v && edits_is_whole(v->type) && edits_sees(e, v, x->first) && !edits_same(&e->u, k, x->b->first, 1))
                edits_replace(e, place, PART, "room", x->b->first, x->b->end, "%s", v->name);
        }
    }
}

void edits_change_follows(edits *e) {
    for (int p = 0; p < e->n_places; p++) {
        const expression *x = begun_with(e, p);
        if (x && edits_wanted(e, e->places[p].statement)) other_part(e, p, x);
        const char *known[MOST];
        int n = 0;
        if (!x || (x->kind != E_NAME && x->kind != E_MEMBER) || !edits_wanted(e, e->places[p].statement)) continue;
        for (int k = 0; k < e->n_places && n < MOST; k++) {
            const bool same =
                e->statements[e->places[k].statement].function == e->statements[e->places[p].statement].function;
            const expression *other = same && k != p ? begun_with(e, k) : NULL;
            if (!other || !is_operator(e, other, "+") || (other->a->kind != E_NAME && other->a->kind != E_MEMBER))
                continue;
            const ingredient names = {.first = other->b->first, .end = other->b->end};
            const char *length = edits_text_of(e, other->b);
            bool again = !edits_usable(e, &names, x->first);
            for (int i = 0; i < n; i++) again |= !strcmp(known[i], length);
            if (again) continue;
            known[n++] = length;
            edits_replace(e, p, NEXT, "room", x->first, x->end, "%s + %s", edits_text_of(e, x), length);
        }
    }
}
