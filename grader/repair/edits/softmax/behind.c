// behind.c: what a loop sums up is scaled or stored behind that loop, once, and not in each of its rounds.
//
//     for (p) { for (l) sum += a[l] * b[l]; sum *= alpha; __syncthreads(); }            sum *= alpha; behind it
//     for (k) { for (r) sum[r] += A[r][k] * b; for (r) C[r * n] += sum[r]; }            so the loop that stores
#include "edits.h"

#include <string.h>

enum { BEHIND = 4, LONG = 80 };  // rank; tokens

static int set_name(const edits *e, const expression *x) {
    for (int i = x->a->first; i < x->a->end; i++)
        if (e->u.tokens[i].kind == TOKEN_NAME && edits_visible(e, e->u.tokens[i].at, e->u.tokens[i].length, i))
            return i;
    return -1;
}

static bool names(const edits *e, int token, int first, int end) {
    for (int i = first; i < end; i++)
        if (e->u.tokens[i].kind == TOKEN_NAME && edits_same(&e->u, i, token, 1)) return true;
    return false;
}

// Is it a sum of the function's own, that begins before the loop?
static bool is_sum(edits *e, const expression *x, int name, const statement *loop) {
    const token *t = &e->u.tokens[name];
    const variable *v = edits_visible(e, t->at, t->length, name);
    return v && !v->is_parameter && !v->is_global && v->declared >= 0 && v->declared < loop->first &&
           v->type.base != BASE_INT && adjacent(&e->u, x->op, "+=");
}

// Is the name set in the loop, outside of s?
static bool is_set_in(const edits *e, int name, const statement *loop, const statement *s) {
    static const char *const sets[] = {"+=", "-=", "*=", "/=", "++", "--", NULL};
    const unit *u = &e->u;
    for (int i = loop->first; i < loop->end; i++) {
        if (i == s->first) i = s->end;
        if (i >= loop->end || u->tokens[i].kind != TOKEN_NAME || !edits_same(u, i, name, 1)) continue;
        int k = i + 1;
        while (is(u, k, "[")) k = u->tokens[k].match + 1;
        if (is(u, k, "=") && !adjacent(u, k, "==")) return true;
        for (int o = 0; sets[o]; o++)
            if (adjacent(u, k, sets[o]) || (o > 3 && adjacent(u, i - 2, sets[o]))) return true;
    }
    return false;
}

// Does all that s reads, but for the sum and its own counters, stay as it is from round to round? *out++ does not.
static bool is_constant(const edits *e, const statement *s, int sum, const statement *loop) {
    for (int i = s->first; i < s->end; i++) {
        const token *t = &e->u.tokens[i];
        const variable *v = t->kind == TOKEN_NAME ? edits_visible(e, t->at, t->length, i) : NULL;
        if (!v || v->declared >= s->first || edits_same(&e->u, i, sum, 1)) continue;
        const bool walks = v->type.pointers && (adjacent(&e->u, i + 1, "++") || adjacent(&e->u, i - 2, "++"));
        if (walks || v->declared >= loop->first || is_set_in(e, i, loop, s)) return false;
    }
    return true;
}

// Does s scale the sum, or store it elsewhere?
static bool ends_sum(edits *e, const statement *s, int sum) {
    bool found = false;
    for (int p = 0; p < e->n_places; p++) {
        const place *at = &e->places[p];
        const expression *x = at->kind == P_STATEMENT ? at->tree : NULL;
        if (!x || x->kind != E_ASSIGN || at->first < s->first || at->end > s->end) continue;
        const int name = set_name(e, x);
        if (name < 0) return false;
        if (edits_same(&e->u, name, sum, 1)) {
            if (!adjacent(&e->u, x->op, "*=") && !adjacent(&e->u, x->op, "/=")) return false;
            found = true;
        } else {
            const bool memory = x->a->kind == E_INDEX || x->a->kind == E_UNARY || x->a->kind == E_CALL;
            found |= memory && x->b && names(e, sum, x->b->first, x->b->end);
        }
    }
    return found;
}

// The loop of whose rounds each ends the sum with s, though it goes on; -1: none. sum: its name.
static int ended_in(edits *e, int s, int *sum) {
    const statement *st = &e->statements[s];
    const int block = st->parent, loop = block >= 0 ? e->statements[block].parent : -1;
    if (!st->listed || st->fixed || (st->kind != S_EXPRESSION && st->kind != S_LOOP) || st->end - st->first > LONG ||
        loop < 0 || e->statements[loop].kind != S_LOOP || !e->statements[loop].listed)
        return -1;
    const statement *around = &e->statements[loop];
    for (int p = 0; p < e->n_places; p++) {
        const place *at = &e->places[p];
        const expression *x = at->kind == P_STATEMENT ? at->tree : NULL;
        if (!x || x->kind != E_ASSIGN || at->first < around->first || at->end > st->first) continue;
        *sum = set_name(e, x);
        if (*sum >= 0 && is_sum(e, x, *sum, around) && ends_sum(e, st, *sum) && is_constant(e, st, *sum, around))
            return loop;
    }
    return -1;
}

void edits_change_behind(edits *e, int s) {
    int sum;
    const int loop = ended_in(e, s, &sum);
    if (loop >= 0) edits_move_behind(e, s, loop, BEHIND);
}

// The sums that end in each round, looked for once.
enum { MOST = 16 };
typedef struct {
    int statement, loop, sum;
} ended;

static int all_ended(edits *e, ended list[MOST]) {
    int n = 0;
    for (int s = 0; s < e->n_statements && n < MOST; s++) {
        int sum = -1;
        const int loop = ended_in(e, s, &sum);
        list[n] = (ended){s, loop, sum};
        n += loop >= 0;
    }
    return n;
}

// sum = in place of sum +=, or a sum that begins anew in each round, hides that it is stored in each.
static bool hides(edits *e, const ended *x, const change *c) {
    const int at = c->place >= 0 ? e->places[c->place].statement : c->insert;
    const statement *loop = &e->statements[x->loop];
    if (at < 0 || c->remove == x->statement || e->statements[at].first < loop->first + 1 ||
        e->statements[at].end > loop->end)
        return false;
    if (c->place >= 0)
        return adjacent(&e->u, c->first, "+=") && !strcmp(c->new_shown, "=") &&
               names(e, x->sum, e->places[c->place].first, c->first);
    const token *t = &e->u.tokens[x->sum];
    const char *name = strstr(c->inserted, format(&e->u, "%.*s", t->length, t->at));
    const char *value = name ? strstr(name, " = ") : NULL;
    return value && strchr(value, '0');
}

void edits_drop_hidden_stores(edits *e) {
    ended list[MOST];
    const int n = all_ended(e, list);
    int kept = 0;
    for (int i = 0; i < e->n_changes; i++) {
        bool gone = false;
        for (int k = 0; k < n && !gone; k++) gone = hides(e, &list[k], &e->changes[i]);
        if (!gone) e->changes[kept++] = e->changes[i];
    }
    e->n_changes = kept;
}
