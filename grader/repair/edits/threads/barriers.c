// barriers.c: a barrier that comes, or stands in another place.
#include "edits.h"

#include <stdlib.h>
#include <string.h>

// Does it say threadIdx, or a variable that begins with it?
static bool names_thread(const edits *e, int first, int end) {
    for (int i = first; i < end; i++) {
        const token *t = &e->u.tokens[i];
        if (is(&e->u, i, "threadIdx")) return true;
        const variable *v = t->kind == TOKEN_NAME ? edits_visible(e, t->at, t->length, i) : NULL;
        for (int k = v ? v->value : 0; v && k >= 0 && k < v->value_end; k++)
            if (is(&e->u, k, "threadIdx")) return true;
    }
    return false;
}

// In a loop over a thread's own elements the threads of a block do not go round equally often.
static bool in_own_loop(const edits *e, int s) {
    for (int p = e->statements[s].parent; p >= 0; p = e->statements[p].parent) {
        const statement *loop = &e->statements[p];
        const bool counts = loop->kind == S_LOOP && is(&e->u, loop->first + 1, "(");
        if (counts && names_thread(e, loop->first + 2, e->u.tokens[loop->first + 1].match)) return true;
        if (edits_macro_names_thread(e, p)) return true;
    }
    return false;
}

// Is the function named more often than where it is written and called once?
static bool is_called_often(const edits *e, int f) {
    int named = 0;
    for (int i = 0; i < e->u.token_count; i++) named += is(&e->u, i, e->functions[f].name);
    return !e->functions[f].kernel && named > 2;
}

// Is it given nothing but numbers? Then it shares nothing with other threads, and what it makes them wait for is its caller's.
static bool shares_nothing(const edits *e, int f) {
    const function *g = &e->functions[f];
    for (int i = g->open; i < g->end; i++)
        if (is(&e->u, i, "[") || is(&e->u, i, "__shared__") ||
            (i < g->body && (is(&e->u, i, "*") || is(&e->u, i, "&"))))
            return false;
    return !g->kernel;
}

// Has it no barrier, where others have? They wait for the threads, then, and what it reads its caller has waited for.
static bool never_waits(const edits *e, int f) {
    bool others = false;
    for (int i = 0; i < e->u.token_count; i++) {
        const bool inside = i >= e->functions[f].body && i < e->functions[f].end;
        if (!adjacent(&e->u, i, "__syncthreads()")) continue;
        if (inside) return false;
        others = true;
    }
    return others;
}

// A loop of a kernel that goes on tile by tile wants two barriers in each round: what is loaded is complete before it is
// read, and read before it is overwritten. Has this one fewer?
static bool lacks_barriers(const edits *e, int s) {
    const int block = e->statements[s].parent, loop = block >= 0 ? e->statements[block].parent : -1;
    int barriers = 0;
    for (int k = loop >= 0 ? e->statements[loop].parent : -1; k >= 0; k = e->statements[k].parent)
        if (e->statements[k].kind == S_LOOP) return false;
    if (loop < 0 || e->statements[loop].kind != S_LOOP || !e->functions[e->statements[s].function].kernel) return false;
    for (int k = block + 1; k < e->n_statements && e->statements[k].first < e->statements[block].end; k++)
        barriers += e->statements[k].parent == block && adjacent(&e->u, e->statements[k].first, "__syncthreads()");
    return barriers < 2;
}

enum { BEHIND_IF = 1, MISPLACED = 2, BETWEEN_ALIKE = 20, IN_ROUND = 16, PLACED = 21, OF_CALLER = 5 };  // ranks

// The statement before it in its block; -1: there is none.
static int sibling_before(const edits *e, int s) {
    int k = s - 1;
    while (k >= 0 && (e->statements[k].end != e->statements[s].first || !e->statements[k].listed ||
                      e->statements[k].parent != e->statements[s].parent))
        k--;
    return k;
}

static bool stores_element(const edits *e, int first, int end) {
    for (int i = first; i < end; i++)
        if (is(&e->u, i, "]") && is(&e->u, i + 1, "=")) return true;
    return false;
}

// for (a) x[a] = ...; for (a) sum += x[a]; Where one before the second loop is enough, none in its rounds is meant.
static bool is_between_loops(const edits *e, int s) {
    const int k = sibling_before(e, s);
    return k >= 0 && e->statements[s].kind == S_LOOP && e->statements[k].kind == S_LOOP &&
           stores_element(e, e->statements[k].first, e->statements[k].end);
}

static bool begins_round(const edits *e, int s) {
    const int block = e->statements[s].parent;
    return block >= 0 && !stores_element(e, e->statements[block].first, e->statements[s].first);
}

// load(Ks, ...); load(Vs, ...); Two tiles that are loaded one after the other wait for the same barrier, and none stands
// between them: where one there mends, it is another one that is missing.
static bool is_between_alike(const edits *e, int s) {
    const int k = sibling_before(e, s), name = e->statements[s].first, other = k < 0 ? 0 : e->statements[k].first;
    const token *a = &e->u.tokens[name], *b = &e->u.tokens[other];
    return k >= 0 && a->kind == TOKEN_NAME && is(&e->u, name + 1, "(") && is(&e->u, other + 1, "(") &&
           b->kind == TOKEN_NAME && a->length == b->length && !memcmp(a->at, b->at, (size_t)a->length);
}

// if (lane == 0) { x[w] = sum; __syncthreads(); }: behind the if, where all come.
static void behind_condition(edits *e, int s) {
    const int block = e->statements[s].parent, condition = block >= 0 ? e->statements[block].parent : -1;
    if (condition < 0 || e->statements[block].kind != S_BLOCK || e->statements[condition].kind != S_IF) return;
    const statement *st = &e->statements[condition];
    const int next = st->listed ? edits_next(e, condition) : -1;
    if (!names_thread(e, st->first + 2, e->u.tokens[st->first + 1].match)) return;
    if (next >= 0) edits_move(e, s, next, false, BEHIND_IF, "moved");
}

// A barrier that stands one or two statements too early or too late, or waits for a warp where the block is meant.
static void misplaced_barrier(edits *e, int s) {
    const statement *st = &e->statements[s];
    const unit *u = &e->u;
    if (!st->listed || !e->functions[st->function].device) return;
    if (adjacent(u, st->first, "__syncwarp();")) edits_exchange(e, s, 16, "barrier", "__syncthreads();");
    if (adjacent(u, st->first, "__syncthreads();")) behind_condition(e, s);
    const int around = st->parent >= 0 ? e->statements[st->parent].parent : -1;
    if (!adjacent(u, st->first, "__syncthreads();") || around < 0 || e->statements[around].kind != S_LOOP) return;
    // What ends a round keeps the next one from overwriting: elsewhere it leaves a race that a claim of one round has not.
    for (int k = s - 1, found = edits_ends_block(e, st); k >= 0 && k >= st->parent && !found; k--) {
        const statement *o = &e->statements[k];
        found = o->parent == st->parent && o->listed && o->end == st->first;
        if (found && o->kind != S_DECLARATION && !adjacent(u, o->first, "__syncthreads"))
            edits_move(e, s, k, false, is_between_alike(e, k) ? BETWEEN_ALIKE : MISPLACED, "moved");
    }
    for (int k = edits_next(e, s), n = 0; k >= 0 && n < 2; k = edits_next(e, k), n++) {
        const int behind = edits_next(e, k);
        if (adjacent(u, e->statements[k].first, "__syncthreads")) break;
        if (behind >= 0) edits_move(e, s, behind, false, MISPLACED + n, "moved");
        if (behind < 0 && edits_ends_block(e, &e->statements[k]))
            edits_move(e, s, st->parent, true, MISPLACED + n, "moved");
    }
}

// x[t] = a;  float top = x[0];  What is declared behind a store, or behind a call that loads, may read what others stored.
static bool is_behind_store(const edits *e, int s) {
    const statement *st = &e->statements[s];
    int before = s - 1;
    while (before >= 0 && (e->statements[before].end != st->first || !e->statements[before].listed)) before--;
    if (before < 0 || e->statements[before].kind == S_DECLARATION) return false;
    for (int i = e->statements[before].first; i < st->first; i++)
        if ((is(&e->u, i, "]") && is(&e->u, i + 1, "=")) || (is(&e->u, i, ")") && is(&e->u, i + 1, ";"))) return true;
    return false;
}

// At every boundary where a barrier is not there already. Behind a loop is likelier than at its end, where it would be
// waited for in each round.
static void barriers(edits *e, int s) {
    const statement *st = &e->statements[s];
    const unit *u = &e->u;
    if (in_own_loop(e, s)) return;
    if (!st->listed || !e->functions[st->function].device || adjacent(u, st->first, "__syncthreads()")) return;
    const bool after = adjacent(u, st->first - 4, "__syncthreads();");
    const int rank = lacks_barriers(e, s) ? IN_ROUND + begins_round(e, s)
                     : is_between_loops(e, s)
                         ? IN_ROUND
                         // the one call that needs it, or where others stand
                         : PLACED + (is_called_often(e, st->function) || never_waits(e, st->function)) +
                               OF_CALLER * shares_nothing(e, st->function);
    if ((st->kind != S_DECLARATION || is_behind_store(e, s)) && !after)
        edits_insert(e, s, false, rank, "barrier", "__syncthreads();");
    if (edits_ends_block(e, st)) edits_insert(e, st->parent, true, rank + 1, "barrier", "__syncthreads();");
}

enum { FAR = 30 };  // lines

bool edits_is_barrier_between(const change *c, int line, const char *lines) {
    int before = 0;
    for (const char *at = lines; at && !strcmp(c->kind, "barrier"); at = (at = strchr(at, ',')) ? at + 1 : NULL) {
        const int here = atoi(at);
        if (before && before < line && line < here && here - before < FAR) return true;
        before = here;
    }
    return false;
}

void edits_change_barriers(edits *e, int s) {
    barriers(e, s);
    misplaced_barrier(e, s);
}
