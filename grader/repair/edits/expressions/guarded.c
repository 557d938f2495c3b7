// guarded.c: what a question asks about is what stands behind it: the whole subscript, or the number that is set.
//
//     if (t < D) sum += q[t] * k[lane + t * WARP];     if (lane + t * WARP < D)
//     if (s[c] > s[c - 1]) top = s[c];                 if (s[c] > top)
//     for (i = 0; i < n / T; i++) { c = t + i * T; }   for (i = 0; t + i * T < n; i++)
//     tile[n] = src[n] * (r < rows);                   r < rows ? src[n] : 0.0f: it is not read where that is false
#include "edits.h"

#include <string.h>

enum { SUBSCRIPT = 8, SET = 0, ROUNDS = 8, CHOICE = 2, LONGEST = 12 };  // ranks; tokens of a subscript

static bool names(const edits *e, int first, int end, const char *name) {
    for (int i = first; i < end; i++)
        if (is(&e->u, i, name) && !is(&e->u, i - 1, ".") && !is(&e->u, i - 1, "->")) return true;
    return false;
}

// What is made of the counter is below a size that the bound names, or that the function is given; where the bound is a
// constant, one that nobody reads, or that the function compares with the same sum elsewhere.
static void until(edits *e, int place, const expression *asks, int first, int end) {
    const function *f = &e->functions[e->statements[e->places[place].statement].function];
    const ingredient index = {.first = first, .end = end};
    const bool quotient = is_operator(e, edits_bare(asks->b), "/");
    const char *text = edits_text(e, f->body, f->end);
    if (!edits_usable(e, &index, asks->first)) return;
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        const bool given = v->is_parameter && v->from == f->body && (quotient || edits_is_unread(e, v));
        const char *question = format(&e->u, "%s < %s", edits_text(e, first, end), v->name);
        if (edits_is_whole(v->type) && !v->is_global && !v->is_loop && edits_sees(e, v, asks->first) &&
            (given || strstr(text, question) || names(e, asks->b->first, asks->b->end, v->name)) &&
            !names(e, first, end, v->name))
            edits_replace(e, place, ROUNDS, "guarded", asks->first, asks->end, "%s", question);
    }
}

// Each subscript of `in` that is made of x: in the place of x, or, of a loop's counter, as what the loop asks.
static void subscripts_of(edits *e, int place, const expression *x, const expression *in, bool loop) {
    if (!in) return;
    const expression *b = in->kind == E_INDEX ? in->b : NULL;
    const ingredient index = {.first = b ? b->first : 0, .end = b ? b->end : 0};
    if (b && b->kind == E_BINARY && b->end - b->first <= LONGEST && names(e, b->first, b->end, edits_text_of(e, x)) &&
        edits_usable(e, &index, x->first)) {
        if (loop)
            until(e, place, x->parent, b->first, b->end);
        else
            edits_replace(e, place, SUBSCRIPT, "guarded", x->first, x->end, "%s", edits_text_of(e, b));
    }
    subscripts_of(e, place, x, in->a, loop), subscripts_of(e, place, x, in->b, loop);
    for (const expression *c = in->c; c; c = c->next) subscripts_of(e, place, x, c, loop);
    for (const expression *c = in->arguments; c; c = c->next) subscripts_of(e, place, x, c, loop);
}

// y = c; behind a question that compares c: c is compared with y.
static void what_is_set(edits *e, int place, const expression *x, const expression *other, const expression *set) {
    if (!set || set->kind != E_ASSIGN || set->op_end != set->op + 1 || edits_type_of(e, set->a).pointers ||
        set->b->end - set->b->first != other->end - other->first ||
        !edits_same(&e->u, set->b->first, other->first, other->end - other->first))
        return;
    edits_replace(e, place, SET, "guarded", x->first, x->end, "%s", edits_text_of(e, set->a));
}

// Does the loop count its rounds, by a quotient, or by a constant and asks nothing in them?
static bool counts_rounds(const edits *e, const expression *asks, const statement *loop) {
    const expression *bound = edits_bare(asks->b);
    const token *t = &e->u.tokens[bound->first];
    const variable *v = bound->kind == E_NAME ? edits_visible(e, t->at, t->length, bound->first) : NULL;
    static const char *const questions[] = {"if", "?", "while", "for", NULL};
    if (!is(&e->u, asks->op, "<")) return false;
    if (is_operator(e, bound, "/")) return true;
    for (int i = asks->end; i < loop->end; i++)
        if (is_any(&e->u, i, questions)) return false;
    return bound->kind == E_NUMBER || (v && v->is_global);
}

static void rounds(edits *e, int place, const expression *counter) {
    const struct place *p = &e->places[place];
    const statement *st = &e->statements[p->statement];
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (v->declared > p->end && v->declared < st->end && edits_is_whole(v->type) && !v->is_loop &&
            v->value_end - v->value > 2 && v->value_end - v->value <= LONGEST &&
            names(e, v->value, v->value_end, edits_text_of(e, counter)))
            until(e, place, counter->parent, v->value, v->value_end);
    }
    for (int k = 0; k < e->n_places; k++)
        if (e->places[k].first > p->end && e->places[k].end <= st->end)
            subscripts_of(e, place, counter, e->places[k].tree, true);
}

static bool is_question(const edits *e, const expression *x) {
    static const char *const signs[] = {"<", "<=", ">", ">=", "==", "!=", "&&", "||", NULL};
    for (int i = 0; x->kind == E_BINARY && signs[i]; i++)
        if (!strcmp(edits_operator_text(&e->u, x->op), signs[i])) return true;
    return false;
}

// An element that is multiplied by a question is read whatever the answer is, and 0 * NaN is NaN.
static void choice(edits *e, int place, const expression *x) {
    const bool whole = !x->parent || x->parent->kind == E_ASSIGN;
    if (!is_operator(e, x, "*")) return;
    for (int side = 0; side < 2; side++) {
        const expression *asks = edits_bare(side ? x->a : x->b), *element = edits_bare(side ? x->b : x->a);
        if (is_question(e, asks) && element->kind == E_INDEX)
            edits_replace(e, place, CHOICE, "guarded", x->first, x->end, whole ? "%s ? %s : 0.0f" : "(%s ? %s : 0.0f)",
                          edits_text_of(e, asks), edits_text_of(e, element));
    }
}

void edits_change_guarded(edits *e, int place, const expression *x) {
    const struct place *p = &e->places[place];
    const statement *st = &e->statements[p->statement];
    const expression *up = x->parent, *asks = up;
    choice(e, place, x);
    if (!up || up->kind != E_BINARY || !strchr("<>", *edits_operator_text(&e->u, up->op)) ||
        up->op_end - up->op > 1 + (is(&e->u, up->op + 1, "=")))
        return;
    const bool counter = x->kind == E_NAME && edits_is_whole(edits_type_of(e, x));
    while (asks && asks->kind != E_TERNARY) asks = asks->parent;
    if (asks && counter && x->first < asks->a->end) subscripts_of(e, place, x, asks->b, false);
    if (p->kind != P_CONDITION) return;
    if (st->kind == S_LOOP && counter && x == up->a && !up->parent && counts_rounds(e, up, st)) rounds(e, place, x);
    for (int k = 0; k < e->n_places && st->kind == S_IF; k++) {
        const struct place *behind = &e->places[k];
        if (behind->first < p->end || behind->end > st->end || !behind->tree) continue;
        if (counter) subscripts_of(e, place, x, behind->tree, false);
        if (behind->kind == P_STATEMENT) what_is_set(e, place, x, x == up->a ? up->b : up->a, behind->tree);
    }
}
