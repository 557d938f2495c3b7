// recomputed.c: what has its value already is made anew, by a statement that sets it and others that change nothing else: all
// of them go.
//
//     void normalise(float *p, float l, int cols) {
//         l = 0.0f; for (...) l += p[c];             without both
#include "edits.h"

#include <string.h>

enum { RECOMPUTED = 9, MOST = 4, LONG = 120 };  // rank, statements, tokens

// Of "row->l = 0;" the tokens before its =; 0: it is no such statement.
static int length_of_target(const edits *e, int s) {
    const statement *st = &e->statements[s];
    if (st->kind != S_EXPRESSION || !is_name(&e->u, st->first)) return 0;
    for (int i = st->first; i < st->end; i++) {
        if (is(&e->u, i, "(")) return 0;
        if (edits_assigns(&e->u, i)) return is(&e->u, i, "=") ? i - st->first : 0;
    }
    return 0;
}

static bool has(const edits *e, int first, int end, int target, int n) {
    for (int i = first; i + n <= end; i++)
        if (edits_same(&e->u, i, target, n) && !is(&e->u, i - 1, ".") && !is(&e->u, i - 1, "->")) return true;
    return false;
}

// Is the name at i one that the statement itself declares?
static bool is_own(const edits *e, const statement *st, int i) {
    const token *t = &e->u.tokens[i];
    const variable *v = is_name(&e->u, i) ? edits_visible(e, t->at, t->length, i) : NULL;
    for (int k = 0; k < e->n_variables; k++)
        if (e->variables[k].declared == i) return true;
    return v && v->declared >= st->first && v->declared < st->end;
}

// Does it change the target, and nothing besides but what it declares itself?
static bool changes_it_alone(const edits *e, int s, int target, int n) {
    const statement *st = &e->statements[s];
    bool changes = false;
    if ((st->kind != S_LOOP && st->kind != S_EXPRESSION) || st->end - st->first > LONG) return false;
    for (int i = st->first; i < st->end; i++) {
        if (is(&e->u, i, "__syncthreads") || is(&e->u, i, "return")) return false;
        if (adjacent(&e->u, i, "++") || adjacent(&e->u, i, "--")) {
            if (!is_own(e, st, i - 1) && !is_own(e, st, i + 2)) return false;
        } else if (edits_assigns(&e->u, i) && !is_own(e, st, i - 1)) {
            if (i - n < st->first || !edits_same(&e->u, i - n, target, n)) return false;
            changes = true;
        }
        if (edits_operator(&e->u, i) > 1) i += edits_operator(&e->u, i) - 1;
    }
    return changes;
}

// It has a value before: its parameter's, or that of a line before in the same function.
static bool has_value(const edits *e, int s) {
    const statement *st = &e->statements[s];
    const token *t = &e->u.tokens[st->first];
    const variable *v = edits_visible(e, t->at, t->length, st->first);
    return v && (v->is_parameter || v->value_end > v->value);
}

// The place in which it is made to do nothing: a statement is empty, a loop has no round.
static int place_of(const edits *e, int s) {
    const place_kind kind = e->statements[s].kind == S_LOOP ? P_CONDITION : P_STATEMENT;
    for (int p = 0; p < e->n_places; p++)
        if (e->places[p].statement == s && e->places[p].kind == kind) return p;
    return -1;
}

void edits_change_recomputed(edits *e) {
    for (int s = 0; s < e->n_statements; s++) {
        const statement *st = &e->statements[s];
        const int n = st->listed && edits_wanted(e, s) ? length_of_target(e, s) : 0;
        if (!n || has(e, st->first + n, st->end, st->first, n) || !has_value(e, s)) continue;
        place_text list[MOST] = {{place_of(e, s), ""}};
        int found = 1, last = s;
        for (int k = edits_next(e, s); k >= 0 && found < MOST; k = edits_next(e, k)) {
            if (e->statements[k].fixed || !changes_it_alone(e, k, st->first, n)) break;
            list[found++] = (place_text){place_of(e, k), e->statements[k].kind == S_LOOP ? "0" : ""};
            last = k;
        }
        bool all = found > 1;
        for (int k = 0; k < found; k++) all &= list[k].place >= 0;
        if (!all) continue;
        const expression at = {.first = st->first, .end = st->end};
        edits_replace_all(e, RECOMPUTED, "recomputed", &at, list, found, "");
        e->changes[e->n_changes - 1].old_shown = edits_text(e, st->first, e->statements[last].end);
    }
}
