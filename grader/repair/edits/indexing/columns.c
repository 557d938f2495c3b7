// columns.c: an element of a row: a subscript that says only where the row begins lacks the number within it.
//
//     acc += p[j] * V[(size_t)(j0 + j) * D];      each thread has its t:        V[(size_t)(j0 + j) * D + t]
//     out[r * e + c] += x[r * e] * w[k];          within a loop over k:         x[r * e + k]
//     const int j = base;                         each group has its number:    base + group
#include "edits.h"

enum { NOBODY = 4, ANOTHER = 9, BEGINS = 8, MOST = 3 };  // ranks: nothing here reads it, something does; of a value

static bool reads(const edits *e, int first, int end, const char *name) {
    for (int i = first; i < end; i++)
        if (is(&e->u, i, name) && !is(&e->u, i - 1, ".") && !is(&e->u, i - 1, "->")) return true;
    return false;
}

// const int t = threadIdx.x; lane = t % 32
static bool is_of_thread(const edits *e, const variable *v) {
    if (v->value < 0 || v->is_global || v->is_loop) return false;
    for (int i = v->value; i < v->value_end; i++) {
        if (is(&e->u, i, "threadIdx") || is(&e->u, i, "thread_rank")) return true;
        const token *t = &e->u.tokens[i];
        const variable *w = t->kind == TOKEN_NAME ? edits_visible(e, t->at, t->length, i) : NULL;
        for (int k = w && w != v && w->value >= 0 ? w->value : 0; w && w != v && k < w->value_end; k++)
            if (is(&e->u, k, "threadIdx") || is(&e->u, k, "thread_rank")) return true;
    }
    return false;
}

static bool counts(const edits *e, const variable *v, int token) {
    return edits_is_whole(v->type) && edits_sees(e, v, token) && (v->is_loop || (e->cuda && is_of_thread(e, v)));
}

// (size_t)(b * H + h) * D, in parentheses or not.
static bool is_row(const edits *e, const expression *x) {
    while (x->kind == E_PAREN || x->kind == E_CAST) x = x->a;
    return is_operator(e, x, "*") && edits_is_whole(edits_type_of((edits *)e, x));
}

static void in_row(edits *e, int place, const expression *x) {
    const struct place *p = &e->places[place];
    for (int rank = NOBODY, n = 0; rank == NOBODY || rank == ANOTHER; rank += ANOTHER - NOBODY)
        for (int i = e->n_variables - 1; i >= 0 && n < MOST; i--) {  // the inner ones first
            const variable *v = &e->variables[i];
            if (!counts(e, v, x->first) || reads(e, x->b->first, x->b->end, v->name)) continue;
            if (reads(e, p->first, p->end, v->name) != (rank == ANOTHER)) continue;
            edits_replace(e, place, rank, "column", x->b->first, x->b->end, "%s + %s", edits_text_of(e, x->b), v->name);
            n++;
        }
}

// Within the loop nothing reads the number of the thread.
static void begins(edits *e, int place, const expression *x) {
    const token *t = &e->u.tokens[x->first];
    const variable *own = edits_visible(e, t->at, t->length, x->first);
    int loop = e->statements[e->places[place].statement].parent, n = 0;
    while (loop >= 0 && e->statements[loop].kind != S_LOOP) loop = e->statements[loop].parent;
    if (loop < 0 || !own || !own->is_loop || x->parent || !edits_is_value(e, place, x)) return;
    const statement *st = &e->statements[loop];
    for (int i = e->n_variables - 1; i >= 0 && n < MOST; i--) {
        const variable *v = &e->variables[i];
        if (v->is_loop || !counts(e, v, x->first) || reads(e, st->first, st->end, v->name)) continue;
        edits_replace(e, place, BEGINS, "column", x->first, x->end, "%s + %s", edits_text_of(e, x), v->name);
        n++;
    }
}

void edits_change_columns(edits *e, int place, const expression *x) {
    if (x->kind == E_INDEX && is_row(e, x->b)) in_row(e, place, x);
    if (x->kind == E_NAME && edits_is_whole(edits_type_of(e, x))) begins(e, place, x);
}
