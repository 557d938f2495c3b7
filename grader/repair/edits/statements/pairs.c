// pairs.c: one misunderstanding in two statements that stand side by side: their values, two of their names or their
// operators are exchanged; a bound is one too far in both of its comparisons.
#include "edits.h"

#include <string.h>

enum { VALUES = 22, NAMES = 30, PARALLEL = 14, CALLS = 12, DIVISIONS = 14, BOUNDS = 10, FROM_START = 14 };  // ranks

// A value that is given to something: of a declaration, or on the right of an assignment.
typedef struct {
    int place, first, end;
    value_type type;
} given;

static const char *text_of(edits *e, const given *g) { return edits_text(e, g->first, g->end); }

static bool is_given(edits *e, int place, given *g) {
    const struct place *p = &e->places[place];
    const statement_kind kind = e->statements[p->statement].kind;
    expression *x = p->tree;
    *g = (given){place, p->first, p->end, {.base = BASE_UNKNOWN}};
    if (p->kind == P_VALUE && kind == S_DECLARATION && x) {
        g->type = edits_type_of(e, x);
        return true;
    }
    if (p->kind != P_STATEMENT || kind != S_EXPRESSION || !x || x->kind != E_ASSIGN) return false;
    g->first = x->b->first, g->end = x->b->end;
    g->type = edits_type_of(e, x->a);
    return true;
}

static replacement whole(const given *g, const char *text) { return (replacement){g->place, g->first, g->end, text}; }

static const char *gap(const edits *e, int i, int end) {
    const token *t = &e->u.tokens[i];
    return i + 1 < end && e->u.tokens[i + 1].at > t->at + t->length ? " " : "";
}

// All tokens of the value that are this name become another one. NULL: it is not there.
static const char *renamed(edits *e, const given *g, const variable *v, const char *name) {
    const char *text = "";
    bool any = false;
    for (int i = g->first; i < g->end; i++) {
        const token *t = &e->u.tokens[i];
        const bool it = is(&e->u, i, v->name) && !is(&e->u, i - 1, ".") && !is(&e->u, i - 1, "->");
        any |= it;
        text =
            format(&e->u, "%s%.*s%s", text, it ? (int)strlen(name) : t->length, it ? name : t->at, gap(e, i, g->end));
    }
    return any ? text : NULL;
}

static bool is_size(const edits *e, const variable *v, int token) {
    return v->type.base == BASE_INT && !v->type.pointers && !v->is_enumerator && !v->is_loop && edits_sees(e, v, token);
}

// m * n in one and m * k in the other.
static void exchange_names(edits *e, const given *a, const given *b) {
    for (int i = 0; i < e->n_variables; i++)
        for (int k = 0; k < e->n_variables; k++) {
            const variable *v = &e->variables[i], *w = &e->variables[k];
            if (v == w || !is_size(e, v, a->first) || !is_size(e, w, b->first) || v->is_global != w->is_global)
                continue;
            if (v->is_parameter != w->is_parameter) continue;
            const char *one = renamed(e, a, v, w->name), *other = one ? renamed(e, b, w, v->name) : NULL;
            if (!other || renamed(e, a, w, "") || renamed(e, b, v, "")) continue;
            const replacement x = whole(a, one), y = whole(b, other);
            const bool alike = a->end - a->first == b->end - b->first && a->end - a->first > 3;
            edits_replace_two(e, alike ? PARALLEL : NAMES, "exchanged", &x, &y);
        }
}

// i / n and i % n.
static const char *divided(edits *e, const given *g, const char *op, const char *other) {
    const char *text = "";
    int n = 0;
    for (int i = g->first; i < g->end; i++) {
        const token *t = &e->u.tokens[i];
        const bool it = is(&e->u, i, op);
        n += it;
        text =
            format(&e->u, "%s%.*s%s", text, it ? (int)strlen(other) : t->length, it ? other : t->at, gap(e, i, g->end));
    }
    return n == 1 ? text : NULL;
}

static void exchange_division(edits *e, const given *a, const given *b) {
    static const char *const ops[] = {"/", "%"};
    for (int i = 0; i < 2; i++) {
        const char *one = divided(e, a, ops[i], ops[1 - i]), *other = divided(e, b, ops[1 - i], ops[i]);
        if (!one || !other || divided(e, a, ops[1 - i], "") || divided(e, b, ops[i], "")) continue;
        const replacement x = whole(a, one), y = whole(b, other);
        edits_replace_two(e, DIVISIONS, "exchanged", &x, &y);
    }
}

static void exchange_values(edits *e, const given *a, const given *b) {
    const char *one = text_of(e, a), *other = text_of(e, b);
    if (!edits_alike(a->type, b->type) || a->type.pointers != b->type.pointers || !strcmp(one, other)) return;
    const ingredient x = {.first = b->first, .end = b->end}, y = {.first = a->first, .end = a->end};
    if (a->type.constant != b->type.constant || !edits_usable(e, &x, a->first) || !edits_usable(e, &y, b->first))
        return;
    const replacement first = whole(a, other), second = whole(b, one);
    edits_replace_two(e, VALUES, "exchanged", &first, &second);
}

// s = f(a); if (s) return s; return g(b): the one comes before the other.
static const expression *called(const edits *e, int place) {
    const expression *x = e->places[place].tree;
    const statement_kind kind = e->statements[e->places[place].statement].kind;
    if (x && x->kind == E_ASSIGN && x->op_end == x->op + 1) x = x->b;
    return x && x->kind == E_CALL && (kind != S_DECLARATION || e->places[place].kind == P_VALUE) ? x : NULL;
}

static bool is_barrier(const edits *e, const expression *call) {
    static const char *const names[] = {"__syncthreads", "__syncwarp", NULL};
    return is_any(&e->u, call->first, names);
}

static bool gives_value(const edits *e, int place, const expression *call) {
    return e->statements[e->places[place].statement].kind != S_EXPRESSION || call != e->places[place].tree;
}

static void exchange_calls(edits *e, int a, int b) {
    const expression *x = called(e, a), *y = x ? called(e, b) : NULL;
    const int s = e->places[a].statement, t = e->places[b].statement, between = y && s != t ? e->places[b].first : 0;
    if (!between || e->statements[s].parent != e->statements[t].parent || e->statements[s].end > between) return;
    if (is_barrier(e, x) || is_barrier(e, y)) return;  // that is a barrier too many and one too few
    const int end = e->statements[s].end;              // nothing but an if between them
    bool alone = e->statements[t].first == end;
    for (int k = s + 1; k < t && !alone; k++)
        alone = e->statements[k].first == end && e->statements[k].kind == S_IF &&
                e->statements[k].end == e->statements[t].first;
    if (!alone || gives_value(e, a, x) != gives_value(e, b, y)) return;  // what a void function gives has no value
    const replacement one = {a, x->first, x->end, edits_text(e, y->first, y->end)},
                      other = {b, y->first, y->end, edits_text(e, x->first, x->end)};
    edits_replace_two(e, CALLS, "exchanged", &one, &other);
}

// t.K += d: it moves on from where it is. t.K = K + d.
static const char *from_start(edits *e, int place) {
    const expression *x = e->places[place].tree;
    if (e->places[place].kind != P_STATEMENT || !x || x->kind != E_ASSIGN || !adjacent(&e->u, x->op, "+=")) return NULL;
    if (x->a->kind != E_MEMBER || !edits_type_of(e, x->a).pointers) return NULL;
    const token *name = &e->u.tokens[x->a->end - 1];
    const variable *v = edits_visible(e, name->at, name->length, x->first);
    if (!v || v->type.pointers != 1) return NULL;
    return format(&e->u, "%s = %s + %s", edits_text(e, x->a->first, x->a->end), v->name,
                  edits_text(e, x->b->first, x->b->end));
}

static void begin_at_start(edits *e, int place, int next) {
    const struct place *p = &e->places[place], *q = next >= 0 ? &e->places[next] : NULL;
    const char *one = from_start(e, place), *other = one && q ? from_start(e, next) : NULL;
    if (one) edits_replace(e, place, FROM_START, "assignment", p->first, p->end, "%s", one);
    if (!other) return;
    const replacement x = {place, p->first, p->end, one}, y = {next, q->first, q->end, other};
    edits_replace_two(e, FROM_START, "assignment", &x, &y);
}

// ---- a <= b here, and a > b there: neither is meant to reach b ------------------------------------------------------

typedef struct {
    int place;
    const expression *x;
} comparison;

enum { MOST = 64 };

static int comparisons(edits *e, int place, const expression *x, comparison *list, int n) {
    if (!x || n == MOST) return n;
    const char *op = x->kind == E_BINARY ? edits_operator_text(&e->u, x->op) : "";
    if (strchr("<>", *op) && *op && (!op[1] || op[1] == '=')) list[n++] = (comparison){place, x};
    n = comparisons(e, place, x->a, list, n), n = comparisons(e, place, x->b, list, n);
    for (const expression *c = x->c; c; c = c->next) n = comparisons(e, place, c, list, n);
    for (const expression *c = x->arguments; c; c = c->next) n = comparisons(e, place, c, list, n);
    return n;
}

static const char *toggled(edits *e, const expression *x) {
    const char *op = edits_operator_text(&e->u, x->op);
    return op[1] ? (*op == '<' ? "<" : ">") : (*op == '<' ? "<=" : ">=");
}

// Does it hold where both sides are equal?
static bool holds_if_equal(edits *e, const expression *x) { return edits_operator_text(&e->u, x->op)[1] == '='; }

static void bounds(edits *e, int function) {
    comparison list[MOST];
    int n = 0;
    for (int p = 0; p < e->n_places; p++)
        if (e->statements[e->places[p].statement].function == function)
            n = comparisons(e, p, e->places[p].tree, list, n);
    for (int i = 0; i < n; i++)
        for (int k = i + 1; k < n; k++) {
            const expression *x = list[i].x, *y = list[k].x;
            const bool same_way = *edits_operator_text(&e->u, x->op) == *edits_operator_text(&e->u, y->op);
            if (list[i].place == list[k].place || !edits_wanted(e, e->places[list[i].place].statement) ||
                strcmp(edits_text(e, x->a->first, x->a->end), edits_text(e, y->a->first, y->a->end)) ||
                strcmp(edits_text(e, x->b->first, x->b->end), edits_text(e, y->b->first, y->b->end)) ||
                (holds_if_equal(e, x) == holds_if_equal(e, y)) != same_way)
                continue;
            const replacement a = {list[i].place, x->op, x->op_end, toggled(e, x)},
                              b = {list[k].place, y->op, y->op_end, toggled(e, y)};
            edits_replace_two(e, BOUNDS, "operator", &a, &b);
        }
}

static bool side_by_side(const edits *e, int a, int b) {
    const int s = e->places[a].statement, t = e->places[b].statement;
    return s == t || (e->statements[s].end == e->statements[t].first && e->statements[t].listed);
}

void edits_change_pairs(edits *e) {
    for (int p = 0; p < e->n_places; p++) {
        given a, b;
        if (!edits_wanted(e, e->places[p].statement)) continue;
        for (int q = p + 1; q < e->n_places && q < p + 8; q++) exchange_calls(e, p, q);
        if (!is_given(e, p, &a)) continue;
        int next = -1;
        for (int q = p + 1; q < e->n_places; q++) {
            if (!is_given(e, q, &b) || !side_by_side(e, p, q)) continue;
            next = next < 0 ? q : next;
            exchange_values(e, &a, &b), exchange_division(e, &a, &b), exchange_names(e, &a, &b);
        }
        begin_at_start(e, p, next);
    }
    for (int f = 0; f < e->n_functions; f++) bounds(e, f);
}
