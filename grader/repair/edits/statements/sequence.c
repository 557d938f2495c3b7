// sequence.c: the order of calls that work on the same array, and steps that stand behind a loop in place of at its end;
// C alone.
//
//     project(T, X, W); merge(Y, T); attend(T, Q, K, V);       merge(Y, T) is the last one
//     for (h ...) { f(K, V); }  K += n; V += n;                 for (h ...) { f(K, V); K += n; V += n; }
#include "edits.h"

#include <string.h>

enum { ORDER = 26, STEPS = 12, LONG = 120, MOST_APART = 8 };  // ranks; tokens; statements

// Does it call a function with this variable, and is that an array?
static bool calls_with(const edits *e, const statement *st, const variable *v) {
    const unit *u = &e->u;
    for (int i = st->first; i + 1 < st->end; i++) {
        if (!is_name(u, i) || !is(u, i + 1, "(") || is(u, i, "for") || is(u, i, "if") || is(u, i, "while")) continue;
        for (int k = i + 2; k < u->tokens[i + 1].match; k++)
            if (is(u, k, v->name) && edits_sees(e, v, k) && !is(u, k - 1, ".") && !is(u, k - 1, "->")) return true;
    }
    return false;
}

static bool share_array(const edits *e, const statement *a, const statement *b) {
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (v->type.pointers && !v->type.constant && v->from <= a->first && a->first < v->to && calls_with(e, a, v) &&
            calls_with(e, b, v))
            return true;
    }
    return false;
}

static bool has_call(const edits *e, const statement *st) {
    const bool kind = st->kind == S_EXPRESSION || st->kind == S_DECLARATION || st->kind == S_LOOP || st->kind == S_IF;
    if (!kind || !st->listed || st->end - st->first > LONG) return false;
    for (int i = st->first; i + 1 < st->end; i++)
        if (is_name(&e->u, i) && is(&e->u, i + 1, "(") && !is(&e->u, i, "free") && !is(&e->u, i, "malloc") &&
            !is(&e->u, i, "sizeof") && !is(&e->u, i, "for") && !is(&e->u, i, "if"))
            return true;
    return false;
}

// The statement moves before each of those around it that work on the same. What declares something stays.
static void reorder(edits *e, int s) {
    const statement *st = &e->statements[s];
    if (st->kind == S_DECLARATION || !has_call(e, st)) return;
    int n = 0;
    for (int k = s - 1; k >= 0 && n < MOST_APART; k--) {
        const statement *to = &e->statements[k];
        if (to->parent != st->parent || !to->listed || to->end > st->first) continue;
        n++;
        if (has_call(e, to) && share_array(e, st, to)) edits_move(e, s, k, false, ORDER, "moved");
    }
    for (int k = edits_next(e, s), i = 0; k >= 0 && i < MOST_APART; k = edits_next(e, k), i++) {
        if (!has_call(e, &e->statements[k]) || !share_array(e, st, &e->statements[k])) continue;
        const int next = edits_next(e, k);
        if (next >= 0) edits_move(e, s, next, false, ORDER, "moved");
    }
}

// K += n; or i++; of a variable that the loop reads and does not set.
static bool steps_on(const edits *e, int s, const statement *loop) {
    const statement *st = &e->statements[s];
    const unit *u = &e->u;
    const int n = st->first;
    if (st->kind != S_EXPRESSION || !st->listed || !is_name(u, n) ||
        !(adjacent(u, n + 1, "+=") || adjacent(u, n + 1, "++")))
        return false;
    bool read = false;
    for (int i = loop->first; i < loop->end; i++) {
        if (!edits_same(u, i, n, 1) || is(u, i - 1, ".") || is(u, i - 1, "->")) continue;
        if (edits_assigns(u, i + 1) || adjacent(u, i + 1, "++")) return false;
        read = true;
    }
    return read;
}

static void step_in_loop(edits *e, int s) {
    const statement *st = &e->statements[s];
    const int first = edits_next(e, s), body = st->body;
    if (body < 0 || e->statements[body].kind != S_BLOCK || first < 0 || !steps_on(e, first, st)) return;
    const char *text = "";
    int n = 0;
    for (int k = first; k >= 0 && steps_on(e, k, st); k = edits_next(e, k), n++)
        text = format(&e->u, "%s%s%s", text, *text ? " " : "",
                      edits_text(e, e->statements[k].first, e->statements[k].end));
    if (n > 1) edits_insert(e, body, true, STEPS, "statement", text);
}

void edits_change_sequence(edits *e) {
    for (int s = 0; s < e->n_statements; s++) {
        if (!edits_wanted(e, s) || e->statements[s].fixed) continue;
        reorder(e, s);
        if (e->statements[s].kind == S_LOOP) step_in_loop(e, s);
    }
}
