// constants.c: another constant, and one more or one less where an off-by-one is likely.
#include "edits.h"

#include <stdlib.h>
#include <string.h>

static void whole_number(edits *e, int place, const expression *x) {
    const token *t = &e->u.tokens[x->first];
    char *end;
    const long n = strtol(t->at, &end, 0);
    if (n < 0 || n > 100000 || (t->length > 1 && t->at[1] == 'x')) return;
    const int suffix = t->length - (int)(end - t->at);
    const long others[] = {n + 1, n - 1, 0, 1, 2, n * 2, n / 2};
    const int ranks[] = {16, 16, 18, 18, 26, 28, 28};
    for (int i = 0; i < 7; i++)
        if (others[i] >= 0 && others[i] != n)
            edits_replace(e, place, ranks[i], "constant", x->first, x->end, "%ld%.*s", others[i], suffix, end);
}

// Numbers that stand elsewhere in the function.
static void numbers_around(edits *e, int place, const expression *x) {
    const function *f = &e->functions[e->statements[e->places[place].statement].function];
    for (int i = f->body; i < f->end; i++) {
        const token *t = &e->u.tokens[i];
        const bool whole = t->length < 5 && strspn(t->at, "0123456789") == (size_t)t->length;
        if (whole && strtol(t->at, NULL, 10) > 2)
            edits_replace(e, place, 32, "constant", x->first, x->end, "%.*s", t->length, t->at);
    }
}

// if (D < 128) run<64>(...): what is run is for up to 64.
enum { UP_TO = 0 };  // rank: it stands there in figures
static void up_to(edits *e, int place, const expression *x) {
    const int s = e->places[place].statement;
    const statement *st = &e->statements[s];
    if (st->kind != S_IF || e->places[place].kind != P_CONDITION || x->b->kind != E_NUMBER) return;
    for (int i = e->places[place].end; i < st->end; i++) {
        const token *t = &e->u.tokens[i];
        const bool number = t->length < 5 && strspn(t->at, "0123456789") == (size_t)t->length;
        if (number && is(&e->u, i - 1, "<") && is(&e->u, i + 1, ">"))
            edits_replace(e, place, UP_TO, "up to", x->first, x->end, "%s <= %.*s", edits_text_of(e, x->a), t->length,
                          t->at);
    }
}

// What a sum or a count begins with, where it begins with something else.
static void begins_with_nothing(edits *e, int place, const expression *x) {
    const value_type type = edits_type_of(e, x);
    if (type.pointers || (type.base != BASE_FLOAT && type.base != BASE_INT)) return;
    edits_replace(e, place, 30, "constant", x->first, x->end, type.base == BASE_FLOAT ? "0.0f" : "0");
    if (type.base == BASE_FLOAT) edits_replace(e, place, 34, "constant", x->first, x->end, "-INFINITY");
}

enum { CHOSEN = 12 };  // rank of 0 and 1, where `?:` chooses another number
static void other_number(edits *e, int place, const expression *x) {
    static const char *const others[] = {"0.0f", "1.0f", "-INFINITY", "2.0f", "0.5f"};
    const token *t = &e->u.tokens[x->first];
    const double value = strtod(t->at, NULL);
    const bool begins = e->places[place].first == x->first || (x->parent && x->parent->kind == E_ASSIGN);
    const bool chosen = x->parent && x->parent->kind == E_TERNARY && x->parent->a != x;
    for (int i = 0; i < (begins ? 3 : 5); i++)
        if (strtod(others[i], NULL) != value)
            edits_replace(e, place,
                          begins && i == 2  ? 15
                          : chosen && i < 2 ? CHOSEN
                                            : 19 + 2 * i,
                          "constant", x->first, x->end, "%s", others[i]);
}

static bool is_truth(edits *e, const expression *x) {
    if (x->kind == E_UNARY) return is(&e->u, x->first, "!");
    return x->kind == E_BINARY && strpbrk(edits_operator_text(&e->u, x->op), "<>=!&|") != NULL;
}

// n + 1: that it is n, or n + 2, is tried of the number.
static bool ends_one_off(edits *e, const expression *x) {
    const bool sum = x->kind == E_BINARY && strchr("+-", *edits_operator_text(&e->u, x->op));
    return sum && x->b->kind == E_NUMBER && x->b->end == x->b->first + 1 && is(&e->u, x->b->first, "1");
}

// One more or one less: where an off-by-one is likely.
static void one_off(edits *e, int place, int rank, const expression *x) {
    const char *text = edits_text(e, x->first, x->end);
    if (x->kind == E_NUMBER || is_truth(e, x) || ends_one_off(e, x)) return;
    const bool tight =
        x->kind == E_TERNARY || (x->kind == E_BINARY && !strchr("+-*/%", *edits_operator_text(&e->u, x->op)));
    edits_replace(e, place, rank, "one off", x->first, x->end, tight ? "(%s) + 1" : "%s + 1", text);
    edits_replace(e, place, rank + 1, "one off", x->first, x->end, tight ? "(%s) - 1" : "%s - 1", text);
}

// part left[WARPS - 1]; left[warp]: the first one has no element, and each other one that before its own number.
enum { SHORTER = 4 };  // rank
static void of_shorter_array(edits *e, int place, const expression *x) {
    const unit *u = &e->u;
    const token *t = &u->tokens[x->first];
    const variable *v =
        x->a->kind == E_NAME && x->b->kind == E_NAME ? edits_visible(e, t->at, t->length, x->first) : NULL;
    const int close = v && is(u, v->declared + 1, "[") ? u->tokens[v->declared + 1].match : 0;
    if (close && is(u, close - 1, "1") && is(u, close - 2, "-"))
        edits_replace(e, place, SHORTER, "one off", x->b->first, x->b->end, "%s - 1", edits_text_of(e, x->b));
}

static bool whole(edits *e, const expression *x) {
    const value_type t = edits_type_of(e, x);
    return !t.pointers && (t.base == BASE_INT || t.base == BASE_UNKNOWN);
}

void edits_change_constants(edits *e, int place, expression *x) {
    static const char *const bounds[] = {"<", "<=", ">", ">=", NULL};
    if (x->kind == E_NUMBER) {
        if (edits_type_of(e, x).base == BASE_INT)
            whole_number(e, place, x), numbers_around(e, place, x);
        else
            other_number(e, place, x);
    }
    if (!x->parent && e->places[place].kind == P_VALUE &&
        (x->kind == E_INDEX || x->kind == E_NAME || x->kind == E_UNARY))
        begins_with_nothing(e, place, x);
    if (x->kind == E_BINARY)
        for (int i = 0; bounds[i]; i++)
            if (!strcmp(edits_operator_text(&e->u, x->op), bounds[i]) && whole(e, x->b))
                one_off(e, place, 17, x->b), up_to(e, place, x);
    if (x->kind == E_INDEX) of_shorter_array(e, place, x), one_off(e, place, 30, x->b);
    const bool arm = x->parent && x->parent->kind == E_TERNARY && x->parent->a != x;
    const bool returned = !x->parent && e->statements[e->places[place].statement].kind == S_RETURN;
    const bool status = !strncmp(e->u.tokens[x->first].at, "ATTN_", 5);  // one more of it is none
    if ((arm || returned) && !status && x->kind != E_TERNARY && edits_type_of(e, x).base == BASE_INT && whole(e, x))
        one_off(e, place, 24, x);
    const bool factor = x->parent && x->parent->kind == E_BINARY && is(&e->u, x->parent->op, "*");
    if (factor && x->kind == E_NAME && edits_type_of(e, x).base == BASE_INT)
        edits_replace(e, place, 33, "one off", x->first, x->end, "(%s + 1)", edits_text(e, x->first, x->end));
    if (x->kind == E_CALL)
        for (const expression *a = x->arguments; a; a = a->next)
            if (edits_type_of(e, a).base == BASE_INT && whole(e, a)) one_off(e, place, 44, a);
    if (x->kind == E_ASSIGN && edits_type_of(e, x->a).base == BASE_INT && whole(e, x->a)) one_off(e, place, 28, x->b);
    if (!x->parent && e->places[place].kind == P_VALUE && edits_type_of(e, x).base == BASE_INT)
        one_off(e, place, 28, x);
}
