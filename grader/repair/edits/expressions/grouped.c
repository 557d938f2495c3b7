// grouped.c: parentheses that are missing, or stand where none belong.
//
//     m + log2f(l) / LOG2E       (m + log2f(l)) / LOG2E
//     b * heads + h * D + d      (b * heads + h) * D + d
//     (a + b) * c                a + b * c
//     n % D / 4                  n % (D / 4)
//     expf(s) - m                expf(s - m)           min(n, last) + 1        min(n, last + 1)
#include "edits.h"

enum { GROUPED = 8, OPENED = 20, CLOSED = 4 };  // ranks

static const char *text_of(edits *e, int first, int end) { return edits_text(e, first, end); }

// a + b / c: what is divided, or multiplied, may be meant to be all that stands before it.
static void group(edits *e, int place, const expression *x) {
    const expression *last = x->b;
    if (!is_operator(e, last, "*/")) return;
    while (is_operator(e, last->a, "*/")) last = last->a;  // b of b * c / d
    edits_replace(e, place, GROUPED, "parentheses", x->first, x->end, "(%s) %s", text_of(e, x->first, last->a->end),
                  text_of(e, last->op, x->end));
}

// (a + b) * c: a + b * c.
static void open_left(edits *e, int place, const expression *x) {
    const expression *sum = x->a->kind == E_PAREN ? edits_bare(x->a) : NULL;
    if (sum && is_operator(e, sum, "+-"))
        edits_replace(e, place, OPENED, "parentheses", x->first, x->end, "%s %s", text_of(e, sum->first, sum->end),
                      text_of(e, x->op, x->end));
}

// a % b / c: a % (b / c).
static void close_right(edits *e, int place, const expression *x) {
    const expression *left = x->a;
    if (!is_operator(e, left, "/%") || edits_type_of(e, left).base != BASE_INT) return;
    edits_replace(e, place, CLOSED, "parentheses", x->first, x->end, "%s (%s)", text_of(e, left->first, left->op + 1),
                  text_of(e, left->b->first, x->end));
}

// What stands behind the ) belongs before it.
static void close_later(edits *e, int place, const expression *x) {
    const expression *call = x->a, *last = call->kind == E_CALL && !call->c ? call->arguments : NULL;
    while (last && last->next) last = last->next;
    if (!last || edits_type_of(e, last).pointers) return;
    const bool loose = is_operator(e, x, "*/") && last->kind == E_BINARY && is_operator(e, last, "+-");
    edits_replace(e, place, CLOSED, "parentheses", x->first, x->end, loose ? "%s(%s) %s)" : "%s%s %s)",
                  text_of(e, call->first, last->first), text_of(e, last->first, last->end), text_of(e, x->op, x->end));
}

void edits_change_grouped(edits *e, int place, expression *x) {
    const value_type t = edits_type_of(e, x);
    if (is_operator(e, x, "+-*/") && !t.pointers) close_later(e, place, x);
    if (t.pointers || (t.base != BASE_INT && t.base != BASE_FLOAT)) return;
    if (is_operator(e, x, "+-")) group(e, place, x);
    if (is_operator(e, x, "*/")) open_left(e, place, x), close_right(e, place, x);
}
