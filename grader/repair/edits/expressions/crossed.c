// crossed.c: two names stand in each other's place, as those who write them in a hurry mix them up most.
//
//     out[j * n + i], tile[c][r]          out[i * n + j], tile[r][c]: row and column
//     expf(m_new - m)                     expf(m - m_new): what is taken from what
//     q + Sq - Sk                         q + Sk - Sq: the offset between queries and keys
//     softmax(S, B * H * Sk, Sq)          softmax(S, B * H * Sq, Sk): rows and columns of a call
//     expf((s - m) / l)                   expf(s - m) / l: what the quotient is of
#include "edits.h"

#include <string.h>

enum { INDEX = 17, EXPONENT = 14, GAP = 16, COUNTS = 17, QUOTIENT = 8 };  // ranks

static bool is_number(edits *e, const expression *x) {
    return x && (x->kind == E_NAME || x->kind == E_MEMBER) && edits_is_whole(edits_type_of(e, x));
}

static const expression *bare(const expression *x) {  // (size_t)j
    x = edits_bare(x);
    return x->kind == E_CAST ? edits_bare(x->a) : x;
}

// [j * n + i], with or without a cast.
static void row_and_column(edits *e, int place, const expression *x) {
    const expression *sum = edits_bare(x->b), *product = is_operator(e, sum, "+") ? sum->a : NULL;
    if (x->a->kind == E_INDEX) {
        const expression *row = bare(x->a->b), *column = bare(x->b);
        if (is_number(e, row) && is_number(e, column)) edits_swap(e, place, INDEX, "crossed", row, column);
    }
    if (!product || !is_operator(e, product, "*")) return;
    const expression *row = bare(product->a), *column = bare(sum->b);
    if (is_number(e, row) && is_number(e, column)) edits_swap(e, place, INDEX, "crossed", row, column);
}

static bool is_exponential(const edits *e, const expression *x) {
    static const char *const names[] = {"expf", "exp", "exp2f", "exp2", "__expf", NULL};
    return x && x->kind == E_CALL && is_any(&e->u, x->first, names);
}

// seq_q and seq_kv, Sq and Sk, nq and nk
static bool are_alike(const edits *e, const expression *a, const expression *b) {
    const token *s = &e->u.tokens[a->end - 1], *t = &e->u.tokens[b->end - 1];
    int same = 0, n = s->length < t->length ? s->length : t->length;
    while (same < n && s->at[same] == t->at[same]) same++;
    const bool tail = s->length == t->length && s->length > 1 && s->at[s->length - 1] == t->at[t->length - 1];
    return same < n && (same > 0 || tail) && s->length - n < 2 && t->length - n < 2;
}

static void difference(edits *e, int place, const expression *x) {
    const bool whole = is_number(e, x->b);
    if (is_exponential(e, x->parent) && x->a->kind != E_BINARY) edits_swap(e, place, EXPONENT, "crossed", x->a, x->b);
    const expression *more = is_operator(e, x->a, "+") ? x->a->b : x->a;
    if (whole && is_number(e, more) && are_alike(e, more, x->b)) edits_swap(e, place, GAP, "crossed", more, x->b);
}

// B * H * Sk, Sq
static void counts(edits *e, int place, const expression *x) {
    for (const expression *a = x->arguments; a && a->next; a = a->next) {
        const expression *product = edits_bare(a), *b = a->next;
        if (!is_operator(e, product, "*") || !is_number(e, b)) continue;
        if (is_number(e, product->b)) edits_swap(e, place, COUNTS, "crossed", product->b, b);
    }
}

// expf((s - m) / l): the row's sum divides the exponential, and not what it is taken of.
static void quotient(edits *e, int place, const expression *x) {
    const expression *inside = is_exponential(e, x) ? edits_bare(x->arguments) : NULL;
    if (!inside || x->arguments->next || !is_operator(e, inside, "/")) return;
    const expression *of = edits_bare(inside->a);
    edits_replace(e, place, QUOTIENT, "crossed", x->first, x->end, "%s(%s) / %s", edits_text(e, x->a->first, x->a->end),
                  edits_text(e, of->first, of->end), edits_text(e, inside->b->first, inside->b->end));
}

void edits_change_crossed(edits *e, int place, const expression *x) {
    if (x->kind == E_INDEX) row_and_column(e, place, x);
    if (is_operator(e, x, "-")) difference(e, place, x);
    if (x->kind == E_CALL && x->a->kind == E_NAME) counts(e, place, x), quotient(e, place, x);
}
