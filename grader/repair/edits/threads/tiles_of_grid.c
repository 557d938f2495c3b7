// tiles_of_grid.c: a block begins at its number times as many rows as the grid counts for each block.
//
//     i0 = blockIdx.y * LANES; where a launch has (n + ROWS - 1) / ROWS, or ceil_div(n, ROWS), blocks:  blockIdx.y * ROWS
#include "edits.h"

#include <ctype.h>
#include <string.h>

// Ranks: before that of another grid, which is right, too, where blocks do the same rows again.
enum { OF_BLOCK = 2, OF_NAME = 5 };

static bool is_atom_at(const edits *e, int i) {
    return is_name(&e->u, i) || (e->u.tokens[i].kind == TOKEN_NUMBER && !is(&e->u, i, "0") && !is(&e->u, i, "1"));
}

// ceil_div, DIVUP, div_up
static bool says_quotient(const token *t) {
    for (int k = 0; k + 3 <= t->length; k++)
        if (tolower(t->at[k]) == 'd' && tolower(t->at[k + 1]) == 'i' && tolower(t->at[k + 2]) == 'v') return true;
    return false;
}

// Does a number of groups end with this token, the size of one: (n + X - 1) / X, or what a function makes of n and X?
static bool is_size_of_group(const edits *e, int i) {
    const unit *u = &e->u;
    if (i < 3 || !is_atom_at(e, i)) return false;
    if (is(u, i - 1, "/") && is(u, i - 2, ")")) {
        for (int k = u->tokens[i - 2].match + 1; k < i - 2; k++)
            if (is(u, k, "+") || is(u, k, "-")) return !is(u, i + 1, "*");
        return false;
    }
    const int open = is(u, i + 1, ")") && is(u, i - 1, ",") ? u->tokens[i + 1].match : 0;
    return open > 0 && is_name(u, open - 1) && says_quotient(&u->tokens[open - 1]);
}

// Is x the number of a block (2), or made of one (1)?
static int of_block(const edits *e, const expression *x) {
    if (x->kind == E_MEMBER) return is(&e->u, x->first, "blockIdx") ? 2 : 0;
    const token *t = &e->u.tokens[x->first];
    const variable *v = x->kind == E_NAME ? edits_visible(e, t->at, t->length, x->first) : NULL;
    for (int i = v && v->value > 0 ? v->value : 0; v && i < v->value_end; i++)
        if (is(&e->u, i, "threadIdx")) return 0;
    for (int i = v && v->value > 0 ? v->value : 0; v && i < v->value_end; i++)
        if (is(&e->u, i, "blockIdx")) return 1;
    return 0;
}

void edits_change_tiles_of_grid(edits *e, int place, expression *x) {
    const function *f = &e->functions[e->statements[e->places[place].statement].function];
    if (!f->device || !is_operator(e, x, "*")) return;
    const int left = of_block(e, x->a), is_of = left ? left : of_block(e, x->b);
    const expression *size = left ? x->b : x->a;
    if (!is_of || (size->kind != E_NAME && size->kind != E_NUMBER)) return;
    for (int i = 0; i < e->n_functions; i++) {
        const function *host = &e->functions[i];
        for (int k = host->body; !host->device && k + 1 < host->end; k++) {
            const ingredient counted = {.first = k, .end = k + 1};
            if (is_size_of_group(e, k) && !edits_same(&e->u, k, size->first, 1) &&
                edits_usable(e, &counted, size->first))
                edits_replace(e, place, is_of == 2 ? OF_BLOCK : OF_NAME, "habit", size->first, size->end, "%s",
                              edits_text(e, k, k + 1));
        }
    }
}
