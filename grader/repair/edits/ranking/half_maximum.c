// half_maximum.c: a maximum that is raised, x = a > x ? a : x or if (a > x) x = a, asks for the same number that it takes.
// A change of one of the two alone breaks it: x becomes what the other one was compared for, or what it was not. With
// s[c] > top ? m : top a maximum is m wherever some score is more than the first, and so hides which one was meant. So does
// fmaxf(top, m) in place of fmaxf(top, s[c]) in a loop over c.
#include "edits.h"

#include <string.h>

// Both sides of a comparison; 0: it is none.
static bool compares(const edits *e, const expression *x, const expression *side[2]) {
    const expression *bare = x ? edits_bare(x) : NULL;
    if (!bare || !is_operator(e, bare, "< > <= >=")) return false;
    side[0] = edits_bare(bare->a), side[1] = edits_bare(bare->b);
    return true;
}

static bool reads_like(const edits *e, const expression *a, const expression *b) {
    const int n = a->end - a->first;
    return n == b->end - b->first && edits_same(&e->u, a->first, b->first, n);
}

static bool are_pair(const edits *e, const expression *const side[2], const expression *x, const expression *y) {
    return (reads_like(e, side[0], x) && reads_like(e, side[1], y)) ||
           (reads_like(e, side[0], y) && reads_like(e, side[1], x));
}

// x = a > x ? a : x
static bool raises(const edits *e, const expression *x) {
    const expression *side[2], *value = x && x->kind == E_ASSIGN && x->op_end == x->op + 1 ? edits_bare(x->b) : NULL;
    if (!value || value->kind != E_TERNARY || !compares(e, value->a, side)) return false;
    return are_pair(e, side, edits_bare(value->b), edits_bare(value->c)) &&
           (reads_like(e, edits_bare(value->b), x->a) || reads_like(e, edits_bare(value->c), x->a));
}

static const place *of_statement(const edits *e, int s, place_kind kind) {
    for (int p = 0; p < e->n_places; p++)
        if (e->places[p].statement == s && e->places[p].kind == kind) return &e->places[p];
    return NULL;
}

// if (a > x) x = a; where `s` is either of the two.
static bool raises_if(const edits *e, int s) {
    const statement *st = &e->statements[s];
    int asked = st->kind == S_IF ? s : st->parent, set = st->kind == S_IF ? -1 : s;
    if (asked >= 0 && e->statements[asked].kind == S_BLOCK) asked = e->statements[asked].parent;
    if (asked < 0 || e->statements[asked].kind != S_IF) return false;
    for (int k = asked + 1; set < 0 && k < e->n_statements && e->statements[k].first < e->statements[asked].end; k++)
        if (e->statements[k].kind == S_EXPRESSION) set = k;
    const place *condition = of_statement(e, asked, P_CONDITION),
                *value = set < 0 ? NULL : of_statement(e, set, P_STATEMENT);
    const expression *side[2], *x = value ? value->tree : NULL;
    return condition && x && x->kind == E_ASSIGN && x->op_end == x->op + 1 && compares(e, condition->tree, side) &&
           are_pair(e, side, edits_bare(x->a), edits_bare(x->b));
}

// Within one side of what is compared, or within the value: its operator, and what is set, stay.
static bool is_in_operand(const change *c, const expression *x) {
    for (; x && x->kind == E_TERNARY && x->a; x = edits_bare(x->a)) {
        if (c->first >= x->b->first) return c->end <= x->b->end || c->first >= x->c->first;
        if (c->end > x->a->end) return false;
    }
    if (!x || x->kind != E_BINARY) return true;
    return c->end <= x->op || c->first >= x->op_end;
}

// m = fmaxf(m, s[c]) without its c: what each round of a loop compares it with is the same.
static bool compares_with_same(const edits *e, const change *c, const expression *x) {
    const expression *call = x && x->kind == E_ASSIGN && x->op_end == x->op + 1 ? edits_bare(x->b) : NULL;
    if (!call || call->kind != E_CALL || !edits_says_maximum(&e->u.tokens[call->first]) || c->first <= call->op)
        return false;
    bool own = false, counted = false, still = false;
    for (int i = call->op_end; i < call->end; i++) {
        const token *t = &e->u.tokens[i];
        const variable *v = is_name(&e->u, i) ? edits_visible(e, t->at, t->length, i) : NULL;
        const bool counts = v && v->is_loop && edits_is_whole(v->type), goes = i >= c->first && i < c->end;
        own |= edits_same(&e->u, i, x->a->first, 1) && !goes;
        counted |= counts && goes, still |= counts && !goes;
        for (const char *at = counts && goes ? c->new_shown : NULL; at && (at = strstr(at, v->name)); at++)
            still = true;
    }
    return own && counted && !still;
}

static bool breaks(const edits *e, const change *c) {
    if (c->place < 0 || c->n_more || c->each || c->remove >= 0 || c->insert >= 0) return false;
    const place *p = &e->places[c->place];
    const expression *x = p->tree;
    if (p->kind == P_STATEMENT && x && x->kind == E_ASSIGN) {
        if (!edits_is_real(edits_type_of((edits *)e, x->a)) || c->first < x->op_end) return false;
        if (compares_with_same(e, c, x)) return true;
        if (raises(e, x)) return c->end - c->first < x->b->end - x->b->first && is_in_operand(c, edits_bare(x->b));
        return raises_if(e, p->statement);
    }
    return p->kind == P_CONDITION && x && is_in_operand(c, edits_bare(x)) && raises_if(e, p->statement) &&
           edits_is_real(edits_type_of((edits *)e, edits_bare(x)->a));
}

// Both halves may be wrong in the same way: the change of both is made of that of one, and so comes before this.
void edits_drop_half_maxima(edits *e) {
    int kept = 0;
    for (int i = 0; i < e->n_changes; i++)
        if (!breaks(e, &e->changes[i])) e->changes[kept++] = e->changes[i];
    e->n_changes = kept;
}
