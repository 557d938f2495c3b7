// functions.c: another function that takes as much in place of one, and two arguments of a call that change places.
#include "edits.h"

#include <string.h>

// ranks: two sizes of one grid; the shuffle that reaches all lanes, or one; min for max, where a part begins or ends
enum { GRID = 8, SHUFFLE = 12, LIMIT = 13, CONSTANT = 4 };

static int count(const expression *list) {
    int n = 0;
    for (; list; list = list->next) n++;
    return n;
}

static bool same_parameters(const edits *e, const function *f, const function *g) {
    const variable *a = e->variables, *b = e->variables, *end = a + e->n_variables;
    if (f->parameters != g->parameters) return false;
    for (int i = 0; i < f->parameters; i++, a++, b++) {
        while (a < end && !(a->is_parameter && a->from == f->body)) a++;
        while (b < end && !(b->is_parameter && b->from == g->body)) b++;
        if (a >= end || b >= end || a->type.base != b->type.base || a->type.pointers != b->type.pointers) return false;
    }
    return true;
}

// A shuffle that leaves the sum in one lane, which then hands it to all: that lane is wrong, rather than the shuffle.
static bool is_handed_on(const edits *e, const expression *shuffle) {
    for (int f = 0; f < e->n_functions; f++)
        for (int i = shuffle->end; e->functions[f].body < shuffle->first && i < e->functions[f].end; i++)
            if (is(&e->u, i, "__shfl_sync")) return true;
    return false;
}

static void other_functions(edits *e, int place, const expression *x) {
    static const char *const families[][5] = {{"fmaxf", "fminf", NULL},
                                              {"fminf", "fmaxf", NULL},
                                              {"min", "max", NULL},
                                              {"exp", "expf", NULL},
                                              {"exp2", "exp", NULL},
                                              {"fmin", "fmax", NULL},
                                              {"max", "min", NULL},
                                              {"fmax", "fmin", NULL},
                                              {"expf", "exp2f", "logf", "expm1f", NULL},
                                              {"exp2f", "expf", "log2f", NULL},
                                              {"logf", "expf", "log2f", NULL},
                                              {"sqrtf", "fabsf", NULL},
                                              {"rsqrtf", "sqrtf", NULL},
                                              {"atomicAdd", "atomicMax", "atomicExch", NULL},
                                              {"__shfl_down_sync", "__shfl_xor_sync", "__shfl_up_sync", NULL},
                                              {"__shfl_xor_sync", "__shfl_down_sync", NULL},
                                              {"__shfl_up_sync", "__shfl_down_sync", "__shfl_xor_sync", NULL},
                                              {"__shfl_sync", "__shfl_xor_sync", NULL},
                                              {"__expf", "exp2f", NULL}};
    static const char *const whole[] = {"min", "max", NULL};
    const unit *u = &e->u;
    if (x->a->kind != E_NAME) return;
    for (size_t f = 0; f < sizeof families / sizeof *families; f++)
        if (is(u, x->first, families[f][0]))
            for (int i = 1; families[f][i]; i++)
                edits_replace(e, place,
                              i == 1 && !strncmp(families[f][0], "__shfl", 6) && !is_handed_on(e, x) ? SHUFFLE
                              : is_any(u, x->first, whole)                                           ? LIMIT
                                                                                                     : 30,
                              "function", x->first, x->a->end, "%s", families[f][i]);
    const int n = count(x->arguments);
    const function *called = NULL;
    for (int i = 0; i < e->n_functions; i++)
        if (is(u, x->first, e->functions[i].name)) called = &e->functions[i];
    for (int i = 0; i < e->n_functions; i++) {
        const function *f = &e->functions[i];
        const bool fits = called ? same_parameters(e, f, called) && f->kernel == called->kernel &&
                                       f->device == called->device && f->result.base == called->result.base
                                 : f->parameters == n && edits_alike(edits_type_of(e, x), f->result);
        if (fits && f->open < x->first && strncmp(f->name, "operator", 8))
            edits_replace(e, place, 34, "function", x->first, x->a->end, "%s", f->name);
    }
}

// rows * D and cols * D: word for word the same but for one.
static bool are_parallel(const edits *e, const expression *a, const expression *b) {
    const int n = a->end - a->first;
    int different = 0;
    for (int i = 0; i < n && n == b->end - b->first; i++) {
        const token *s = &e->u.tokens[a->first + i], *t = &e->u.tokens[b->first + i];
        different += s->length != t->length || memcmp(s->at, t->at, (size_t)s->length);
    }
    return n >= 3 && n == b->end - b->first && different <= 2;
}

static bool is_own(const edits *e, const expression *call) {
    for (int i = 0; i < e->n_functions; i++)
        if (is(&e->u, call->first, e->functions[i].name)) return true;
    return false;
}

// The parameter of that number, of a function of the file; NULL: there is none.
static const variable *parameter_of(const edits *e, const expression *call, const expression *argument) {
    int number = 0;
    for (const expression *a = call->arguments; a && a != argument; a = a->next) number++;
    for (int i = 0; i < e->n_functions; i++)
        if (is(&e->u, call->first, e->functions[i].name)) return edits_parameter(e, &e->functions[i], number);
    return NULL;
}

// In C f(Q + q, O + q), which is to write to its first one, compiles.
static bool is_written_to_const(const edits *e, const expression *call, const expression *a, value_type s) {
    const variable *v = e->cuda || !s.constant ? NULL : parameter_of(e, call, a);
    return v && v->type.pointers && !v->type.constant;
}

static void exchange_arguments(edits *e, int place, const expression *x) {
    static const char *const nothing[] = {"NULL", "nullptr", NULL};
    const unit *u = &e->u;
    if (!strncmp(u->tokens[x->first].at, "cuda", 4)) return;
    for (const expression *a = x->arguments; a; a = a->next) {
        int apart = 0;
        for (const expression *b = a->next; b; b = b->next, apart++) {
            const value_type s = edits_type_of(e, a), t = edits_type_of(e, b);
            const bool unknown = s.base == BASE_UNKNOWN || t.base == BASE_UNKNOWN;
            if (is_written_to_const(e, x, a, s) && !t.constant && edits_alike(s, t))
                edits_swap(e, place, CONSTANT, "exchanged", a, b);
            if (s.pointers && s.constant != t.constant) continue;
            if (is_any(u, a->first, nothing) || is_any(u, b->first, nothing)) continue;
            if (a->kind == E_NUMBER && b->kind == E_NUMBER) continue;
            if ((a->kind == E_NUMBER || b->kind == E_NUMBER) && !is_own(e, x)) continue;  // max(x, 0)
            const bool names = !apart && ((a->kind == E_NAME && b->kind == E_NAME) || are_parallel(e, a, b));
            const int rank = is(u, x->first, "dim3") ? GRID : (apart ? 32 : names ? 15 : 22) + (unknown ? 6 : 0);
            if (edits_alike(s, t) || unknown) edits_swap(e, place, rank, "exchanged", a, b);
        }
    }
}

void edits_change_functions(edits *e, int place, expression *call) {
    other_functions(e, place, call);
    exchange_arguments(e, place, call);
}
