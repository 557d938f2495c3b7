// of_batch.c: a grid has a block for each head of one batch, and the other batches have none; several grids have a block
// for each sequence, and kernels that take one head have none for the others.
//
//     kernel<<<dim3(c.heads, n), 128>>>(...)                           dim3(c.batch * c.heads, n)
//     walk<<<c.batch, 128>>>(...);  join<<<dim3(c.batch), 64>>>(...)   c.batch * c.heads in both
#include "edits.h"

#include <string.h>

enum { BATCH = 4, MOST = 8 };  // a rank; so many launches

// Is it a side of the grid?
static bool is_side(const edits *e, const expression *x) {
    const expression *up = x->parent;
    if (!up || up->kind != E_CALL) return false;
    if (is(&e->u, up->first, "dim3")) return up->a != x;
    return up->c == x;
}

void edits_change_of_batch(edits *e, int place, const expression *x) {
    if (x->kind != E_MEMBER || !is(&e->u, x->end - 1, "heads") || !is_side(e, x)) return;
    const expression *all = x->parent;
    if (strstr(edits_text(e, all->first, all->end), "batch")) return;
    const char *of = edits_text(e, x->first, x->end - 1);
    edits_replace(e, place, BATCH, "length", x->first, x->end, "%sbatch * %sheads", of, of);
}

// Has each block of that launch a head? Its kernel asks which sequence that is of, bh / heads, or never for heads: who
// counts by them, b * heads + h, has a sequence.
static bool has_a_head_each(const edits *e, const expression *launch) {
    const unit *u = &e->u;
    for (int f = 0; f < e->n_functions; f++) {
        const function *k = &e->functions[f];
        bool asks = false, divides = false;
        if (!k->kernel || !is(u, launch->a->end - 1, k->name)) continue;
        for (int i = k->body; i < k->end; i++)
            if (is(u, i, "heads")) asks = true, divides |= is(u, i - 1, "/") || is(u, i - 3, "/");
        return divides || !asks;
    }
    return false;
}

typedef struct {
    const char *word;
    const expression *list[MOST];
    int at[MOST], n;
} sides;

// const int rows = c.batch;  walk<<<dim3(rows, n), 128>>>(...): is the variable of that value a side?
static bool becomes_side(const edits *e, int value) {
    const unit *u = &e->u;
    const variable *v = NULL;
    for (int i = 0; i < e->n_variables && !v; i++)
        if (e->variables[i].value == value) v = &e->variables[i];
    for (int i = v ? value : 0; v && i < v->to; i++) {
        if (!is(u, i, v->name)) continue;
        if (is(u, i - 1, "<<<")) return true;
        for (int k = i - 1; k > value && (is(u, k, ",") || is(u, k, "(") || is_name(u, k)); k--)
            if (is(u, k, "(") && is(u, k - 1, "dim3")) return true;
    }
    return false;
}

// The sides of grids that are a number of sequences, of launches whose kernels have a head each; or of heads.
static void collect(const edits *e, int place, const expression *x, sides *s) {
    if (!x) return;
    const bool one = x->kind == E_MEMBER && is(&e->u, x->end - 1, s->word);
    const expression *launch = one && is_side(e, x) ? x->parent : NULL;
    while (launch && !(launch->kind == E_CALL && launch->c)) launch = launch->parent;
    const bool of_launch = launch && has_a_head_each(e, launch);
    if (s->n < MOST && one && (of_launch || (!x->parent && becomes_side(e, x->first))))
        s->list[s->n] = x, s->at[s->n++] = place;
    collect(e, place, x->a, s), collect(e, place, x->b, s);
    for (const expression *c = x->c; c; c = c->next) collect(e, place, c, s);
    for (const expression *c = x->arguments; c; c = c->next) collect(e, place, c, s);
}

// The change of that side alone.
static const change *alone(edits *e, int place, const expression *x) {
    const char *of = edits_text(e, x->first, x->end - 1), *now = format(&e->u, "%sbatch * %sheads", of, of);
    edits_replace(e, place, BATCH, "length", x->first, x->end, "%s", now);
    for (int i = e->n_changes - 1; i >= 0; i--) {
        const change *c = &e->changes[i];
        if (c->place == place && c->first == x->first && c->end == x->end && !c->n_more && !strcmp(c->new_shown, now))
            return c;
    }
    return NULL;
}

static void in_all(edits *e, sides *s) {
    place_text *more = keep(&e->u, sizeof *more * MOST);
    change all = {0};
    bool alike = true;
    for (int p = 0; p < e->n_places; p++) collect(e, p, e->places[p].tree, s);
    for (int i = 0; i < s->n && s->n > 1; i++) {
        const change *c = alone(e, s->at[i], s->list[i]);
        if (!c || (i && s->at[i] == s->at[i - 1])) return;
        if (!i) all = *c;
        if (i) more[all.n_more++] = (place_text){s->at[i], c->text}, alike &= !strcmp(c->old_shown, all.old_shown);
        if (i && !alike) {  // c.batch ... cache.batch
            all.old_shown = format(&e->u, "%s ... %s", all.old_shown, c->old_shown);
            all.new_shown = format(&e->u, "%s ... %s", all.new_shown, c->new_shown);
        }
    }
    all.more = more, all.rank = BATCH;
    if (s->n == 2 || (s->n > 1 && alike)) *EDITS_ADD(e, changes, n_changes) = all;
}

void edits_change_of_sequences(edits *e) {
    in_all(e, &(sides){.word = "batch"});
    in_all(e, &(sides){.word = "heads"});
}
