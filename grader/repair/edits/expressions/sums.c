// sums.c: a summand or a factor that is missing here, of those that the function has elsewhere.
//
//     limit = first + local          elsewhere: i + shift        limit = first + local + shift
//     k += BC                        elsewhere: BC * p.dim       k += BC * p.dim
#include <string.h>

#include "habits.h"

enum { TILE = 8, FACTOR = 19, SUMMAND = 26, RARE = 12 };  // ranks

// Does it hold together as a factor?
static const char *tight(edits *e, const expression *x) {
    const char *text = edits_text(e, x->first, x->end);
    const bool loose = x->kind == E_TERNARY || (x->kind == E_BINARY && !is_operator(e, x, "*"));
    return loose ? format(&e->u, "(%s)", text) : text;
}

// What is declared here and hardly used was meant to be.
static int rank_of(const edits *e, const habit *h, int rank) {
    const token *t = &e->u.tokens[h->what.first];
    const variable *v = h->what.end - h->what.first == 1 ? edits_visible(e, t->at, t->length, h->what.first) : NULL;
    const bool own = v && !v->is_loop && !v->is_parameter && !v->is_global;
    return h->n > 2 || !own ? rank : rank - RARE;
}

// x + g, where a sum may stand.
void edits_change_summands(edits *e, int place, const expression *x) {
    const expression *p = x->parent;
    const bool factor = is_operator(e, p, "*") && (x->kind == E_NAME || x->kind == E_MEMBER);
    if (is_operator(e, p, "+-") || is_operator(e, p, "/%") || (is_operator(e, p, "*") && !factor) ||
        x->kind == E_TERNARY || x->kind == E_PAREN || x->kind == E_NUMBER || is_operator(e, x, "*"))
        return;
    if (p && p->kind == E_ASSIGN && p->op_end - p->op > 1) return;
    const bool cast = p && p->kind == E_CAST;
    if (cast && !is_operator(e, p->parent, "*")) return;
    const char *text = edits_text(e, x->first, x->end), *form = factor || cast ? "(%s %s %s)" : "%s %s %s";
    int n;
    for (int less = 0; less < 2; less++) {
        const habit *list = edits_habits(less ? LESS : AS_SUMMAND, &n);
        for (int i = 0; i < n; i++) {
            const habit *h = &list[i];
            if (edits_habit_fits(e, place, x, h))
                edits_replace(e, place, rank_of(e, h, SUMMAND), "habit", x->first, x->end, form, text, less ? "-" : "+",
                              h->what.text);
        }
    }
    const habit *starts = edits_habits(AS_START, &n);
    for (int i = 0; i < n && x->kind == E_NAME; i++) {  // the tile's first one, and x within the tile
        const habit *h = &starts[i];
        const token *t = &e->u.tokens[h->what.first];
        const variable *v = edits_visible(e, t->at, t->length, h->what.first);
        if (v && edits_sees(e, v, x->first) && edits_habit_fits(e, place, x, h))
            edits_replace(e, place, TILE, "habit", x->first, x->end, factor || cast ? "(%s + %s)" : "%s + %s",
                          h->what.text, text);
    }
}

// x * g, where x is all of a product.
void edits_change_factors(edits *e, int place, const expression *x) {
    const expression *p = x->parent;
    if (is_operator(e, p, "*/%") || x->kind == E_NUMBER || x->kind == E_TERNARY || is_operator(e, x, "+-")) return;
    const bool compared = p && p->kind == E_BINARY && (!is_operator(e, p, "+-<>") || p->b->kind == E_NUMBER);
    const bool copied = !p && x->kind == E_MEMBER;  // a size that is handed over
    if (copied) return;
    if (compared || (p && p->kind == E_CAST) || (p && p->kind == E_TERNARY && p->a == x)) return;
    int n;
    const habit *list = edits_habits(AS_FACTOR, &n);
    for (int i = 0; i < n; i++) {
        const habit *h = &list[i];
        const bool number = e->u.tokens[h->what.first].kind == TOKEN_NUMBER;
        if (edits_habit_fits(e, place, x, h))
            edits_replace(e, place, rank_of(e, h, FACTOR), "habit", x->first, x->end, "%s * %s",
                          number ? h->what.text : tight(e, x), number ? tight(e, x) : h->what.text);
    }
}
