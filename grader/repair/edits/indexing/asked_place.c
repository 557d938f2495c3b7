// asked_place.c: an element is read where the same line, or the one above, asks whether another one is there.
//
//     first + r < rows ? src[r * D + c] : 0                 src[(first + r) * D + c]
//     const bool there = base + key < n; ... K[key * D + d]       K[(base + key) * D + d]
//     if (first + j < n) v = src[l * n + j]                 src[l * n + first + j]
//     if (lane + e * 16 < D) out[lane * n + e] = x;         out[lane + e * 16] = x
#include "edits.h"

#include <string.h>

enum { ASKED = 4, STORED = 2, FAR = 120 };  // ranks; tokens between the question and the element

// Does base + x < n, or x + base < n, end before this comparison sign? The tokens of the sum begin at `first`.
static bool is_asked(const edits *e, int sign, int name, int *first) {
    const unit *u = &e->u;
    *first = sign - 3;
    if (!is(u, sign - 2, "+") || !is_name(u, sign - 1) || !is_name(u, sign - 3)) return false;
    if (!edits_same(u, sign - 1, name, 1) && !edits_same(u, sign - 3, name, 1)) return false;
    static const char *const begins[] = {"(", "=", "&", "?", "return", ";", ",", "|", NULL};
    return is_any(u, sign - 4, begins);
}

// Is x a counter of columns: j in l * n + j?
static bool counts_columns(const edits *e, const expression *x) {
    const expression *sum = x->parent;
    return is_operator(e, sum, "+") && sum->b == x && is_operator(e, edits_bare(sum->a), "*") && sum->parent &&
           sum->parent->kind == E_INDEX && sum->parent->b == sum;
}

// Is x a counter of rows: r in r * D, or all of a subscript?
static bool counts_rows(const edits *e, const expression *x) {
    const expression *up = x->parent;
    while (up && (up->kind == E_CAST || up->kind == E_PAREN)) x = up, up = up->parent;
    return up && ((is_operator(e, up, "*") && up->a == x) || (up->kind == E_INDEX && up->b == x));
}

static const expression *element_around(const expression *x) {
    for (; x->parent; x = x->parent)
        if (x->parent->kind == E_INDEX && x->parent->b == x) return x->parent;
    return NULL;
}

static bool names_one_of(const unit *u, const expression *x, int first, int end) {
    for (int i = first; i < end; i++)
        for (int k = x->first; k < x->end; k++)
            if (is_name(u, i) && edits_same(u, i, k, 1)) return true;
    return false;
}

// if (lane + e * 16 < D) out[...] = x: the sum that is asked about is the subscript.
static void element_of_question(edits *e, int place, const expression *x) {
    const unit *u = &e->u;
    const int first = e->statements[e->places[place].statement].first;
    if (x->first != first || !is(u, first - 1, ")")) return;
    const int open = u->tokens[first - 1].match;
    if (!is(u, open - 1, "if")) return;
    for (int i = open + 1, begin = i; i < first - 1; i++) {
        if (is(u, i, "(") || is(u, i, "[")) i = u->tokens[i].match;
        if (adjacent(u, i, "&&")) begin = i + 2;
        if (!is(u, i, "<") || adjacent(u, i, "<=")) continue;
        const ingredient sum = {.first = begin, .end = i};
        if (i - begin < 3 || !names_one_of(u, x->b, begin, i) || !edits_usable(e, &sum, x->first)) return;
        if (i - begin != x->b->end - x->b->first || !edits_same(u, begin, x->b->first, i - begin))
            edits_replace(e, place, STORED, "placed", x->b->first, x->b->end, "%s", edits_text(e, begin, i));
        return;
    }
}

void edits_change_asked_place(edits *e, int place, const expression *x) {
    const unit *u = &e->u;
    if (x->kind == E_INDEX) element_of_question(e, place, x);
    const function *f = &e->functions[e->statements[e->places[place].statement].function];
    const bool column = x->kind == E_NAME && counts_columns(e, x);
    const expression *element = column || (x->kind == E_NAME && counts_rows(e, x)) ? element_around(x) : NULL;
    if (!element || edits_is_set(e, element)) return;
    for (int i = x->first - 1, first; i > f->body + 4 && i > x->first - FAR; i--) {
        if (!is(u, i, "<") || !is_asked(e, i, x->first, &first)) continue;
        const ingredient sum = {.first = first, .end = i};
        if (edits_usable(e, &sum, x->first))
            edits_replace(e, place, ASKED, "placed", x->first, x->end, column ? "%s" : "(%s)", edits_text(e, first, i));
        return;
    }
}
