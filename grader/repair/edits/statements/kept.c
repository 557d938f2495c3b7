// kept.c: what a function takes out of memory and forgets to put back; a number that nobody compares with its limit.
//
//     float top = w.top[i];      ... top grows ...        w.top[i] = top;      is missing
//     float total = 0; total += ...;                       *l = total;         is missing
//     const int row = y + ROWS * u;                       if (row >= rows) continue;
#include "edits.h"

#include <stdio.h>
#include <string.h>

enum { HAND_OVER = 8, GROWN = 4, PUT_BACK = 10, LIMIT = 34, KNOWN_LIMIT = 16, UNREAD_LIMIT = 5 };  // ranks

static bool grows(const edits *e, const variable *v, const function *f) {
    for (int i = v->value_end; i < v->to && i + 1 < f->end; i++)
        if (is(&e->u, i, v->name) && edits_assigns(&e->u, i + 1)) return true;
    return false;
}

// Before each statement behind `s` in its list, and at the end of that.
static void insert_behind(edits *e, int s, int rank, const char *kind, const char *text) {
    const statement *st = &e->statements[s];
    for (int k = s + 1; k < e->n_statements; k++)
        if (e->statements[k].parent == st->parent && e->statements[k].listed && e->statements[k].first >= st->end)
            edits_insert(e, k, false, rank, kind, text);
    if (st->parent >= 0 && e->statements[st->parent].kind == S_BLOCK)
        edits_insert(e, st->parent, true, rank, kind, text);
}

// It is called like what it comes from, or is the larger one of both.
static bool is_new_state(const edits *e, const variable *v, int first, int end) {
    int last = end - 1;
    while (last > first && (is(&e->u, last, "]") || e->u.tokens[last].kind != TOKEN_NAME))
        last = is(&e->u, last, "]") ? e->u.tokens[last].match - 1 : last - 1;
    const token *t = &e->u.tokens[last];
    char name[64];
    snprintf(name, sizeof name, "%.*s", t->length, t->at);
    const token *called = &e->u.tokens[v->value];
    const bool larger = called->length == 5 && !strncmp(called->at, "fmaxf", 5);
    return larger || edits_related(v->name, name);
}

// What v was made of is set nowhere, though v is not what it was.
static void put_back(edits *e, const variable *v, int s) {
    const function *f = &e->functions[e->statements[s].function];
    if (v->type.pointers || (v->type.base != BASE_FLOAT && v->type.base != BASE_INT)) return;
    for (int i = 0; i < e->n_ingredients; i++) {
        const ingredient *g = &e->ingredients[i];
        const int n = g->end - g->first;
        const token *root = &e->u.tokens[g->first];
        const variable *base = edits_visible(e, root->at, root->length, v->value);
        if (base && base->type.constant) continue;
        if (g->kind != I_ATOM || g->type.constant || g->type.pointers || g->type.base != v->type.base ||
            g->function != e->statements[s].function || edits_sets(e, f, g->first, g->end))
            continue;
        const bool copy = n == v->value_end - v->value;
        for (int k = v->value; k + n <= v->value_end; k++)
            if (edits_same(&e->u, g->first, k, n) && (copy ? grows(e, v, f) : is_new_state(e, v, k, k + n))) {
                insert_behind(e, s, PUT_BACK, "statement", format(&e->u, "%s = %s;", g->text, v->name));
                break;
            }
    }
}

// Does the file compare something with that?
static bool is_limit(const edits *e, const char *limit) {
    static const char *const ops[] = {"< ", ">= "};
    for (int i = 0; i < 2; i++)
        for (const char *at = e->u.text; (at = strstr(at, ops[i])); at++) {
            const char *behind = at + strlen(ops[i]);
            if (!strncmp(behind, limit, strlen(limit)) && strchr(" ;)|&", behind[strlen(limit)])) return true;
        }
    return false;
}

// Where it is first known, and before what is written to an array; where `limit` is one, at each statement.
static void limited_by(edits *e, const variable *v, int s, const char *jump, const ingredient *limit) {
    const statement *st = &e->statements[s];
    const char *name = edits_text(e, limit->first, limit->end);
    const bool known = is_limit(e, name), element = is(&e->u, limit->end - 1, "]");
    const token *t = &e->u.tokens[limit->first];
    const variable *w = limit->end == limit->first + 1 ? edits_visible(e, t->at, t->length, st->first) : NULL;
    const bool unread = w && w->is_parameter && edits_is_unread(e, w);
    bool first = true;
    for (int k = s + 1; k < e->n_statements; k++) {
        const statement *at = &e->statements[k];
        if (at->parent != st->parent || !at->listed || at->first < st->end || !edits_usable(e, limit, at->first))
            continue;
        const bool before_write = at->kind == S_EXPRESSION && e->statements[k - 1].kind == S_DECLARATION;
        const bool last = edits_next(e, k) < 0 && known && *jump == 'r';  // where a kernel leaves what it has
        if (first || known || before_write)
            edits_insert(e, k, false,
                         unread || last     ? UNREAD_LIMIT
                         : known || element ? KNOWN_LIMIT
                                            : LIMIT,
                         "guard", format(&e->u, "if (%s >= %s) %s;", v->name, name, jump));
        first = false;
    }
}

// Is it the number of a thread, of a round, or a part of one?
static bool is_index(const edits *e, const variable *v) {
    static const char *const of_threads[] = {"threadIdx", "blockIdx", "%", NULL};
    for (int i = v->value; i < v->value_end; i++) {
        if (is_any(&e->u, i, of_threads)) return true;
        const token *t = &e->u.tokens[i];
        const variable *w = t->kind == TOKEN_NAME ? edits_visible(e, t->at, t->length, v->value) : NULL;
        if (w && w->is_loop) return true;
    }
    return false;
}

// Right behind its declaration: who is beyond the limit leaves.
static void limits(edits *e, const variable *v, int s) {
    const statement *st = &e->statements[s];
    const int around = st->parent >= 0 ? e->statements[st->parent].parent : -1;
    const function *f = &e->functions[st->function];
    const bool loop = around >= 0 && e->statements[around].kind == S_LOOP, top = edits_top(e, s);
    if (v->type.base != BASE_INT || v->type.pointers || !is_index(e, v) || !(loop || (top && f->device))) return;
    if (top && (f->result.base != BASE_VOID || f->result.pointers)) return;
    const char *jump = loop ? "continue" : "return";
    for (int i = 0; i < e->n_variables; i++) {
        const variable *w = &e->variables[i];
        const ingredient its = {.first = w->declared, .end = w->declared + 1};
        const bool fits = w != v && w->type.base == BASE_INT && !w->type.pointers && !w->is_loop && !w->is_global;
        if (fits && w->declared >= 0 && !is_index(e, w) && edits_sees(e, w, st->end)) limited_by(e, v, s, jump, &its);
    }
    for (int i = 0; i < e->n_ingredients; i++) {
        const ingredient *g = &e->ingredients[i];
        const bool thread = is(&e->u, g->first, "threadIdx") || is(&e->u, g->first, "blockIdx");
        if (g->kind == I_ATOM && g->type.base == BASE_INT && !g->type.pointers && !thread) limited_by(e, v, s, jump, g);
    }
}

// float top = old; and then top grows.
static bool is_grown_copy(const edits *e, const variable *v, const function *f) {
    return v->value_end == v->value + 1 && grows(e, v, f);
}

// Is it set where v is known?
static bool grows_within(const edits *e, const variable *old, const variable *v) {
    for (int i = v->value_end; i + 1 < v->to; i++)
        if (is(&e->u, i, old->name) && edits_assigns(&e->u, i + 1)) return true;
    return false;
}

// float fresh = fmaxf(old, x), and old stays what it was: old = fresh.
static void move_on(edits *e, const variable *v, int s) {
    const function *f = &e->functions[e->statements[s].function];
    if (v->type.pointers || v->type.base != BASE_FLOAT) return;
    for (int i = 0; i < e->n_variables; i++) {
        const variable *old = &e->variables[i];
        if (old == v || old->is_const || old->is_global || old->is_loop || old->type.pointers ||
            old->type.base != v->type.base || old->declared < f->body || !edits_sees(e, old, v->value) ||
            grows_within(e, old, v))
            continue;
        for (int k = v->value; k < v->value_end; k++)
            if (is(&e->u, k, old->name) && (is_new_state(e, v, k, k + 1) || is_grown_copy(e, v, f)) &&
                !is(&e->u, k - 1, ".") && !is(&e->u, k - 1, "->")) {
                insert_behind(e, s, is_grown_copy(e, v, f) ? GROWN : PUT_BACK, "statement",
                              format(&e->u, "%s = %s;", old->name, v->name));
                break;
            }
    }
}

// float total = 0; total += ...; and what the function gives back through float *l is set nowhere: *l = total.
static void hand_over(edits *e, const variable *v, int s) {
    const function *f = &e->functions[e->statements[s].function];
    if (v->type.pointers || v->type.base != BASE_FLOAT || !grows(e, v, f)) return;
    for (int i = v->from; i + 1 < v->to; i++)  // somebody reads it
        if (is(&e->u, i, v->name) && i != v->declared && !edits_assigns(&e->u, i + 1) && !is(&e->u, i - 1, "=")) return;
    for (int i = 0; i < e->n_variables; i++) {
        const variable *p = &e->variables[i];
        if (p->is_parameter && p->from == f->body && p->type.pointers == 1 && !p->type.constant &&
            p->type.base == BASE_FLOAT)
            insert_behind(e, s, HAND_OVER, "statement", format(&e->u, "*%s = %s;", p->name, v->name));
    }
}

void edits_change_kept(edits *e) {
    for (int i = 0; i < e->n_variables; i++) {
        const variable v = e->variables[i];
        const bool local = v.declared >= 0 && !v.is_global && !v.is_parameter && !v.is_loop && v.from < v.to;
        const int s = local && v.value_end > v.value ? edits_declaration_of(e, &v) : -1;
        if (s < 0 || !e->statements[s].listed || !edits_wanted(e, s)) continue;
        put_back(e, &v, s), move_on(e, &v, s), hand_over(e, &v, s);
        limits(e, &v, s);
    }
}
