// empty.c: where nothing has been summed, there is nothing to divide by, and a difference of infinities is no number.
//
//     o / l                      l > 0.0f ? o / l : 0.0f
//     expf(s - m)                m == -INFINITY ? 0.0f : expf(s - m)
//     l > 1.0f ? m + logf(l) : -INFINITY        l > 0.0f ? ...
//     w[s] /= total;             if (total > 0.0f) w[s] /= total;
#include "edits.h"

#include <stdlib.h>
#include <string.h>

enum { QUOTIENT = 10, WEIGHT = 12, ASKED = 5 };  // ranks

static bool is_exponential(const edits *e, const expression *x) {
    static const char *const list[] = {"expf", "__expf", "exp2f", "exp", NULL};
    return x->kind == E_CALL && x->a->kind == E_NAME && is_any(&e->u, x->first, list);
}

static bool is_chosen(const expression *x) {
    for (; x; x = x->parent)
        if (x->kind == E_TERNARY) return true;
    return false;
}

// l > 1: with one key l is 1, and with none it is 0.
static void ask_for_0(edits *e, int place, const expression *x) {
    const statement *st = &e->statements[e->places[place].statement];
    bool about = false;
    for (int i = st->first; i < st->end; i++)
        about |= is(&e->u, i, "INFINITY") || is(&e->u, i, "logf") || is(&e->u, i, "log2f") || is(&e->u, i, "/");
    if (!about || !is_operator(e, x, "<>") || x->b->kind != E_NUMBER || !edits_is_real(edits_type_of(e, x->a))) return;
    const char *text = edits_text_of(e, x->b);
    if (strtod(text, NULL) != 0) edits_replace(e, place, ASKED, "empty", x->b->first, x->b->end, "0.0f");
}

void edits_change_empty(edits *e, int place, expression *x) {
    const struct place *p = &e->places[place];
    const char *text = edits_text(e, x->first, x->end);
    const bool part = x->parent && x->parent->kind != E_ASSIGN && x->parent->kind != E_PAREN;
    const char *shape = part ? "(%s %s ? %s : 0.0f)" : "%s %s ? %s : 0.0f";
    if (is_operator(e, x, "/") && edits_is_real(edits_type_of(e, x)) && x->b->kind != E_NUMBER &&
        x->b->kind != E_CALL && edits_is_real(edits_type_of(e, x->b)) && !is_chosen(x))
        edits_replace(e, place, QUOTIENT, "empty", x->first, x->end, shape, edits_text(e, x->b->first, x->b->end),
                      "> 0.0f", text);
    if (x->kind == E_BINARY) ask_for_0(e, place, x);
    if (x->kind == E_ASSIGN && is(&e->u, x->op, "/") && !x->parent && p->kind == P_STATEMENT &&
        edits_is_real(edits_type_of(e, x->a)) && x->b->kind == E_NAME)
        edits_replace(e, place, QUOTIENT, "empty", x->first, x->end, "if (%s > 0.0f) %s",
                      edits_text(e, x->b->first, x->b->end), text);
    const expression *d = is_exponential(e, x) ? x->arguments : NULL;
    if (d && is_operator(e, d, "-") && !is_chosen(x)) {
        edits_replace(e, place, WEIGHT, "empty", x->first, x->end, shape, edits_text(e, d->a->first, d->a->end),
                      "> -INFINITY", text);
        edits_replace(e, place, WEIGHT + 1, "empty", x->first, x->end, shape, edits_text(e, d->b->first, d->b->end),
                      "> -INFINITY", text);
    }
}
