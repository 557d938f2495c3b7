// final.c: what only the last round of a loop does belongs behind it: a loop that ends sooner has another last round; C
// alone.
//
//     for (j = 0; j < tiles; j++) { if (hidden(j)) break; ...; if (j == tiles - 1) divide(O, l); }
#include "edits.h"

enum { BEHIND = 2 };  // rank

static bool names(const edits *e, const variable *v, int first, int end) {
    for (int i = first; i < end; i++)
        if (is(&e->u, i, v->name) && edits_sees(e, v, i) && !is(&e->u, i - 1, ".") && !is(&e->u, i - 1, "->"))
            return true;
    return false;
}

// Does the loop's header compare its counter with the same n tokens?
static bool ends_at(const edits *e, const statement *loop, const variable *counter, int size, int n) {
    for (int i = counter->declared + 1; i + n < loop->end && !is(&e->u, i, "{"); i++)
        if (is(&e->u, i, counter->name) && is(&e->u, i + 1, "<") && edits_same(&e->u, i + 2, size, n) &&
            is(&e->u, i + 2 + n, ";"))
            return true;
    return false;
}

// if (j == tiles - 1), if (j0 + bc >= n)
static bool asks_for_last(const edits *e, const statement *asks, const statement *loop, const variable *counter) {
    const unit *u = &e->u;
    const int open = asks->first + 1, close = is(u, open, "(") ? u->tokens[open].match : 0;
    if (!close || !is(u, open + 1, counter->name)) return false;
    for (int i = open + 2; i < close; i++) {
        const bool equal = adjacent(u, i, "==") && is(u, close - 1, "1") && is(u, close - 2, "-");
        const int size = i + (is(u, i, "==") || is(u, i, ">=") ? 1 : 2), end = equal ? close - 2 : close;
        if ((equal || adjacent(u, i, ">=")) && end > size) return ends_at(e, loop, counter, size, end - size);
    }
    return false;
}

// What the if does; -1: it is not read as a statement.
static int body_of(const edits *e, int s) {
    const int open = e->statements[s].first + 1;
    for (int k = s + 1; k < e->n_statements && is(&e->u, open, "("); k++)
        if (e->statements[k].first == e->u.tokens[open].match + 1) return k;
    return -1;
}

static void behind(edits *e, int s, int loop) {
    const statement *st = &e->statements[s], *around = &e->statements[loop];
    const int body = body_of(e, s), next = edits_next(e, loop), before = next >= 0 ? next : around->parent;
    if (body < 0 || before < 0 || (next < 0 && e->statements[before].kind != S_BLOCK)) return;
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (!v->is_loop || v->declared <= around->first || v->declared >= around->end || v->declared > st->first)
            continue;
        if (!asks_for_last(e, st, around, v)) continue;
        const statement *does = &e->statements[body];
        const ingredient all = {.first = does->first, .end = does->end};
        if (names(e, v, does->first, does->end) || does->end != st->end) return;  // or there is an else
        const int target = next >= 0 ? e->statements[before].first : e->statements[before].end - 2;
        if (edits_usable(e, &all, target))
            edits_move_as(e, s, before, next < 0, BEHIND, "moved", edits_text(e, does->first, does->end));
    }
}

void edits_change_final(edits *e) {
    for (int s = 0; s < e->n_statements; s++) {
        const int block = e->statements[s].parent, loop = block >= 0 ? e->statements[block].parent : -1;
        if (e->statements[s].kind == S_IF && e->statements[s].listed && edits_wanted(e, s) && loop >= 0 &&
            e->statements[loop].kind == S_LOOP)
            behind(e, s, loop);
    }
}
