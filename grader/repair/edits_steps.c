// edits_steps.c: changes of whole statements: one goes, one comes, one stands elsewhere.
#include "edits.h"

#include <string.h>

static bool uses(const edits *e, const char *name) {
    for (int i = 0; i < e->u.token_count; i++)
        if (is(&e->u, i, name)) return true;
    return false;
}

static void change_jump(edits *e, int place, const statement *s) {
    const unit *u = &e->u;
    const char *const others[] = {"break", "continue", "return"};
    const bool returns_nothing = e->functions[s->function].result.base == BASE_VOID;
    for (int i = 0; i < 3; i++)
        if (!is(u, s->first, others[i]) && (i < 2 || returns_nothing))
            edits_replace(e, place, 24, "jump", s->first, s->first + 1, "%s", others[i]);
}

static void barriers(edits *e, int s) {
    const statement *st = &e->statements[s];
    const bool barrier = adjacent(&e->u, st->first, "__syncthreads()");
    if (!st->listed || !e->functions[st->function].device || barrier) return;
    edits_insert(e, s, false, 21, "barrier", "__syncthreads();");
    if (st->end == st->block_end && st->parent >= 0 && e->statements[st->parent].kind == S_BLOCK)
        edits_insert(e, st->parent, true, 21, "barrier", "__syncthreads();");
}

void edits_change_statements(edits *e) {
    const bool kernels = e->cuda && uses(e, "__global__");
    for (int p = 0; p < e->n_places; p++) {
        const statement *s = &e->statements[e->places[p].statement];
        if (e->places[p].kind == P_STATEMENT && s->kind == S_JUMP) change_jump(e, p, s);
    }
    for (int s = 0; s < e->n_statements; s++) {
        const statement_kind kind = e->statements[s].kind;
        if (kind == S_EXPRESSION || kind == S_JUMP) edits_remove(e, s, 23, "statement");
        if (kind == S_IF || kind == S_LOOP) edits_remove(e, s, 33, "statement");
        if (kind == S_RETURN && e->statements[s].parent >= 0) edits_remove(e, s, 33, "statement");
        if (kernels) barriers(e, s);
    }
}
