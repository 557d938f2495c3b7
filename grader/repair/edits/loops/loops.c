// loops.c: how a loop walks: from where, in what steps. Both are wrong together where all threads take all
// elements.
#include "edits.h"

#include <string.h>

typedef struct {
    int statement, start, end, step;  // places, -1: none
    const char *from, *by;            // as a text: t, THREADS
} walk;

enum { MOST = 64, STILL = 10, OWN_PLACE = 3 };

// c += n: n; c++: 1.
static const char *stride(edits *e, const expression *x) {
    if (!x) return NULL;
    if (x->kind == E_POSTFIX || x->kind == E_UNARY) return adjacent(&e->u, x->op, "++") ? "1" : NULL;
    return x->kind == E_ASSIGN && adjacent(&e->u, x->op, "+=") ? edits_text(e, x->b->first, x->b->end) : NULL;
}

static const char *counter(edits *e, const expression *x) {
    const expression *a = x->a;
    return edits_text(e, a->first, a->end);
}

static int collect(edits *e, walk *list) {
    int n = 0;
    for (int s = 0; s < e->n_statements && n < MOST; s++) {
        walk w = {s, -1, -1, -1, NULL, NULL};
        if (e->statements[s].kind != S_LOOP) continue;
        for (int p = 0; p < e->n_places; p++) {
            const place *at = &e->places[p];
            if (at->statement != s) continue;
            const bool last = p + 1 == e->n_places || e->places[p + 1].statement != s;
            if (at->kind == P_VALUE && w.start < 0) w.start = p, w.from = edits_text(e, at->first, at->end);
            if (at->kind == P_CONDITION && at->tree && at->tree->kind == E_BINARY) w.end = p;
            if (at->kind == P_VOID && last && stride(e, at->tree)) w.step = p, w.by = stride(e, at->tree);
        }
        if (w.start >= 0 && w.step >= 0) list[n++] = w;
    }
    return n;
}

static bool usable(const edits *e, const place *p, int token) {
    const ingredient g = {.first = p->first, .end = p->end};
    return edits_usable(e, &g, token);
}

// Where a call or a variable is given the size of a whole round.
static void whole_rounds(edits *e, int place, const expression *x, const char *size, const char *left,
                         const char *least) {
    if (!x) return;
    const bool argument = x->parent && x->parent->kind == E_CALL && x->parent->a != x;
    const bool value = (!x->parent && e->places[place].kind == P_VALUE) ||
                       (x->parent && x->parent->kind == E_ASSIGN && x->parent->b == x);
    if ((argument || value) && !strcmp(edits_text(e, x->first, x->end), size)) {
        const bool cut =
            argument && strstr(edits_text(e, x->parent->first, x->first), "min") != NULL;  // by something else
        if (cut) return;
        if (least) edits_replace(e, place, 10, "cut off", x->first, x->end, "%s(%s, %s)", least, size, left);
        if (!least)
            edits_replace(e, place, 10, "cut off", x->first, x->end, "(%s < %s ? %s : %s)", size, left, size, left);
        edits_replace(e, place, 14, "cut off", x->first, x->end, "%s", left);
    }
    whole_rounds(e, place, x->a, size, left, least), whole_rounds(e, place, x->b, size, left, least);
    for (const expression *c = x->c; c; c = c->next) whole_rounds(e, place, c, size, left, least);
    for (const expression *c = x->arguments; c; c = c->next) whole_rounds(e, place, c, size, left, least);
}

// for (c = ...; c < end; c += size): the last round has end - c of them and not all of `size`.
static void last_round(edits *e, int loop) {
    const statement *st = &e->statements[loop];
    const expression *condition = NULL, *step = NULL;
    for (int p = 0; p < e->n_places && st->kind == S_LOOP; p++) {
        if (e->places[p].statement == loop && e->places[p].kind == P_CONDITION) condition = e->places[p].tree;
        if (e->places[p].statement == loop && e->places[p].kind == P_VOID) step = e->places[p].tree;
    }
    const char *by = stride(e, step);
    while (condition && condition->kind == E_BINARY && adjacent(&e->u, condition->op, "&&")) condition = condition->a;
    if (!condition || condition->kind != E_BINARY || !is(&e->u, condition->op, "<") || !by || !strcmp(by, "1")) return;
    const char *c = counter(e, step), *least = edits_least(e, st->first);
    const char *left = format(&e->u, "%s - %s", edits_text(e, condition->b->first, condition->b->end), c);
    for (int p = 0; p < e->n_places; p++) {
        const statement *s = &e->statements[e->places[p].statement];
        if (s->first < st->first || s->end > st->end || e->places[p].statement == loop) continue;
        if (s->function == st->function && edits_wanted(e, e->places[p].statement))
            whole_rounds(e, p, e->places[p].tree, by, left, least);
    }
}

// From where to where another loop walks in the same steps: both its ends.
static void both_ends(edits *e, const walk *w, const walk *list, int n) {
    const place *start = &e->places[w->start];
    const expression *end = w->end >= 0 ? e->places[w->end].tree : NULL;
    for (int k = 0; k < n && end; k++) {
        const walk *o = &list[k];
        const expression *other = o->end >= 0 ? e->places[o->end].tree : NULL;
        if (!other || strcmp(o->by, w->by) || !strcmp(o->from, w->from) || !is(&e->u, end->op, "<") ||
            !is(&e->u, other->op, "<"))
            continue;
        const ingredient to = {.first = other->b->first, .end = other->b->end};
        const char *until = edits_text(e, to.first, to.end);
        if (!usable(e, &e->places[o->start], start->first) || !edits_usable(e, &to, start->first) ||
            !strcmp(until, edits_text(e, end->b->first, end->b->end)))
            continue;
        const replacement a = {w->start, start->first, start->end, o->from},
                          b = {w->end, end->b->first, end->b->end, until};
        bool known = false;
        for (int m = 0; m < k; m++) known |= !strcmp(list[m].from, o->from) && !strcmp(list[m].by, o->by);
        if (!known) edits_replace_two(e, 24, "loop", &a, &b);
    }
}

// A number with a first value that the loop reads and nothing changes: it was to count, too.
static void stands_still(edits *e, int step) {
    const place *p = &e->places[step];
    const statement *loop = &e->statements[p->statement];
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        bool changes = false, read = false;
        if (v->is_const || v->is_parameter || v->is_global || v->type.base != BASE_INT || v->type.pointers ||
            !v->value || !edits_sees(e, v, p->first) || strcmp(edits_text(e, v->value, v->value_end), "0"))
            continue;
        const unit *u = &e->u;
        for (int k = v->value_end; k < v->to; k++) {
            if (!is(u, k, v->name)) continue;
            changes |=
                edits_assigns(u, k + 1) || adjacent(u, k + 1, "++") || adjacent(u, k - 2, "++") || is(u, k - 1, "&");
            read |= k >= p->end && k < loop->end && is(u, k - 1, "[") && is(u, k + 1, "]");
        }
        if (read && !changes)
            edits_replace(e, step, STILL, "loop", p->first, p->end, "%s, %s++", edits_text(e, p->first, p->end),
                          v->name);
    }
}

// for (c = threadIdx.x; c < n; c += THREADS): with 0 and c++ each thread does the work of all, and claims hold that failed
// because the threads' results were not put together.
static bool every_thread_walks_all(const edits *e, const place *start, const walk *other) {
    const unit *u = &e->u;
    if (strcmp(other->by, "1") || !e->cuda) return false;
    for (int i = start->first; i < start->end; i++) {
        const token *t = &u->tokens[i];
        const variable *v = t->kind == TOKEN_NAME ? edits_visible(e, t->at, t->length, i) : NULL;
        if (is(u, i, "threadIdx")) return true;
        for (int k = v && !v->is_loop ? v->value : 0; v && k > 0 && k < v->value_end; k++)
            if (is(u, k, "threadIdx")) return true;
    }
    return false;
}

static bool adds_up(const edits *e, const walk *w) {
    for (int i = e->places[w->step].end; i < e->statements[w->statement].end; i++)
        if (adjacent(&e->u, i, "+=") || is(&e->u, i, "fmaf")) return true;
    return false;
}

// for (c = lane; c < n; c += 32) o += p[c] * v[c * D + d], where d = lane + 32 * e: what is summed up is of the thread's own
// column, so that no other thread has a part of it. A number of lane / 32 is that of its group.
static bool has_own_place(const edits *e, const walk *w) {
    const place *start = &e->places[w->start];
    const statement *loop = &e->statements[w->statement];
    const int thread = start->end - start->first;
    if (!adds_up(e, w)) return false;
    for (int i = e->places[w->step].end; i < loop->end; i++) {
        if (e->u.tokens[i].kind != TOKEN_NAME) continue;
        if (edits_same(&e->u, start->first, i, thread) && !is(&e->u, i - 1, ".")) return true;
        const variable *v = edits_visible(e, e->u.tokens[i].at, e->u.tokens[i].length, i);
        for (int k = v && v->declared < loop->first ? v->value : 0; v && k > 0 && k + thread <= v->value_end; k++)
            if (edits_same(&e->u, start->first, k, thread) && !is(&e->u, k + thread, "/")) return true;
    }
    return false;
}

void edits_change_loops(edits *e) {
    static walk list[MOST];
    const int n = collect(e, list);
    for (int s = 0; s < e->n_statements; s++) last_round(e, s);
    for (int i = 0; i < n; i++) {
        const walk *w = &list[i];
        if (!edits_wanted(e, w->statement)) continue;
        both_ends(e, w, list, n);
        const place *start = &e->places[w->start], *step = &e->places[w->step];
        stands_still(e, w->step);
        for (int k = 0; k < n; k++) {
            const walk *o = &list[k];
            if (!strcmp(o->from, w->from) || !strcmp(o->by, w->by) || !usable(e, &e->places[o->start], start->first))
                continue;
            const expression *by = e->places[o->step].tree;
            const ingredient g = {.first = by->kind == E_ASSIGN ? by->b->first : by->first,
                                  .end = by->kind == E_ASSIGN ? by->b->end : by->first};
            if (!edits_usable(e, &g, start->first)) continue;
            const bool all = every_thread_walks_all(e, start, o);
            if (all && !has_own_place(e, w)) continue;
            const char *c = counter(e, step->tree);
            const char *text = strcmp(o->by, "1") ? format(&e->u, "%s += %s", c, o->by) : format(&e->u, "%s++", c);
            const replacement a = {w->start, start->first, start->end, o->from},
                              b = {w->step, step->first, step->end, text};
            bool known = false;
            for (int m = 0; m < k; m++) known |= !strcmp(list[m].from, o->from) && !strcmp(list[m].by, o->by);
            if (!known) edits_replace_two(e, all ? OWN_PLACE : 26, "loop", &a, &b);
        }
    }
}
