// early.c: what is read before it is ready: the statement that sets it stands behind the one that counts with it.
//
//     float *L = work + rows * parts;        if (parts == 0) parts = 8;
//     if (parts == 0) parts = 8;             float *L = work + rows * parts;
//
//     const float all = part[0];             for (int n = SIZE / 2; n > 0; n /= 2) part[t] += part[t + n];
#include "edits.h"

enum { EARLY = 3, STALE = 5, MOST_BEFORE = 6 };  // ranks; statements

// The name of a whole number that the statement sets: itself, or an `if` around that alone; -1: it sets none.
static int number_set(edits *e, int s) {
    const statement *st = &e->statements[s];
    if (!st->listed || (st->kind != S_IF && st->kind != S_EXPRESSION)) return -1;
    for (int p = 0; p < e->n_places; p++) {
        const place *at = &e->places[p];
        const expression *x = at->tree;
        const int own = at->statement;
        const bool here = own == s || (st->kind == S_IF && e->statements[own].end == st->end);
        if (!here || at->kind != P_STATEMENT || at->first < st->first || at->end > st->end || !x ||
            x->kind != E_ASSIGN || x->op_end != x->op + 1 || x->a->kind != E_NAME)
            continue;
        if (edits_is_whole(edits_type_of(e, x->a))) return x->a->first;
    }
    return -1;
}

static bool reads(const edits *e, int s, int name) {
    const statement *st = &e->statements[s];
    for (int i = st->first; i < st->end; i++)
        if (edits_same(&e->u, i, name, 1) && !is(&e->u, i - 1, ".") && !is(&e->u, i - 1, "->") &&
            !edits_assigns(&e->u, i + 1))
            return true;
    return false;
}

// for (c ...) if (s[c] > m) m = s[c];  const float before = m;     is to be kept before the loop that sets m
static void keep_before(edits *e, int s) {
    const statement *st = &e->statements[s];
    const expression *x = NULL;
    if (st->kind != S_DECLARATION || !st->listed || !edits_wanted(e, s)) return;
    for (int p = 0; p < e->n_places; p++)
        if (e->places[p].statement == s && e->places[p].kind == P_VALUE) {
            if (x) return;  // of one alone
            x = e->places[p].tree;
        }
    if (!x || (x->kind != E_NAME && x->kind != E_INDEX && x->kind != E_MEMBER) || !edits_is_real(edits_type_of(e, x)))
        return;
    const int n = x->end - x->first;
    int before = -1, next = -1;  // a declaration stays where it is: what sets x moves behind it
    for (int k = 0; k < e->n_statements; k++) {
        if (e->statements[k].parent != st->parent || !e->statements[k].listed) continue;
        if (e->statements[k].end == st->first) before = k;
        if (e->statements[k].first == st->end) next = k;
    }
    if (before < 0 || next < 0 || e->statements[before].kind == S_DECLARATION) return;
    for (int i = e->statements[before].first; i + n < e->statements[before].end; i++)
        if (edits_same(&e->u, i, x->first, n) && edits_assigns(&e->u, i + n)) {
            edits_move(e, before, next, false, EARLY, "moved");
            return;
        }
}

// const float p = expf(x - st.max); if (x > st.max) st.raise(x);     what the second one is about is read by the first
static bool is_stale_behind(const edits *e, int s, int next) {
    const statement *a = &e->statements[s], *b = &e->statements[next];
    const unit *u = &e->u;
    bool reads = false, own = false;
    if (b->kind != S_IF && b->kind != S_EXPRESSION) return false;
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (v->declared < 0 || v->is_const || v->type.pointers) continue;
        const bool declared = a->first <= v->declared && v->declared < a->end;
        bool in_a = false, in_b = false, acts = false;
        for (int k = a->first; k < a->end; k++) in_a |= is(u, k, v->name) && edits_sees(e, v, k);
        for (int k = b->first; k < b->end; k++) {
            const bool it = is(u, k, v->name) && edits_sees(e, v, k) && !is(u, k - 1, ".");
            in_b |= it;
            acts |= it && (edits_assigns(u, k + 1) || (is(u, k + 1, ".") && is(u, k + 3, "(")));
        }
        own |= declared && in_b;
        reads |= !declared && in_a && acts;
    }
    for (int i = a->first; i < a->end; i++)  // a constant of this statement
        for (int k = b->first; k < b->end; k++)
            own |= is_name(u, i) && is(u, i + 1, "=") && edits_same(u, i, k, 1) && !is(u, k - 1, ".");
    return reads && !own;
}

static void set_before_read(edits *e, int s) {
    const statement *st = &e->statements[s];
    if (st->kind != S_DECLARATION || !st->listed || !edits_wanted(e, s)) return;
    for (int k = s + 1; k < e->n_statements && e->statements[k].first <= st->end; k++)
        if (e->statements[k].listed && e->statements[k].first == st->end && e->statements[k].parent == st->parent &&
            is_stale_behind(e, s, k))
            edits_move(e, k, s, false, STALE, "moved");
}

// What stands in [ ], behind the array's name at i, is assigned to.
static bool sets_element(const unit *u, int i) {
    return is(u, i + 1, "[") && u->tokens[i + 1].match > i && edits_assigns(u, u->tokens[i + 1].match + 1);
}

// const float all = part[0]; for (n ...) part[t] += part[t + n];     an element is read before the loop that makes it
static void made_before_read(edits *e, int s) {
    const statement *st = &e->statements[s];
    const unit *u = &e->u;
    const int next = edits_next(e, s);
    if (st->kind != S_DECLARATION || !st->listed || next < 0 || !edits_wanted(e, s)) return;
    const statement *loop = &e->statements[next];
    if (loop->kind != S_LOOP || !loop->listed) return;
    bool makes = false;
    for (int i = st->first; i < st->end; i++)
        for (int k = loop->first; k < loop->end; k++) {
            if (!is_name(u, i) || !edits_same(u, i, k, 1)) continue;
            if (is(u, i + 1, "=")) return;  // the loop reads what is declared
            makes |= is(u, i + 1, "[") && sets_element(u, k);
        }
    if (makes) edits_move(e, next, s, false, STALE, "moved");
}

void edits_change_early(edits *e) {
    for (int s = 0; s < e->n_statements; s++) keep_before(e, s), set_before_read(e, s), made_before_read(e, s);
    for (int s = 0; s < e->n_statements; s++) {
        const int name = edits_wanted(e, s) ? number_set(e, s) : -1;
        int n = 0;
        for (int k = s - 1; k >= 0 && name >= 0 && n < MOST_BEFORE; k--) {
            const statement *before = &e->statements[k];
            if (before->parent != e->statements[s].parent || !before->listed) continue;
            n++;
            if ((before->kind == S_DECLARATION || before->kind == S_EXPRESSION) && reads(e, k, name))
                edits_move(e, s, k, false, EARLY, "moved");
        }
    }
}
