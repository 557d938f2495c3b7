// states.c: an online softmax under any names: a state (a maximum, a sum, an output) that goes from round to round.
//
//     const float fix = expf(best[i] - grown);    a factor of what was summed with the old maximum, best[i]
//     denom[i] = denom[i] + more;                 denom[i] * fix + more
//     const float grown = top;                    fmaxf(best[i], top): the new maximum is one of old and new
//     e = expf(s[x]);                             expf(s[x] - m)
//     e = expf(s[x] - part[t]);                   expf(s[x] - m), where m is set and never read
//     my.m = 0; ... expf(my.m - m)                my.m = -INFINITY: it is a maximum
#include "edits.h"

#include <string.h>

enum { FOR_NOBODY = 2, MAXIMUM = 3, LOGARITHM = 3, SURE = 6, LIKELY = 10, START = 14, GUARDED = 18 };  // ranks
enum { BESIDE = 12 };  // tokens: in a statement before or behind

static bool is_exponential(const edits *e, int token) {
    static const char *const names[] = {"expf", "exp", "__expf", "exp2f", "weight", NULL};
    return is_any(&e->u, token, names);
}

// Is v = exp(old - new)?
bool edits_is_rescale(const edits *e, const variable *v) {
    if (!edits_is_real(v->type) || v->value < 0) return false;
    const unit *u = &e->u;
    bool exponential = false, difference = false;
    for (int i = v->value; i < v->value_end; i++)
        exponential |= is_exponential(e, i), difference |= exponential && is(u, i, "-");
    return exponential && difference;
}

static bool same(edits *e, const expression *a, const expression *b) {
    return !strcmp(edits_text(e, a->first, a->end), edits_text(e, b->first, b->end));
}

// a = a + b, and a = (a + b) * f.
static void rescaled(edits *e, int place, const expression *x) {
    const expression *a = x->a, *b = x->b, *sum = b;
    const bool sets = is(&e->u, x->op, "=") && x->op_end == x->op + 1, adds = adjacent(&e->u, x->op, "+=");
    if (!edits_is_real(edits_type_of(e, a)) || !(sets || adds)) return;
    const char *left = edits_text(e, a->first, a->end);
    if (sets && is_operator(e, b, "*")) {
        sum = b->a->kind == E_PAREN ? b->a->a : b->a;
        const char *f = edits_text(e, b->b->first, b->b->end);
        if (is_operator(e, sum, "+") && same(e, sum->a, a))
            edits_replace(e, place, SURE, "state", b->first, b->end, "%s * %s + %s", left, f,
                          edits_text(e, sum->b->first, sum->b->end));
    }
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (!edits_is_rescale(e, v) || !edits_sees(e, v, x->first)) continue;
        if (sets && is_operator(e, b, "+") && same(e, b->a, a))
            edits_replace(e, place, SURE, "state", b->a->first, b->a->end, "%s * %s", left, v->name);
        if (sets && is_operator(e, b, "+") && same(e, b->b, a))
            edits_replace(e, place, SURE, "state", b->b->first, b->b->end, "%s * %s", left, v->name);
        if (adds)
            edits_replace(e, place, LIKELY, "state", x->first, x->end, "%s = %s * %s + %s", left, left, v->name,
                          edits_text(e, b->first, b->end));
    }
}

// Does the function take v from something, as the new maximum from the old one? Then what stands before the - is old.
static void larger_of_both(edits *e, int place, const expression *x, const variable *v) {
    const unit *u = &e->u;
    for (int i = v->value_end; i < v->to; i++) {
        if (!is(u, i, "-") || !is(u, i + 1, v->name) || edits_operator(u, i) != 1) continue;
        int first = i - 1;
        while (first > v->value_end && !is(u, first, "(") && !is(u, first, ",") && !is(u, first, "=")) {
            if (u->tokens[first].bracket && u->tokens[first].match < first && u->tokens[first].match >= 0)
                first = u->tokens[first].match;
            first--;
        }
        const ingredient old = {.first = first + 1, .end = i};
        bool here = false;
        for (int k = x->first; k < x->end; k++) here |= is(u, k, edits_text(e, first + 1, first + 2));
        if (i > first + 1 && !here && edits_usable(e, &old, x->first))
            edits_replace(e, place, SURE, "state", x->first, x->end, "fmaxf(%s, %s)", edits_text(e, first + 1, i),
                          edits_text(e, x->first, x->end));
    }
}

// An exponential of a score as it is: of the difference to a maximum.
static void shifted(edits *e, int place, const expression *x) {
    const expression *a = x->arguments;
    if (!a || a->next || is_operator(e, a, "-") || !is_exponential(e, x->first)) return;
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (edits_is_real(v->type) && edits_sees(e, v, x->first) && strcmp(v->name, edits_text(e, a->first, a->end)))
            edits_replace(e, place, SURE, "state", a->first, a->end, "%s - %s", edits_text(e, a->first, a->end),
                          v->name);
    }
}

// What is subtracted from a score, where a number is computed that nobody reads: that is the maximum.
static void of_nobody(edits *e, int place, const expression *x) {
    const expression *a = x->arguments;
    if (!a || a->next || !is_operator(e, a, "-") || a->b->kind != E_INDEX || !is_exponential(e, x->first)) return;
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (edits_is_real(v->type) && edits_sees(e, v, x->first) && edits_computed_for_nobody(e, v) >= 0)
            edits_replace(e, place, FOR_NOBODY, "state", a->b->first, a->b->end, "%s", v->name);
    }
}

// log(sum), without the maximum by which the scores were shifted.
static void unshifted(edits *e, int place, const expression *x) {
    static const char *const names[] = {"logf", "log", "__logf", NULL};
    if (!is_any(&e->u, x->first, names) || is_operator(e, x->parent, "+-")) return;
    const char *log = edits_text(e, x->first, x->end);
    const expression *of = x->arguments && x->arguments->kind == E_MEMBER ? x->arguments : NULL;  // log(state.sum)
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (!edits_is_real(v->type)) continue;
        if (edits_sees(e, v, x->first))
            edits_replace(e, place, LOGARITHM, "state", x->first, x->end, "%s + %s", v->name, log);
        if (of && v->owner && v->from > v->to)
            edits_replace(e, place, LOGARITHM, "state", x->first, x->end, "%s%s + %s",
                          edits_text(e, of->first, of->op_end), v->name, log);
    }
}

// A maximum that begins with -INFINITY is no score yet: the sum beside it has no term.
static bool is_beside_no_score(const edits *e, int at) {
    static const char *const least[] = {"INFINITY", "FLT_MAX", "HUGE_VALF", NULL};
    for (int i = at < BESIDE ? 0 : at - BESIDE; i < e->u.token_count && i < at + BESIDE; i++)
        if (is_any(&e->u, i, least)) return true;
    return false;
}

// Does the function take the exponential of a difference of it, exp(m - ...) or exp(... - m)?
static bool is_exponent(edits *e, const expression *left, const function *f) {
    const unit *u = &e->u;
    const int n = left->end - left->first;
    for (int i = f->body; i + n < f->end; i++) {
        if (!is_exponential(e, i) || !is(u, i + 1, "(")) continue;
        const int first = i + 2, close = u->tokens[i + 1].match, last = close - n;
        if (is(u, first + n, "-") && edits_same(u, first, left->first, n)) return true;
        if (last > first && is(u, last - 1, "-") && edits_same(u, last, left->first, n)) return true;
    }
    return false;
}

// The same of a field, best.m, in the whole file: who takes the exponential may be given the state, expf(s->m - m).
static bool is_exponent_of_file(const edits *e, const expression *left) {
    const unit *u = &e->u;
    for (int i = 0; i + 4 < u->token_count && left->kind == E_MEMBER; i++) {
        if (!is_exponential(e, i) || !is(u, i + 1, "(")) continue;
        for (int k = i + 3, close = u->tokens[i + 1].match; k < close; k++)
            if ((is(u, k - 1, ".") || is(u, k - 1, "->")) && edits_same(u, k, left->end - 1, 1) &&
                (is(u, k + 1, "-") || (k + 1 == close && (is(u, k - 3, "-") || is(u, k - 4, "-")))))
                return true;
    }
    return false;
}

// A maximum that begins with 0.
static void from_nothing(edits *e, int place, const expression *x) {
    const expression *p = x->parent;
    const bool value = (!p && e->places[place].kind == P_VALUE) || (p && p->kind == E_ASSIGN && p->b == x);
    const value_type type = p ? edits_type_of(e, p->a) : (value_type){.base = BASE_UNKNOWN};
    const bool real = p ? edits_is_real(type) || (type.base == BASE_UNKNOWN && p->a->kind == E_NAME)
                        : e->places[place].cast && (strstr(e->places[place].cast, "float") != NULL);
    const char *text = edits_text(e, x->first, x->end);
    const function *f = &e->functions[e->statements[e->places[place].statement].function];
    const bool maximum = p && (is_exponent(e, p->a, f) || is_exponent_of_file(e, p->a));
    if (value && real && *text == '0' && strspn(text, "0.f") == strlen(text))
        edits_replace(e, place, maximum ? MAXIMUM : START, "state", x->first, x->end, "-INFINITY");
    if (value && p && edits_is_real(type) && *text == '0' && strspn(text, "0.f") == strlen(text) &&
        !is_beside_no_score(e, x->first))
        edits_replace(e, place, START, "state", x->first, x->end, "1.0f");
}

// Does a pointer move on in this function, or does it read p nowhere else? A number that a pointer hands over is no walk.
static bool may_walk(const edits *e, int place, int p) {
    const unit *u = &e->u;
    const function *f = &e->functions[e->statements[e->places[place].statement].function];
    bool moves = false;
    int reads = 0;
    for (int i = f->body; i < f->end; i++) {
        reads += edits_same(u, i, p, 1);
        if (!is_name(u, i) || !(adjacent(u, i + 1, "++") || adjacent(u, i - 2, "++") || adjacent(u, i + 1, "+=")))
            continue;
        const variable *v = edits_visible(e, u->tokens[i].at, u->tokens[i].length, i);
        moves |= v && v->type.pointers;
    }
    return moves || reads == 1;
}

// *p becomes *p++, where another pointer walks, too; --n and n-- take a round more or less.
static void walks(edits *e, int place, const expression *x) {
    const unit *u = &e->u;
    const expression *a = x->a;
    if (is(u, x->op, "*") && x->op_end == x->op + 1 && a->kind == E_NAME && edits_type_of(e, a).pointers) {
        if (!may_walk(e, place, a->first)) return;
        edits_replace(e, place, LIKELY, "state", x->first, x->end, "*%s++", edits_text(e, a->first, a->end));
    } else if (a->kind == E_NAME && (adjacent(u, x->op, "--") || adjacent(u, x->op, "++"))) {
        const bool before = x->kind == E_UNARY;
        const char *name = edits_text(e, a->first, a->end), *op = adjacent(u, x->op, "--") ? "--" : "++";
        if (x->parent || e->places[place].kind == P_CONDITION)
            edits_replace(e, place, LIKELY, "state", x->first, x->end, "%s%s", before ? name : op, before ? op : name);
    }
}

// What is summed counts only under a condition that stands in the lines around it.
static void counted(edits *e, int place, const expression *x) {
    const statement *st = &e->statements[e->places[place].statement];
    const expression *p = x->parent;
    const bool value = (!p && e->places[place].kind == P_VALUE) || (p && p->kind == E_ASSIGN && p->b == x);
    if (!value || x->kind != E_CALL || !edits_is_real(edits_type_of(e, x))) return;
    for (int i = 0; i < e->n_ingredients; i++) {
        const ingredient *g = &e->ingredients[i];
        if (g->kind == I_CONDITION && g->function == st->function && !strstr(g->text, "=") &&
            edits_usable(e, g, x->first))
            edits_replace(e, place, GUARDED, "state", x->first, x->end, "(%s ? %s : 0.0f)", g->text,
                          edits_text(e, x->first, x->end));
    }
}

// if (row >= rows) return; stands above: behind it that never holds.
static bool has_left(const edits *e, const ingredient *g, const statement *st) {
    const unit *u = &e->u;
    const bool leaves = is(u, g->first - 2, "if") && (is(u, g->end + 1, "return") || is(u, g->end + 1, "continue"));
    return leaves && g->end <= st->first;
}

// a < n ? ... : 0 lacks what the next line asks, too: && b < k.
static void narrowed(edits *e, int place, const expression *x) {
    const expression *top = x;
    while (top->parent && (top->parent->kind == E_PAREN || adjacent(&e->u, top->parent->op, "&&"))) top = top->parent;
    const bool asked =
        top->parent ? top->parent->kind == E_TERNARY && top->parent->a == top : e->places[place].kind == P_CONDITION;
    if (!asked || (x->parent && adjacent(&e->u, x->parent->op, "&&") && x->parent->b == x)) return;
    const char *all = edits_text(e, top->first, top->end);
    const int line = e->u.tokens[x->first].line;
    for (int i = 0; i < e->n_ingredients; i++) {
        const ingredient *g = &e->ingredients[i];
        const int away = e->u.tokens[g->first].line - line;
        const bool plain = g->kind == I_CONDITION && strpbrk(g->text, "<>") && !strpbrk(g->text, "&|?");
        if (plain && away >= -4 && away <= 4 && !has_left(e, g, &e->statements[e->places[place].statement]) &&
            !strstr(all, g->text) && edits_usable(e, g, x->first))
            edits_replace(e, place, LIKELY, "state", x->first, x->end, "%s && %s", edits_text(e, x->first, x->end),
                          g->text);
    }
}

void edits_change_states(edits *e, int place, expression *x) {
    const unit *u = &e->u;
    if (x->kind == E_ASSIGN) rescaled(e, place, x);
    if (x->kind == E_CALL) shifted(e, place, x), of_nobody(e, place, x), unshifted(e, place, x);
    if (x->kind == E_NUMBER) from_nothing(e, place, x);
    if (x->kind == E_UNARY || x->kind == E_POSTFIX) walks(e, place, x);
    if (x->kind == E_BINARY && (is_operator(e, x, "<>") || adjacent(u, x->op, "<=") || adjacent(u, x->op, ">=")))
        narrowed(e, place, x);
    counted(e, place, x);
    for (int i = 0; i < e->n_variables && !x->parent; i++) {
        const variable *v = &e->variables[i];
        if (v->value == x->first && v->value_end == x->end && edits_is_real(v->type)) larger_of_both(e, place, x, v);
    }
}
