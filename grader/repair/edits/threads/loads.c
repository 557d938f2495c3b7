// loads.c: a tile with more rows than the block has threads is loaded in a loop.
//
//     const int y = threadIdx.y;   tile[y][x] = ...;       for (int r = y; r < ROWS; r += blockDim.y) tile[r][x] = ...;
//     if (y < n) tile[y][x] = ...; else tile[y][x] = 0;    for (int r = y; ...) if (r < n) tile[r][x] = ...; else ...
#include "edits.h"

#include <string.h>

enum { KNOWN = 3, BUILT = 5 };  // ranks

// Of T name[ROWS][...]: ROWS.
static const char *rows_of(edits *e, const char *name) {
    for (int i = 1; i + 2 < e->u.token_count; i++)
        if (is(&e->u, i, name) && is(&e->u, i + 1, "[") && (is_name(&e->u, i - 1) || is(&e->u, i - 1, ",")) &&
            e->u.tokens[i + 1].match > i + 2)
            return edits_text(e, i + 2, e->u.tokens[i + 1].match);
    return NULL;
}

static bool names(const edits *e, const statement *st, const char *name) {
    for (int i = st->first; i < st->end; i++)
        if (is(&e->u, i, name)) return true;
    return false;
}

static bool is_thread(const edits *e, const variable *v) {
    return v->value_end - v->value == 3 && is(&e->u, v->value, "threadIdx");
}

static void in_loop(edits *e, int s, const expression *x, const variable *v) {
    const statement *st = &e->statements[s];
    const expression *array = x->a->a->a;
    for (int k = 0; k < e->n_statements; k++) {  // as another line of the function does it
        const statement *loop = &e->statements[k];
        const int at = loop->first;  // for ( int r = y ;
        if (loop->kind != S_LOOP || loop->function != st->function || !is(&e->u, at, "for") ||
            !is(&e->u, at + 4, "=") || names(e, st, edits_text(e, at + 3, at + 4)) || !is(&e->u, at + 5, v->name) ||
            !is(&e->u, at + 6, ";"))
            continue;
        const char *header = edits_text(e, at, e->u.tokens[at + 1].match + 1);
        edits_exchange(e, s, KNOWN, "loop",
                       format(&e->u, "%s %s", header, edits_text_as(e, st, v->name, edits_text(e, at + 3, at + 4))));
    }
    const char *rows = rows_of(e, edits_text(e, array->end - 1, array->end));
    const char *side = edits_text(e, v->value + 2, v->value + 3), *counter = strcmp(v->name, "r") ? "r" : "row";
    if (rows && !names(e, st, counter))
        edits_exchange(e, s, BUILT, "loop",
                       format(&e->u, "for (int %s = %s; %s < %s; %s += blockDim.%s) %s", counter, v->name, counter,
                              rows, counter, side, edits_text_as(e, st, v->name, counter)));
}

// if (there) tile[y][x] = a; else tile[y][x] = 0: the whole question, of which s is the first answer.
static int question_of(const edits *e, int s) {
    int around = e->statements[s].parent;
    if (around >= 0 && e->statements[around].kind == S_BLOCK) around = e->statements[around].parent;
    const bool first = around >= 0 && e->statements[around].kind == S_IF && s <= around + 2;
    return first && e->statements[around].listed && !e->statements[around].fixed ? around : s;
}

void edits_change_loads(edits *e) {
    for (int p = 0; p < e->n_places; p++) {
        const expression *x = e->places[p].tree;
        const int s = e->places[p].statement;
        if (!x || x->kind != E_ASSIGN || !is(&e->u, x->op, "=") || x->a->kind != E_INDEX || !edits_wanted(e, s) ||
            e->places[p].kind != P_STATEMENT)
            continue;
        const expression *row = x->a->a->kind == E_INDEX ? x->a->a->b : NULL;
        if (!row || row->kind != E_NAME) continue;
        const token *t = &e->u.tokens[row->first];
        const variable *v = edits_visible(e, t->at, t->length, row->first);
        if (v && !v->is_loop && v->value >= 0 && is_thread(e, v)) in_loop(e, question_of(e, s), x, v);
    }
}
