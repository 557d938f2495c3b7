// axes.c: the number of a thread along one axis in place of that along another.
//
//     const int tx = threadIdx.x, ty = threadIdx.y;      kb = k0 + tx      kb = k0 + ty
//     const int b = blockIdx.x, h = blockIdx.y;          b = blockIdx.y, h = blockIdx.x
//     i = blockIdx.x + threadIdx.x                       i = blockIdx.x * blockDim.x + threadIdx.x
//     h = blockIdx.y + blockIdx.z * gridDim.x            h = blockIdx.y + blockIdx.z * gridDim.y
#include "edits.h"

enum { TWICE = 2, NUMBERS = 6, OTHER = 6, BOTH = 8, WHOLE = 2, FASTER = 2, AXIS = 18, THIRD = 22 };  // ranks

// tx = threadIdx.x: the token of its axis; 0: it is no such number.
static int axis_of(const edits *e, const variable *v) {
    static const char *const built_in[] = {"threadIdx", "blockIdx", NULL};
    return v->value_end - v->value == 3 && is_any(&e->u, v->value, built_in) ? v->value + 2 : 0;
}

// v, the number of a thread, stands in x; w is another one, of another axis.
static bool is_other_axis(const edits *e, const variable *v, const variable *w) {
    const unit *u = &e->u;
    return w && w != v && axis_of(e, w) && *u->tokens[w->value].at == *u->tokens[v->value].at;
}

// load(B, col + tx, k0 + ty) becomes load(B, col + ty, k0 + tx).
static void exchange_in_call(edits *e, int place, const expression *x, const variable *v) {
    const expression *call = x->parent;
    while (call && call->kind != E_CALL) call = call->parent;
    for (int i = x->end; call && i < call->end; i++) {
        const token *t = &e->u.tokens[i];
        const variable *w = t->kind == TOKEN_NAME ? edits_visible(e, t->at, t->length, i) : NULL;
        if (!is_other_axis(e, v, w)) continue;
        edits_replace(e, place, BOTH, "exchanged", x->first, i + 1, "%s %s %s", w->name, edits_text(e, x->end, i),
                      v->name);
        return;
    }
}

// L && threadIdx.x == 0: one of all threads, where the first lane, or warp, is meant.
static void part_of_number(edits *e, int place, const expression *x) {
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        bool by_thread = false;
        for (int k = v->value; v->value > 0 && k < v->value_end; k++) by_thread |= is(&e->u, k, "threadIdx");
        if (by_thread && v->value_end - v->value > 3 && edits_is_whole(v->type) && v->value_end <= x->first &&
            edits_sees(e, v, x->first))
            edits_replace(e, place, OTHER, "axis", x->first, x->end, "%s", v->name);
    }
}

// int h = blockIdx.x, b = blockIdx.x: one of two that are the same is that of the other axis. Two loops may well begin with
// the same thread.
static void same_twice(edits *e, int place, const expression *x) {
    const struct place *p = &e->places[place];
    const function *f = &e->functions[e->statements[p->statement].function];
    int alike = 0;
    if (x->parent || !edits_is_value(e, place, x)) return;
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        const bool here = v->declared > f->body && v->declared < f->end && !v->is_loop;
        alike += here && axis_of(e, v) && edits_same(&e->u, v->value, x->first, 3);
    }
    if (alike < 2 || e->statements[p->statement].kind == S_LOOP) return;
    edits_replace(e, place, TWICE, "axis", x->first, x->end, "%s.%c", edits_text(e, x->first, x->first + 1),
                  is(&e->u, x->end - 1, "x") ? 'y' : 'x');
}

// int b = blockIdx.x, h = blockIdx.y: each has what the other one is to have.
static void exchange_numbers(edits *e, int place, const expression *x) {
    const variable *v = NULL;
    for (int i = 0; i < e->n_variables && !v; i++)
        if (e->variables[i].value == x->first && axis_of(e, &e->variables[i])) v = &e->variables[i];
    for (int i = 0; v && i < e->n_variables; i++) {
        const variable *w = &e->variables[i];
        const int other =
            w->declared > v->declared && w->from < v->to && axis_of(e, w) && axis_of(e, w) != axis_of(e, v)
                ? edits_place_of(e, w->value, w->value_end)
                : -1;
        if (other < 0 || !edits_same(&e->u, v->value, w->value, 1) || edits_same(&e->u, v->value, w->value, 3))
            continue;
        const replacement a = {place, x->first, x->end, edits_text(e, w->value, w->value_end)};
        const replacement b = {other, w->value, w->value_end, edits_text(e, x->first, x->end)};
        edits_replace_two(e, NUMBERS, "exchanged", &a, &b);
    }
}

// blockIdx.x + threadIdx.x: the number of a thread among all of them.
static void number_of_all(edits *e, int place, const expression *x) {
    const unit *u = &e->u;
    const expression *block = x->a, *thread = x->b;
    if (!is_operator(e, x, "+")) return;
    if (is(u, block->first, "threadIdx")) block = x->b, thread = x->a;
    if (block->end - block->first == 3 && thread->end - thread->first == 3 && is(u, block->first, "blockIdx") &&
        is(u, thread->first, "threadIdx") && edits_same(u, block->end - 1, thread->end - 1, 1))
        edits_replace(e, place, WHOLE, "axis", block->first, block->end, "%s * blockDim.%s", edits_text_of(e, block),
                      edits_text(e, block->end - 1, block->end));
}

// Another axis, or the same one of a block for a thread's, of its size for its number.
static void built_in(edits *e, int place, const expression *x) {
    static const char *const others[][3] = {{"threadIdx", "blockIdx", "blockDim"},
                                            {"blockIdx", "threadIdx", "gridDim"},
                                            {"blockDim", "gridDim", "blockIdx"},
                                            {"gridDim", "blockDim", "blockIdx"}};
    const int axis = x->end - 1;
    for (const char *other = "xyz"; *other; other++)
        if (!is(&e->u, axis, format(&e->u, "%c", *other)) && (*other != 'z' || edits_has_word(e, "z")))
            edits_replace(e, place, *other == 'z' ? THIRD : AXIS, "number", axis, x->end, "%c", *other);
    for (int i = 0; i < 4; i++)
        for (int k = 1; k < 3 && is(&e->u, x->first, others[i][0]); k++)
            edits_replace(e, place, AXIS + 4 * (k - 1), "number", x->first, x->first + 1, "%s", others[i][k]);
}

// blockIdx.y + blockIdx.z * gridDim.x: what counts faster is multiplied by the size of its own axis.
static void size_of_faster(edits *e, int place, const expression *x) {
    const unit *u = &e->u;
    const expression *product = x->parent, *sum = product ? product->parent : NULL;
    if (!is_operator(e, product, "*") || !is_operator(e, sum, "+")) return;
    const expression *faster = sum->a == product ? sum->b : sum->a;
    if (faster->end - faster->first == 3 && is(u, faster->first, "blockIdx") &&
        !edits_same(u, faster->end - 1, x->end - 1, 1))
        edits_replace(e, place, FASTER, "number", x->end - 1, x->end, "%s",
                      edits_text(e, faster->end - 1, faster->end));
}

void edits_change_axes(edits *e, int place, expression *x) {
    const unit *u = &e->u;
    if (x->kind == E_MEMBER && x->end - x->first == 3 && (is(u, x->first, "threadIdx") || is(u, x->first, "blockIdx")))
        same_twice(e, place, x), exchange_numbers(e, place, x);
    number_of_all(e, place, x);
    static const char *const numbers[] = {"threadIdx", "blockIdx", "blockDim", "gridDim", NULL};
    if (x->kind == E_MEMBER && x->end - x->first == 3 && is(u, x->first, "gridDim")) size_of_faster(e, place, x);
    if (x->kind == E_MEMBER && x->end - x->first == 3 && is_any(u, x->first, numbers)) built_in(e, place, x);
    if (x->kind == E_MEMBER && x->end - x->first == 3 && is(u, x->first, "threadIdx")) part_of_number(e, place, x);
    const token *t = &u->tokens[x->first];
    const variable *v = x->kind == E_NAME ? edits_visible(e, t->at, t->length, x->first) : NULL;
    if (!v || !axis_of(e, v) || edits_is_set(e, x)) return;
    exchange_in_call(e, place, x, v);
    for (int i = 0; i < e->n_variables; i++) {
        const variable *w = &e->variables[i];
        if (edits_sees(e, w, x->first) && is_other_axis(e, v, w))
            edits_replace(e, place, OTHER, "axis", x->first, x->end, "%s", w->name);
    }
}
