// extents.c: the numbers of an array of this function, or of a struct's field, and a loop over them that ends elsewhere.
//
//     for (e = threadIdx.x; e < 256; e += blockDim.x) a[e / 16][e % 16] = ...      e < SIDE * DEEP, as the next one has it
//     for (w = 0; w < N; w++) m = fmaxf(m, a.top[w]); for (w = 0; w < N / 32; w++) l += a.top[w] ...      w < N in both
//     vec sum[ROWS][VECS]; ... for (r = 0; r < e.rows; r++) ... sum[r][v] ...      r < ROWS, in all such loops
//     struct { float o[OWN]; } ... for (e = 0; e < LANES; e++) row->o[e] *= ...    e < OWN
#include "edits.h"

#include <string.h>

enum { EXTENT = 7, SISTER = 7, SAME_ARRAY = 3 };  // ranks

// The token behind the ] of the bracket that opens here.
static int behind(const unit *u, int open) { return u->tokens[open].match + 1; }

// Is the array's subscript number `dim` this counter, somewhere in these tokens?
static bool counts_in(const edits *e, const variable *array, int dim, int counter, int from, int to) {
    const unit *u = &e->u;
    for (int i = from; i < to; i++) {
        const bool field = is(u, i - 1, ".") || is(u, i - 1, "->");
        if (!is(u, i, array->name) || !is(u, i + 1, "[") || field != (array->owner != NULL)) continue;
        int open = i + 1;
        for (int d = 0; d < dim && is(u, open, "["); d++) open = behind(u, open);
        if (is(u, open, "[") && behind(u, open) == open + 3 && edits_same(u, open + 1, counter, 1)) return true;
    }
    return false;
}

// A loop over the threads' elements that begins and steps as this one does, and ends elsewhere.
static void as_sister(edits *e, int place, const expression *x) {
    const unit *u = &e->u;
    const statement *own = &e->statements[e->places[place].statement];
    const int n = x->a->first - own->first;  // for ( int e = threadIdx . x ;
    bool threads = false;
    for (int i = own->first; i < x->first; i++) threads |= is(u, i, "threadIdx") || is(u, i, "tid");
    for (int p = 0; p < e->n_places && threads; p++) {
        const struct place *q = &e->places[p];
        const statement *st = &e->statements[q->statement];
        if (p == place || q->kind != P_CONDITION || st->kind != S_LOOP || st->function != own->function || !q->tree ||
            !is_operator(e, q->tree, "<") || q->tree->a->first - st->first != n ||
            !edits_same(u, own->first, st->first, n))
            continue;
        const ingredient end = {.first = q->tree->b->first, .end = q->tree->b->end};
        const char *text = edits_text_of(e, q->tree->b);
        if (strcmp(text, edits_text_of(e, x->b)) && edits_usable(e, &end, x->first))
            edits_replace(e, place, SISTER, "extent", x->b->first, x->b->end, "%s", text);
    }
}

// Is an element of one array read in both, at the counter alone?
static bool share_array(const edits *e, int counter, const statement *a, const statement *b) {
    const unit *u = &e->u;
    for (int i = a->first; i + 3 < a->end; i++)
        for (int k = b->first;
             is(u, i + 1, "[") && edits_same(u, i + 2, counter, 1) && is(u, i + 3, "]") && k + 3 < b->end; k++)
            if (edits_same(u, i, k, 4)) return true;
    return false;
}

// Two loops of a function over the elements of one array, that begin alike and end elsewhere.
static void as_other_over_array(edits *e, int place, const expression *x) {
    const unit *u = &e->u;
    const statement *own = &e->statements[e->places[place].statement];
    const int n = x->a->first - own->first;
    for (int p = 0; p < e->n_places; p++) {
        const struct place *q = &e->places[p];
        const statement *st = &e->statements[q->statement];
        if (p == place || q->kind != P_CONDITION || st->kind != S_LOOP || st->function != own->function || !q->tree ||
            !is_operator(e, q->tree, "<") || q->tree->a->first - st->first != n ||
            !edits_same(u, own->first, st->first, n) || !edits_same(u, x->a->first, q->tree->a->first, 1))
            continue;
        const ingredient end = {.first = q->tree->b->first, .end = q->tree->b->end};
        const char *text = edits_text_of(e, q->tree->b);
        if (strcmp(text, edits_text_of(e, x->b)) && edits_usable(e, &end, x->first) &&
            share_array(e, x->a->first, own, st))
            edits_replace(e, place, SAME_ARRAY, "extent", x->b->first, x->b->end, "%s", text);
    }
}

void edits_change_extents(edits *e, int place) {
    const struct place *p = &e->places[place];
    const statement *st = &e->statements[p->statement];
    const expression *x = p->tree;
    const unit *u = &e->u;
    if (p->kind != P_CONDITION || st->kind != S_LOOP || !x || !is_operator(e, x, "<") || x->a->kind != E_NAME) return;
    if (e->cuda) as_sister(e, place, x);
    as_other_over_array(e, place, x);
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (v->declared < 0 || v->is_global || v->is_parameter || !is(u, v->declared + 1, "[") ||
            (!v->owner && !edits_sees(e, v, x->first)))
            continue;
        for (int dim = 0, open = v->declared + 1; is(u, open, "["); dim++, open = behind(u, open)) {
            const int first = open + 1, end = behind(u, open) - 1;
            if (end > first && strcmp(edits_text(e, first, end), edits_text_of(e, x->b)) &&
                counts_in(e, v, dim, x->a->first, p->end, st->end))
                edits_replace(e, place, EXTENT, "extent", x->b->first, x->b->end, "%s", edits_text(e, first, end));
        }
    }
}
