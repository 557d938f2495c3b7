// called.c: one mistake that makes several functions of the task wrong is in what all of them call; it is hardly
// in what one calls that is right.
#include "edits.h"

#include <string.h>

enum { SUSPECT = 12, SOONER = 4 };  // ranks that a change loses in what right functions call, too; a part of its rank

static bool names(const edits *e, const function *f, const function *g) {
    const int n = (int)strlen(g->name);
    for (int i = f->body; i < f->end; i++)
        if (e->u.tokens[i].length == n && !memcmp(e->u.tokens[i].at, g->name, (size_t)n)) return true;
    return false;
}

// Operators, and what macros call: named by no function, and any may call them. Those of the contract are called from
// elsewhere.
static bool is_called_unseen(const edits *e, const function *g) {
    if (!strncmp(g->name, "attn_", 5) || !e->cuda) return false;
    for (int i = 0; i < e->n_functions; i++)
        if (names(e, &e->functions[i], g)) return false;
    return true;
}

// What it calls for certain, or what it may call.
typedef enum { SURELY, PERHAPS } certainty;

static bool calls(const edits *e, const function *f, const function *g, certainty how) {
    return names(e, f, g) || (how == PERHAPS && is_called_unseen(e, g));
}

static void mark_called(const edits *e, int function, certainty how, bool *called) {
    if (called[function]) return;
    called[function] = true;
    for (int i = 0; i < e->n_functions; i++)
        if (i != function && calls(e, &e->functions[function], &e->functions[i], how)) mark_called(e, i, how, called);
}

static int function_of(const edits *e, const change *c) {
    const int s = c->place >= 0 ? e->places[c->place].statement : c->insert >= 0 ? c->insert : c->remove;
    return e->statements[s].function;
}

// A function that calls a wrong one is wrong for that reason: of a TODO in it nothing is to be changed there.
static void drop_consequences(edits *e, const char *wrong) {
    const size_t n = (size_t)e->n_functions;
    bool *below = keep(&e->u, n + 1), *above = keep(&e->u, n + 1), *follows = keep(&e->u, n + 1);
    int kept = 0;
    for (int f = 0; f < e->n_functions; f++) {
        memset(below, 0, n), mark_called(e, f, PERHAPS, below);
        for (int g = 0; g < e->n_functions && !follows[f]; g++) {
            if (g == f || !below[g] || !edits_listed(e->functions[g].name, wrong)) continue;
            memset(above, 0, n), mark_called(e, g, PERHAPS, above);
            follows[f] = !above[f];
        }
    }
    for (int i = 0; i < e->n_changes; i++) {
        const change c = e->changes[i];
        if (!follows[function_of(e, &c)]) e->changes[kept++] = c;
    }
    e->n_changes = kept;
}

void edits_called(edits *e, const char *wrong, const char *right) {
    const size_t n = (size_t)e->n_functions;
    bool *called = keep(&e->u, n + 1), *by_right = keep(&e->u, n + 1);
    if (wrong && e->last_line < EDITS_LAST_LINE) {
        drop_consequences(e, wrong);
        return;
    }
    unsigned *by_wrong = keep(&e->u, (n + 1) * sizeof *by_wrong), all = 0;  // a bit a function that is wrong
    int kept = 0;
    for (int i = 0; i < e->n_functions; i++) {
        const char *name = e->functions[i].name;
        if (right && edits_listed(name, right)) mark_called(e, i, SURELY, by_right);
        if (!wrong || !edits_listed(name, wrong)) continue;
        memset(called, 0, n), all = 2 * all + 1;
        mark_called(e, i, PERHAPS, called);
        for (size_t k = 0; k < n; k++) by_wrong[k] |= called[k] ? all - all / 2 : 0;
    }
    for (int i = 0; i < e->n_changes && all; i++) {
        change c = e->changes[i];
        const int f = function_of(e, &c);
        unsigned reached = by_wrong[f];
        for (int k = 0; k < c.n_more; k++)  // the same slip in several functions, or in a macro that several use
            reached |= by_wrong[e->statements[e->places[c.more[k].place].statement].function];
        if (reached != all) continue;
        if (by_right[f] && !edits_listed(e->functions[f].name, wrong)) c.rank += SUSPECT;
        e->changes[kept++] = c;
    }
    if (kept) e->n_changes = kept;
}

// What numbers prove has few lines in which it can be: what is changed there comes first.
void edits_at_lines(edits *e, const char *lines) {
    for (int i = 0; lines && *lines && i < e->n_changes; i++) {
        change *c = &e->changes[i];
        if (edits_listed(format(&e->u, "%d", e->u.tokens[c->at].line), lines)) c->rank = 1 + c->rank / SOONER;
    }
}
