// names.c: another name in place of one: a variable of the same kind, a member of the same struct, a function
// that takes as much.
#include "edits.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

// ranks: two enumerators of one enum, two sizes of one grid; what a loop begins with, and its counter; a number, and what
// is made of it; the shuffle that reaches all lanes, or one; a struct that is filled in and not read, that another
// one begins as a copy of; the object that a method is called of; min for max, where a part begins or ends
enum { SIBLING = 12, GRID = 8, COUNTER = 10, MADE = 24, SHUFFLE = 12, LIMIT = 13, UNREAD = 10, COPY = 12, OBJECT = 10 };

// How far apart two variables are: the closer, the likelier they are confused.
static int distance(edits *e, const variable *a, const variable *b, int token) {
    int rank = 40 - edits_nearness(e, b, token);
    if (a->is_parameter && b->is_parameter) rank -= 6;
    if (a->is_loop && b->is_loop) rank -= 6;
    if (!a->is_parameter && !b->is_parameter && a->declared >= 0 && b->declared >= 0 && !a->is_global &&
        !b->is_global && e->u.tokens[a->declared].line == e->u.tokens[b->declared].line)
        rank -= 8;
    if (tolower((unsigned char)*a->name) == tolower((unsigned char)*b->name)) rank -= 3;
    if (strlen(a->name) == strlen(b->name)) rank -= 2;
    if (a->is_global && b->is_global) rank -= 2;
    if (a->is_global != b->is_global) rank += 4;
    return rank;
}

static bool begins_with(const edits *e, const variable *w, const variable *v) {
    return w->is_loop && w->value_end == w->value + 1 && is(&e->u, w->value, v->name);
}

// row = warp * ROWS + r: of r.
static bool is_made_of(const edits *e, const variable *w, const variable *v) {
    if (w->is_loop || w->is_global || v->is_global || w->value_end - w->value < 3) return false;
    for (int i = w->value; i < w->value_end; i++)
        if (is(&e->u, i, v->name) && !is(&e->u, i - 1, ".") && !is(&e->u, i - 1, "->")) return true;
    return false;
}

bool edits_is_set(const edits *e, const expression *x) {
    const expression *p = x->parent;
    while (p && p->a == x &&
           (p->kind == E_INDEX || p->kind == E_MEMBER || p->kind == E_PAREN ||
            (p->kind == E_UNARY && is(&e->u, p->op, "*") && p->op_end == p->op + 1)))
        x = p, p = p->parent;
    const bool step = p && (p->kind == E_POSTFIX || (p->kind == E_UNARY && p->op_end - p->op == 2));
    return step || (p && p->kind == E_ASSIGN && p->a == x);
}

// enum { TILE = 32 } is a size; enum kind { MAX, SUM } are kinds, and none stands where a size stands.
static bool is_kind(const edits *e, const variable *v) {
    return v->is_enumerator && v->declared > 0 && !is(&e->u, v->declared + 1, "=");
}

static void other_variables(edits *e, int place, const expression *x, const variable *v) {
    const bool set = edits_is_set(e, x), itself = set && x->parent && x->parent->kind != E_INDEX;
    for (int i = 0; i < e->n_variables; i++) {
        const variable *w = &e->variables[i];
        if (!strcmp(w->name, v->name) || !edits_alike(v->type, w->type)) continue;
        if (w->is_enumerator && (!v->is_enumerator || is_kind(e, w) != is_kind(e, v)))
            continue;  // nobody counts with it
        if (set && (w->type.pointers ? w->type.constant || (itself && w->is_const) : w->is_const)) continue;
        if (!edits_sees(e, w, x->first)) continue;
        const bool siblings = v->is_enumerator && w->is_enumerator && v->declared > 0 && w->declared > 0 &&
                              e->u.tokens[v->declared].line == e->u.tokens[w->declared].line;
        const bool sizes = v->is_global && w->is_global && e->places[place].kind == P_CONDITION &&
                           e->statements[e->places[place].statement].kind == S_LOOP;
        const bool whole = v->type.base == BASE_INT && !v->type.pointers;
        const int far = distance(e, v, w, x->first), near = begins_with(e, w, v)                         ? COUNTER
                                                            : is_made_of(e, w, v) || is_made_of(e, v, w) ? MADE
                                                                                                         : far;
        const bool filled = !set && v->type.base == BASE_STRUCT && !w->is_parameter && edits_is_unread(e, w);
        const bool copy = v->type.base == BASE_STRUCT && !v->type.pointers && edits_is_value(e, place, x);
        const int rank = filled ? UNREAD : copy ? COPY : siblings || sizes ? SIBLING : whole && near < far ? near : far;
        edits_replace(e, place, rank, "name", x->first, x->end, "%s", w->name);
    }
}

// Was this member of this variable named further up?
static bool seen_before(const unit *u, int i) {
    for (int k = 2; k < i; k++)
        if (edits_same(u, i, k, 1) && edits_same(u, i - 2, k - 2, 1) && (is(u, k - 1, ".") || is(u, k - 1, "->")))
            return true;
    return false;
}

// lane == 0, or warp == 0, in place of threadIdx.x == 0.
static void numbers_of_thread(edits *e, int place, const expression *x) {
    for (const variable *v = e->variables; v < e->variables + e->n_variables; v++)
        if (v->type.base == BASE_INT && !v->type.pointers && !v->is_global && edits_sees(e, v, x->first))
            edits_replace(e, place, 20, "name", x->first, x->end, "%s", v->name);
}

// Members that the file takes of a variable of this name.
static void other_members(edits *e, int place, const expression *x) {
    const unit *u = &e->u;
    const int member = x->end - 1;
    static const char *const built_in[] = {"threadIdx", "blockIdx", "blockDim", "gridDim", NULL};
    if (is_any(u, x->first, built_in)) {
        if (x->parent && x->parent->kind == E_BINARY && x->parent->b->kind == E_NUMBER) numbers_of_thread(e, place, x);
        for (const char *axis = "xyz"; *axis; axis++) edits_replace(e, place, 24, "name", member, x->end, "%c", *axis);
        for (int i = 0; built_in[i]; i++)
            edits_replace(e, place, 26, "name", x->first, x->first + 1, "%s", built_in[i]);
        return;
    }
    if (x->parent && x->parent->kind == E_CALL && x->parent->a == x) return;
    const bool named = x->a->kind == E_NAME;  // p->shape.seq_kv: of the other fields their struct alone tells
    const char *base = edits_text(e, x->first, x->first + 1);
    const value_type type = edits_type_of(e, x);
    for (int i = 2; named && i < u->token_count; i++) {
        if (!(is(u, i - 1, ".") || is(u, i - 1, "->")) || !is_name(u, i) || !is(u, i - 2, base) || is(u, i + 1, "("))
            continue;
        if (is(u, i - 3, ".") || is(u, i - 3, "->") || seen_before(u, i)) continue;
        expression other = {.kind = E_MEMBER, .first = i - 2, .end = i + 1};
        const value_type its = edits_type_of(e, &other);
        const bool set = x->parent && x->parent->kind == E_INDEX && x->parent->parent &&
                         x->parent->parent->kind == E_ASSIGN && x->parent->parent->a == x->parent;
        if (set && its.constant) continue;
        if (type.base != BASE_UNKNOWN && its.base != BASE_UNKNOWN && !edits_alike(type, its)) continue;
        edits_replace(e, place, 32, "name", member, x->end, "%s", edits_text(e, i, i + 1));
    }
    const value_type of = edits_type_of(e, x->a);
    for (int i = 0; of.base == BASE_STRUCT && of.word && i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (v->owner && v->from > v->to && !strcmp(v->owner, of.word) && edits_alike(v->type, type))
            edits_replace(e, place, 34, "name", member, x->end, "%s", v->name);
    }
}

// block.thread_rank(): warp.thread_rank(), where methods of warp are called, too.
static void other_objects(edits *e, int place, const expression *x) {
    const unit *u = &e->u;
    if (x->a->kind != E_MEMBER || x->a->a->kind != E_NAME || !is(u, x->a->op, ".")) return;
    for (int i = 1; i + 3 < u->token_count; i++) {
        if (!is_name(u, i) || !is(u, i + 1, ".") || !is(u, i + 3, "(") || edits_same(u, i, x->first, 1)) continue;
        const token *t = &u->tokens[i];
        const variable *v = edits_visible(e, t->at, t->length, x->first);
        if (v && v == edits_visible(e, t->at, t->length, i))
            edits_replace(e, place, OBJECT, "name", x->first, x->first + 1, "%s", v->name);
    }
}

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
        if (fits && f->open < x->first) edits_replace(e, place, 34, "function", x->first, x->a->end, "%s", f->name);
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

static void exchange_arguments(edits *e, int place, const expression *x) {
    static const char *const nothing[] = {"NULL", "nullptr", NULL};
    const unit *u = &e->u;
    if (!strncmp(u->tokens[x->first].at, "cuda", 4)) return;
    for (const expression *a = x->arguments; a; a = a->next) {
        int apart = 0;
        for (const expression *b = a->next; b; b = b->next, apart++) {
            const value_type s = edits_type_of(e, a), t = edits_type_of(e, b);
            const bool unknown = s.base == BASE_UNKNOWN || t.base == BASE_UNKNOWN;
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

// A variable of this name is defined elsewhere, too, as something else.
static void other_definitions(edits *e, int place, const expression *x) {
    const variable *v = NULL;
    for (int i = 0; i < e->n_variables && !v; i++)
        if (e->variables[i].value == x->first && e->variables[i].value_end == x->end) v = &e->variables[i];
    for (int i = 0; v && i < e->n_variables; i++) {
        const variable *w = &e->variables[i];
        const ingredient value = {.first = w->value, .end = w->value_end};
        if (w != v && w->value_end > w->value && !is(&e->u, w->value, "{") && !strcmp(v->name, w->name) &&
            edits_alike(v->type, w->type) && edits_usable(e, &value, x->first))
            edits_replace(e, place, 12, "definition", x->first, x->end, "%s", edits_text(e, w->value, w->value_end));
    }
}

void edits_change_names(edits *e, int place, expression *x) {
    const unit *u = &e->u;
    const token *t = &u->tokens[x->first];
    const bool called = x->parent && x->parent->kind == E_CALL && x->parent->a == x;
    if (x->kind == E_NAME && !called) {
        const variable *v = edits_visible(e, t->at, t->length, x->first);
        if (v) other_variables(e, place, x, v);
    }
    if (!x->parent && e->places[place].kind == P_VALUE) other_definitions(e, place, x);
    if (x->kind == E_MEMBER) other_members(e, place, x);
    if (x->kind == E_CALL) other_functions(e, place, x), exchange_arguments(e, place, x), other_objects(e, place, x);
}
