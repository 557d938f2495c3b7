// unset.c: a field that no line of the file sets, beside others of its struct that are set.
//
//     t.nk = ...; t.K = K + ...;      t.j0 is read, and set nowhere: t.j0 = j0;
#include "edits.h"

#include <string.h>

enum { FIELD = 3 };  // rank

// .j0 = anywhere, in a statement or in { }
static bool is_set_somewhere(const edits *e, const char *field) {
    for (int i = 1; i + 1 < e->u.token_count; i++)
        if (is(&e->u, i, field) && (is(&e->u, i - 1, ".") || is(&e->u, i - 1, "->")) && edits_assigns(&e->u, i + 1))
            return true;
    return false;
}

static bool is_read(const edits *e, const char *field) {
    for (int i = 1; i < e->u.token_count; i++)
        if (is(&e->u, i, field) && (is(&e->u, i - 1, ".") || is(&e->u, i - 1, "->"))) return true;
    return false;
}

void edits_change_unset(edits *e) {
    const unit *u = &e->u;
    for (int s = 0; s < e->n_statements; s++) {
        const statement *st = &e->statements[s];
        const int i = st->first;
        if (st->kind != S_EXPRESSION || !st->listed || st->fixed || !edits_wanted(e, s) || !is_name(u, i) ||
            !(is(u, i + 1, ".") || is(u, i + 1, "->")) || !is(u, i + 3, "="))
            continue;
        const variable *of = edits_visible(e, u->tokens[i].at, u->tokens[i].length, i);
        if (!of || of->type.base != BASE_STRUCT || !of->type.word) continue;
        for (int k = 0; k < e->n_variables; k++) {
            const variable *f = &e->variables[k];
            if (!f->owner || strcmp(f->owner, of->type.word) || !is_read(e, f->name) || is_set_somewhere(e, f->name))
                continue;
            const variable *from = edits_visible(e, f->name, (int)strlen(f->name), i);
            if (from && edits_alike(from->type, f->type))
                edits_insert(e, s, false, FIELD, "statement",
                             format(&e->u, "%s%s = %s;", edits_text(e, i, i + 2), f->name, f->name));
        }
    }
}
