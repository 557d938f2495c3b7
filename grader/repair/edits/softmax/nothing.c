// nothing.c: what begins with nothing, and is not set to it: a sum under any name, behind a pointer, in a row, in a
// struct; a number of which digits are taken and that keeps them; the least of floats that is no maximum's start.
//
//     for (k < n) C[i] += a[k] * b[k];     before the loop is missing: C[i] = 0;
//     t = rest % n;                        behind it is missing: rest /= n;
//     float top = FLT_MIN;                 the smallest positive number: -FLT_MAX
//     float l = p[0]; for (...) l += ...   a sum begins with 0, and not with what the loop adds, too
#include "edits.h"

#include <string.h>

enum { SUM = 12, INNER = 28, ANEW = 22, DIGIT = 18, LEAST = 4, BEGIN = 4 };  // ranks

// Does the loop count or set `name`?
static bool counted_by(const edits *e, const statement *loop, const expression *x) {
    const unit *u = &e->u;
    const int close = u->tokens[loop->first + 1].match;
    for (int i = loop->first + 2; i < close; i++) {
        const bool steps = edits_assigns(u, i + 1) || adjacent(u, i + 1, "++") || adjacent(u, i + 1, "--") ||
                           adjacent(u, i - 2, "++") || adjacent(u, i - 2, "--");
        if (u->tokens[i].kind != TOKEN_NAME || !steps) continue;
        for (int k = x->first; k < x->end; k++)
            if (u->tokens[k].length == u->tokens[i].length &&
                !memcmp(u->tokens[k].at, u->tokens[i].at, (size_t)u->tokens[i].length))
                return true;
    }
    return false;
}

// Is `left` set, and not added to, right before the statement?
static bool is_set_before(const edits *e, const statement *st, const char *left) {
    const size_t n = strlen(left);
    for (int i = st->first - 1, most = 40; i > 0 && most > 0 && !is(&e->u, i, "{"); i--, most--) {
        const char *at = e->u.tokens[i].at;
        const char *behind = at + n;
        while (!strncmp(at, left, n) && *behind == ' ') behind++;
        if (!strncmp(at, left, n) && *behind == '=' && behind[1] != '=') return true;
    }
    return false;
}

// Before the outermost loop that its subscripts do not count, and less likely before those within it.
static void sums(edits *e, int place, const expression *x) {
    const expression *a = x->a;
    const value_type type = edits_type_of(e, a);
    const bool adds = adjacent(&e->u, x->op, "+=");
    if (!adds || type.base != BASE_FLOAT || type.pointers || a->kind == E_NAME) return;
    const char *left = edits_text(e, a->first, a->end);
    const ingredient names = {.first = a->first, .end = a->end};
    int outer = -1;
    for (int s = e->places[place].statement; s >= 0; s = e->statements[s].parent) {
        const statement *loop = &e->statements[s];
        if (loop->kind != S_LOOP) continue;
        if (!is(&e->u, loop->first, "for") || counted_by(e, loop, a) || !edits_usable(e, &names, loop->first) ||
            is_set_before(e, loop, left))
            break;
        if (outer >= 0) edits_insert(e, outer, false, INNER, "statement", format(&e->u, "%s = 0;", left));
        outer = s;
    }
    if (outer >= 0) edits_insert(e, outer, false, SUM, "statement", format(&e->u, "%s = 0;", left));
}

static void digits(edits *e, int place, const expression *x) {
    const int s = e->places[place].statement, next = e->statements[s].listed ? edits_next(e, s) : -1;
    const token *t = &e->u.tokens[x->a->first];
    const variable *v = x->a->kind == E_NAME ? edits_visible(e, t->at, t->length, x->a->first) : NULL;
    if (!v || v->is_const || v->is_parameter || v->is_loop || next < 0) return;
    const char *name = edits_text(e, x->a->first, x->a->end), *by = edits_text(e, x->b->first, x->b->end);
    if (!is(&e->u, e->statements[next].first, name))
        edits_insert(e, next, false, DIGIT, "statement", format(&e->u, "%s /= %s;", name, by));
}

static void least(edits *e, int place, const expression *x) {
    const bool first = is(&e->u, x->first, "FLT_MIN"), wide = is(&e->u, x->first, "DBL_MIN");
    if (x->parent && x->parent->kind == E_UNARY) return;
    if (first) edits_replace(e, place, LEAST, "constant", x->first, x->end, "-FLT_MAX");
    if (wide) edits_replace(e, place, LEAST, "constant", x->first, x->end, "-DBL_MAX");
}

// The first value of what a loop behind it adds to.
void edits_change_begin(edits *e, int place, const expression *x) {
    const unit *u = &e->u;
    if (e->places[place].kind != P_VALUE || x->parent || x->kind == E_NUMBER) return;
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (v->value != x->first || v->value_end != x->end || v->type.base != BASE_FLOAT || v->type.pointers) continue;
        for (int s = 0; s < e->n_statements; s++) {
            const statement *loop = &e->statements[s];
            bool adds = false;
            if (loop->kind != S_LOOP || loop->first < x->end || loop->end > v->to) continue;
            for (int k = loop->first; k < loop->end && !adds; k++) adds = is(u, k, v->name) && adjacent(u, k + 1, "+=");
            if (!adds) continue;
            edits_replace(e, place, BEGIN, "constant", x->first, x->end, "0");
            return;
        }
    }
}

void edits_change_nothing(edits *e, int place, expression *x) {
    if (x->kind == E_ASSIGN && x->op_end > x->op) sums(e, place, x);
    if (is_operator(e, x, "%")) digits(e, place, x);
    if (x->kind == E_NAME) least(e, place, x);
    edits_change_begin(e, place, x);
}

// A sum that stands before a loop and should begin anew in each round.
void edits_begin_anew(edits *e, int loop) {
    const statement *st = &e->statements[loop];
    if (st->body < 0 || st->body >= e->n_statements) return;
    const bool block = e->statements[st->body].kind == S_BLOCK;
    const int first = block && st->body + 1 < e->n_statements ? st->body + 1 : st->body;
    const char *all = "";
    int n = 0, near = -1;
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        const bool outside =
            v->from < st->first && v->to >= st->end && !v->is_const && !v->is_parameter && !v->is_global && !v->is_loop;
        if (!outside || v->type.base == BASE_STRUCT || v->type.pointers || v->value_end <= v->value) continue;
        bool written = false;
        for (int k = st->first; k < st->end; k++)
            written |= is(&e->u, k, v->name) && edits_operator_text(&e->u, k + 1)[0];
        if (!written || v->value_end - v->value > 3) continue;
        const char *set = format(&e->u, "%s = %s", v->name, edits_text(e, v->value, v->value_end));
        edits_insert(e, first, false, ANEW, "statement", format(&e->u, "%s;", set));
        const bool listed = near >= 0 && is(&e->u, v->declared - 1, ",") && v->declared == near + 1;
        all = listed ? format(&e->u, "%s, %s", all, set) : set, n = listed ? n + 1 : 1, near = v->value_end;
        if (n > 1 && !e->cuda) edits_insert(e, first, false, ANEW - 2, "statement", format(&e->u, "%s;", all));
    }
}
