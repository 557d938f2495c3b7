// remaining.c: what is left of a walk is counted from the end of that walk, and not from the end of something larger.
//
//     for (j = lo; j < hi; j += SIZE) n = len - j < SIZE ? len - j : SIZE;       hi - j, in both
//     for (j = 0; j < len; j += SIZE) n = min(SIZE, len);                        len - j
//     for (j = 0; j < len; j += SIZE) end = min(j, len);                         j + SIZE
//     for (j = 0; j < len; j += SIZE) n = min(size, i + shift + 1);              i + shift + 1 - j
#include "edits.h"

#include <string.h>

enum { REMAINING = 4, LIMIT = 6, BLOCK = 10 };  // ranks

// The end of the loop around this statement whose counter is read at `token`; NULL: there is none.
static const expression *end_of_walk(const edits *e, int s, int token) {
    for (s = e->statements[s].parent; s >= 0; s = e->statements[s].parent)
        for (int p = 0; p < e->n_places && e->statements[s].kind == S_LOOP; p++) {
            const expression *x = e->places[p].tree;
            if (e->places[p].statement == s && e->places[p].kind == P_CONDITION && x && is_operator(e, x, "<") &&
                x->a->kind == E_NAME && edits_same(&e->u, x->a->first, token, 1))
                return x->b;
        }
    return NULL;
}

// first = tile * SIZE, or first += SIZE: how long a tile is that begins there; 0: nobody says so.
static int size_behind(const edits *e, const variable *v) {
    const unit *u = &e->u;
    if (v->value > 0 && v->value_end - v->value >= 3 && is(u, v->value_end - 2, "*") && is_name(u, v->value_end - 1))
        return v->value_end - 1;
    for (int i = v->declared + 1; v->is_loop && i < v->to; i++) {
        const int behind = is(u, i, v->name) && adjacent(u, i + 1, "+=") ? i + 2 + !is(u, i + 1, "+=") : 0;
        if (behind && is_name(u, behind) && is(u, behind + 1, ")")) return behind;
    }
    return 0;
}

// min(first, len), without the length of the tile that begins there.
static void to_its_end(edits *e, int place, const expression *a) {
    const token *t = &e->u.tokens[a->first];
    const variable *v = a->kind == E_NAME ? edits_visible(e, t->at, t->length, a->first) : NULL;
    const int size = v && edits_is_whole(v->type) && !v->is_parameter && !v->is_global ? size_behind(e, v) : 0;
    const ingredient name = {.first = size, .end = size + 1};
    if (size && edits_usable(e, &name, a->first))
        edits_replace(e, place, REMAINING, "bound", a->first, a->end, "%s + %s", v->name,
                      edits_text(e, size, size + 1));
}

// for (v = 0; v < len; v += SIZE)
static bool goes_on_by_tiles(const edits *e, const variable *v) {
    const unit *u = &e->u;
    for (int i = v->declared + 1; v->is_loop && i < v->to && !is(u, i, "{"); i++)
        if (is(u, i, v->name) && adjacent(u, i + 1, "+=") && !is(u, i + 3, "1")) return true;
    return false;
}

// A limit that is a sum, counted from the beginning of the tile.
static void limited(edits *e, int place, const expression *a, const variable *v) {
    if (is_operator(e, a, "+-"))
        edits_replace(e, place, LIMIT, "bound", a->first, a->end, "%s - %s", edits_text_of(e, a), v->name);
}

// min(SIZE, len), without where the walk, or the tile of a block, has come to.
static void from_there(edits *e, int place, const expression *x) {
    static const char *const names[] = {"min", "MIN", NULL};
    const char *least = x->kind == E_CALL && x->a->kind == E_NAME ? edits_least(e, x->first) : NULL;
    if (x->kind != E_CALL || !(is_any(&e->u, x->first, names) || (least && is(&e->u, x->first, least)))) return;
    for (const expression *a = x->arguments; a; a = a->next) to_its_end(e, place, a);
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        const bool block = !v->is_parameter && !v->is_global && v->value > 0 && edits_is_of_block(e, v);
        if (!edits_is_whole(v->type) || !(v->is_loop || block) || !edits_sees(e, v, x->first) ||
            edits_named(e, v, x->first, x->end))
            continue;
        for (const expression *a = x->arguments; a; a = a->next)
            if (a->kind == E_NAME || a->kind == E_MEMBER)
                edits_replace(e, place, v->is_loop ? REMAINING : BLOCK, "bound", a->first, a->end, "%s - %s",
                              edits_text_of(e, a), v->name);
        for (const expression *a = x->arguments; a && goes_on_by_tiles(e, v); a = a->next) limited(e, place, a, v);
    }
}

// causal ? i + shift : n - 1, in a tile whose keys are counted from its own beginning.
static void seen_from_there(edits *e, int place, const expression *x) {
    if (x->kind != E_TERNARY || x->a->end <= x->a->first || !is(&e->u, x->a->end - 1, "causal")) return;
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (edits_is_whole(v->type) && edits_sees(e, v, x->first) && !edits_named(e, v, x->first, x->end) &&
            goes_on_by_tiles(e, v))
            limited(e, place, x->b, v);
    }
}

void edits_change_remaining(edits *e, int place, const expression *x) {
    const struct place *p = &e->places[place];
    from_there(e, place, x), seen_from_there(e, place, x);
    if (!is_operator(e, x, "-") || x->b->kind != E_NAME || !edits_is_whole(edits_type_of(e, x))) return;
    const expression *end = end_of_walk(e, p->statement, x->b->first);
    const int n = x->a->end - x->a->first;
    if (!end || (end->end - end->first == n && edits_same(&e->u, end->first, x->a->first, n))) return;
    const ingredient names = {.first = end->first, .end = end->end};
    if (!edits_usable(e, &names, x->first)) return;
    const char *own = edits_text(e, end->first, end->end), *text = "";
    int at = x->first, last = x->end;
    for (int i = p->first; i + x->end - x->first <= p->end; i++) {
        if (!edits_same(&e->u, i, x->first, x->end - x->first)) continue;
        if (i < x->first) return;  // the first of them stands for all
        if (i > at) text = format(&e->u, "%s %s ", text, edits_text(e, at, i));
        text = format(&e->u, "%s%s %s", text, own, edits_text(e, x->op, x->end));
        at = last = i + x->end - x->first;
    }
    edits_replace(e, place, REMAINING, "bound", x->first, last, "%s", text);
}
