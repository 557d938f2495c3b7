// otherwise.c: what an else is about is done in both cases, or what stands behind an if in one of them alone.
//
//     if (s > m) rescale(); else add(s);       if (s > m) rescale();  add(s);
//     if (last) copy_rest();  copy_tile();     if (last) copy_rest(); else copy_tile();
//     if (room) { store(); }  length++;        if (room) { store(); length++; }
#include "edits.h"

enum { BOTH = 14, ASKED = 7, WITHIN = 16, ONE = 22, SHORT = 120 };  // ranks, tokens

static bool leaves(const edits *e, int first, int end) {
    static const char *const words[] = {"return", "break", "continue", NULL};
    for (int i = first; i < end; i++)
        if (is_any(&e->u, i, words)) return true;
    return false;
}

// if (...) { A } else B: with { A B } in the if.
static void in_both_cases(edits *e, int s, int last) {
    const statement *st = &e->statements[s], *body = &e->statements[s + 1], *other = &e->statements[last];
    if (body->kind != S_BLOCK || other->kind == S_IF || other->end - other->first > SHORT ||
        leaves(e, other->first, other->end))
        return;
    edits_insert(e, s + 1, true, BOTH, "in both cases", edits_text(e, other->first, other->end));
    e->changes[e->n_changes - 1].at = st->first;
}

// Does it use a name that the question is about?
static bool is_asked_of(const edits *e, int s, const statement *behind) {
    const int open = e->statements[s].first + 1;
    for (int i = open; i < e->u.tokens[open].match; i++)
        for (int k = behind->first; k < behind->end && is_name(&e->u, i); k++)
            if (edits_same(&e->u, i, k, 1)) return true;
    return false;
}

static void in_it(edits *e, int s, int next) {
    const statement *behind = &e->statements[next];
    const bool works = behind->kind == S_EXPRESSION || behind->kind == S_IF;
    if (works && e->statements[s + 1].kind == S_BLOCK && !adjacent(&e->u, behind->first, "__syncthreads") &&
        behind->end - behind->first <= SHORT && !leaves(e, behind->first, behind->end))
        edits_move(e, next, s + 1, true, is_asked_of(e, s, behind) ? ASKED : WITHIN, "moved");
}

static void in_one_case(edits *e, int s) {
    const statement *st = &e->statements[s];
    const int next = st->listed ? edits_next(e, s) : -1;
    const statement *behind = next >= 0 ? &e->statements[next] : NULL;
    if (behind) in_it(e, s, next);
    if (!behind || behind->kind != S_EXPRESSION || leaves(e, st->first, st->end)) return;
    edits_exchange(e, next, ONE, "otherwise",
                   format(&e->u, "if (!(%s)) %s", edits_text(e, st->first + 2, e->u.tokens[st->first + 1].match),
                          edits_text(e, behind->first, behind->end)));
}

void edits_change_otherwise(edits *e) {
    for (int s = 0; s + 1 < e->n_statements; s++) {
        const statement *st = &e->statements[s];
        if (st->kind != S_IF || !is(&e->u, st->first + 1, "(") || !edits_wanted(e, s) || st->fixed ||
            e->statements[s + 1].parent != s)
            continue;
        int last = s + 1;
        for (int k = s + 2; k < e->n_statements && e->statements[k].function == st->function; k++)
            if (e->statements[k].parent == s) last = k;
        if (last != s + 1)
            in_both_cases(e, s, last);
        else
            in_one_case(e, s);
    }
}
