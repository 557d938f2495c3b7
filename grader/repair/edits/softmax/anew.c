// anew.c: a sum or a maximum that is used once more begins anew before the loop that makes it.
//
//     v = total of v;   for (...) v += e;                     v = 0.0f; before the loop
//     float m = -INFINITY, l = 0;   for (item ...) { ... }    m = -INFINITY, l = 0; where each item begins
//     float acc[N] = {};            for (item ...) { ... }    for (int i = 0; i < N; i++) acc[i] = 0.0f; there
//     for (i < N) acc[i] = 0;       for (item ...) { ... }    the whole of it at the beginning of each item
#include "edits.h"

#include <string.h>

enum { SUM = 4, MAXIMUM = 6, TOGETHER = 6, ARRAY = 5, ROUND = 10 };  // ranks

static bool is_local(const edits *e, const variable *v, int function) {
    return v->declared >= 0 && !v->is_const && !v->is_parameter && !v->is_global && !v->is_loop && !v->type.pointers &&
           v->from >= e->functions[function].body && v->to <= e->functions[function].end;
}

static bool is_it(const edits *e, int i, const variable *v) {
    return is(&e->u, i, v->name) && !is(&e->u, i - 1, ".") && !is(&e->u, i - 1, "->") && edits_sees(e, v, i);
}

static bool is_set(const edits *e, const variable *v, int first, int end) {
    for (int i = first; i < end; i++)
        if (is_it(e, i, v) && edits_assigns(&e->u, i + 1)) return true;
    return false;
}

// v += ..., or v = fmaxf(v, ...)
static bool is_summed(const edits *e, const variable *v, int i) {
    return is_it(e, i, v) && adjacent(&e->u, i + 1, "+=");
}

static bool is_raised(const edits *e, const variable *v, int i) {
    static const char *const names[] = {"fmaxf", "max", "fmax", NULL};
    return is_it(e, i, v) && is(&e->u, i + 1, "=") && is_any(&e->u, i + 2, names) && is_it(e, i + 4, v);
}

static bool in_later_loop(const edits *e, int s, const variable *v) {
    for (int p = e->statements[s].parent; p >= 0; p = e->statements[p].parent)
        if (e->statements[p].kind == S_LOOP && e->statements[p].first > v->declared) return true;
    return false;
}

// f(n, [&](int c) { for (...) v += e; }), with v of before: who is called again goes on with it.
static bool in_later_lambda(const edits *e, int s, const variable *v) {
    const int at = e->statements[s].first;
    for (int i = v->declared; i < at; i++) {
        const int brace = is(&e->u, i, "[") ? edits_lambda(&e->u, i) : 0;
        if (brace && brace < at && at < e->u.tokens[brace].match) return true;
    }
    return false;
}

static void before_loop(edits *e, int s) {
    const statement *st = &e->statements[s];
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (!is_local(e, v, st->function) || v->type.base != BASE_FLOAT || !edits_sees(e, v, st->first)) continue;
        if (!in_later_loop(e, s, v) && !in_later_lambda(e, s, v) &&
            !is_set(e, v, v->value_end > 0 ? v->value_end : v->declared + 1, st->first))
            continue;
        bool summed = false, raised = false;
        for (int k = st->first; k < st->end; k++) summed |= is_summed(e, v, k), raised |= is_raised(e, v, k);
        if (summed) edits_insert(e, s, false, SUM, "statement", format(&e->u, "%s = 0.0f;", v->name));
        if (raised) edits_insert(e, s, false, MAXIMUM, "statement", format(&e->u, "%s = -INFINITY;", v->name));
    }
}

// All that one declaration has set, and that the loop goes on with.
static void together(edits *e, int loop) {
    const statement *st = &e->statements[loop];
    if (st->body < 0 || st->body + 1 >= e->n_statements || e->statements[st->body].kind != S_BLOCK) return;
    for (int d = 0; d < loop; d++) {
        const statement *from = &e->statements[d];
        const char *text = "";
        int n = 0;
        if (from->kind != S_DECLARATION || from->function != st->function) continue;
        for (int i = 0; i < e->n_variables; i++) {
            const variable *v = &e->variables[i];
            if (v->declared < from->first || v->declared >= from->end || !is_local(e, v, st->function) ||
                v->value_end <= v->value || v->value_end - v->value > 3 || !edits_sees(e, v, st->first) ||
                !is_set(e, v, st->first, st->end))
                continue;
            text = format(&e->u, "%s%s%s = %s", text, n++ ? ", " : "", v->name, edits_text(e, v->value, v->value_end));
        }
        if (n > 1) edits_insert(e, st->body + 1, false, TOGETHER, "statement", format(&e->u, "%s;", text));
    }
}

// acc[N] = {0}, acc[N][M] = {0}, to which the loop adds before it sets them.
static bool begins_with_zeros(const edits *e, const variable *v, const statement *loop) {
    const unit *u = &e->u;
    const int close = u->tokens[v->value].match;
    if (v->type.base != BASE_FLOAT || !is(u, v->declared + 1, "[") || !is(u, v->value, "{")) return false;
    for (int i = v->value + 1; i < close; i++)
        if (strspn(edits_text((edits *)e, i, i + 1), "0.f") != (size_t)u->tokens[i].length) return false;
    for (int i = loop->first; i < loop->end; i++) {
        int behind = is_it(e, i, v) ? i + 1 : 0;
        while (behind && is(u, behind, "[")) behind = u->tokens[behind].match + 1;
        if (behind > i + 1 && adjacent(u, behind, "+=")) return true;
        if (behind > i + 1 && is(u, behind, "=")) return false;
    }
    return false;
}

// for (int i = 0; i < N; i++) for (int j = 0; j < M; j++) acc[i][j] = 0.0f;
static const char *zeroes(edits *e, const variable *v) {
    const char *loops = "", *element = v->name;
    char i = 'i';
    for (int open = v->declared + 1, close; is(&e->u, open, "["); open = close + 1, i++) {
        close = e->u.tokens[open].match;
        loops = format(&e->u, "%sfor (int %c = 0; %c < %s; %c++) ", loops, i, i, edits_text(e, open + 1, close), i);
        element = format(&e->u, "%s[%c]", element, i);
    }
    return format(&e->u, "%s%s = 0.0f;", loops, element);
}

static void array(edits *e, int loop) {
    const statement *st = &e->statements[loop];
    if (st->body < 0 || st->body + 1 >= e->n_statements || e->statements[st->body].kind != S_BLOCK) return;
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (v->declared >= e->functions[st->function].body && v->declared <= st->first && edits_sees(e, v, st->first) &&
            v->value > 0 && begins_with_zeros(e, v, st))
            edits_insert(e, st->body + 1, false, ARRAY, "statement", zeroes(e, v));
    }
}

// for (...) acc[d] = 0; for (...) for (...) acc[i][j] = 0;
static bool clears(const edits *e, int s) {
    const statement *body = &e->statements[s];
    while (body->kind == S_LOOP && body->body >= 0) body = &e->statements[body->body];
    int i = body->first;
    if (e->statements[s].kind != S_LOOP || body->kind != S_EXPRESSION || !is_name(&e->u, i)) return false;
    while (is(&e->u, i + 1, "[")) i = e->u.tokens[i + 1].match;
    return is(&e->u, i + 1, "=") && body->end <= i + 5;
}

// init(&state);  for (each tile) { ... }: a call just before the loop belongs to each round of it.
static void each_round(edits *e, int loop) {
    const statement *st = &e->statements[loop];
    if (st->body < 0 || st->body + 1 >= e->n_statements || e->statements[st->body].kind != S_BLOCK) return;
    for (int s = loop - 1, n = 0; s >= 0 && n < 2; s--) {
        const statement *of = &e->statements[s];
        if (of->function != st->function) return;
        if (of->parent != st->parent) continue;
        n++;
        const int call = of->kind == S_IF ? of->first + 1 : of->first;
        bool calls = false;
        for (int i = call; i + 2 < of->end; i++)
            calls |= is_name(&e->u, i) && is(&e->u, i + 1, "(") && is(&e->u, of->end - 1, ";");
        if (clears(e, s)) edits_move(e, s, st->body + 1, false, ROUND, "statement");
        if (e->cuda) continue;
        if (calls && (of->kind == S_EXPRESSION || of->kind == S_IF))
            edits_move(e, s, st->body + 1, false, ROUND, "statement");
    }
}

void edits_change_anew(edits *e) {
    for (int s = 0; s < e->n_statements; s++) {
        const statement st = e->statements[s];
        if (st.kind != S_LOOP || !edits_wanted(e, s)) continue;
        if (st.listed && !st.fixed) before_loop(e, s);
        together(e, s), array(e, s);
        each_round(e, s);
    }
}
