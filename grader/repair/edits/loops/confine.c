// confine.c: what is kept in bounds: a limit, the question of a maximum, or the rounds that have nothing to do; C alone.
//
//     if (n > room) n = room;                n = room;   or   if (n > room) continue;
//     if (s[c] > m[r]) m[r] = s[c];          m[r] = s[c];
//     if (size <= 0) size = 64;              size = 64;
//     return least(n, most);                 return n;
//     if (end <= first) continue;            nothing
#include "edits.h"

#include <string.h>

enum {
    LARGEST = 10,
    BEFORE = 4,
    SMALLEST = 34,
    CUT = 12,
    LEAST = 42,
    ARM = 24,
    TILE = 8,
    CAP = 30,
    IDLE = 34,
    LOWER = 36,
    SHORT = 12,
    MOST = 48
};  // ranks; tokens; limits

static bool is_element(const expression *x) { return x->kind == E_INDEX || x->kind == E_MEMBER || x->kind == E_NAME; }

// if (b > c) a = b; asks for b already.
static bool is_asked(const edits *e, int s, const expression *b) {
    const int up = e->statements[s].parent;
    if (up < 0 || e->statements[up].kind != S_IF) return false;
    const int open = e->statements[up].first + 1, n = b->end - b->first;
    for (int i = open + 1; i + n <= e->u.tokens[open].match; i++)
        if (edits_same(&e->u, i, b->first, n)) return true;
    return false;
}

// a = b; where a is the largest b of all, or the smallest.
static void ask_first(edits *e, int place, const expression *x) {
    const value_type t = edits_type_of(e, x->a), of = edits_type_of(e, x->b);
    const bool names = x->a->kind == E_NAME && x->b->kind == E_NAME;
    if (!is_element(x->a) || !is_element(x->b) || t.pointers || of.pointers || t.base != of.base ||
        (t.base != BASE_FLOAT && (t.base != BASE_INT || names)) || x->end - x->first > 3 * SHORT ||
        is_asked(e, e->places[place].statement, x->b))
        return;
    const char *a = edits_text_of(e, x->a), *b = edits_text_of(e, x->b), *all = edits_text_of(e, x);
    const bool real = t.base == BASE_FLOAT;
    edits_replace(e, place, real ? LARGEST : SMALLEST, "cap", x->first, x->end, "if (%s > %s) %s", b, a, all);
    edits_replace(e, place, real ? SMALLEST : LARGEST, "cap", x->first, x->end, "if (%s < %s) %s", b, a, all);
}

// Bc = 64; and last = n - 1; which hold where nothing better is known, or where the limit is passed.
static void ask_before(edits *e, int place, const expression *x) {
    const expression *b = x->b, *least = is_operator(e, b, "-") ? b->a : NULL;
    if (x->a->kind != E_NAME || !edits_is_whole(edits_type_of(e, x->a))) return;
    const char *a = edits_text_of(e, x->a), *all = edits_text_of(e, x);
    if (b->kind == E_NUMBER) {
        edits_replace(e, place, BEFORE, "cap", x->first, x->end, "if (%s <= 0) %s", a, all);
        edits_replace(e, place, BEFORE, "cap", x->first, x->end, "if (%s < %s) %s", a, edits_text_of(e, b), all);
    }
    if (least && is_element(least) && edits_is_whole(edits_type_of(e, least)))
        edits_replace(e, place, BEFORE, "cap", x->first, x->end, "if (%s >= %s) %s", a, edits_text_of(e, least), all);
}

static bool returned(const edits *e, int place, const expression *x) {
    const expression *up = x->parent;
    return (!up && e->statements[e->places[place].statement].kind == S_RETURN) ||
           (up && up->kind == E_TERNARY && up->a != x);
}

// x becomes the smaller one of x and a name of this function, where the file has a function for that.
static void keep_below(edits *e, int place, const expression *x) {
    const char *least = edits_least(e, x->first);
    if (!least || x->kind == E_NUMBER || x->kind == E_TERNARY || is(&e->u, x->first, least)) return;
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (edits_is_whole(v->type) && v->declared >= 0 && !v->is_global && !v->is_loop && edits_sees(e, v, x->first) &&
            strcmp(v->name, edits_text_of(e, x)))
            edits_replace(e, place, x->parent ? ARM : LEAST, "cut off", x->first, x->end, "%s(%s, %s)", least,
                          edits_text_of(e, x), v->name);
    }
}

// n - first becomes the smaller one of a tile's size and that, where a loop goes on by the size.
static void keep_in_tile(edits *e, int place, const expression *x) {
    const char *least = edits_least(e, x->first), *text = edits_text_of(e, x);
    const bool value = !x->parent ? e->places[place].kind == P_VALUE : x->parent->kind == E_ASSIGN && x->parent->b == x;
    if (!value || !is_operator(e, x, "-") || x->b->kind != E_NAME) return;
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (!edits_is_whole(v->type) || v->is_global || v->is_loop || v->owner || !edits_sees(e, v, x->first)) continue;
        bool steps = false;
        for (int k = v->from; k < v->to && !steps; k++)
            steps = is(&e->u, k, v->name) && !is(&e->u, k - 1, ".") && !is(&e->u, k - 1, "->") && edits_sees(e, v, k) &&
                    ((adjacent(&e->u, k - 2, "+=") && is(&e->u, k - 3, edits_text_of(e, x->b))) ||
                     (is(&e->u, k - 1, "*") && is(&e->u, k + 1, ";")));
        const int rank = steps ? TILE : LEAST;
        if (least)
            edits_replace(e, place, rank, "cut off", x->first, x->end, "%s(%s, %s)", least, v->name, text);
        else
            edits_replace(e, place, rank, "cut off", x->first, x->end, "(%s < %s ? %s : %s)", text, v->name, text,
                          v->name);
    }
}

void edits_change_confine(edits *e, int place, expression *x) {
    const bool root = !x->parent && e->places[place].kind == P_STATEMENT;
    if (root && x->kind == E_ASSIGN && x->op_end == x->op + 1) ask_first(e, place, x), ask_before(e, place, x);
    if (!edits_is_whole(edits_type_of(e, x))) return;
    if (returned(e, place, x)) keep_below(e, place, x);
    keep_in_tile(e, place, x);
}

// ---- Statements -----------------------------------------------------------------------------------------------------

static const expression *condition_of(const edits *e, int s) {
    for (int p = 0; p < e->n_places; p++)
        if (e->places[p].statement == s && e->places[p].kind == P_CONDITION) return e->places[p].tree;
    return NULL;
}

// if (end > limit) continue;     the rest is left out, where it is to be cut off
static void cut_for_jump(edits *e, int s) {
    const statement *st = &e->statements[s];
    const expression *x = condition_of(e, s);
    const int at = x ? x->end + 1 : 0;
    if (!x || x->kind != E_BINARY || x->a->kind != E_NAME || !is_element(x->b) || st->end != at + 2) return;
    const char *op = edits_operator_text(&e->u, x->op);
    if ((!is(&e->u, at, "continue") && !is(&e->u, at, "break")) || !edits_is_whole(edits_type_of(e, x->a)) ||
        (*op != '<' && *op != '>'))
        return;
    const char *a = edits_text_of(e, x->a), *b = edits_text_of(e, x->b);
    edits_exchange(e, s, CUT, "cap", format(&e->u, "if (%s %s %s) %s = %s;", a, op, b, a, b));
}

// Which whole number does s set, or give its first value? NULL: none.
static const variable *set_by(edits *e, int s) {
    const statement *st = &e->statements[s];
    for (int i = 0; i < e->n_variables && st->kind == S_DECLARATION; i++) {
        const variable *v = &e->variables[i];
        if (v->declared > st->first && v->declared < st->end && edits_is_whole(v->type) && v->value_end - v->value > 1)
            return v;
    }
    for (int p = 0; p < e->n_places && (st->kind == S_IF || st->kind == S_EXPRESSION); p++) {
        const place *at = &e->places[p];
        const expression *x = at->tree;
        if (at->first < st->first || at->end > st->end || at->kind != P_STATEMENT || !x || x->kind != E_ASSIGN ||
            x->a->kind != E_NAME || st->end - at->end > 1)
            continue;
        const token *t = &e->u.tokens[x->a->first];
        const variable *v = edits_visible(e, t->at, t->length, x->a->first);
        if (v && edits_is_whole(v->type)) return v;
    }
    return NULL;
}

static bool is_in_loop(const edits *e, int s) {
    const int block = e->statements[s].parent, loop = block >= 0 ? e->statements[block].parent : -1;
    return loop >= 0 && e->statements[block].kind == S_BLOCK && e->statements[loop].kind == S_LOOP;
}

// What is known at the token and can be a limit: names, and fields of what has a name. Returns how many.
static int limits_at(edits *e, const variable *own, int token, const char *list[MOST]) {
    int n = 0;
    for (int i = 0; i < e->n_variables && n < MOST; i++) {
        const variable *v = &e->variables[i];
        if (v == own || v->is_global || v->is_enumerator || v->owner || !edits_sees(e, v, token)) continue;
        if (edits_is_whole(v->type) && v->declared >= 0) list[n++] = v->name;
        if (v->type.base != BASE_STRUCT || v->type.pointers > 1 || !strcmp(v->type.word, "attn_tiles")) continue;
        for (int k = 0; k < e->n_variables && n < MOST; k++) {
            const variable *f = &e->variables[k];
            if (f->owner && !strcmp(f->owner, v->type.word) && edits_is_whole(f->type) && !strstr(f->name, "causal"))
                list[n++] = format(&e->u, "%s%s%s", v->name, v->type.pointers ? "->" : ".", f->name);
        }
    }
    return n;
}

// A number of keys that can be 0 or less: then the round has nothing to do.
static void leave_idle_round(edits *e, int s) {
    const int next = edits_next(e, s);
    if (next < 0 || !is_in_loop(e, s) || e->statements[next].parent != e->statements[s].parent) return;
    const variable *v = set_by(e, s);
    if (!v || set_by(e, next) == v) return;
    const int token = e->statements[next].first;
    edits_insert(e, next, false, IDLE, "guard", format(&e->u, "if (%s <= 0) continue;", v->name));
    const char *list[MOST];
    for (int i = limits_at(e, v, token, list) - 1; i >= 0; i--)
        edits_insert(e, next, false, IDLE + 4, "guard", format(&e->u, "if (%s <= %s) continue;", v->name, list[i]));
}

// for (...; c < v; ...) or c <= v: does a loop end at it?
static bool ends_loop(const edits *e, const variable *v, int from, bool last) {
    const unit *u = &e->u;
    for (int i = from; i < v->to; i++)
        if (is(u, i, v->name) && edits_sees(e, v, i) && is(u, i + 1, ";") &&
            (last ? adjacent(u, i - 2, "<=") : is(u, i - 1, "<")))
            return true;
    return false;
}

// last = i + past; where last is cut off at the end of a tile.
static void cap_behind(edits *e, int s) {
    const int next = edits_next(e, s);
    const variable *v = next >= 0 ? set_by(e, s) : NULL;
    if (!v || v->is_const || e->statements[next].parent != e->statements[s].parent) return;
    const int token = e->statements[next].first;
    const bool below = ends_loop(e, v, token, false), last = ends_loop(e, v, token, true);
    const char *list[MOST], *n = v->name;
    for (int i = below || last ? limits_at(e, v, token, list) - 1 : -1; i >= 0; i--) {
        const char *most = list[i];
        if (below) edits_insert(e, next, false, CAP, "cap", format(&e->u, "if (%s > %s) %s = %s;", n, most, n, most));
        if (last)
            edits_insert(e, next, false, CAP, "cap", format(&e->u, "if (%s >= %s) %s = %s - 1;", n, most, n, most));
    }
}

// A function that raises something, and is told a number that is not above it: nothing is to be done.
static void leave_if_lower(edits *e, const function *f, int s) {
    const statement *st = &e->statements[s];
    if (f->result.base != BASE_VOID || f->result.pointers || st->first != f->body + 1 || !st->listed) return;
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (!v->is_parameter || v->from != f->body || v->type.base != BASE_FLOAT || v->type.pointers) continue;
        for (int k = 0; k < e->n_ingredients; k++) {
            const ingredient *g = &e->ingredients[k];
            if (g->kind == I_ATOM && g->type.base == BASE_FLOAT && !g->type.pointers && strcmp(g->text, v->name) &&
                g->function == st->function && edits_usable(e, g, st->first))
                edits_insert(e, s, false, LOWER, "guard", format(&e->u, "if (%s <= %s) return;", v->name, g->text));
        }
    }
}

void edits_change_confined(edits *e) {
    for (int s = 0; s < e->n_statements; s++) {
        const statement *st = &e->statements[s];
        if (!edits_wanted(e, s) || st->fixed) continue;
        if (st->kind == S_IF) cut_for_jump(e, s);
        leave_idle_round(e, s), cap_behind(e, s);
        leave_if_lower(e, &e->functions[st->function], s);
    }
}
