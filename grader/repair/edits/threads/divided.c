// divided.c: what all threads do together, a barrier or a shuffle, stands under a condition that not all of them meet.
//
//     if (column < n) sum += __shfl_sync(all, a, k) * b;        sum += __shfl_sync(all, a, k) * b;
//     if (row >= rows) return; ... __syncthreads();              the first goes
//     if (row < rows) { float l = row_sum(part); ... }          float l = row_sum(part); if (row < rows) { ... }
//     for (d = lane; d < D; d += 32) { x += a[d]; x += __shfl_down_sync(all, x, 16); x += ...; }      these behind the loop
#include "edits.h"

#include <string.h>

enum { FREED = 8, BEFORE = 10, STAYS = 4, BEHIND = 3, DEEP = 3 };  // ranks; how many calls are looked into

static bool begins(const token *t, const char *with) {
    const int n = (int)strlen(with);
    return t->kind == TOKEN_NAME && t->length >= n && !memcmp(t->at, with, (size_t)n);
}

// Do all threads of a block or warp meet in these tokens, or in a function that is called there?
static bool meet_in(const edits *e, int first, int end, int depth) {
    const unit *u = &e->u;
    for (int i = first; i < end; i++) {
        const token *t = &u->tokens[i];
        if (!is(u, i + 1, "(") || t->kind != TOKEN_NAME) continue;
        if (begins(t, "__shfl") || begins(t, "__syncthreads") || begins(t, "__syncwarp") || begins(t, "shfl"))
            return true;
        if (is(u, i, "sync") && is(u, i - 1, ".")) return true;
        for (int f = 0; f < e->n_functions && depth > 0; f++)
            if (e->functions[f].device && is(u, i, e->functions[f].name) && e->functions[f].open != i + 1 &&
                meet_in(e, e->functions[f].body, e->functions[f].end, depth - 1))
                return true;
    }
    return false;
}

static bool has_else(const edits *e, int first, int end) {
    for (int i = first; i < end; i++)
        if (is(&e->u, i, "else")) return true;
    return false;
}

// if (i >= n) return; before a barrier: the threads that leave do not meet the others there, and load nothing.
static void stay(edits *e, int s) {
    const statement *st = &e->statements[s];
    const function *f = &e->functions[st->function];
    if (st->kind != S_IF || !is(&e->u, st->end - 2, "return") || !f->kernel || !edits_top(e, s)) return;
    for (int i = st->end; i < f->end; i++)
        if (is(&e->u, i, "__syncthreads")) {
            edits_remove(e, s, STAYS, "statement");
            return;
        }
}

bool edits_joins(const edits *e, const statement *st) {
    bool sets = false;  // or it is a barrier
    for (int i = st->first; i < st->end; i++) sets |= is(&e->u, i, "=");
    return sets && e->functions[st->function].device && (st->kind == S_EXPRESSION || st->kind == S_LOOP) &&
           meet_in(e, st->first, st->end, DEEP);
}

// The last statements of a body, several of them, belong behind it. (One moves: steps.c.)
static void go_behind(edits *e, int s) {
    const statement *st = &e->statements[s];
    const int open = st->end - 1 > st->first ? e->u.tokens[st->end - 1].match : 0;
    if ((st->kind != S_LOOP && st->kind != S_IF) || !st->listed || st->fixed || !is(&e->u, st->end - 1, "}") ||
        has_else(e, st->first, st->end))
        return;
    int first = -1, last = -1, n = 0, before = 0;
    for (int k = s + 1; k < e->n_statements && e->statements[k].first < st->end; k++) {
        const statement *in = &e->statements[k];
        if (in->parent < 0 || e->statements[in->parent].first != open || in->first == open) continue;
        if (!edits_joins(e, in))
            before += 1 + n, n = 0;
        else if (!n++)
            first = k;
        last = k;
    }
    if (n < 2 || !before) return;
    const ingredient all = {.first = e->statements[first].first, .end = e->statements[last].end};
    if (!edits_usable(e, &all, st->first)) return;
    edits_exchange(e, s, BEHIND,
                   format(&e->u, "together %d-%d behind %d", e->u.tokens[all.first].line, e->u.tokens[all.end - 1].line,
                          e->u.tokens[st->end - 1].line),
                   format(&e->u, "%s } %s", edits_text(e, st->first, all.first), edits_text(e, all.first, all.end)));
}

void edits_change_divided(edits *e) {
    for (int s = 0; s < e->n_statements; s++) {
        if (edits_wanted(e, s)) stay(e, s), go_behind(e, s);
        const statement st = e->statements[s];
        if (st.kind != S_IF || !e->functions[st.function].device || !edits_wanted(e, s) || st.fixed) continue;
        const int body = e->u.tokens[st.first + 1].match + 1;
        if (!is(&e->u, st.first + 1, "(") || has_else(e, body, st.end) || !meet_in(e, body, st.end, DEEP)) continue;
        edits_exchange(e, s, FREED, "divided", edits_text(e, body, st.end));
        for (int k = s + 1; k < e->n_statements && e->statements[k].first < st.end && st.listed; k++) {
            const statement *inner = &e->statements[k];
            if ((inner->kind == S_DECLARATION || inner->kind == S_EXPRESSION) && inner->listed &&
                inner->first == body + 1 && meet_in(e, inner->first, inner->end, DEEP))
                edits_move(e, k, s, false, BEFORE, "moved");
        }
    }
}
