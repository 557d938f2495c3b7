// seats.c: of a group of threads one writes the group's number, and the question which one is missing.
//
//     sums[threadIdx.x / 32] = x;            if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = x;
//     sums[warp] = x;                        if (lane == 0) sums[warp] = x;     warp = threadIdx.x / 32, lane = % 32
#include "edits.h"

#include <string.h>

enum { SEAT = 3 };  // rank

// threadIdx.x / N, threadIdx.x >> 5: tokens [at, at + 5). The group's size; NULL: it is something else.
static const char *group_at(edits *e, int at) {
    const unit *u = &e->u;
    if (at < 0 || at + 5 > u->token_count || !is(u, at, "threadIdx") || !is(u, at + 1, ".")) return NULL;
    if (is(u, at + 3, "/")) return edits_text(e, at + 4, at + 5);
    return adjacent(u, at + 3, ">>") && (is(u, at + 4, "5") || is(u, at + 5, "5")) ? "32" : NULL;
}

// The group's size, where the subscript is the number of a group.
static const char *group_of(edits *e, const expression *x) {
    const char *size = group_at(e, x->first);
    if (size || x->kind != E_NAME) return size && x->kind == E_BINARY ? size : NULL;
    const token *t = &e->u.tokens[x->first];
    const variable *v = edits_visible(e, t->at, t->length, x->first);
    const int n = v && v->value > 0 ? v->value_end - v->value : 0;
    return n == 5 || n == 6 ? group_at(e, v->value) : NULL;
}

// lane = threadIdx.x % N, or threadIdx.x & 31.
static bool is_lane(edits *e, const variable *v, const char *size) {
    const unit *u = &e->u;
    const int at = v->value;
    if (at <= 0 || v->value_end != at + 5 || !is(u, at, "threadIdx")) return false;
    if (is(u, at + 3, "%")) return !strcmp(size, edits_text(e, at + 4, at + 5));
    return is(u, at + 3, "&") && is(u, at + 4, "31") && !strcmp(size, "32");
}

static bool is_asked(const edits *e, int s) {
    for (int k = e->statements[s].parent; k >= 0; k = e->statements[k].parent)
        if (e->statements[k].kind == S_IF) return true;
    return false;
}

static void ask(edits *e, int s, const char *size) {
    const statement *st = &e->statements[s];
    const char *text = edits_text(e, st->first, st->end), *one = NULL;
    for (int i = 0; i < e->n_variables && !one; i++) {
        const variable *v = &e->variables[i];
        if (edits_sees(e, v, st->first) && is_lane(e, v, size)) one = v->name;
    }
    const char *who = one ? one : format(&e->u, "threadIdx.x %% %s", size);
    edits_exchange(e, s, SEAT, "first", format(&e->u, "if (%s == 0) %s", who, text));
}

void edits_change_seats(edits *e) {
    for (int p = 0; p < e->n_places; p++) {
        const expression *x = e->places[p].tree;
        const int s = e->places[p].statement;
        if (!x || x->kind != E_ASSIGN || !is(&e->u, x->op, "=") || x->a->kind != E_INDEX || x->a->a->kind != E_NAME ||
            e->places[p].kind != P_STATEMENT || !edits_wanted(e, s) || is_asked(e, s) ||
            !e->functions[e->statements[s].function].device)
            continue;
        const char *size = group_of(e, x->a->b);
        if (size) ask(e, s, size);
    }
}
