// pointed.c: a statement that reads a pointer on the wrong side of the line that moves it on, some statements away.
//
//     load(q, Q);  Q += head * n;  O += head * n;  K += head * m;        load(q, Q) behind Q += head * n
#include "edits.h"

#include <string.h>

enum {
    BEHIND = 4,
    BEFORE = 8,
    IN_LOOP = 8,
    AWAY = 8,
    LONG = 200
};  // ranks, a loop adds to them; statements away; tokens

// p += ...; ++p; p = p + ...: the token of p, or -1.
static int moved_pointer(const edits *e, int s) {
    const statement *st = &e->statements[s];
    const unit *u = &e->u;
    if (st->kind != S_EXPRESSION || !st->listed || !is_name(u, st->first)) return -1;
    const bool adds = adjacent(u, st->first + 1, "+=") || adjacent(u, st->first + 1, "-=");
    const bool sets =
        is(u, st->first + 1, "=") && edits_same(u, st->first, st->first + 2, 1) && is(u, st->first + 3, "+");
    const token *t = &u->tokens[st->first];
    const variable *v = adds || sets ? edits_visible(e, t->at, t->length, st->first) : NULL;
    return v && v->type.pointers ? st->first : -1;
}

static bool reads(const edits *e, int s, int name) {
    for (int i = e->statements[s].first; i < e->statements[s].end; i++)
        if (is_name(&e->u, i) && edits_same(&e->u, i, name, 1) && !is(&e->u, i - 1, ".") && !is(&e->u, i - 1, "->"))
            return true;
    return false;
}

static bool works(const edits *e, int s) {
    const statement *st = &e->statements[s];
    const bool plain = st->kind == S_EXPRESSION || st->kind == S_LOOP;
    return plain && st->listed && st->end - st->first <= LONG && moved_pointer(e, s) < 0 && edits_wanted(e, s);
}

// In a loop it is often meant: what is read is of this round, and what the pointer moves on to of the next one.
static int loop_adds(const edits *e, int s) {
    while (s >= 0 && e->statements[s].kind != S_LOOP) s = e->statements[s].parent;
    return s >= 0 ? IN_LOOP : 0;
}

// What reads it comes first.
static void put_behind(edits *e, int s) {
    for (int k = edits_next(e, s), n = 0; k >= 0 && n < AWAY; k = edits_next(e, k), n++) {
        const int name = moved_pointer(e, k);
        if (name >= 0 && reads(e, s, name)) edits_move_behind(e, s, k, BEHIND + loop_adds(e, k));
    }
}

// What reads it comes later; nothing that it may read is declared in between.
static void put_before(edits *e, int moved) {
    const int name = moved_pointer(e, moved);
    int k = edits_next(e, moved);
    for (int n = 0; name >= 0 && k >= 0 && n < AWAY && e->statements[k].kind != S_DECLARATION; n++) {
        if (n && works(e, k) && reads(e, k, name)) edits_move(e, k, moved, false, BEFORE + loop_adds(e, k), "moved");
        k = edits_next(e, k);
    }
}

void edits_change_pointed(edits *e) {
    for (int s = 0; s < e->n_statements; s++) {
        if (works(e, s)) put_behind(e, s);
        put_before(e, s);
    }
}
