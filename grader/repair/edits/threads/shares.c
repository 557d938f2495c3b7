// shares.c: which element a thread has is said in several places, and in all of them alike: by blocks or by turns.
//
//     sum[e] += a[ty * EACH + e] ...;   C[i0 + ty + e * ROWS] = sum[e];      a[ty + e * ROWS]
#include "edits.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 400, NAMES = 6, LONGEST = 20, RANK = 5, MOSTLY = 1, PLACE = 6 };

typedef struct {
    int first, end, function;
    const char *name[NAMES];  // that count: of a product the one that is no size
    int n;
} sum;

static struct {
    sum list[MOST];
    int n;
    const edits *of;
} known;

static bool counts(const edits *e, int i) {
    const token *t = &e->u.tokens[i];
    if (t->kind != TOKEN_NAME || is(&e->u, i - 1, ".") || is(&e->u, i - 1, "->")) return false;
    const variable *v = edits_visible(e, t->at, t->length, i);
    return is(&e->u, i, "threadIdx") || (v && !v->is_global && v->declared >= 0);
}

static bool is_size(const edits *e, int i) {  // a * b: b, where a counts
    return is(&e->u, i - 1, "*") && counts(e, i - 2);
}

static int by_name(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }

static bool read_sum(edits *e, int first, int end, int function, sum *s) {
    *s = (sum){.first = first, .end = end, .function = function};
    for (int i = first; i < end; i++) {
        const token *t = &e->u.tokens[i];
        if (t->kind != TOKEN_NAME && t->kind != TOKEN_NUMBER && !is(&e->u, i, "+") && !is(&e->u, i, "*") &&
            !is(&e->u, i, ".") && !is(&e->u, i, "(") && !is(&e->u, i, ")"))
            return false;
        if (!counts(e, i) || is_size(e, i)) continue;
        if (s->n == NAMES) return false;
        s->name[s->n++] = edits_text(e, i, is(&e->u, i, "threadIdx") ? i + 3 : i + 1);
    }
    qsort(s->name, (size_t)s->n, sizeof *s->name, by_name);
    return s->n >= 2 && end - first <= LONGEST;
}

// A sum, and what its last two summands are: of i0 + ty + e * ROWS both.
static int ends_of(const edits *e, const expression *x, int first[2]) {
    if (!is_operator(e, x, "+") || edits_type_of((edits *)e, x).base == BASE_FLOAT) return 0;
    first[0] = x->first;
    if (!is_operator(e, x->a, "+")) return 1;
    first[1] = x->a->b->first;
    return 2;
}

static void collect(edits *e, const expression *x, int function) {
    int first[2];
    if (!x) return;
    for (int k = ends_of(e, x, first) - 1; k >= 0 && known.n < MOST; k--)
        known.n += read_sum(e, first[k], x->end, function, &known.list[known.n]);
    collect(e, x->a, function), collect(e, x->b, function);
    for (const expression *c = x->c; c; c = c->next) collect(e, c, function);
    for (const expression *c = x->arguments; c; c = c->next) collect(e, c, function);
}

static bool same_names(const sum *a, const sum *b) {
    bool same = a->n == b->n;
    for (int i = 0; i < a->n && same; i++) same = !strcmp(a->name[i], b->name[i]);
    return same;
}

// c > i, where other lines say start + c: c is a number within the tile.
static void counted_on(edits *e, int place, const expression *x) {
    const expression *up = x->parent;
    const bool compared =
        is_operator(e, up, "<>") ||
        (up && up->kind == E_BINARY && edits_operator(&e->u, up->op) == 2 && strchr("<>=!", *e->u.tokens[up->op].at));
    const bool subscript = up && up->kind == E_INDEX && up->b == x;
    if (x->kind != E_NAME || !(compared || subscript) || !counts(e, x->first)) return;
    for (int i = 0; i < known.n; i++) {
        const sum *s = &known.list[i];
        const ingredient whole = {.first = s->first, .end = s->end};
        const char *name = edits_text(e, x->first, x->end);
        const bool last = is(&e->u, s->end - 1, name) && is(&e->u, s->end - 2, "+");
        if (s->n == 2 && last && s->function == e->statements[e->places[place].statement].function &&
            edits_usable(e, &whole, x->first))
            edits_replace(e, place, PLACE, "share", x->first, x->end, "%s", edits_text(e, s->first, s->end));
    }
}

// In how many lines of the function is it said like that?
static int times_said(edits *e, int function, const char *text) {
    int n = 0;
    for (int i = 0; i < known.n; i++)
        n += known.list[i].function == function && !strcmp(edits_text(e, known.list[i].first, known.list[i].end), text);
    return n;
}

void edits_change_shares(edits *e, int place, expression *x) {
    int first[2];
    sum here;
    if (known.of != e) {
        known.of = e;
        for (int p = 0; p < e->n_places; p++)
            collect(e, e->places[p].tree, e->statements[e->places[p].statement].function);
    }
    counted_on(e, place, x);
    for (int k = ends_of(e, x, first) - 1; k >= 0; k--) {
        if (!read_sum(e, first[k], x->end, 0, &here)) continue;
        const char *text = edits_text(e, first[k], x->end);
        for (int i = 0; i < known.n; i++) {
            const sum *s = &known.list[i];
            const ingredient whole = {.first = s->first, .end = s->end};
            if (s->function != e->statements[e->places[place].statement].function || !same_names(s, &here) ||
                !strcmp(edits_text(e, s->first, s->end), text) || !edits_usable(e, &whole, first[k]))
                continue;
            const char *other = edits_text(e, s->first, s->end);
            const bool mostly = times_said(e, s->function, other) > times_said(e, s->function, text);
            edits_replace(e, place, mostly ? MOSTLY : RANK, "share", first[k], x->end, "%s", other);
        }
    }
}
