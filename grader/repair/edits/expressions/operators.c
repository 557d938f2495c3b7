// operators.c: another operator, operands exchanged or left out.
#include "edits.h"

#include <stdlib.h>
#include <string.h>

// Ranks: a smaller one is the likelier mistake.
typedef struct {
    const char *op, *other;
    int rank;
} exchange;

static const exchange comparisons[] = {
    {"<", "<=", 10},  {"<", ">", 12},   {"<", ">=", 14},  {"<", "==", 40},  {"<", "!=", 40},  {"<=", "<", 10},
    {"<=", ">", 12},  {"<=", ">=", 14}, {">", ">=", 10},  {">", "<", 12},   {">", "<=", 14},  {">", "!=", 40},
    {">=", ">", 10},  {">=", "<=", 14}, {">=", "<", 12},  {"==", "!=", 12}, {"==", ">=", 40}, {"==", "<=", 40},
    {"!=", "==", 12}, {"!=", "<", 40},  {"&&", "||", 12}, {"||", "&&", 12}, {NULL, NULL, 0}};
static const exchange assignments[] = {
    {"=", "+=", 11},  {"+=", "=", 11},  {"+=", "-=", 16}, {"+=", "*=", 16}, {"-=", "+=", 12}, {"|=", "+=", 14},
    {"&=", "|=", 20}, {"|=", "&=", 20}, {"*=", "/=", 12}, {"/=", "*=", 12}, {"*=", "=", 18},  {"*=", "+=", 18},
    {"=", "*=", 20},  {"=", "-=", 34},  {"=", "/=", 30},  {"/=", "-=", 34}, {"*=", "-=", 34}, {"-=", "=", 20},
    {"/=", "=", 34},  {"+=", "/=", 40}, {NULL, NULL, 0}};
static const exchange verdicts[] = {{"=", "|=", 12}, {"=", "&=", 20}, {NULL, NULL, 0}};
static const exchange sums[] = {{"+", "-", 14}, {"-", "+", 14}, {"*", "/", 15}, {"/", "*", 15},
                                {"+", "*", 22}, {"*", "+", 24}, {"-", "*", 34}, {"-", "/", 40},
                                {"/", "-", 34}, {"*", "-", 30}, {NULL, NULL, 0}};
static const exchange whole_sums[] = {{"/", "%", 6},  {"%", "/", 6},  {"%", "*", 30},
                                      {"*", "%", 40}, {"+", "/", 60}, {NULL, NULL, 0}};
static const exchange shifts[] = {{"<<", ">>", 20}, {">>", "<<", 20}, {"&", "|", 24},
                                  {"|", "&", 24},   {"^", "+", 20},   {NULL, NULL, 0}};

enum {
    FIRST_ALONE = 11,
    BACKWARDS = 12,
    LARGER = 1,
    SMALLER = 8,
    FACTOR = 6,
    SIDES = 15,
    ALWAYS_SO = 24,
    FEWER_KEYS = 27,
    MAY_DIFFER = 14,
    WHOLE_END = 11,
    EDGE = 6
};  // ranks
enum { INVERSE = 24 };

// Less memory than is written to often passes, too: what lies behind it is not looked at.
static bool asks_for_memory(const edits *e, const expression *x) {
    static const char *const list[] = {"malloc", "calloc", "aligned_alloc", "realloc", NULL};
    for (; x->parent; x = x->parent)
        if (x->parent->kind == E_CALL && is_any(&e->u, x->parent->first, list)) return true;
    return false;
}

// blockIdx.x == 0 && threadIdx.x == 0: with || many threads do what one is to do, and the same number is written often.
static bool picks_one(const edits *e, const expression *x) {
    bool thread = false, equal = false;
    for (int i = x->first; i < x->end; i++)
        thread |= is(&e->u, i, "threadIdx"), equal |= !strcmp(edits_operator_text(&e->u, i), "==");
    return thread && equal;
}

// (n + SIZE - 1) / SIZE: how many of them there are. What is left over is no number of blocks.
static bool rounds_up(edits *e, const expression *x) {
    const char *by = is_operator(e, x, "/") ? edits_text_of(e, x->b) : "";
    return *by && x->a->kind == E_PAREN && is_operator(e, x->a->a, "+-") && strstr(edits_text_of(e, x->a), by);
}

// 1.0f / x: what is meant in its place is x, and neither x / 1.0f nor 1.0f * x.
static bool is_inverse(const edits *e, const expression *x) {
    const char *one =
        x->kind == E_BINARY && is_operator(e, x, "/") && x->a->kind == E_NUMBER ? e->u.tokens[x->a->first].at : "";
    return *one && strtod(one, NULL) == 1;
}

static void exchange_operator(edits *e, int place, const expression *x, const exchange *table, const char *kind) {
    const char *op = edits_operator_text(&e->u, x->op);
    // With * in place of a whole number's / many a claim passes: what was to be shared is taken whole.
    const bool larger = x->kind == E_BINARY && !strcmp(op, "/") && edits_type_of(e, x).base == BASE_INT;
    const bool room = asks_for_memory(e, x);
    // That all threads but one write the same number passes as well.
    const bool all_but_one = !strcmp(op, "==") && x->b->kind == E_NUMBER &&
                             e->functions[e->statements[e->places[place].statement].function].device;
    const bool one = !strcmp(op, "&&") && picks_one(e, x);
    const bool loop = e->places[place].kind == P_CONDITION &&
                      e->statements[e->places[place].statement].kind == S_LOOP;  // none goes on while c == end
    // A size to which something is added is larger, and hides what is wrong with it.
    const int more =
        x->kind == E_ASSIGN && edits_type_of(e, x->a).base == BASE_INT && !strcmp(op, "=") && table != verdicts ? 24
                                                                                                                : 0;
    const bool rounded = rounds_up(e, x), inverse = is_inverse(e, x);
    // h > 0: all but the first, in place of the first alone
    if (table == comparisons && !strcmp(op, ">") && x->kind == E_BINARY && x->b->kind == E_NUMBER &&
        is(&e->u, x->b->first, "0") && !loop)
        edits_replace(e, place, FIRST_ALONE, kind, x->op, x->op_end, "==");
    // top != m: a maximum that goes up and down
    if (table == comparisons && !strcmp(op, "!=") && x->b->kind != E_NUMBER && edits_is_real(edits_type_of(e, x->a)) &&
        edits_is_real(edits_type_of(e, x->b))) {
        edits_replace(e, place, LARGER, kind, x->op, x->op_end, ">");
        edits_replace(e, place, SMALLER, kind, x->op, x->op_end, "<");
    }
    // seq_q != seq_kv: where one of two sizes may be the larger one
    if (table == comparisons && !strcmp(op, "!=") && x->b->kind != E_NUMBER && !loop &&
        edits_is_whole(edits_type_of(e, x->a)))
        edits_replace(e, place, MAY_DIFFER, kind, x->op, x->op_end, ">");
    for (; table->op; table++)
        if (!strcmp(op, table->op) && !rounded && !(larger && strchr("*-+", *table->other)) && !room &&
            !(all_but_one && !strcmp(table->other, "!=")) && !(one && !strcmp(table->other, "||")) &&
            !(loop && !strcmp(table->other, "==")) && !(inverse && *table->other == '*'))
            edits_replace(e, place, table->rank + more, kind, x->op, x->op_end, "%s", table->other);
}

static bool binds_less(const unit *u, const expression *x) {
    return x->kind == E_BINARY || x->kind == E_TERNARY || x->kind == E_ASSIGN || (x->kind == E_CAST && !u);
}

// x becomes one of its operands: in parentheses where it must hold together.
static void keep_operand(edits *e, int place, int rank, const char *kind, const expression *x, const expression *kept) {
    const bool tight =
        x->parent && x->parent->kind != E_CALL && x->parent->kind != E_PAREN && x->parent->kind != E_ASSIGN;
    const char *text = edits_text(e, kept->first, kept->end);
    edits_replace(e, place, rank, kind, x->first, x->end, binds_less(&e->u, kept) && tight ? "(%s)" : "%s", text);
}

// An exponential, or a number of the function that is one and that nothing else reads: it may be a factor too many.
static bool is_exponential(const edits *e, const expression *x) {
    const unit *u = &e->u;
    if (x->kind == E_CALL)
        return !strncmp(u->tokens[x->first].at, "exp", 3) || !strncmp(u->tokens[x->first].at, "__exp", 5);
    const variable *v =
        x->kind == E_NAME ? edits_visible(e, u->tokens[x->first].at, u->tokens[x->first].length, x->first) : NULL;
    if (!v || v->is_global || v->is_parameter || v->declared < 0 || !is(u, v->declared + 1, "=") ||
        strncmp(u->tokens[v->declared + 2].at, "exp", 3))
        return false;
    int reads = 0;
    for (int i = v->declared + 1; i < u->token_count; i++)
        reads += edits_same(u, i, v->declared, 1) && edits_visible(e, v->name, (int)strlen(v->name), i) == v;
    return reads == 1;
}

// 'k': it counts keys, or columns of the scores; 'q': queries, or rows.
static char counted_by(const edits *e, const expression *x) {
    const token *t = &e->u.tokens[x->end - 1];
    if (t->kind != TOKEN_NAME) return 0;
    for (int i = 0; i < t->length; i++) {
        if (i + 3 <= t->length && !strncmp(t->at + i, "seq", 3)) i += 3;
        if (i < t->length && strchr("kK", t->at[i])) return 'k';
        if (i < t->length && strchr("qQ", t->at[i])) return 'q';
    }
    if (t->length == 4 && !strncmp(t->at, "cols", 4)) return 'k';
    return t->length == 4 && !strncmp(t->at, "rows", 4) ? 'q' : 0;
}

// j > i - shift: the edge of a mask, or of a walk, on the other side of i.
static bool is_edge(edits *e, const expression *x) {
    const expression *p = x->parent;
    while (p && p->kind == E_PAREN) p = p->parent;
    const char *op = p && p->kind == E_BINARY ? edits_operator_text(&e->u, p->op) : "";
    const bool compares = (*op == '<' || *op == '>') && op[1] != *op;
    return compares && x->a->kind != E_NUMBER && x->b->kind == E_NAME && edits_type_of(e, x).base == BASE_INT &&
           !edits_type_of(e, x).pointers;
}

// Sk - Sq: there are no fewer keys than queries. The other way round it is below 0, and a sign elsewhere is wrong.
static bool is_gap(const edits *e, const expression *x) {
    return is_operator(e, x, "-") && counted_by(e, x->a) == 'k' && counted_by(e, x->b) == 'q';
}

// end = from + share - 1, where nothing divides it: one too few, of an end behind which the next one begins.
static bool is_end_less_one(edits *e, const expression *x) {
    const expression *one = x->b, *p = x;
    if (!is_operator(e, x, "-") || one->kind != E_NUMBER || one->end != one->first + 1 || !is(&e->u, one->first, "1"))
        return false;
    while (p->parent && (p->parent->kind == E_PAREN || p->parent->kind == E_CALL)) p = p->parent;
    return edits_type_of(e, x).base == BASE_INT && !edits_type_of(e, x).pointers && !is_operator(e, p->parent, "*/%") &&
           !edits_in_subscript(x);
}

static void change_binary(edits *e, int place, const expression *x) {
    const unit *u = &e->u;
    const char *op = edits_operator_text(u, x->op);
    const value_type type = edits_type_of(e, x);
    if (is_operator(e, x, "-") && is_edge(e, x)) edits_replace(e, place, EDGE, "operator", x->op, x->op_end, "+");
    exchange_operator(e, place, x, comparisons, "operator");
    exchange_operator(e, place, x, shifts, "operator");
    if (strchr("+-*/%", *op) && !op[1]) {
        if (!type.pointers) exchange_operator(e, place, x, sums, "operator");
        if (type.base != BASE_FLOAT && !type.pointers) exchange_operator(e, place, x, whole_sums, "operator");
        if (type.pointers) edits_replace(e, place, 30, "operator", x->op, x->op_end, *op == '+' ? "-" : "+");
        if (type.pointers && x->a->kind == E_BINARY) edits_replace(e, place, 24, "operator", x->op, x->op_end, "*");
        const bool product = *op == '*';
        if (asks_for_memory(e, x)) return;
        const int without_b = product && is_exponential(e, x->b) ? FACTOR
                              : is_end_less_one(e, x)            ? WHOLE_END
                              : product                          ? 22
                                                                 : 24;
        const int without_a = product && is_exponential(e, x->a) ? FACTOR : 26;
        keep_operand(e, place, without_b, "left out", x, x->a);
        if ((*op == '+' && !type.pointers) || product) keep_operand(e, place, without_a, "left out", x, x->b);
        if (*op == '-')
            edits_replace(e, place, 40, "left out", x->first, x->end, "(-%s)", edits_text(e, x->b->first, x->b->end));
        // a + b - c is no c - a + b.
        if (is_inverse(e, x))
            keep_operand(e, place, INVERSE, "left out", x, x->b);
        else if (strchr("-/%", *op) && x->a->kind != E_BINARY)
            edits_swap(e, place,
                       is_gap(e, x)                      ? FEWER_KEYS
                       : is_operator(e, x->parent, "<>") ? ALWAYS_SO  // j > n - T asks nothing as j > T - n
                                                         : SIDES,
                       "exchanged", x->a, x->b);
    }
    if (!strcmp(op, "&&") || !strcmp(op, "||")) {
        keep_operand(e, place, 20, "left out", x, x->a);
        keep_operand(e, place, 20, "left out", x, x->b);
    }
}

static void change_unary(edits *e, int place, const expression *x) {
    const unit *u = &e->u;
    if (is(u, x->op, "-"))
        edits_replace(e, place, 20, "sign", x->first, x->end, "%s", edits_text(e, x->a->first, x->a->end));
    if (is(u, x->op, "-")) edits_replace(e, place, 18, "constant", x->first, x->end, "0.0f");
    if (is(u, x->op, "!"))
        edits_replace(e, place, 14, "negation", x->first, x->end, "%s", edits_text(e, x->a->first, x->a->end));
    // while (i++ < n) { ...; i++; }
    if (x->parent && (adjacent(u, x->op, "++") || adjacent(u, x->op, "--")))
        edits_replace(e, place, 9, "left out", x->first, x->end, "%s", edits_text_of(e, x->a));
    if (adjacent(u, x->op, "++")) edits_replace(e, place, 16, "operator", x->op, x->op_end, "--");
    if (adjacent(u, x->op, "--")) edits_replace(e, place, 16, "operator", x->op, x->op_end, "++");
}

// b < a ? b : a: the function is for that.
static bool is_least_or_most(const edits *e, int place, const expression *x) {
    const statement *st = &e->statements[e->places[place].statement];
    const function *f = &e->functions[st->function];
    return st->kind == S_RETURN && st->first == f->body + 1 && st->end == f->end - 1 && x->a->kind == E_BINARY &&
           x->b->kind == E_NAME && x->c->kind == E_NAME;
}

// mine > 0 ? mine : l, where one number is not to take the other's place
static bool takes_place(edits *e, const expression *x) {
    const expression *asked = edits_bare(x->a);
    return asked->kind == E_BINARY && x->b->kind == E_NAME && x->c->kind == E_NAME && asked->b->kind == E_NUMBER &&
           edits_is_real(edits_type_of(e, x->b)) && !strcmp(edits_text_of(e, asked->a), edits_text_of(e, x->b));
}

static void change_ternary(edits *e, int place, const expression *x) {
    edits_swap(e, place, 18, "exchanged", x->b, x->c);
    if (is_least_or_most(e, place, x)) return;
    keep_operand(e, place, 30, "left out", x, x->b);
    keep_operand(e, place, takes_place(e, x) ? 9 : 34, "left out", x, x->c);
}

// A vector is one number after another, with + and * of its own; a struct has none.
static bool has_fields(const edits *e, value_type type) {
    for (int i = 0; i < e->n_variables && type.base == BASE_STRUCT; i++)
        if (e->variables[i].owner && !strcmp(e->variables[i].owner, type.word)) return true;
    return false;
}

// full = a > b: in a loop the last round alone decides.
static bool is_verdict(const edits *e, int place, const expression *x) {
    const expression *value = x->b;
    while (value->kind == E_PAREN) value = value->a;
    const char *op = value->kind == E_BINARY ? edits_operator_text(&e->u, value->op) : "";
    const bool decides = strchr("<>!", *op) || !strcmp(op, "==") || !strcmp(op, "&&") || !strcmp(op, "||");
    bool in_loop = false;
    for (int s = e->places[place].statement; s >= 0; s = e->statements[s].parent)
        in_loop |= e->statements[s].kind == S_LOOP;
    return in_loop && *op && decides;
}

// for (i = 0; ...: nothing is added up where a loop begins; with += it may not run at all.
bool edits_begins_loop(const unit *u, const expression *x) {
    for (int i = x->first; i > 1 && !is(u, i, ";") && !is(u, i, "{"); i--)
        if (is(u, i - 1, "(") && is(u, i - 2, "for")) return true;
    return false;
}

void edits_change_operators(edits *e, int place, expression *x) {
    const unit *u = &e->u;
    if (x->kind == E_BINARY) change_binary(e, place, x);
    if (x->kind == E_ASSIGN) {
        const value_type type = edits_type_of(e, x->a);
        if (!type.pointers && !has_fields(e, type) && !is(u, x->b->first, "{") && !edits_begins_loop(u, x))
            exchange_operator(e, place, x, assignments, "assignment");
        if (type.pointers && adjacent(u, x->op, "-="))
            edits_replace(e, place, BACKWARDS, "assignment", x->op, x->op_end, "+=");
        if (!type.pointers && type.base == BASE_INT && is_verdict(e, place, x))
            exchange_operator(e, place, x, verdicts, "assignment");
    }
    if (x->kind == E_UNARY || x->kind == E_POSTFIX) change_unary(e, place, x);
    if (x->kind == E_TERNARY) change_ternary(e, place, x);
    if (x->kind == E_COMMA) {
        keep_operand(e, place, 26, "left out", x, x->a);
        keep_operand(e, place, 26, "left out", x, x->b);
    }
    if (x->kind == E_CAST) {  // (int)l has lost what stands behind the point
        const bool cut = edits_type_of(e, x).base == BASE_INT && edits_type_of(e, x->a).base == BASE_FLOAT;
        keep_operand(e, place, cut ? 10 : 50, "cast", x, x->a);
    }
}
