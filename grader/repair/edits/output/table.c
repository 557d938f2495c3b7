// table.c: a line a change, in the order in which they are tried (edits.c says what stands in it).
#include "edits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int by_turn(const void *a, const void *b) {
    const change *x = a, *y = b;
    return x->turn - y->turn;
}

// The other lines of its places.
static void write_lines(const edits *e, FILE *out, const change *c) {
    int last = e->u.tokens[c->at].line, n = 0;
    for (int k = 0; k < c->n_more && !c->of; k++) {
        const int line = e->u.tokens[e->places[c->more[k].place].first].line;
        if (line != last) fprintf(out, "%s%d", n++ ? "," : "", line);
        last = line;
    }
}

// What comes at the end of a block stands in no line of its own: its place is what the block belongs to.
static const char *end_of_what(edits *e, const change *c) {
    if (c->insert < 0 || !c->insert_at_end || c->remove >= 0) return "";
    const int around = e->statements[c->insert].parent;
    if (around < 0) return e->functions[e->statements[c->insert].function].name;
    const bool loop = e->statements[around].kind == S_LOOP;
    return format(&e->u, loop ? "the loop that begins in line %d" : "the braces that open in line %d",
                  loop ? edits_line_of(e, around) : e->u.tokens[e->statements[c->insert].first].line);
}

void edits_write_table(edits *e, FILE *out) {
    change *list = keep(&e->u, sizeof *list * (size_t)(e->n_changes + 1));
    memcpy(list, e->changes, sizeof *list * (size_t)e->n_changes);
    qsort(list, (size_t)e->n_changes, sizeof *list, by_turn);
    fprintf(out,
            "id\trank\tline\tcolumn\tfunction\tkind\told\tnew\tstatement\tchanged\talso\tshared\tend_of\thooked\teach");
    if (e->dim) fprintf(out, "\tdim=%d", e->dim);
    fprintf(out, "\n");
    for (int i = 0; i < e->n_changes; i++) {
        const change *c = &list[i];
        const int s = c->place >= 0 ? e->places[c->place].statement : c->insert >= 0 ? c->insert : c->remove;
        const token *t = &e->u.tokens[c->at];
        const place *p = c->place >= 0 ? &e->places[c->place] : NULL;
        const bool comes = c->insert >= 0 && !c->insert_at_end && c->remove < 0;
        const char *whole =
            p ? edits_text(e, p->first, p->end) : edits_text(e, e->statements[s].first, e->statements[s].end);
        fprintf(out, "%d\t%d\t%d\t%d\t%s\t%s\t%s\t%s\t%s\t%s\t", c->id, c->rank,
                c->of   ? c->line
                : comes ? edits_line_of(e, c->insert)
                        : t->line,
                c->of ? c->column : t->column, c->of ? c->of : e->functions[e->statements[s].function].name, c->kind,
                c->old_shown, c->new_shown, whole, p ? c->text : "");
        write_lines(e, out, c);
        fprintf(out, "\t%d\t%s\t%d\t%d\n", edits_shared(e, c), end_of_what(e, c), c->hooked, c->each);
    }
}
