// missing.c: a statement that is missing: a state that is rescaled or kept, a row that is divided.
#include "missing.h"

#include <string.h>

static bool in_loop(const edits *e, const statement *s) {
    for (int p = s->parent; p >= 0; p = e->statements[p].parent)
        if (e->statements[p].kind == S_LOOP) return true;
    return false;
}

// Does the statement do that to another name? What is done to one is likely to be done to the other.
static bool done_to_another(const edits *e, const statement *st, bool at_end, const char *op, const char *right) {
    const size_t n = strlen(right);
    for (int i = st->first; i + 2 < st->end && !at_end; i++) {
        const token *t = &e->u.tokens[i + 2];
        if (adjacent(&e->u, i, op) && !strncmp(t->at, right, n) && t->at[n] == ';') return true;
        const token *factor = &e->u.tokens[i + 1];  // l = l * f + more: o is to be rescaled by f, too
        const bool scaled = op[0] == '*' && is(&e->u, i, "*") && !strncmp(factor->at, right, n);
        if (scaled && st->kind == S_EXPRESSION && strchr(" +;", factor->at[n])) return true;
    }
    return false;
}

// Does the function say that, blanks aside?
static bool stands_in(const edits *e, int index, const char *text) {
    const function *f = &e->functions[index];
    for (int i = f->body; i < f->end; i++) {
        const char *at = text;
        for (int k = i; *at && k < f->end; k++) {
            const token *t = &e->u.tokens[k];
            if (strncmp(at, t->at, (size_t)t->length)) break;
            at += t->length;
        }
        if (!*at) return true;
    }
    return false;
}

// Does the function in which this loop stands walk over such a row with it, whatever the struct is called there?
static bool walked(edits *e, const loop_text *h, const char *row) {
    const char *arrow = strrchr(row, '>'), *dot = strrchr(row, '.');
    const char *field = dot > arrow || !arrow ? dot : arrow;
    return field && stands_in(e, h->function, format(&e->u, "%s[%s]", field + 1, h->counter));
}

static void at_boundary(edits *e, const parts *p, int s, bool at_end, int token) {
    const statement *st = &e->statements[s];
    const bool loop = at_end ? true : in_loop(e, st);
    unit *u = &e->u;
    for (int i = 0; i < p->single.n; i++)
        for (int k = 0; k < p->right.n; k++) {
            const char *a = p->single.list[i], *b = p->right.list[k];
            if (!edits_offers(&p->single, i, token) || !edits_offers(&p->right, k, token) || !strcmp(a, b)) continue;
            edits_insert(e, s, at_end, done_to_another(e, st, at_end, "*=", b) ? 12 : 41, "statement",
                         format(u, "%s *= %s;", a, b));
            if (loop)
                edits_insert(e, s, at_end, done_to_another(e, st, at_end, "+=", b) ? 12 : 41, "statement",
                             format(u, "%s += %s;", a, b));
            edits_insert(e, s, at_end, 43, "statement", format(u, "%s = %s;", a, b));
        }
    for (int l = 0; l < p->n_loops; l++)
        for (int i = 0; i < p->arrays.n; i++) {
            const loop_text *h = &p->loops[l];
            if (!edits_offers(&p->arrays, i, token) || !edits_loop_fits(e, h, token)) continue;
            const bool counted = stands_in(e, st->function, format(u, "%s[%s]", p->arrays.list[i], h->counter));
            const int rank = h->function == st->function ? 44 : walked(e, h, p->arrays.list[i]) ? 46 : 47;
            edits_insert(e, s, at_end, rank, "statement",
                         format(u, "%s %s[%s] = 0.0f;", h->header, p->arrays.list[i], h->counter));
            for (int k = 0; k < p->right.n; k++) {
                if (!edits_offers(&p->right, k, token) || strchr(p->right.list[k], '[')) continue;
                const char *const ops[] = {"*=", "/="};
                for (int o = 0; o < 2; o++)
                    edits_insert(e, s, at_end,
                                 counted && done_to_another(e, st, at_end, ops[o], p->right.list[k]) ? 14 : rank,
                                 "statement",
                                 format(u, "%s %s[%s] %s %s;", h->header, p->arrays.list[i], h->counter, ops[o],
                                        p->right.list[k]));
            }
        }
}

// What a loop sets or adds to, in a loop of its own before that: O[i * D + d] = 0 for all d.
static void rows_from_zero(edits *e, const parts *p, int place) {
    const expression *x = e->places[place].tree;
    if (!x || x->kind != E_ASSIGN || x->a->kind != E_INDEX || !edits_is_float(edits_type_of(e, x->a), 0)) return;
    const int s = e->places[place].statement;
    const char *left = edits_text(e, x->a->first, x->a->end);
    for (int loop = e->statements[s].parent; loop >= 0; loop = e->statements[loop].parent) {
        const statement *st = &e->statements[loop];
        if (st->kind != S_LOOP || !is(&e->u, st->first, "for")) continue;
        for (int l = 0; l < p->n_loops; l++) {
            const loop_text *h = &p->loops[l];
            bool used = false;
            for (int i = x->a->first; i < x->a->end; i++) used |= is(&e->u, i, h->counter);
            const ingredient whole = {.first = x->a->first, .end = x->a->end};
            if (!used || h->function != st->function || !edits_loop_fits(e, h, st->first)) continue;
            bool fits = true;
            for (int i = whole.first; i < whole.end; i++) {
                ingredient one = {.first = i, .end = i + 1};
                fits &=
                    e->u.tokens[i].kind != TOKEN_NAME || is(&e->u, i, h->counter) || edits_usable(e, &one, st->first);
            }
            if (fits) edits_insert(e, loop, false, 35, "statement", format(&e->u, "%s %s = 0.0f;", h->header, left));
        }
    }
}

// A loop sets one row of numbers: it may have another one to set, too.
static void set_with_it(edits *e, const parts *p, int place) {
    const expression *x = e->places[place].tree;
    const statement *st = &e->statements[e->places[place].statement];
    if (!x || x->kind != E_ASSIGN || x->a->kind != E_INDEX || !is(&e->u, x->op, "=") || !st->listed || st->fixed)
        return;
    const char *subscript = edits_text(e, x->a->b->first, x->a->b->end);
    for (int i = 0; i < p->arrays.n; i++) {
        const char *other = p->arrays.list[i];
        if (edits_offers(&p->arrays, i, st->first) && strcmp(other, edits_text(e, x->a->a->first, x->a->a->end)))
            edits_insert(e, e->places[place].statement, false, 32, "statement",
                         format(&e->u, "%s[%s] = 0.0f;", other, subscript));
    }
}

static bool takes_and_gives_float(const edits *e, const function *f) {
    if (f->parameters != 1 || !edits_is_float(f->result, 0)) return false;
    for (int i = 0; i < e->n_variables; i++)
        if (e->variables[i].is_parameter && e->variables[i].from == f->body)
            return edits_is_float(e->variables[i].type, 0);
    return false;
}

static void calls(edits *e, const parts *p, int s, int token) {
    for (int i = 0; i < e->n_functions; i++)
        for (int k = 0; k < p->single.n && takes_and_gives_float(e, &e->functions[i]); k++)
            if (edits_offers(&p->single, k, token) && e->functions[i].open < token && e->functions[i].end <= token)
                edits_insert(e, s, false, edits_is_called(e, &e->functions[i]) ? 36 : 12, "statement",
                             format(&e->u, "%s = %s(%s);", p->single.list[k], e->functions[i].name, p->single.list[k]));
}

static void in_function(edits *e, int index, parts *p) {
    edits_note_parts(e, index, p);
    for (int s = 0; s < e->n_statements; s++) {
        const statement *st = &e->statements[s];
        if (st->function != index || !edits_wanted(e, s)) continue;
        const bool empty = st->kind == S_BLOCK && (s + 1 == e->n_statements || e->statements[s + 1].first >= st->end);
        if (empty) at_boundary(e, p, s, true, st->end - 1);
        if (st->kind == S_LOOP) edits_begin_anew(e, s);
        for (int q = 0; q < e->n_places && st->kind == S_EXPRESSION; q++)
            if (e->places[q].statement == s && in_loop(e, st)) set_with_it(e, p, q);
        if (!st->listed || st->fixed) continue;
        at_boundary(e, p, s, false, st->first);
        if (edits_top(e, s)) calls(e, p, s, st->first);
        if (st->end == st->block_end && st->parent >= 0 && e->statements[st->parent].kind == S_BLOCK)
            at_boundary(e, p, st->parent, true, st->end - 1);
    }
}

void edits_change_missing(edits *e) {
    static parts p;
    edits_note_loops(e, &p);
    for (int i = 0; i < e->n_functions; i++)
        if (!e->wanted || edits_listed(e->functions[i].name, e->wanted)) in_function(e, i, &p);
    for (int i = 0; i < e->n_places; i++)
        if (edits_wanted(e, e->places[i].statement)) rows_from_zero(e, &p, i);
}
