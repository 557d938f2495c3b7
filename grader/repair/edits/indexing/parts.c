// parts.c: a number that is taken apart elsewhere and stands whole here; / and % of one number exchanged; the first
// element in place of a thread's own; what is to be asked whether it is nothing; two limits in one question.
//
//     row[(i / D) * S + i]           (i / D) * S + i % D            n / D ... n % D          n % D ... n / D
//     out[j] / sums[me]              sums[0]                        fresh += past[b]         fresh += !past[b]
#include "edits.h"

#include <string.h>

enum { REST = 10, TURNED = 12, FIRST = 24, NOTHING = 12, LIMIT = 36 };  // ranks

static int function_of(const edits *e, int place) { return e->statements[e->places[place].statement].function; }

// i, where the function has i / n: i % n; and the other way round.
static void rest(edits *e, int place, const expression *x) {
    const function *f = &e->functions[function_of(e, place)];
    const unit *u = &e->u;
    if (is_operator(e, x->parent, "/%") && x->parent->a == x) return;
    for (int i = f->body; i + 2 < f->end; i++) {
        const bool divided = is(u, i + 1, "/"), left = is(u, i + 1, "%");
        if ((!divided && !left) || !edits_same(u, i, x->first, 1) || is(u, i - 1, ".")) continue;
        int end = i + 3;
        while (is(u, end, ".") || is(u, end, "->")) end += 2;
        const ingredient g = {.first = i + 2, .end = end};
        if (!is_name(u, i + 2) || !edits_usable(e, &g, x->first)) continue;
        const bool tight = is_operator(e, x->parent, "*/%");
        edits_replace(e, place, REST, "part", x->first, x->end, tight ? "(%s %s %s)" : "%s %s %s", edits_text_of(e, x),
                      divided ? "%" : "/", edits_text(e, i + 2, end));
    }
}

static const expression *find(edits *e, const expression *x, const char *op, const expression *than) {
    if (!x) return NULL;
    if (x->kind == E_BINARY && is(&e->u, x->op, op) &&
        (!than || !strcmp(edits_text_of(e, x->a), edits_text_of(e, than->a))))
        return x;
    const expression *found = find(e, x->a, op, than);
    if (!found) found = find(e, x->b, op, than);
    for (const expression *c = x->arguments; c && !found; c = c->next) found = find(e, c, op, than);
    return found;
}

// The text of a place with / and % of the same number exchanged.
static void turned(edits *e, int place, const expression *x) {
    const expression *by = find(e, x, "/", NULL), *of = by ? find(e, x, "%", by) : NULL;
    if (!of || strcmp(edits_text_of(e, by->b), edits_text_of(e, of->b))) return;
    const expression *one = by->first < of->first ? by : of, *other = one == by ? of : by;
    edits_replace(e, place, TURNED, "part", one->op, other->op_end, "%s %s %s", one == by ? "%" : "/",
                  edits_text(e, one->op_end, other->op), one == by ? "/" : "%");
}

// Left sides of comparisons, and sums, that the function has, against its sizes.
static void limits(edits *e, int place, const expression *x, const expression *g) {
    if (!g) return;
    static const char *const signs[] = {"<", "<=", ">", ">=", NULL};
    bool side = false;
    for (int i = 0; g->parent && g->parent->kind == E_BINARY && signs[i]; i++)
        side |= !strcmp(edits_operator_text(&e->u, g->parent->op), signs[i]);
    const ingredient its = {.first = g->first, .end = g->end};
    if (side && is_operator(e, g, "+") && g->end - g->first < 8 && edits_is_whole(edits_type_of(e, g)) &&
        edits_usable(e, &its, x->first))
        for (int i = 0; i < e->n_variables; i++) {
            const variable *v = &e->variables[i];
            const bool size =
                edits_is_whole(v->type) && !v->is_loop && !v->is_global && (v->is_parameter || v->is_const);
            if (size && edits_sees(e, v, x->first) && !strstr(edits_text_of(e, g), v->name))
                edits_replace(e, place, LIMIT, "limits", x->first, x->end, "%s < %s && %s", edits_text_of(e, g),
                              v->name,
                              x->kind == E_TERNARY || strstr(edits_text_of(e, x), "||")
                                  ? format(&e->u, "(%s)", edits_text_of(e, x))
                                  : edits_text_of(e, x));
        }
    limits(e, place, x, g->a), limits(e, place, x, g->b);
    for (const expression *c = g->arguments; c; c = c->next) limits(e, place, x, c);
}

static void two_limits(edits *e, int place, const expression *x) {
    for (int p = 0; p < e->n_places; p++)
        if (function_of(e, p) == function_of(e, place)) limits(e, place, x, e->places[p].tree);
}

void edits_change_parts(edits *e, int place, expression *x) {
    const struct place *p = &e->places[place];
    const bool called = x->parent && x->parent->kind == E_CALL && x->parent->a == x;
    if (x->kind == E_NAME && !called && x->parent && edits_is_whole(edits_type_of(e, x)) && !edits_is_set(e, x))
        rest(e, place, x);
    if (!x->parent) turned(e, place, x);
    const bool subscript = x->parent && x->parent->kind == E_INDEX && x->parent->b == x;
    if (subscript && x->kind == E_NAME) edits_replace(e, place, FIRST, "part", x->first, x->end, "0");
    const bool counted = x->kind == E_ASSIGN && !strcmp(edits_operator_text(&e->u, x->op), "+=");
    if (counted && edits_is_whole(edits_type_of(e, x->a)) && x->b->kind == E_INDEX)
        edits_replace(e, place, NOTHING, "part", x->b->first, x->b->end, "!%s", edits_text_of(e, x->b));
    const bool whole = !x->parent && (p->kind == P_CONDITION || p->kind == P_VALUE);
    const char *op = x->kind == E_BINARY ? edits_operator_text(&e->u, x->op) : "";
    const bool asks = *op && (strchr("<>!", *op) || !strcmp(op, "==") || !strcmp(op, "&&") || !strcmp(op, "||"));
    const bool chosen = x->parent && x->parent->kind == E_TERNARY && x->parent->a == x;
    if (asks && ((whole && e->statements[p->statement].kind != S_LOOP) || chosen)) two_limits(e, place, x);
}
