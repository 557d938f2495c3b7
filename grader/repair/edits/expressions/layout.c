// layout.c: two names, subscripts or terms of one expression that change places.
#include "edits.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 24 };
typedef struct {
    const expression *list[MOST];
    int n;
} found;

static void collect(const expression *x, expression_kind kind, found *f) {
    if (!x) return;
    if (x->kind == kind && f->n < MOST) f->list[f->n++] = x;
    collect(x->a, kind, f), collect(x->b, kind, f);
    for (const expression *c = x->c; c; c = c->next) collect(c, kind, f);
    for (const expression *c = x->arguments; c; c = c->next) collect(c, kind, f);
}

static bool same_name(const edits *e, int i, const char *name) {
    return is(&e->u, i, name) && !is(&e->u, i - 1, ".") && !is(&e->u, i - 1, "->");
}

// All tokens of [first, end), with a for b and b for a.
static const char *renamed(edits *e, int first, int end, const char *a, const char *b, bool both) {
    unit *u = &e->u;
    const char *text = "";
    for (int i = first; i < end; i++) {
        const token *t = &u->tokens[i];
        const char *word = same_name(e, i, a) ? b : both && same_name(e, i, b) ? a : NULL;
        const bool space = i + 1 < end && u->tokens[i + 1].at > t->at + t->length;
        text = word ? format(u, "%s%s%s", text, word, space ? " " : "")
                    : format(u, "%s%.*s%s", text, t->length, t->at, space ? " " : "");
    }
    return text;
}

static int occurrences(const edits *e, int first, int end, const char *name) {
    int n = 0;
    for (int i = first; i < end; i++) n += same_name(e, i, name);
    return n;
}

static const variable *variable_of(const edits *e, const expression *x) {
    const token *t = &e->u.tokens[x->first];
    return edits_visible(e, t->at, t->length, x->first);
}

static bool is_sum(const edits *e, const expression *x, const char *op) {
    return x && x->kind == E_BINARY && !strcmp(edits_operator_text(&e->u, x->op), op);
}

static void exchange_names(edits *e, int place, const expression *x, const found *names) {
    for (int i = 0; i < names->n; i++) {
        const variable *v = variable_of(e, names->list[i]);
        const bool set = x->kind == E_ASSIGN && edits_is_set(e, names->list[i]);
        for (int k = i + 1; v && k < names->n; k++) {
            const variable *w = variable_of(e, names->list[k]);
            if (!w || w == v || !edits_alike(v->type, w->type)) continue;
            if (v->type.pointers && v->type.constant != w->type.constant) continue;
            if (!v->type.pointers && v->is_const != w->is_const && set) continue;
            const bool sum = is_sum(e, x, "+") && v->type.base == BASE_FLOAT;  // l + f * tile: the other is rescaled
            edits_replace(e, place, sum ? 20 : 30, "exchanged", x->first, x->end, "%s",
                          renamed(e, x->first, x->end, v->name, w->name, true));
        }
    }
}

// A name that is wrong more than once.
static void rename_all(edits *e, int place, const expression *x, const found *names) {
    for (int i = 0; i < names->n; i++) {
        const variable *v = variable_of(e, names->list[i]);
        if (!v || occurrences(e, x->first, x->end, v->name) < 2) continue;
        for (int k = 0; k < e->n_variables; k++) {
            const variable *w = &e->variables[k];
            const bool visible = edits_sees(e, w, x->first);
            if (visible && w != v && edits_alike(v->type, w->type))
                edits_replace(e, place, 46, "name", x->first, x->end, "%s",
                              renamed(e, x->first, x->end, v->name, w->name, false));
        }
    }
}

// (x * A + a) * B + b becomes (x * B + b) * A + a: two dimensions of one array.
static void exchange_dimensions(edits *e, int place, const expression *x) {
    if (!x) return;
    exchange_dimensions(e, place, x->a), exchange_dimensions(e, place, x->b);
    for (const expression *c = x->c; c; c = c->next) exchange_dimensions(e, place, c);
    for (const expression *c = x->arguments; c; c = c->next) exchange_dimensions(e, place, c);
    const expression *outer = is_sum(e, x, "+") && is_sum(e, x->a, "*") ? x->a : NULL;
    const expression *inner = outer && outer->a->kind == E_PAREN ? outer->a->a : NULL;
    if (!is_sum(e, inner, "+") || !is_sum(e, inner->a, "*")) return;
    const expression *more = inner->a->a, *A = inner->a->b, *a = inner->b, *B = outer->b, *b = x->b;
    edits_replace(e, place, 20, "exchanged", x->first, x->end, "(%s * %s + %s) * %s + %s",
                  edits_text(e, more->first, more->end), edits_text(e, B->first, B->end),
                  edits_text(e, b->first, b->end), edits_text(e, A->first, A->end), edits_text(e, a->first, a->end));
}

// g.seq_q and g.heads, n and g.heads: each stands where the other belongs.
static void exchange_members(edits *e, int place, const found *members, const found *names) {
    for (int i = 0; i < members->n; i++)
        for (int k = 0; k < members->n + names->n; k++) {
            const expression *a = members->list[i],
                             *b = k < members->n ? members->list[k] : names->list[k - members->n];
            const value_type s = edits_type_of(e, a), t = edits_type_of(e, b);
            if ((k < members->n && k <= i) || !edits_alike(s, t) || s.pointers || edits_is_set(e, a) ||
                edits_is_set(e, b))
                continue;
            if (a->end <= b->first) edits_swap(e, place, 30, "exchanged", a, b);
            if (b->end <= a->first) edits_swap(e, place, 30, "exchanged", b, a);
        }
}

static const expression *times_number(const edits *e, const expression *x, bool first) {
    const expression *n = is_sum(e, x, "*") ? (first ? x->a : x->b) : NULL;
    return n && n->kind == E_NUMBER ? n : NULL;
}

// 2 * ty + i becomes ty + 16 * i, and back: rows that a thread has side by side, or far apart.
static void exchange_strides(edits *e, int place, const expression *x) {
    if (!x) return;
    exchange_strides(e, place, x->a), exchange_strides(e, place, x->b);
    for (const expression *c = x->c; c; c = c->next) exchange_strides(e, place, c);
    for (const expression *c = x->arguments; c; c = c->next) exchange_strides(e, place, c);
    if (!is_sum(e, x, "+")) return;
    const expression *left = is_sum(e, x->a, "+") ? x->a->b : x->a, *right = x->b;
    const bool by_left = times_number(e, left, true) || times_number(e, left, false);
    const expression *product = by_left ? left : right, *other = by_left ? right : left;
    const bool first = times_number(e, product, true) != NULL;
    if ((!first && !times_number(e, product, false)) || other->kind == E_BINARY || other->kind == E_NUMBER) return;
    const expression *factor = first ? product->b : product->a;
    const function *f = &e->functions[e->statements[e->places[place].statement].function];
    for (int i = f->body; i < f->end; i++) {
        const token *t = &e->u.tokens[i];
        const bool whole = t->length < 4 && strspn(t->at, "0123456789") == (size_t)t->length;
        if (!whole || strtol(t->at, NULL, 10) < 2) continue;
        edits_replace(e, place, 30, "order", left->first, right->end, "%.*s * %s + %s", t->length, t->at,
                      edits_text(e, other->first, other->end), edits_text(e, factor->first, factor->end));
    }
}

static bool apart(const expression *a, const expression *b) { return a->end <= b->first; }

void edits_change_layout(edits *e, int place) {
    const expression *x = e->places[place].tree;
    found names = {.n = 0}, subscripts = {.n = 0}, members = {.n = 0};
    collect(x, E_NAME, &names);
    collect(x, E_INDEX, &subscripts);
    collect(x, E_MEMBER, &members);
    if (!x) return;
    if (e->places[place].kind != P_VOID) exchange_names(e, place, x, &names);
    if (x->kind == E_ASSIGN) exchange_names(e, place, x->b, &names);
    exchange_members(e, place, &members, &names);
    rename_all(e, place, x, &names);
    exchange_dimensions(e, place, x);
    exchange_strides(e, place, x);
    for (int i = 0; i < subscripts.n; i++) {
        const expression *a = subscripts.list[i];
        if (a->a->kind == E_INDEX) edits_swap(e, place, 18, "exchanged", a->a->b, a->b);
        exchange_names(e, place, a->b, &names);
        for (int k = 0; k < subscripts.n; k++) {
            const expression *b = subscripts.list[k];
            if (!apart(a, b)) continue;
            edits_swap(e, place, 28, "exchanged", a->b, b->b);
            const bool written = a->parent && a->parent->kind == E_ASSIGN && a->parent->a == a;
            if (!written || !edits_type_of(e, b->a).constant) edits_swap(e, place, 30, "exchanged", a, b);
        }
    }
}
