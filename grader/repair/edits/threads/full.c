// full.c: a slot whose number comes from memory is stored to without the question whether there is room for it.
//
//     const int slot = lengths[b];
//     K[(bh * max_seq + slot) * D + d] = k[d];        before that: if (slot >= max_seq) return;
#include "edits.h"

enum { FULL = 4 };  // a rank

// It is asked already.
static bool is_compared(const edits *e, const function *f, const char *name) {
    for (int i = f->body; i < f->end; i++)
        if (is(&e->u, i, name) && (is(&e->u, i + 1, "<") || is(&e->u, i + 1, ">") || is(&e->u, i + 1, "=")) &&
            (is(&e->u, i + 2, "=") || !is(&e->u, i + 1, "=")))
            return true;
    return false;
}

// ... * max_seq + slot: the first token of max_seq, or of cache.max_seq; -1: the number counts no rows.
static int rows_of(const edits *e, const function *f, const char *name) {
    const unit *u = &e->u;
    for (int i = f->body + 4; i < f->end; i++) {
        if (!is(u, i, name) || !is(u, i - 1, "+") || !is_name(u, i - 2)) continue;
        const int first = is(u, i - 3, ".") ? i - 4 : i - 2;
        if (is(u, first - 1, "*")) return first;
    }
    return -1;
}

void edits_change_full(edits *e) {
    const unit *u = &e->u;
    for (int k = 0; k < e->n_variables; k++) {
        const variable *v = &e->variables[k];
        const int s = v->value > 0 && !v->is_global && !v->is_loop ? edits_declaration_of(e, v) : -1;
        const function *f = s >= 0 ? &e->functions[e->statements[s].function] : NULL;
        if (!f || !f->device || !edits_is_whole(v->type) || !is_name(u, v->value) || !is(u, v->value + 1, "[") ||
            u->tokens[v->value + 1].match + 1 != v->value_end || is_compared(e, f, v->name))
            continue;
        const int rows = rows_of(e, f, v->name), next = edits_next(e, s);
        if (rows < 0 || next < 0 || !edits_wanted(e, next)) continue;
        edits_insert(e, next, false, FULL, "guard",
                     format(&e->u, "if (%s >= %s) return;", v->name,
                            edits_text(e, rows, is(u, rows + 1, ".") ? rows + 3 : rows + 1)));
    }
}
