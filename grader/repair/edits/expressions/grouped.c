// grouped.c: parentheses that are missing, or stand where none belong.
//
//     m + log2f(l) / LOG2E       (m + log2f(l)) / LOG2E
//     b * heads + h * D + d      (b * heads + h) * D + d
//     Q + i * n + j * D          Q + (i * n + j) * D     a * even + odd          a * (even + odd)
//     (a + b) * c                a + b * c               a * c + b
//     n % D / 4                  n % (D / 4)           4 * n % quads            4 * (n % quads)
//     expf(s) - m                expf(s - m)           min(n, last) + 1        min(n, last + 1)
//     expf(s) / expf(m)          expf(s - m)           logf(expf(m) * l)       m + logf(l)
#include "edits.h"

#include <string.h>

enum { GROUPED = 8, BEHIND = 9, ONE = 12, SPREAD = 20, OPENED = 20, FIRST = 10, CLOSED = 4, POWER = 4 };  // ranks

static const char *text_of(edits *e, int first, int end) { return edits_text(e, first, end); }

// a + b / c: what is divided, or multiplied, may be meant to be all that stands before it.
static void group(edits *e, int place, const expression *x) {
    const expression *last = x->b;
    if (!is_operator(e, last, "*/")) return;
    while (is_operator(e, last->a, "*/")) last = last->a;  // b of b * c / d
    edits_replace(e, place, GROUPED, "parentheses", x->first, x->end, "(%s) %s", text_of(e, x->first, last->a->end),
                  text_of(e, last->op, x->end));
}

// Q + i * n + j * D: of what stands behind a pointer all may be meant to be multiplied.
static void group_behind(edits *e, int place, const expression *x) {
    const expression *last = x->b, *from = x->a;
    if (!is_operator(e, last, "*") || !is_operator(e, from, "+") || edits_type_of(e, x->b).pointers) return;
    while (is_operator(e, last->a, "*")) last = last->a;
    while (is_operator(e, from->a, "+") && edits_type_of(e, from->a).pointers) from = from->a;
    if (!edits_type_of(e, from->a).pointers) return;
    edits_replace(e, place, BEHIND, "parentheses", x->first, x->end, "%s (%s) %s", text_of(e, x->first, from->op + 1),
                  text_of(e, from->op + 1, last->a->end), text_of(e, last->op, x->end));
}

// a * b + c: what is added may be meant to be multiplied, too.
static void spread(edits *e, int place, const expression *x) {
    const expression *product = x->a;
    if (!is_operator(e, product, "*") || is_operator(e, x->b, "*/%")) return;
    edits_replace(e, place, x->b->kind == E_NUMBER ? ONE : SPREAD, "parentheses", x->first, x->end, "%s (%s)",
                  text_of(e, product->first, product->op + 1), text_of(e, product->b->first, x->end));
}

// (a + b) * c: a + b * c. (n + SIZE - 1) / SIZE is rounded up, and more blocks or tiles hide what they are too few for.
static void open_left(edits *e, int place, const expression *x) {
    const expression *sum = x->a->kind == E_PAREN ? edits_bare(x->a) : NULL;
    const bool up =
        sum && is_operator(e, x, "/") && strstr(text_of(e, sum->first, sum->end), text_of(e, x->b->first, x->b->end));
    if (sum && !up && is_operator(e, sum, "+-"))
        edits_replace(e, place, OPENED, "parentheses", x->first, x->end, "%s %s", text_of(e, sum->first, sum->end),
                      text_of(e, x->op, x->end));
    if (sum && !up && is_operator(e, sum, "+-") && is_operator(e, x, "*"))
        edits_replace(e, place, FIRST, "parentheses", x->first, x->end, "%s %s %s", text_of(e, sum->first, sum->a->end),
                      text_of(e, x->op, x->end), text_of(e, sum->op, sum->end));
}

// a % b / c: a % (b / c); a * b % c: a * (b % c).
static void close_right(edits *e, int place, const expression *x) {
    const expression *left = x->a;
    const bool product = is_operator(e, left, "*") && !is_operator(e, x, "*");
    if ((!is_operator(e, left, "/%") && !product) || edits_type_of(e, left).base != BASE_INT) return;
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

// x of expf(x), under any name; NULL: it is none.
static const expression *power(edits *e, const expression *call, const char *word) {
    const expression *x = call ? edits_bare(call) : NULL;
    const bool one = x && x->kind == E_CALL && !x->c && x->arguments && !x->arguments->next;
    return one && strstr(text_of(e, x->first, x->a->end), word) ? x->arguments : NULL;
}

// Powers that overflow: their quotient, and the logarithm of one of them.
static void join_powers(edits *e, int place, const expression *x) {
    const expression *a = power(e, x->a, "exp"), *b = power(e, x->b, "exp"), *all = power(e, x, "log");
    const expression *product = all ? edits_bare(all) : NULL;
    if (is_operator(e, x, "/") && a && b) {
        const char *name = text_of(e, x->a->first, a->first), *sum = is_operator(e, b, "+-") ? "(%s)" : "%s";
        edits_replace(e, place, POWER, "power", x->first, x->end, "%s%s - %s)", name, text_of(e, a->first, a->end),
                      format(&e->u, sum, text_of(e, b->first, b->end)));
    }
    if (!product || !is_operator(e, product, "*")) return;
    const expression *m = power(e, product->a, "exp"), *l = m ? product->b : product->a;
    if (!m) m = power(e, product->b, "exp");
    if (m)
        edits_replace(e, place, POWER, "power", x->first, x->end, "%s + %s(%s)", text_of(e, m->first, m->end),
                      text_of(e, x->first, x->a->end), text_of(e, l->first, l->end));
}

void edits_change_grouped(edits *e, int place, expression *x) {
    const value_type t = edits_type_of(e, x);
    if (is_operator(e, x, "+-*/") && !t.pointers) close_later(e, place, x);
    join_powers(e, place, x);
    if (is_operator(e, x, "+") && t.pointers) group_behind(e, place, x);
    if (t.pointers || (t.base != BASE_INT && t.base != BASE_FLOAT)) return;
    if (is_operator(e, x, "+-")) group(e, place, x), spread(e, place, x);
    if (is_operator(e, x, "*/")) open_left(e, place, x);
    if (is_operator(e, x, "*/%")) close_right(e, place, x);
}
