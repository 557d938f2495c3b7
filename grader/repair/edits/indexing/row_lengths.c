// row_lengths.c: how far apart the rows of an array are, wrong in every line that takes one of them.
//
//     ps[y * LANES + x + LANES * b] = p;       ps[y * PITCH + ...]
//     sum += ps[y * LANES + c] * v[c];         ps[y * PITCH + c], where other arrays, or a size in bytes, have rows of PITCH
#include "edits.h"

#include <string.h>

enum { ALL = 6, MOST = 8, LENGTHS = 6 };  // rank; lines of an array; lengths of rows in a file

static bool is_field(const edits *e, int i) { return is(&e->u, i - 1, ".") || is(&e->u, i - 1, "->"); }

// The length in ARRAY[row * LENGTH + x] or ARRAY + row * LENGTH, of the array at token i; 0: it reads otherwise.
static int length_of_row(const edits *e, int i) {
    const unit *u = &e->u;
    const token *t = &u->tokens[i];
    const variable *v = is_name(u, i) && !is_field(e, i) ? edits_visible(e, t->at, t->length, i) : NULL;
    int k = i + 2;
    if (v && !v->type.pointers && v->type.base != BASE_UNKNOWN) return 0;  // x + row * LENGTH is no array
    if (!is_name(u, i) || (!is(u, i + 1, "[") && !is(u, i + 1, "+"))) return 0;
    if (is(u, k, "(") && u->tokens[k].match == k + 2 && is_name(u, k + 1)) k += 3;  // (size_t)
    if (k + 3 >= u->token_count || (!is(u, k, "(") && !is_name(u, k))) return 0;
    const int behind = is(u, k, "(") ? u->tokens[k].match + 1 : k + 1;
    return behind + 2 < u->token_count && is(u, behind, "*") && is_name(u, behind + 1) ? behind + 1 : 0;
}

// All lengths of the rows of this array, a field or what has this name in its function. Returns 0 if they differ.
static int lengths_of(const edits *e, const function *f, int array, int first[MOST]) {
    const unit *u = &e->u;
    const bool field = is_field(e, array);
    int n = 0;
    for (int i = field ? 1 : f->body; i + 4 < (field ? u->token_count : f->end); i++) {
        const int length = edits_same(u, i, array, 1) && is_field(e, i) == field ? length_of_row(e, i) : 0;
        if (!length) continue;
        if (n == MOST || (n && (!edits_same(u, first[0], length, 1) || i < array))) return 0;
        first[n++] = length;
    }
    return n;
}

// Names by which a row, or how many rows there are, is multiplied anywhere: where each stands first.
static int all_lengths(const edits *e, int list[LENGTHS]) {
    const unit *u = &e->u;
    int n = 0;
    for (int i = 2; i + 1 < u->token_count && n < LENGTHS; i++) {
        const bool ends =
            is(u, i + 1, "+") || is(u, i + 1, "]") || is(u, i + 1, ")") || is(u, i + 1, ";") || is(u, i + 1, ",");
        const token *t = &u->tokens[i], *left = &u->tokens[i - 2];
        const bool factor = is(u, i - 2, ")") || edits_visible(e, left->at, left->length, i - 2);  // float *k is none
        bool known = !is_name(u, i) || !is(u, i - 1, "*") || !ends || !factor;
        for (int k = 0; k < n && !known; k++) known = edits_same(u, list[k], i, 1);
        const variable *v = known ? NULL : edits_visible(e, t->at, t->length, i);
        if (!known && (!v || edits_is_whole(v->type))) list[n++] = i;
    }
    return n;
}

static bool is_known_at_all(const edits *e, int name, const int *first, int n) {
    const ingredient g = {.first = name, .end = name + 1};
    for (int i = 0; i < n; i++)
        if (!edits_usable(e, &g, first[i])) return false;
    return true;
}

void edits_change_row_lengths(edits *e) {
    int list[LENGTHS], first[MOST];
    const int known = all_lengths(e, list);
    for (int i = 0; i < e->n_functions; i++) {
        const function *f = &e->functions[i];
        for (int k = f->body; k + 4 < f->end; k++) {
            const int length = length_of_row(e, k), n = length ? lengths_of(e, f, k, first) : 0;
            if (n < 2 || first[0] != length) continue;  // once, from its first line on
            for (int m = 0; m < known; m++)
                if (!edits_same(&e->u, list[m], length, 1) && is_known_at_all(e, list[m], first, n))
                    edits_replace_each(e, ALL, "habit", first, n, edits_text(e, list[m], list[m] + 1));
        }
    }
}
