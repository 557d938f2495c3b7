// queued.c: what is queued on a stream runs in the order of the statements. One that stands too early, or too late, by
// more than one statement.
//
//     count<<<...>>>(lengths); put<<<...>>>(K, lengths); put<<<...>>>(V, lengths);      count comes last
//     count<<<...>>>(lengths); if (first) copy<<<...>>>(K); else put<<<...>>>(K, lengths);      behind both of them
#include "edits.h"

enum { QUEUED = 6, FAR = 3, LONG = 80 };  // a rank; statements; tokens

static bool has(const edits *e, const statement *st, const char *word) {
    for (int i = st->first; i < st->end; i++)
        if (is(&e->u, i, word)) return true;
    return false;
}

// A launch, a copy, a call with a stream.
static bool has_queue(const edits *e, const statement *st) {
    for (int i = st->first; i < st->end; i++)
        if (launch_open(&e->u, i)) return true;
    return has(e, st, "stream");
}

// One that can move.
static bool queues(const edits *e, int s) {
    const statement *st = &e->statements[s];
    if (!st->listed || st->end - st->first > LONG || has(e, st, "return")) return false;
    return (st->kind == S_EXPRESSION || st->kind == S_IF) && has_queue(e, st);
}

// One that others can move past: a branch or a loop that queues something, however long it is.
static bool is_passed(const edits *e, int s) {
    const statement *st = &e->statements[s];
    const bool branches = (st->kind == S_IF || st->kind == S_LOOP) && !has(e, st, "return");
    return queues(e, s) || (st->listed && branches && has_queue(e, st));
}

void edits_change_queued(edits *e) {
    for (int s = 0; s < e->n_statements; s++) {
        if (!edits_wanted(e, s) || e->functions[e->statements[s].function].device || !queues(e, s)) continue;
        int last = edits_next(e, s);
        for (int n = 1; n <= FAR && last >= 0 && is_passed(e, last); n++) {
            const int next = edits_next(e, last);
            const statement *st = &e->statements[last];
            const bool far = n > 1 || !queues(e, last);  // past a plain neighbour: order.c
            if (far && next >= 0) edits_move(e, s, next, false, QUEUED + n, "moved");
            if (far && next < 0 && st->parent >= 0 && st->end == st->block_end &&
                e->statements[st->parent].kind == S_BLOCK)
                edits_move(e, s, st->parent, true, QUEUED + n, "moved");
            if (n > 1 && queues(e, last)) edits_move(e, last, s, false, QUEUED + n, "moved");
            last = next;
        }
    }
}
