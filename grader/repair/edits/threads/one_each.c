// one_each.c: each thread has one element, where there may be more elements than threads: the question becomes a loop.
//
//     const int d = t % 32;  if (d < D) S;                    for (int i = d; i < D; i += 32) S, of i
//     if (threadIdx.x < n) S                                  for (int i = threadIdx.x; i < n; i += blockDim.x) S, of i
//     if (d >= D) return;  S;  at the end of the function     the same
//     i = blockIdx.x * blockDim.x + threadIdx.x;  if (i < n) S;       for (...; at < n; at += gridDim.x * blockDim.x) S
#include "edits.h"

#include <string.h>

enum { LANES = 5, BLOCK = 7, GRID = 8 };  // ranks

static bool meets(const edits *e, int first, int end) {
    for (int i = first; i < end; i++)
        if (strstr(edits_text((edits *)e, i, i + 1), "sync")) return true;
    return false;
}

// blockIdx.x * SIZE + threadIdx.x, in whatever order: the tokens of SIZE, one of them; 0: it is none.
static int whole_grid(const edits *e, const variable *v) {
    const unit *u = &e->u;
    int block = 0, thread = 0;
    for (int i = v->value; i < v->value_end; i++)
        block = is(u, i, "blockIdx") ? i : block, thread |= is(u, i, "threadIdx");
    if (!block || !thread) return 0;
    if (is(u, block + 3, "*")) return block + 4;
    return is(u, block - 1, "*") && is(u, block - 4, "blockDim") ? block - 4 : is(u, block - 1, "*") ? block - 2 : 0;
}

// By how many v goes on: how many threads there are beside each other; NULL: it is no number of a thread.
static const char *step_of(edits *e, const variable *v, int *rank) {
    unit *u = &e->u;
    const int last = v->value_end - 1;
    *rank = LANES;
    if (v->is_parameter && !strcmp(v->name, "lane")) return "32";
    if (v->is_parameter || v->is_global || v->is_loop || v->value <= 0 || v->value_end - v->value < 3) return NULL;
    if (is(u, last - 1, "%")) return edits_text(e, last, last + 1);
    if (is(u, last - 1, "&") && is(u, last, "31")) return "32";
    const int size = whole_grid(e, v);
    *rank = size ? GRID : BLOCK;
    if (size)
        return format(u, "gridDim.%s * %s", edits_text(e, last, last + 1),
                      edits_text(e, size, is(u, size, "blockDim") ? size + 3 : size + 1));
    const bool thread = v->value_end - v->value == 3 && is(u, v->value, "threadIdx");
    return thread ? format(u, "blockDim.%s", edits_text(e, last, last + 1)) : NULL;
}

// `v < n` or, of those that leave, `v >= n`, in the tokens.
static const variable *asked(const edits *e, int first, int end, const char *sign) {
    const token *t = &e->u.tokens[first];
    const variable *v = t->kind == TOKEN_NAME ? edits_visible(e, t->at, t->length, first) : NULL;
    const int behind = first + 2;
    if (!v || !edits_is_whole(v->type) || behind >= end || !is(&e->u, first + 1, sign)) return NULL;
    for (int i = behind; i < end; i++)
        if (is(&e->u, i, "&") || is(&e->u, i, "|")) return NULL;
    return v;
}

static const char *type_of(const edits *e, const variable *v) {
    return v->declared > 0 && is(&e->u, v->declared - 1, "size_t") ? "size_t" : "int";
}

static void go_on(edits *e, int s, const statement *what, const variable *v, const char *end) {
    int rank;
    const char *step = step_of(e, v, &rank), *i = strcmp(v->name, "i") ? "i" : "at";
    for (int k = what->first; k < what->end; k++)
        if (is(&e->u, k, i)) i = "every";
    if (step && !meets(e, what->first, what->end))
        edits_exchange(e, s, rank, "around",
                       format(&e->u, "for (%s %s = %s; %s < %s; %s += %s) %s", type_of(e, v), i, v->name, i, end, i,
                              step, edits_text_as(e, what, v->name, i)));
}

// if (threadIdx.x < n) S: the same, where n is no constant, as that of warps is.
static void go_on_by_block(edits *e, int s, int open, int close) {
    const statement *st = &e->statements[s];
    const token *end = &e->u.tokens[open + 5];
    const char *i = "i", *text = "";
    if (!is(&e->u, open + 1, "threadIdx") || !is(&e->u, open + 3, "x") || !is(&e->u, open + 4, "<")) return;
    const variable *n = edits_visible(e, end->at, end->length, open + 5);
    if (!n || n->is_global || n->is_enumerator || (close != open + 6 && close != open + 8)) return;
    for (int k = close + 1; k < st->end; k++)
        if (is(&e->u, k, i)) i = "every";
    for (int k = close + 1, first = k; k < st->end; k++) {
        const bool here = is(&e->u, k, "threadIdx") && is(&e->u, k + 2, "x");
        if (!here && k + 1 < st->end) continue;
        const bool gap = here && e->u.tokens[k].at > e->u.tokens[k - 1].at + e->u.tokens[k - 1].length;
        text = format(&e->u, "%s%s%s%s", text, edits_text(e, first, here ? k : k + 1), gap ? " " : "", here ? i : "");
        first = k += here ? 3 : 1, k--;
    }
    const char *limit = edits_text(e, open + 5, close);
    if (!meets(e, close + 1, st->end))
        edits_exchange(e, s, BLOCK, "around",
                       format(&e->u, "for (int %s = threadIdx.x; %s < %s; %s += blockDim.x) %s", i, i, limit, i, text));
}

void edits_change_one_each(edits *e) {
    for (int s = 0; s < e->n_statements; s++) {
        const statement st = e->statements[s];
        if (st.kind != S_IF || !e->functions[st.function].device || !edits_wanted(e, s) || st.fixed) continue;
        const int open = st.first + 1, close = e->u.tokens[open].match, next = edits_next(e, s);
        const variable *v = asked(e, open + 1, close, "<");
        if (v && !is(&e->u, st.end, "else")) {
            const statement body = {.first = close + 1, .end = st.end};
            go_on(e, s, &body, v, edits_text(e, open + 3, close));
        }
        if (!is(&e->u, st.end, "else")) go_on_by_block(e, s, open, close);
        const variable *w = asked(e, open + 1, close, ">=");
        const bool leaves = is(&e->u, close + 1, "return") && next >= 0 && edits_next(e, next) < 0 && edits_top(e, s);
        if (w && leaves && !e->statements[next].fixed)
            go_on(e, next, &e->statements[next], w, edits_text(e, open + 3, close));
    }
}
