// still.c: a loop over rows that never asks which round it is: what a call in it is handed is the row of the round.
//
//     for (int r = 0; r < rows; r++) normalise(P, cols);        normalise(P + (size_t)r * cols, cols)
//     for (int r = 0; r < rows; r++) row(P, S, cols);           both
#include "edits.h"

enum { ROW = 6 };  // rank

// The counter of a `for` whose body does not name it, nor moves the pointer on; NULL: it has none such.
static const variable *unread_counter(const edits *e, const statement *loop, const variable *pointer) {
    const int close = is(&e->u, loop->first, "for") ? e->u.tokens[loop->first + 1].match : 0;
    const int third = close ? loop->first + 2 : 0;
    int semicolons = 0;
    for (int i = third; i < close; i++) {
        semicolons += is(&e->u, i, ";");
        if (semicolons == 2 && edits_named(e, pointer, i, close)) return NULL;
    }
    for (int i = loop->first; i < loop->end; i++)  // p += n; p++
        if (edits_named(e, pointer, i, i + 1) &&
            (edits_assigns(&e->u, i + 1) || adjacent(&e->u, i + 1, "++") || adjacent(&e->u, i - 2, "++")))
            return NULL;
    return edits_unread_counter(e, loop);
}

static const variable *pointer_of(const edits *e, const expression *x) {
    const token *t = &e->u.tokens[x->first];
    const variable *p = x->kind == E_NAME ? edits_visible(e, t->at, t->length, x->first) : NULL;
    return p && p->type.pointers == 1 && p->type.base == BASE_FLOAT ? p : NULL;
}

static void rows(edits *e, int place, const expression *call, const statement *loop, const variable *n) {
    const expression *last = NULL;
    const char *text = "", *all = "";
    int moved = 0;
    for (const expression *a = call->arguments; a; a = a->next) {
        const variable *p = pointer_of(e, a), *c = p && p->declared < loop->first ? unread_counter(e, loop, p) : NULL;
        const char *own = edits_text_of(e, a);
        if (c && n != c) {
            own = format(&e->u, "%s + (size_t)%s * %s", p->name, c->name, n->name);
            edits_replace(e, place, ROW, "row of the round", a->first, a->end, "%s", own);
            moved++, last = a;
        }
        text = format(&e->u, "%s%s%s", text, *text ? ", " : "", own);
        if (last == a) all = text;
    }
    if (moved > 1) edits_replace(e, place, ROW, "row of the round", call->arguments->first, last->end, "%s", all);
}

void edits_change_still(edits *e, int place, const expression *x) {
    bool works = is(&e->u, x->first, "memcpy");  // as the file's own functions do
    for (int f = 0; f < e->n_functions; f++) works |= is(&e->u, x->first, e->functions[f].name);
    if (x->kind != E_CALL || !x->arguments || !works) return;
    for (int s = e->places[place].statement; s >= 0; s = e->statements[s].parent) {
        if (e->statements[s].kind != S_LOOP) continue;
        for (int i = 0; i < e->n_variables; i++) {
            const variable *n = &e->variables[i];
            if (edits_is_whole(n->type) && !n->is_loop && !n->is_enumerator && edits_sees(e, n, x->first))
                rows(e, place, x, &e->statements[s], n);
        }
    }
}
