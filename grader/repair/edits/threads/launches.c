// launches.c: a grid and its kernel say the same of how much a block does.
//
//     i = blockIdx.x * 32 + threadIdx.x                 blockDim.x, as many as the block has
//     for (j = threadIdx.x; ...; j += gridDim.x * ...)  a loop that begins at a block's threads: blockDim.x
//     <<<(n + 31) / 32, 128>>> where the kernel says blockIdx.x * (blockDim.x / 32) + ...: (n + 3) / 4
#include "edits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 4, STEP = 1, GRID = 3, SISTER = 1 };  // ranks

static void size_of_block(edits *e, int place, const expression *x) {
    const unit *u = &e->u;
    const expression *up = x->parent;
    if (!is_operator(e, up, "*") || up->b != x) return;
    const int at = x->first - 4;  // blockIdx . x *
    if (at >= 0 && is(u, at, "blockIdx"))
        edits_replace(e, place, SIZE, "habit", x->first, x->end, "blockDim.%s", edits_text(e, at + 2, at + 3));
}

static void step_of_block(edits *e, int place, const expression *x) {
    const statement *st = &e->statements[e->places[place].statement];
    bool grid = false, block = false;
    if (st->kind != S_LOOP || !adjacent(&e->u, x->op, "+=")) return;
    for (int i = x->b->first; i < x->b->end; i++) grid |= is(&e->u, i, "gridDim");
    for (int i = st->first; i < x->first; i++) block |= is(&e->u, i, "blockIdx");
    for (int i = st->first; i < x->first && grid && !block; i++)
        if (is(&e->u, i, "threadIdx"))
            edits_replace(e, place, STEP, "step", x->b->first, x->b->end, "blockDim.%s", edits_text(e, i + 2, i + 3));
}

// Of dim3(32, 8) the number that is blockDim.y; NULL: it is no number, or that of x.
static const char *side_of(edits *e, const char *threads, const char *letter) {
    int x = 0, y = 0;
    if (*letter != 'y' || sscanf(threads, "dim3(%d, %d)", &x, &y) != 2) return NULL;
    return format(&e->u, "%d", y);
}

// What the kernel multiplies blockIdx.x by, with the launch's own number of threads; NULL: nothing plain.
static const char *share_of_block(edits *e, const function *f, const char *side, const char *threads) {
    const unit *u = &e->u;
    for (int i = f->body; i + 4 < f->end; i++) {
        if (!is(u, i, "blockIdx") || !is(u, i + 2, side) || !is(u, i + 3, "*")) continue;
        if (u->tokens[i + 4].kind == TOKEN_NAME && !is(u, i + 5, ".")) return edits_text(e, i + 4, i + 5);
        const char *own =
            is(u, i + 4, "blockDim") && !strcmp(side, "x") ? side_of(e, threads, e->u.tokens[i + 6].at) : NULL;
        if (own) return own;
        if (is(u, i + 4, "(") && is(u, i + 5, "blockDim") && is(u, i + 8, "/") && is(u, i + 10, ")")) {
            const int n = atoi(threads), by = atoi(edits_text(e, i + 9, i + 10));
            return n > 0 && by > 0 && n % by == 0 ? format(&e->u, "%d", n / by) : NULL;
        }
    }
    return NULL;
}

static bool is_rounded(const edits *e, const expression *s) {
    return is_operator(e, s, "/") && s->a->kind == E_PAREN && is_operator(e, s->a->a, "+-");
}

static void grid_of_kernel(edits *e, int place, const expression *x) {
    static const char *const sides[] = {"x", "y", "z"};
    const function *f = NULL;
    for (int i = 0; i < e->n_functions; i++)
        if (e->functions[i].kernel && is(&e->u, x->a->end - 1, e->functions[i].name)) f = &e->functions[i];
    const expression *grid = f ? x->c : NULL, *threads = grid ? grid->next : NULL;
    if (!threads) return;
    const expression *side = grid->kind == E_CALL ? grid->arguments : grid;
    for (int k = 0; k < 3 && side; k++, side = grid->kind == E_CALL ? side->next : NULL) {
        const char *share = share_of_block(e, f, sides[k], edits_text(e, threads->first, threads->end));
        if (!share || !is_rounded(e, side) || !strcmp(share, edits_text(e, side->b->first, side->b->end))) continue;
        const expression *sum = side->a->a;
        while (is_operator(e, sum, "+-")) sum = sum->a;
        const char *all = edits_text(e, sum->first, sum->end);
        const int number = atoi(share);
        edits_replace(e, place, GRID, "rounded up", side->first, side->end, "%s",
                      number ? format(&e->u, "(%s + %d) / %s", all, number - 1, share)
                             : format(&e->u, "(%s + %s - 1) / %s", all, share, share));
    }
}

// The same kernel is launched elsewhere with another grid, or other threads.
static void as_elsewhere(edits *e, int place, const expression *x) {
    for (int p = 0; p < e->n_places; p++) {
        const expression *other = e->places[p].tree;
        if (p == place || !other || other->kind != E_CALL || !other->c || !edits_same(&e->u, x->first, other->first, 1))
            continue;
        const expression *a = x->c, *b = other->c;
        for (; a && b; a = a->next, b = b->next) {
            const ingredient g = {.first = b->first, .end = b->end};
            if (edits_usable(e, &g, x->first))
                edits_replace(e, place, SISTER, "launch", a->first, a->end, "%s", edits_text_of(e, b));
        }
    }
}

// Which of the kernel's parameters its number of a thread in the grid is compared with: its token; -1: none.
static int limit_of_grid(const edits *e, const function *f) {
    const unit *u = &e->u;
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        bool block = false, thread = false;
        if (v->declared < f->body || v->declared >= f->end || !edits_is_whole(v->type)) continue;
        for (int k = v->value; k < v->value_end; k++) block |= is(u, k, "blockIdx"), thread |= is(u, k, "threadIdx");
        for (int k = v->value_end; block && thread && k + 2 < f->end; k++) {
            const bool least = adjacent(u, k + 1, ">=");
            const int by = least && !is(u, k + 1, ">=") ? k + 3 : k + 2;
            if (is(u, k, v->name) && (is(u, k + 1, "<") || least) && is_name(u, by) && is(u, by + 1, ")")) return by;
        }
    }
    return -1;
}

// exponentials<<<(rows + 255) / 256, 256>>>(P, total), whose threads ask i < total: as many threads as that.
static void grid_of_limit(edits *e, int place, const expression *x) {
    const function *f = NULL;
    for (int i = 0; i < e->n_functions; i++)
        if (e->functions[i].kernel && is(&e->u, x->a->end - 1, e->functions[i].name)) f = &e->functions[i];
    const int limit = f && x->c && is_rounded(e, x->c) ? limit_of_grid(e, f) : -1;
    const expression *given = x->arguments;
    for (int i = 0; limit >= 0 && i < e->n_variables && given; i++) {
        const variable *v = &e->variables[i];
        if (!v->is_parameter || v->from != f->body) continue;
        if (is(&e->u, limit, v->name)) {
            const expression *all = x->c->a->a;
            while (is_operator(e, all, "+-")) all = all->a;
            edits_replace(e, place, GRID, "grid", all->first, all->end, "%s", edits_text_of(e, given));
            return;
        }
        given = given->next;
    }
}

void edits_change_launches(edits *e, int place, expression *x) {
    if (x->kind == E_NUMBER) size_of_block(e, place, x);
    if (x->kind == E_ASSIGN) step_of_block(e, place, x);
    if (x->kind == E_CALL && x->c) grid_of_kernel(e, place, x), grid_of_limit(e, place, x);
    if (x->kind == E_CALL && x->c) as_elsewhere(e, place, x);
}
