// otherwise.c: what an else is about is done in both cases, or what stands behind an if in one of them alone.
//
//     if (s > m) rescale(); else add(s);       if (s > m) rescale();  add(s);
//     if (last) copy_rest();  copy_tile();     if (last) copy_rest(); else copy_tile();
#include "edits.h"

enum { BOTH = 14, ONE = 22, SHORT = 120 };  // ranks, tokens

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

static void in_one_case(edits *e, int s) {
    const statement *st = &e->statements[s];
    const int next = st->listed ? edits_next(e, s) : -1;
    const statement *behind = next >= 0 ? &e->statements[next] : NULL;
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
