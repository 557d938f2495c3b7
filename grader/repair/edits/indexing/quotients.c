// quotients.c: one number that stands for several, taken apart by / and %: the other part of it, its parts in another
// order, the sequence of a head.
//
//     lane % VPR, lane % KEYS        lane / VPR          h = e % H, d = e / H        h = e / D, d = e % D
//     r = i / BM, c = i % BK         i / BK              for (h = t / 32; h < H; h += 32)    h += NT / 32
//     lengths[bh]                    lengths[bh / H]     blockIdx.x                  blockIdx.x * blockDim.y + threadIdx.y
//     s = i / S, d = i % S           s = i / D, d = i % D                b[i % BK * BN + i / BK]            b[i]
//     group = lane, c = lane % N     group = lane / N        lengths[bh % c.batch]     lengths[bh / c.heads]
#include <ctype.h>
#include <string.h>

#include "expressions/habits.h"

enum {
    OTHER = 12,
    ORDER = 14,
    LOST = 6,
    SEQUENCE = 14,
    HEADS = 6,
    SEQUENCE_BY = 6,
    ROW = 12,
    ONE_WIDTH = 2,
    WARPS = 3,
    WIDTH = 5,
    WHOLE = 6,
    SHARE = 5
};  // ranks

static bool same(edits *e, const expression *a, const expression *b) {
    return !strcmp(edits_text_of(e, a), edits_text_of(e, b));
}

// Every division in the function of the same number.
static void other_part(edits *e, int place, const expression *x, const expression *g) {
    if (!g) return;
    const ingredient its = {.first = g->first, .end = g->end};
    if (g != x && is_operator(e, g, "/%") && same(e, g->a, x->a) && edits_usable(e, &its, x->first))
        edits_replace(e, place, OTHER, "quotient", x->first, x->end, "%s %s %s", edits_text_of(e, x->a),
                      is(&e->u, g->op, "/") ? "%" : "/", edits_text_of(e, g->b));
    other_part(e, place, x, g->a), other_part(e, place, x, g->b);
    for (const expression *c = g->arguments; c; c = c->next) other_part(e, place, x, c);
}

static int function_of(const edits *e, int place) { return e->statements[e->places[place].statement].function; }

// The whole of a subscript is a number of a head, where the sequence is meant.
static void sequence_of_head(edits *e, int place, const expression *x) {
    int n;
    const habit *by = edits_habits(AS_DIVISOR, &n);
    for (int i = 0; i < n; i++)
        if (edits_usable(e, &by[i].what, x->first) && !edits_contains(e, x, &by[i].what))
            edits_replace(e, place, SEQUENCE, "quotient", x->first, x->end, "%s / %s", edits_text_of(e, x),
                          by[i].what.text);
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        const bool heads = !strcmp(v->name, "H") || strstr(v->name, "head") || strstr(v->name, "Head");
        if (heads && v->is_parameter && v->type.base == BASE_INT && !v->type.pointers && edits_sees(e, v, x->first) &&
            strcmp(v->name, edits_text_of(e, x)))
            edits_replace(e, place, HEADS, "quotient", x->first, x->end, "%s / %s", edits_text_of(e, x), v->name);
        const bool cache = v->is_parameter && v->type.base == BASE_STRUCT && !v->type.pointers;
        if (cache && !strcmp(v->type.word, "attn_cache") && edits_sees(e, v, x->first))
            edits_replace(e, place, HEADS, "quotient", x->first, x->end, "%s / %s.heads", edits_text_of(e, x), v->name);
    }
}

// The head's number % batch: its sequence is that / heads.
static void sequence_by_batch(edits *e, int place, const expression *x) {
    const char *by = edits_text_of(e, x->b);
    const size_t n = strlen(by);
    if (x->b->kind == E_MEMBER && n > 6 && !strcmp(by + n - 5, "batch"))
        edits_replace(e, place, SEQUENCE_BY, "quotient", x->first, x->end, "%s / %.*sheads", edits_text_of(e, x->a),
                      (int)n - 5, by);
    for (int i = 0; i < e->n_variables && x->b->kind == E_NAME && (!strcmp(by, "B") || strstr(by, "batch")); i++) {
        const variable *v = &e->variables[i];
        const bool heads = !strcmp(v->name, "H") || !strcmp(v->name, "heads") || !strcmp(v->name, "n_heads");
        if (heads && v->type.base == BASE_INT && !v->type.pointers && edits_sees(e, v, x->first))
            edits_replace(e, place, SEQUENCE_BY, "quotient", x->first, x->end, "%s / %s", edits_text_of(e, x->a),
                          v->name);
    }
}

// lengths[0] becomes lengths[bh / c.heads].
static void of_its_sequence(edits *e, int place, const expression *x) {
    for (int i = 0; i < e->n_variables; i++) {
        const variable *c = &e->variables[i];
        if (!c->is_parameter || c->type.base != BASE_STRUCT || strcmp(c->type.word, "attn_cache") ||
            !edits_sees(e, c, x->first))
            continue;
        for (int k = 0; k < e->n_variables; k++) {
            const variable *v = &e->variables[k];
            if (v->type.base == BASE_INT && !v->type.pointers && !v->is_global && !v->is_parameter && !v->is_loop &&
                edits_sees(e, v, x->first))
                edits_replace(e, place, ROW, "quotient", x->first, x->end, "%s / %s.heads", v->name, c->name);
        }
    }
}

// length / parts * part: where a part begins, of three numbers that a file counts with. BM / TM * TN is a size.
static bool shares_out(const edits *e, const expression *x) {
    const expression *number[] = {x->a->a, x->a->b, x->b};
    for (int i = 0; i < 3; i++) {
        const token *t = &e->u.tokens[number[i]->end - 1];
        if ((number[i]->kind != E_NAME && number[i]->kind != E_MEMBER) || !islower((unsigned char)*t->at)) return false;
    }
    return true;
}

// a / n * b, of whole numbers, loses what a / n leaves: a * b / n.
static void divided_last(edits *e, int place, const expression *x) {
    const expression *by = x->b;
    if (is_operator(e, x, "*") && is_operator(e, x->a, "/") && !same(e, x->b, x->a->b))  // n / 8 * 8 is whole tiles
        edits_replace(e, place, shares_out(e, x) ? SHARE : ORDER, "quotient", x->first, x->end, "%s * %s / %s",
                      edits_text_of(e, x->a->a), edits_text_of(e, x->b), edits_text_of(e, x->a->b));
    while (by && by->kind == E_PAREN) by = by->a;
    if (is_operator(e, x, "*") && by && is_operator(e, by, "/") && !same(e, x->a, by->b))
        edits_replace(e, place, ORDER, "quotient", x->first, x->end, "%s * %s / %s", edits_text_of(e, x->a),
                      edits_text_of(e, by->a), edits_text_of(e, by->b));
}

// i % BK * BN: i; NULL: nothing is taken apart here.
static const expression *taken_apart(const edits *e, const expression *x) {
    while (x->kind == E_PAREN || is_operator(e, x, "*")) x = x->a;
    return is_operator(e, x, "/%") && x->a->kind == E_NAME ? x->a : NULL;
}

// The parts of one number, put together in another way: what was stored by that number is read, or stored, turned.
static void whole_again(edits *e, int place, const expression *x) {
    const expression *a = taken_apart(e, x->a), *b = taken_apart(e, x->b);
    if (a && b && same(e, a, b))
        edits_replace(e, place, WHOLE, "quotient", x->first, x->end, "%s", edits_text_of(e, a));
}

void edits_change_quotients(edits *e, int place, expression *x) {
    const expression *p = x->parent;
    const function *f = &e->functions[function_of(e, place)];
    if (x->kind == E_BINARY && edits_type_of(e, x).base == BASE_INT) divided_last(e, place, x);
    if (is_operator(e, x, "+")) whole_again(e, place, x);
    if (is_operator(e, x, "%")) sequence_by_batch(e, place, x);
    if (is_operator(e, x, "/%") && x->a->kind == E_NAME)
        for (int q = 0; q < e->n_places; q++)
            if (function_of(e, q) == function_of(e, place)) other_part(e, place, x, e->places[q].tree);
    if (x->kind == E_NAME && p && p->kind == E_INDEX && p->b == x && edits_type_of(e, x).base == BASE_INT)
        sequence_of_head(e, place, x);
    if (x->kind == E_NUMBER && p && p->kind == E_INDEX && p->b == x && f->kernel && is(&e->u, x->first, "0"))
        of_its_sequence(e, place, x);
    if (x->kind == E_MEMBER && !p && f->kernel && e->places[place].kind == P_VALUE && is(&e->u, x->first, "blockIdx"))
        edits_replace(e, place, ROW, "quotient", x->first, x->end, "%s * blockDim.y + threadIdx.y",
                      edits_text_of(e, x));
}

// x / A and x % A, in any order.
static bool are_row_and_column(edits *e, const expression *x, const expression *y) {
    return is_operator(e, x, "/%") && is_operator(e, y, "/%") && !is(&e->u, x->op, edits_operator_text(&e->u, y->op)) &&
           same(e, x->a, y->a) && same(e, x->b, y->b);
}

// x % A here and x / A there becomes x / B and x % B, for any other B.
static void exchange_order(edits *e, int a, int b) {
    const expression *x = e->places[a].tree, *y = e->places[b].tree;
    int n;
    if (!are_row_and_column(e, x, y)) return;
    for (role r = AS_FACTOR; r <= AS_DIVISOR; r = r == AS_FACTOR ? AS_DIVISOR : AS_DIVISOR + 1) {
        const habit *by = edits_habits(r, &n);
        for (int i = 0; i < n; i++) {
            const ingredient *g = &by[i].what;
            if (g->end - g->first > 3 || !edits_usable(e, g, x->first) || !strcmp(g->text, edits_text_of(e, x->b)))
                continue;
            const char *what = edits_text_of(e, x->a), *op = is(&e->u, x->op, "/") ? "%" : "/";
            const replacement one = {a, x->first, x->end, format(&e->u, "%s %s %s", what, op, g->text)},
                              other = {b, y->first, y->end,
                                       format(&e->u, "%s %s %s", what, *op == '/' ? "%" : "/", g->text)};
            edits_replace_two(e, ORDER, "quotient", &one, &other);
        }
    }
}

// group = lane beside c = lane % N.
static void lost_part(edits *e, int a, int b) {
    const expression *x = e->places[a].tree, *y = e->places[b].tree;
    if (e->places[a].kind != P_VALUE || !x || x->kind != E_NAME || !is_operator(e, y, "/%") || !same(e, x, y->a))
        return;
    edits_replace(e, a, LOST, "quotient", x->first, x->end, "%s %s %s", edits_text_of(e, x),
                  is(&e->u, y->op, "/") ? "%" : "/", edits_text_of(e, y->b));
}

// Row and column of one number are by one width.
static void one_width(edits *e, int a, int b) {
    const expression *x = e->places[a].tree, *y = e->places[b].tree;
    if (!is_operator(e, x, "/%") || !is_operator(e, y, "/%") || is(&e->u, x->op, edits_operator_text(&e->u, y->op)) ||
        !same(e, x->a, y->a) || same(e, x->b, y->b))
        return;
    const ingredient here = {.first = x->b->first, .end = x->b->end}, there = {.first = y->b->first, .end = y->b->end};
    if (edits_usable(e, &there, x->first))
        edits_replace(e, a, ONE_WIDTH, "quotient", x->b->first, x->b->end, "%s", edits_text_of(e, y->b));
    if (edits_usable(e, &here, y->first))
        edits_replace(e, b, ONE_WIDTH, "quotient", y->b->first, y->b->end, "%s", edits_text_of(e, x->b));
}

static void of_width(edits *e, int a, int b, const char *width) {
    const expression *x = e->places[a].tree, *y = e->places[b].tree;
    const replacement one = {a, x->b->first, x->b->end, width}, other = {b, y->b->first, y->b->end, width};
    if (strcmp(width, edits_text_of(e, x->b))) edits_replace_two(e, WIDTH, "quotient", &one, &other);
}

// Row and column of one number are both by the wrong width: by what the file multiplies or divides by elsewhere, or by the
// width that this one is made of.
static void other_width(edits *e, int a, int b) {
    const expression *x = e->places[a].tree, *y = e->places[b].tree;
    int n;
    if (!are_row_and_column(e, x, y)) return;
    const expression *made_of = x->b->kind == E_CALL ? x->b->arguments : NULL;
    if (made_of && !made_of->next) of_width(e, a, b, edits_text_of(e, made_of));
    for (role r = AS_FACTOR; r <= AS_DIVISOR; r++) {
        const habit *by = edits_habits(r, &n);
        for (int i = 0; i < n; i++)
            if (by[i].what.end - by[i].what.first <= 3 && edits_usable(e, &by[i].what, x->first))
                of_width(e, a, b, by[i].what.text);
    }
}

// Who begins at the number of its group goes on by the number of groups, and not by how many are in one.
static void by_groups(edits *e, int a, int b) {
    const expression *x = e->places[a].tree, *y = e->places[b].tree;
    if (!is_operator(e, x, "/") || !y || y->kind != E_ASSIGN || y->op_end != y->op + 2 || !same(e, x->b, y->b) ||
        e->places[a].statement != e->places[b].statement)
        return;
    if (e->functions[function_of(e, a)].kernel)
        edits_replace(e, b, WARPS, "quotient", y->b->first, y->b->end, "blockDim.x / %s", edits_text_of(e, y->b));
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (v->is_global && v->is_const && v->type.base == BASE_INT && !v->type.pointers &&
            edits_sees(e, v, y->first) && strcmp(v->name, edits_text_of(e, y->b)))
            edits_replace(e, b, WARPS - 1, "quotient", y->b->first, y->b->end, "%s / %s", v->name,
                          edits_text_of(e, y->b));
    }
}

void edits_change_orders(edits *e) {
    for (int a = 0; a < e->n_places; a++)
        for (int b = a + 1; b < e->n_places && b < a + 8; b++) {
            const statement *s = &e->statements[e->places[a].statement], *t = &e->statements[e->places[b].statement];
            if (edits_wanted(e, e->places[a].statement) && (s == t || s->end == t->first))
                lost_part(e, a, b), lost_part(e, b, a), exchange_order(e, a, b), edits_exchange_digits(e, a, b),
                    one_width(e, a, b), other_width(e, a, b), by_groups(e, a, b);
        }
}
