// follows.c: one piece of memory in several parts: where one of them begins as far behind the one before as others do; C
// alone.
//
//     *k = q + n, *v = k + n, *o = v;          v + n
//     s->acc = s->logits + bq * wide; s->mx = s->acc;          s->acc + bq * dim, and the like
//     S = malloc((scores + output + keys) * 4), O = S + scores, Kt = O + keys;         O + output
//     return br * bc + br * (D + 1) + br;  ...  t.acc = t.S + br * bc;  t.m = t.acc + br * bc;   t.acc + br * (D + 1)
#include "edits.h"

#include <string.h>

enum { NEXT = 3, PART = 6, MOST = 4, TERMS = 8 };  // ranks, how many lengths

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

static int terms_of(const edits *e, const expression *x, const expression *term[TERMS], int n) {
    if (is_operator(e, x, "+")) return terms_of(e, x->b, term, terms_of(e, x->a, term, n));
    if (n < TERMS) term[n] = x;
    return n < TERMS ? n + 1 : n;
}

// The longest sum in a tree of whole numbers; NULL: there is none.
static const expression *sum_in(const edits *e, const expression *x) {
    if (!x || (x->kind != E_BINARY && x->kind != E_CAST && x->kind != E_ASSIGN && x->kind != E_CALL)) return NULL;
    if (is_operator(e, x, "+")) return x;
    for (const expression *a = x->arguments; a; a = a->next) {
        const expression *sum = sum_in(e, a);
        if (sum) return sum;
    }
    const expression *sum = sum_in(e, x->a);
    return sum ? sum : sum_in(e, x->b);
}

// P + br * bc, where a sum of sizes has br * bc among others: by one of those.
static void other_term(edits *e, int place, const expression *x) {
    if (!is_operator(e, x, "+") || (x->a->kind != E_NAME && x->a->kind != E_MEMBER)) return;
    const int n = x->b->end - x->b->first;
    for (int k = 0; k < e->n_places; k++) {
        const expression *sum = k != place ? sum_in(e, e->places[k].tree) : NULL, *term[TERMS];
        if (!sum || edits_type_of(e, sum).pointers) continue;
        const int terms = terms_of(e, sum, term, 0);
        bool same = false;
        for (int i = 0; i < terms; i++)
            same |= term[i]->end - term[i]->first == n && edits_same(&e->u, term[i]->first, x->b->first, n);
        for (int i = 0; i < terms && same && terms > 2; i++) {
            const ingredient other = {.first = term[i]->first, .end = term[i]->end};
            if ((other.end - other.first != n || !edits_same(&e->u, other.first, x->b->first, n)) &&
                edits_usable(e, &other, x->first))
                edits_replace(e, place, PART, "room", x->b->first, x->b->end, "%s", edits_text_of(e, term[i]));
        }
    }
}

void edits_change_follows(edits *e) {
    for (int p = 0; p < e->n_places; p++) {
        const expression *x = begun_with(e, p);
        if (x && edits_wanted(e, e->places[p].statement)) other_part(e, p, x), other_term(e, p, x);
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
