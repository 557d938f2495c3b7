// never_added.c: a sum that begins with 0, is read, and to which nobody adds anything.
//
//     float sum = 0;  for (c ...) p[c] = expf(p[c] - top);      sum += p[c]; is missing
//     float sum = 0;  for (c ...) { float w = expf(...); }      sum += w; is missing
//     w.sum[i] = 0; ... w.sum[i] *= corr;  p = expf(...);       w.sum[i] += p; is missing
#include "edits.h"

#include <string.h>

enum { ADDED = 3 };  // a rank

static bool is_zero(edits *e, const variable *v) {
    const char *text = v->value > 0 ? edits_text(e, v->value, v->value_end) : "";
    return *text == '0' && strspn(text, "0.f") == strlen(text);
}

// Does anybody change it, or take its address?
static bool is_changed(const edits *e, const variable *v) {
    for (int i = v->value_end; i + 1 < v->to; i++)
        if (is(&e->u, i, v->name) && !is(&e->u, i - 1, ".") && !is(&e->u, i - 1, "->") &&
            (edits_assigns(&e->u, i + 1) || is(&e->u, i - 1, "&") || is(&e->u, i + 1, "[")))
            return true;
    return false;
}

static void put_behind(edits *e, int s, const char *text) {
    const statement *st = &e->statements[s];
    if (!st->listed) {  // the only statement of a loop
        edits_exchange(e, s, ADDED, "statement", format(&e->u, "{ %s %s }", edits_text(e, st->first, st->end), text));
        return;
    }
    const int next = edits_next(e, s);
    if (next >= 0)
        edits_insert(e, next, false, ADDED, "statement", text);
    else if (st->parent >= 0 && e->statements[st->parent].kind == S_BLOCK)
        edits_insert(e, st->parent, true, ADDED, "statement", text);
}

static bool is_in_loop(const edits *e, int s, const variable *sum) {  // which begins behind the sum
    for (; s >= 0; s = e->statements[s].parent)
        if (e->statements[s].kind == S_LOOP && e->statements[s].first > sum->declared) return true;
    return false;
}

// What this statement computes: an element, or a number of its own.
static void add_what_is_made(edits *e, int s, const char *sum) {
    const unit *u = &e->u;
    const statement st = e->statements[s];
    const int name = st.first;
    if (st.kind == S_EXPRESSION && is_name(u, name) && is(u, name + 1, "[")) {
        const int close = u->tokens[name + 1].match;
        const token *t = &u->tokens[name];
        const variable *v = edits_visible(e, t->at, t->length, name);
        if (v && v->type.base == BASE_FLOAT && is(u, close + 1, "=") && !is(u, close + 2, "="))
            put_behind(e, s, format(&e->u, "%s += %s;", sum, edits_text(e, name, close + 1)));
    }
    for (int i = 0; i < e->n_variables && st.kind == S_DECLARATION; i++) {
        const variable *v = &e->variables[i];
        if (v->declared > st.first && v->declared < st.end && v->value > 0 && edits_is_real(v->type) &&
            !v->type.pointers)
            put_behind(e, s, format(&e->u, "%s += %s;", sum, v->name));
    }
}

// Somebody stores 0 in this array, and nobody adds to an element of it, nor stores anything else.
static bool stays_zero(const edits *e, int array) {
    const unit *u = &e->u;
    bool zero = false;
    for (int i = 0; i + 2 < u->token_count; i++) {
        if (!edits_same(u, i, array, 1) || !is(u, i + 1, "[")) continue;
        const int behind = u->tokens[i + 1].match + 1;
        if (adjacent(u, behind, "+=") || is(u, i - 1, "&")) return false;
        if (!is(u, behind, "=") || is(u, behind + 1, "=")) continue;
        if (!is(u, behind + 2, ";") || *u->tokens[behind + 1].at != '0') return false;
        zero = true;
    }
    return zero;
}

// sum[i] *= corr[i], and to sum nobody adds.
static void add_to_element(edits *e, int scaled) {
    const unit *u = &e->u;
    const statement st = e->statements[scaled];
    int array = st.first;
    while (is_name(u, array) && (is(u, array + 1, ".") || is(u, array + 1, "->"))) array += 2;
    if (st.kind != S_EXPRESSION || !is_name(u, array) || !is(u, array + 1, "[")) return;
    const int behind = u->tokens[array + 1].match + 1;
    if (!adjacent(u, behind, "*=") || !stays_zero(e, array)) return;
    for (int s = scaled + 1; s < e->n_statements && e->statements[s].function == st.function; s++)
        if (edits_wanted(e, s) && e->statements[s].parent >= 0) add_what_is_made(e, s, edits_text(e, st.first, behind));
}

void edits_change_never_added(edits *e) {
    for (int i = 0; i < e->n_variables; i++) {
        const variable v = e->variables[i];
        if (v.declared < 0 || v.is_global || v.is_const || v.is_parameter || v.type.pointers ||
            !edits_is_real(v.type) || !is_zero(e, &v) || is_changed(e, &v))
            continue;
        for (int s = 0; s < e->n_statements; s++)
            if (e->statements[s].first > v.declared && e->statements[s].end <= v.to && edits_wanted(e, s) &&
                is_in_loop(e, s, &v))
                add_what_is_made(e, s, v.name);
    }
    for (int s = 0; s < e->n_statements; s++) add_to_element(e, s);
}
