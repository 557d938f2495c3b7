// same.c: one call that stands twice. Two numbers that it gives are then the same number, and of two of its results one is
// lost: one of the two was copied from the other. And an input that nobody reads.
//
//     const int begin = first(n, s), end = first(n, s);      first(n, s + 1)
#include "edits.h"

#include <string.h>

enum { NEXT = 3, BEFORE = 8 };  // ranks

static const function *of_file(const edits *e, const expression *call) {
    for (int i = 0; i < e->n_functions; i++)
        if (call->a->kind == E_NAME && is(&e->u, call->a->first, e->functions[i].name)) return &e->functions[i];
    return NULL;
}

static int count(const expression *list) {
    int n = 0;
    for (; list; list = list->next) n++;
    return n;
}

// A call of several numbers that is all of a statement, or the first value of a variable: NULL if it is none.
static const expression *call_at(const edits *e, int p) {
    const place *at = &e->places[p];
    const expression *x = at->tree;
    const statement_kind in = e->statements[at->statement].kind;
    const bool value = at->kind == P_VALUE && in == S_DECLARATION && x && x->first == at->first && x->end == at->end;
    const bool alone = at->kind == P_STATEMENT && in == S_EXPRESSION;
    return x && x->kind == E_CALL && !x->c && (value || alone) && count(x->arguments) > 1 ? x : NULL;
}

// Its names are the same variables in both: an inner one may have the name of an outer one.
static bool is_same_value(const edits *e, const expression *x, const expression *y) {
    for (int i = 0; i < x->end - x->first; i++) {
        const token *a = &e->u.tokens[x->first + i];
        if (is_name(&e->u, x->first + i) &&
            edits_visible(e, a->at, a->length, x->first + i) != edits_visible(e, a->at, a->length, y->first + i))
            return false;
    }
    return true;
}

static bool is_like(const edits *e, int p, int q) {
    const expression *x = call_at(e, p), *y = call_at(e, q);
    const int n = x ? x->end - x->first : 0;
    return x && y && e->places[p].kind == e->places[q].kind && y->end - y->first == n &&
           e->statements[e->places[p].statement].function == e->statements[e->places[q].statement].function &&
           edits_same(&e->u, x->first, y->first, n) && is_same_value(e, x, y);
}

void edits_change_same(edits *e, int place, const expression *x) {
    bool twice = false;
    if (x->parent || call_at(e, place) != x || e->places[place].kind != P_VALUE) return;
    for (int p = 0; p < e->n_places && !twice; p++) twice = p != place && is_like(e, place, p);
    for (const expression *a = x->arguments; a && twice; a = a->next) {
        if (!edits_is_whole(edits_type_of(e, a)) || a->kind == E_NUMBER) continue;
        edits_replace(e, place, NEXT, "call", a->first, a->end, "%s + 1", edits_text_of(e, a));
        if (is_operator(e, a, "+") && a->b->kind == E_NUMBER)
            edits_replace(e, place, NEXT, "call", a->first, a->end, "%s", edits_text_of(e, a->a));
        else
            edits_replace(e, place, BEFORE, "call", a->first, a->end, "%s - 1", edits_text_of(e, a));
    }
}

static void write_twice(edits *e, FILE *out) {
    for (int p = 0; p < e->n_places; p++)
        for (int q = p + 1; q < e->n_places; q++) {
            const expression *x = call_at(e, p);
            const function *f = x ? of_file(e, x) : NULL;
            const bool number = f && (edits_is_whole(f->result) || edits_is_real(f->result));
            if (!f || !is_like(e, p, q) || (e->places[p].kind == P_VALUE && !number)) continue;
            const int first = e->u.tokens[x->first].line, again = e->u.tokens[call_at(e, q)->first].line;
            fprintf(out, "twice\t%s\t%d", edits_text_of(e, x), first);
            if (again != first) fprintf(out, " and in line %d", again);
            fprintf(out, "\n");
            break;
        }
}

// What a function of the contract is given to read, and does not.
static void write_unread(edits *e, FILE *out) {
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (edits_in_directive(e, v->name, true)) continue;  // CASE(D) may read it
        if (!v->is_parameter || !v->type.constant || v->type.pointers != 1 || v->type.base != BASE_FLOAT) continue;
        for (int f = 0; f < e->n_functions; f++) {
            const function *of = &e->functions[f];
            if (v->declared < of->open || v->declared > of->body || strncmp(of->name, "attn_", 5)) continue;
            bool read = false;
            for (int k = of->body; k < of->end; k++) read |= is(&e->u, k, v->name);
            if (!read) fprintf(out, "input\t%s\t%s\t%d\n", v->name, of->name, e->u.tokens[v->declared].line);
        }
    }
}

void edits_write_same(edits *e, FILE *out) {
    write_unread(e, out);
    write_twice(e, out);
}
