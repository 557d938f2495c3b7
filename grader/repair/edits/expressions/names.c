// names.c: another name in place of one: a variable of the same kind, a member of the same struct. What a call calls, and
// with what: functions.c.
#include "edits.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

// ranks: two enumerators of one enum; a pointer that moves twice, and another one never; what a loop begins with, and its counter; a number, and what is made of it; a
// struct that is filled in and not read, that another one begins as a copy of; the object that a method is called of;
// what a function is given beside a struct
enum { SIBLING = 12, TWICE = 6, AWAY = 16, COUNTER = 10, MADE = 24, UNREAD = 10, COPY = 12, OBJECT = 10, GIVEN = 14 };

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

// B += n; B += m; and C, which is one, too, stays where it is. The same for tile += n, where C is handed over.
static bool moves_twice(const edits *e, const expression *x, const variable *v, const variable *w) {
    const unit *u = &e->u;
    const expression *p = x->parent;
    if (!p || p->kind != E_ASSIGN || p->a != x || p->op_end != p->op + 2 || !v->type.pointers) return false;
    int its = 0, other = 0;
    for (int i = 0; i + 1 < u->token_count; i++) {
        if (!adjacent(u, i + 1, "+=")) continue;
        its += is(u, i, v->name) && edits_visible(e, v->name, (int)strlen(v->name), i) == v;
        other += is(u, i, w->name) && edits_visible(e, w->name, (int)strlen(w->name), i) == w;
    }
    return !other && (its > 1 || (w->is_parameter && !v->is_parameter));
}

static void other_variables(edits *e, int place, const expression *x, const variable *v) {
    const bool set = edits_is_set(e, x), itself = set && x->parent && x->parent->kind != E_INDEX;
    for (int i = 0; i < e->n_variables; i++) {
        const variable *w = &e->variables[i];
        if (!strcmp(w->name, v->name) || !edits_alike(v->type, w->type)) continue;
        if (w->is_enumerator && (!v->is_enumerator || is_kind(e, w) != is_kind(e, v)))
            continue;  // nobody counts with it
        if (set && (w->type.pointers && !itself ? w->type.constant : w->is_const)) continue;
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
        const bool away = set && itself && w->type.pointers && w->type.constant;  // a pointer that moves on
        const int rank = moves_twice(e, x, v, w) ? TWICE
                         : filled                ? UNREAD
                         : copy                  ? COPY
                         : siblings || sizes     ? SIBLING
                         : away                  ? far + AWAY
                         : whole && near < far   ? near
                                                 : far;
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

// seq and shape.seq_q: what a function is given beside a struct may be meant in place of a member of much the same name.
static void parameters(edits *e, int place, const expression *x, value_type type) {
    enum { SHORTEST = 3 };
    const char *member = edits_text(e, x->end - 1, x->end);
    if (type.base != BASE_INT || type.pointers || edits_is_set(e, x)) return;
    for (const variable *v = e->variables; v < e->variables + e->n_variables; v++)
        if (v->is_parameter && v->type.base == BASE_INT && !v->type.pointers && edits_sees(e, v, x->first) &&
            strlen(v->name) >= SHORTEST && (strstr(member, v->name) || strstr(v->name, member)))
            edits_replace(e, place, GIVEN, "name", x->first, x->end, "%s", v->name);
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
    parameters(e, place, x, type);
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
    if (x->kind == E_CALL) edits_change_functions(e, place, x), other_objects(e, place, x);
}
