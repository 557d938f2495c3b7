// brought.c: whoever joins maxima joins sums of exponentials, too, and each was taken from a maximum of its own: it is
// brought to the whole's before it is added.
//
//     m = fmaxf(m, ms[w]); ... l += ls[w];        l += ls[w] * expf(ms[w] - m);
//     m = block_max(m); l = block_sum(l);         const float own = m; m = block_max(m); if (own < m) l *= expf(own - m);
//     top = block_max(m); sum = block_sum(l);     sum = block_sum(l * expf(m - top));
#include "edits.h"

#include <string.h>

enum { PART = 2, IN_LOOP = 2, OWN = 3, GUARDED = 3 };  // ranks
enum { MOST_RAISED = 16, MOST_SUMS = 3, MOST_PARTS = 4 };

// max = raise(max, other), where `other` is an element of an array, and NULL where threads are asked.
typedef struct {
    int place;
    const expression *max, *other;
} raised;

static int loop_around(const edits *e, int s) {
    for (s = e->statements[s].parent; s >= 0 && e->statements[s].kind != S_LOOP;) s = e->statements[s].parent;
    return s;
}

// The token of the loop's counter in its header; -1: it has none.
static int counter_of(const edits *e, int loop) {
    const int open = e->statements[loop].first + 1;
    if (!is(&e->u, open - 1, "for") || !is(&e->u, open, "(")) return -1;
    for (int i = open + 1; i < e->u.tokens[open].match && !is(&e->u, i, ";"); i++)
        if (is_name(&e->u, i) && is(&e->u, i + 1, "=")) return i;
    return -1;
}

static bool same_word(const edits *e, int a, int b) { return a >= 0 && b >= 0 && edits_same(&e->u, a, b, 1); }

static bool has_name(const edits *e, const expression *x, int name) {
    for (int i = x->first; i < x->end; i++)
        if (is_name(&e->u, i) && same_word(e, i, name) && !is(&e->u, i - 1, ".") && !is(&e->u, i - 1, "->"))
            return true;
    return false;
}

static bool has_call(const edits *e, const expression *x, const char *part) {
    for (int i = x->first; i + 1 < x->end; i++)
        if (is_name(&e->u, i) && (is(&e->u, i + 1, "(") || is(&e->u, i + 1, "<")) &&
            strstr(edits_text((edits *)e, i, i + 1), part))
            return true;
    return false;
}

static bool is_element(const expression *x) {
    while (x && x->kind == E_MEMBER) x = x->a;
    return x && x->kind == E_INDEX;
}

static bool reads_alike(edits *e, const expression *a, const expression *b) {
    return a && b && !strcmp(edits_text_of(e, a), edits_text_of(e, b));
}

// What the maximum is compared with: the other argument of fmaxf(m, s), the other side of s > m ? s : m.
static const expression *other_of(edits *e, const expression *max, const expression *value) {
    if (value->kind == E_CALL && edits_says_maximum(&e->u.tokens[value->first])) {
        const expression *one = value->arguments, *two = one ? one->next : NULL;
        if (!two || two->next) return NULL;
        return reads_alike(e, one, max) ? two : reads_alike(e, two, max) ? one : NULL;
    }
    if (value->kind != E_TERNARY || !is_operator(e, edits_bare(value->a), "<>")) return NULL;
    return reads_alike(e, value->b, max) ? value->c : reads_alike(e, value->c, max) ? value->b : NULL;
}

// Is it what exponentials count from: expf(s - max)?
static bool is_subtracted(const edits *e, const function *f, const char *max) {
    for (int i = f->body; i + 2 < f->end; i++)
        if (is(&e->u, i, "-") && is(&e->u, i + 1, max) && is(&e->u, i + 2, ")")) return true;
    return false;
}

// if (s > m) m = s;
static bool is_asked(edits *e, int place, const expression *x) {
    const int around = e->statements[e->places[place].statement].parent;
    for (int p = place - 1; p >= 0 && around >= 0 && e->statements[around].kind == S_IF; p--) {
        const expression *asks = e->places[p].statement == around ? edits_bare(e->places[p].tree) : NULL;
        if (!asks || e->places[p].kind != P_CONDITION) continue;
        return is_operator(e, asks, "<>") && ((reads_alike(e, asks->a, x->b) && reads_alike(e, asks->b, x->a)) ||
                                              (reads_alike(e, asks->b, x->b) && reads_alike(e, asks->a, x->a)));
    }
    return false;
}

static bool is_raised(edits *e, int place, raised *r) {
    const expression *x = e->places[place].tree;
    if (e->places[place].kind != P_STATEMENT || !x || x->kind != E_ASSIGN || !is(&e->u, x->op, "=") ||
        x->op_end != x->op + 1 || x->a->kind != E_NAME || !edits_is_real(edits_type_of(e, x->a)))
        return false;
    const expression *other = is_asked(e, place, x) ? x->b : other_of(e, x->a, x->b);
    *r = (raised){place, x->a, other && is_element(other) ? other : NULL};
    if (r->other) return true;
    if (other && has_call(e, other, "shfl")) return true;
    const function *f = &e->functions[e->statements[e->places[place].statement].function];
    return x->b->kind == E_CALL && x->b->arguments && reads_alike(e, x->b->arguments, x->a) &&
           is_subtracted(e, f, edits_text_of(e, x->a));  // m = block_max(m, ...)
}

static const char *with_counter(edits *e, const expression *x, int from, int to) {
    const char *text = "";
    for (int i = x->first; i < x->end; i++) {
        const bool counts = is_name(&e->u, i) && same_word(e, i, from);
        text = format(&e->u, "%s%s", text, counts ? edits_text(e, to, to + 1) : edits_text(e, i, i + 1));
    }
    return text;
}

// What `sum += x` adds, or `sum = sum + x`: of a loop's counter, and of no maximum or exponential yet.
static const expression *added(edits *e, int place, int counter) {
    const expression *x = e->places[place].tree, *b = x && x->kind == E_ASSIGN ? edits_bare(x->b) : NULL;
    if (!b || e->places[place].kind != P_STATEMENT || !edits_is_real(edits_type_of(e, x->a))) return NULL;
    if (is(&e->u, x->op, "=") && x->op_end == x->op + 1)
        b = !is_operator(e, b, "+")      ? NULL
            : reads_alike(e, b->a, x->a) ? b->b
            : reads_alike(e, b->b, x->a) ? b->a
                                         : NULL;
    else if (!adjacent(&e->u, x->op, "+="))
        return NULL;
    return b && is_element(b) && has_name(e, b, counter) ? b : NULL;
}

typedef struct {
    replacement list[MOST_PARTS];
    int n;
} brought;

static void bring_parts(edits *e, const raised *r, int place, brought *all) {
    const int s = e->places[place].statement, its = e->places[r->place].statement;
    const int loop = loop_around(e, s), other_loop = loop_around(e, its);
    if (loop < 0 || other_loop < 0 || e->statements[s].function != e->statements[its].function) return;
    const int counter = counter_of(e, loop), other = counter_of(e, other_loop);
    const expression *x = counter < 0 || other < 0 ? NULL : added(e, place, counter);
    if (!x || !has_name(e, r->other, other) || has_name(e, x, r->max->first) || reads_alike(e, x, r->other)) return;
    const char *part = edits_text_of(e, x), *max = edits_text_of(e, r->max), *exp = edits_exponential(e);
    const char *of = with_counter(e, r->other, other, counter);
    const char *factor = format(&e->u, "%s * %s(%s - %s)", part, exp, of, max);
    if (loop != other_loop) {
        if (other_loop > loop) return;
        edits_replace(e, place, PART, "state", x->first, x->end, "%s", factor);
        if (all->n < MOST_PARTS) all->list[all->n++] = (replacement){place, x->first, x->end, factor};
        return;
    }
    const expression *sum = e->places[place].tree->a, *raise = e->places[r->place].tree;
    if (e->statements[its].kind != S_EXPRESSION || its > s || edits_text_of(e, raise) == NULL) return;
    const char *first = format(&e->u, "%s *= %s(%s - %s), %s", edits_text_of(e, sum), exp, max,
                               edits_text_of(e, raise->b), edits_text_of(e, raise));
    const replacement one = {r->place, raise->first, raise->end, first}, two = {place, x->first, x->end, factor};
    edits_replace_two(e, IN_LOOP, "state", &one, &two);
}

// The statement that raises it for all threads: a loop of shuffles, a call.
static int whole(const edits *e, int s) {
    const int loop = loop_around(e, s);
    const bool alone =
        loop >= 0 && (e->statements[loop].body == s || (e->statements[loop].body == e->statements[s].parent &&
                                                        e->statements[s].end == e->statements[s].block_end));
    return alone ? loop : s;
}

// Is it added to before this statement, and joined behind it: l = sum_of(l), l += shuffle(l)?
static bool is_joined(const edits *e, const variable *v, int from, int to) {
    for (int i = from; i + 1 < to; i++) {
        if (!edits_named(e, v, i, i + 1) || !(is(&e->u, i + 1, "=") || adjacent(&e->u, i + 1, "+="))) continue;
        for (int k = i + 3; k < to && !is(&e->u, k, ";"); k++)
            if (edits_named(e, v, k, k + 1) && (is(&e->u, k - 1, "(") || is(&e->u, k - 1, ","))) return true;
    }
    return false;
}

static void bring_own(edits *e, const raised *r) {
    const int s = whole(e, e->places[r->place].statement);
    const statement *st = &e->statements[s];
    const function *f = &e->functions[st->function];
    const char *max = edits_text_of(e, r->max), *raise = edits_text(e, st->first, st->end), *exp = edits_exponential(e);
    if (!st->listed || edits_has_word(e, "own")) return;
    for (int i = 0, n = 0; i < e->n_variables && n < MOST_SUMS; i++) {
        const variable *v = &e->variables[i];
        if (v->from < f->open || v->to > f->end || v->type.base != BASE_FLOAT || v->type.pointers || v->is_const ||
            v->declared >= st->first || v->to < st->end || !strcmp(v->name, max) || !is_joined(e, v, st->end, v->to))
            continue;
        n++;
        edits_exchange(e, s, OWN, "own maximum",
                       format(&e->u, "const float own = %s; %s if (own < %s) %s *= %s(own - %s);", max, raise, max,
                              v->name, exp, max));
    }
}

// The number of its own that a thread hands over as the first argument, and the name that gets what the threads have;
// -1: it is no such line.
static int handed(edits *e, int place, int *to) {
    const struct place *p = &e->places[place];
    const expression *x = p->tree;
    *to = p->first - 2;
    if (x && p->kind == P_STATEMENT && x->kind == E_ASSIGN && x->a->kind == E_NAME) *to = x->a->first, x = x->b;
    if (!x || x->kind != E_CALL || !x->arguments || x->arguments->kind != E_NAME || *to < 1 || !is(&e->u, *to + 1, "="))
        return -1;
    const token *t = &e->u.tokens[x->arguments->first];
    const variable *v = edits_visible(e, t->at, t->length, x->arguments->first);
    const bool own = v && v->type.base == BASE_FLOAT && !v->type.pointers && !v->is_const && !v->is_global;
    return own && is_name(&e->u, *to) ? x->arguments->first : -1;
}

static void bring_handed(edits *e, int place) {
    const int f = e->statements[e->places[place].statement].function;
    int top, to;
    const int max = handed(e, place, &top);
    if (max < 0 || same_word(e, max, top) || !is_subtracted(e, &e->functions[f], edits_text(e, top, top + 1))) return;
    for (int k = place + 1; k < e->n_places && e->statements[e->places[k].statement].function == f; k++) {
        const int sum = handed(e, k, &to);
        if (sum < 0 || same_word(e, sum, max) || same_word(e, to, top)) continue;
        const char *l = edits_text(e, sum, sum + 1), *own = edits_text(e, max, max + 1);
        const char *all = edits_text(e, top, top + 1), *exp = edits_exponential(e);
        edits_replace(e, k, PART, "state", sum, sum + 1, "%s * %s(%s - %s)", l, exp, own, all);
        edits_replace(e, k, GUARDED, "state", sum, sum + 1, "%s < %s ? %s * %s(%s - %s) : %s", own, all, l, exp, own,
                      all, l);
    }
}

void edits_change_brought(edits *e) {
    raised r;
    for (int p = 0, n = 0; edits_exponential(e) && p < e->n_places && n < MOST_RAISED; p++) {
        if (!edits_wanted(e, e->places[p].statement)) continue;
        bring_handed(e, p);
        if (!is_raised(e, p, &r)) continue;
        n++;
        brought all = {.n = 0};
        for (int k = 0; k < e->n_places && r.other; k++)
            if (k != p) bring_parts(e, &r, k, &all);
        for (int i = 0; i < all.n; i++)  // l, and O with it
            for (int k = i + 1; k < all.n; k++) edits_replace_two(e, PART, "state", &all.list[i], &all.list[k]);
        if (!r.other) bring_own(e, &r);
    }
}
