// lanes.c: a reduction among lanes that goes one step too few, or is left out.
//
//     x += __shfl_xor_sync(all, x, 1);                                x += __shfl_xor_sync(all, x, 2); with it
//     for (w = 8; w; w /= 2) m = fmaxf(m, __shfl_xor_sync(all, m, w));    l += ...: the sum, too
//     x += __shfl_xor_sync(all, k, x);                                x += __shfl_xor_sync(all, x, k)
//     for (w = 16; w; w /= 2)                                         for (w = LANES / 2; w; w /= 2)
//     sum = sum * f + part;                                           sum * f + reduce(team, part, plus)
#include "edits.h"

#include <stdlib.h>
#include <string.h>

enum { STEP = 4, LOOP = 6, WRAPPED = 5, HANDED = 8, HALF = 6, LONGEST = 60 };  // ranks; tokens

static int shuffle_in(const edits *e, const statement *st) {
    for (int i = st->first; i < st->end; i++)
        if (e->u.tokens[i].kind == TOKEN_NAME && e->u.tokens[i].length > 6 &&
            !strncmp(e->u.tokens[i].at, "__shfl", 6) && is(&e->u, i + 1, "("))
            return i;
    return -1;
}

static void another_step(edits *e, int s) {
    const statement st = e->statements[s];
    const int call = st.kind == S_EXPRESSION ? shuffle_in(e, &st) : -1;
    if (call < 0 || !st.listed || st.fixed) return;
    const int close = e->u.tokens[call + 1].match, at = close - 1;
    const int by = e->u.tokens[at].kind == TOKEN_NUMBER && is(&e->u, at - 1, ",") ? atoi(edits_text(e, at, close)) : 0;
    const char *before = edits_text(e, st.first, at), *behind = edits_text(e, close, st.end);
    if (by > 0 && by < 16)
        edits_insert(e, s, false, STEP, "statement", format(&e->u, "%s %d%s", before, by * 2, behind));
    if (by > 1) edits_insert(e, s, false, STEP, "statement", format(&e->u, "%s %d%s", before, by / 2, behind));
}

static bool is_shuffled(const edits *e, const function *f, const variable *v) {
    for (int i = f->body; i < f->end; i++)
        if (is(&e->u, i, v->name) && is(&e->u, i - 1, ",") && edits_sees(e, v, i)) return true;
    return false;
}

// The loop's header, and w += the shuffle of w, behind w's declaration.
static void for_another(edits *e, int loop) {
    const statement st = e->statements[loop];
    const int call = st.kind == S_LOOP && st.end - st.first < LONGEST ? shuffle_in(e, &st) : -1;
    if (call < 0 || st.body < 0 || !is(&e->u, st.first, "for")) return;
    const function f = e->functions[st.function];
    const int close = e->u.tokens[call + 1].match;
    const expression *x = NULL;
    for (int p = 0; p < e->n_places; p++)
        if (e->places[p].statement >= st.body && e->statements[e->places[p].statement].end <= st.end &&
            e->statements[e->places[p].statement].first >= e->statements[st.body].first && e->places[p].tree &&
            e->places[p].tree->kind == E_ASSIGN)
            x = e->places[p].tree;
    if (!x || x->a->kind != E_NAME) return;
    const char *name = edits_text(e, x->a->first, x->a->end);
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (v->type.base != BASE_FLOAT || v->type.pointers || v->is_parameter || v->is_const || v->declared < f.body ||
            v->declared >= f.end || !strcmp(v->name, name) || is_shuffled(e, &f, v))
            continue;
        const char *text =
            format(&e->u, "%s %s += ", edits_text(e, st.first, e->u.tokens[st.first + 1].match + 1), v->name);
        for (int k = call; k <= close; k++)
            text = format(&e->u, "%s%s%s", text, is(&e->u, k, name) ? v->name : edits_text(e, k, k + 1),
                          is(&e->u, k, ",") ? " " : "");
        for (int s = 0; s < e->n_statements; s++)
            if (e->statements[s].listed && !e->statements[s].fixed && e->statements[s].first > v->declared &&
                edits_sees(e, v, e->statements[s].first)) {
                edits_insert(e, s, false, LOOP, "statement", format(&e->u, "%s;", text));
                break;
            }
    }
}

void edits_change_lanes(edits *e) {
    for (int s = 0; s < e->n_statements; s++)
        if (edits_wanted(e, s)) another_step(e, s), for_another(e, s);
}

// reduce(team, other, greater) elsewhere: reduce(team, x, greater), and with plus.
void edits_change_reduced(edits *e, int place, expression *x) {
    const unit *u = &e->u;
    const value_type type = edits_type_of(e, x);
    const bool added =
        is_operator(e, x->parent, "+") || (x->parent && x->parent->kind == E_ASSIGN && x->parent->b == x);
    if (x->kind != E_NAME || type.base != BASE_FLOAT || type.pointers || !added) return;
    const function *f = &e->functions[e->statements[e->places[place].statement].function];
    for (int i = f->body; i < f->end; i++) {
        if (!is(u, i, "reduce") || !is(u, i + 1, "(") || !is(u, i + 3, ",") || !is(u, i + 5, ",")) continue;
        const int first = is(u, i - 1, "::") ? i - 2 : i, close = u->tokens[i + 1].match;
        const char *op = "", *name = edits_text(e, x->first, x->end);
        for (int k = i + 6; k < close; k++)
            op = format(&e->u, "%s%s", op, is(u, k, "greater") ? "plus" : edits_text(e, k, k + 1));
        edits_replace(e, place, WRAPPED, "call", x->first, x->end, "%s, %s, %s)", edits_text(e, first, i + 3), name,
                      op);
    }
}

// The number of a power of two that a loop begins with which halves it: half of another one.
static void half_of(edits *e, int place, const expression *x) {
    const statement *st = &e->statements[e->places[place].statement];
    const int n = atoi(edits_text_of(e, x));
    if (x->parent || x->kind != E_NUMBER || st->kind != S_LOOP || n < 2 || n & (n - 1)) return;
    bool halves = false;
    for (int i = st->first; i + 2 < st->end && i < x->end + LONGEST; i++)
        halves |=
            (adjacent(&e->u, i, "/=") && is(&e->u, i + 2, "2")) || (adjacent(&e->u, i, ">>=") && is(&e->u, i + 3, "1"));
    for (int i = 0; i < e->n_variables && halves; i++) {
        const variable *v = &e->variables[i];
        const bool constant = v->is_global || v->is_const || v->is_parameter;
        if (constant && v->type.base == BASE_INT && !v->type.pointers && edits_sees(e, v, x->first))
            edits_replace(e, place, HALF, "lanes", x->first, x->end, "%s / 2", v->name);
    }
}

// What is handed over, and to or from which lane.
void edits_change_shuffled(edits *e, int place, const expression *x) {
    half_of(e, place, x);
    const expression *value = x->kind == E_CALL && x->arguments ? x->arguments->next : NULL;
    if (value && value->next && !strncmp(e->u.tokens[x->first].at, "__shfl", 6))
        edits_swap(e, place, HANDED, "exchanged", value, value->next);
}
