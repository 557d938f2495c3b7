// macro_loops.c: what a loop is given that a macro makes stands in no expression of the file: a switch between two values
// would be handed to the macro. So another value makes another loop, with the same body.
//
//     FOR(c, cols - 1) { ... }     becomes     FOR(c, cols) { ... }
#include "edits.h"

enum { LIKELY = 40, LONGEST = 1200 };  // rank; tokens of a loop that is written once more

static bool is_of_macro(const edits *e, const change *c) {
    bool found = c->place >= 0 && e->places[c->place].of_macro;
    for (int k = 0; k < c->n_more; k++) found |= e->places[c->more[k].place].of_macro;
    return found;
}

// Returns false if nothing can be made of it.
static bool make_loop(edits *e, change *c) {
    const place *p = &e->places[c->place];
    const statement *st = &e->statements[p->statement];
    if (c->n_more || c->insert >= 0 || c->rank > LIKELY || st->fixed || st->end - st->first > LONGEST ||
        edits_directive_within(e, st->first, st->end))
        return false;
    c->inserted = format(&e->u, "%s%s%s", edits_text(e, st->first, p->first), c->text, edits_text(e, p->end, st->end));
    c->remove = c->insert = p->statement, c->place = -1, c->insert_at_end = false;
    return true;
}

void edits_make_macro_loops(edits *e) {
    int kept = 0;
    for (int i = 0; i < e->n_changes; i++) {
        change c = e->changes[i];
        const bool made = c.place >= 0 && is_of_macro(e, &c) && edits_fits(e, &c) && make_loop(e, &c);
        if (made || !is_of_macro(e, &c)) e->changes[kept++] = c;
    }
    e->n_changes = kept;
}
