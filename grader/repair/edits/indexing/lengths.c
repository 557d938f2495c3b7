// lengths.c: rows whose length is known when the program runs, float (*x)[S][H][D]: C alone has them. Each length is a
// value like any other, and two neighbours may have changed places.
#include "edits.h"

enum { EXCHANGED = 8 };  // a rank

// Does a length depend on something that is known only when it runs? Otherwise it stays a constant.
static bool runs(const edits *e, int first, int end) {
    for (int i = first; i < end; i++) {
        const token *t = &e->u.tokens[i];
        const variable *v = t->kind == TOKEN_NAME ? edits_visible(e, t->at, t->length, i) : NULL;
        if (v && !v->is_global) return true;
    }
    return false;
}

// Behind the name of a declarator: float rows[n], float (*x)[S][D].
void edits_add_lengths(edits *e, int name, int statement) {
    const unit *u = &e->u;
    int i = name + 1 + is(u, name + 1, ")");
    for (; !e->cuda && is(u, i, "[") && u->tokens[i].match > i + 1; i = u->tokens[i].match + 1)
        if (runs(e, i + 1, u->tokens[i].match))
            edits_add_place(e, P_VALUE, i + 1, u->tokens[i].match, "size_t", statement);
}

static bool is_length(const edits *e, const place *p) {
    const int open = p->first - 1;
    return p->kind == P_VALUE && is(&e->u, open, "[") && e->u.tokens[open].match == p->end &&
           e->statements[p->statement].kind == S_DECLARATION;
}

void edits_change_lengths(edits *e) {
    for (int p = 0; p + 1 < e->n_places; p++) {
        const place *a = &e->places[p], *b = &e->places[p + 1];
        if (!is_length(e, a) || !is_length(e, b) || a->end + 2 != b->first || !edits_wanted(e, a->statement)) continue;
        const replacement one = {p, a->first, a->end, edits_text(e, b->first, b->end)},
                          two = {p + 1, b->first, b->end, edits_text(e, a->first, a->end)};
        edits_replace_two(e, EXCHANGED, "exchanged", &one, &two);
    }
}
