// twin_pitch.c: rows of one length here, and of another one where the function multiplies the same number elsewhere.
//
//     f(key + j * D); ... g(value + j * WIDTH);        key + j * WIDTH, value + j * D
//     w->keys + d * pitch; and in another function     w->keys + d * w->wide
//     n = w->wide; ... w->keys[d * n + c];
#include "edits.h"

enum { PITCH = 5 };  // rank

// The tokens of a length that stand for it here: itself, or what the variable of that name begins with; 0: nothing does.
static bool is_known_here(const edits *e, ingredient *length, int here) {
    const unit *u = &e->u;
    const token *t = &u->tokens[length->first];
    if (length->end == length->first + 1) {
        const variable *v = edits_visible(e, t->at, t->length, length->first);
        const bool simple = v && v->value > 0 && is_name(u, v->value);
        for (int i = v ? v->value : 0; simple && i < v->value_end; i++)
            if (!is_name(u, i) && !is(u, i, ".") && !is(u, i, "->")) return edits_usable(e, length, here);
        if (simple && v->value_end > v->value + 1) length->first = v->value, length->end = v->value_end;
    }
    return edits_usable(e, length, here);
}

// w->keys + (size_t)d * pitch, w->keys[d * pitch + c]: a field of the same name, in another function, and its rows.
static void of_another_function(edits *e, int place, const expression *x) {
    const unit *u = &e->u;
    const function *f = &e->functions[e->statements[e->places[place].statement].function];
    int at = x->first - 2;  // behind it: *
    if (!is_name(u, at)) return;
    if (is(u, at - 1, ")")) at = u->tokens[at - 1].match;
    const int field = at - 2;
    if ((!is(u, at - 1, "+") && !is(u, at - 1, "[")) || !is_name(u, field) || !is(u, field - 1, "->")) return;
    for (int i = 1; i + 4 < u->token_count; i++) {
        if ((i >= f->body && i < f->end) || !edits_same(u, i, field, 1) || !is(u, i - 1, "->")) continue;
        int first = i + 2;
        if (!is(u, i + 1, "+") && !is(u, i + 1, "[")) continue;
        if (is(u, first, "(")) first = u->tokens[first].match + 1;
        if (!is_name(u, first) || !is(u, first + 1, "*") || !is_name(u, first + 2)) continue;
        ingredient other = {.first = first + 2, .end = first + 3};
        while (is(u, other.end, ".") || is(u, other.end, "->")) other.end += 2;
        if (is(u, other.end, "(") || is(u, other.end, "[") || !is_known_here(e, &other, x->first)) continue;
        if (other.end - other.first != x->end - x->first || !edits_same(u, other.first, x->first, x->end - x->first))
            edits_replace(e, place, PITCH, "habit", x->first, x->end, "%s", edits_text(e, other.first, other.end));
    }
}

void edits_change_twin_pitches(edits *e, int place, expression *x) {
    const unit *u = &e->u;
    const expression *p = x->parent;
    if ((x->kind != E_NAME && x->kind != E_MEMBER) || !is_operator(e, p, "*") || p->b != x ||
        edits_type_of(e, p).base == BASE_FLOAT)
        return;
    of_another_function(e, place, x);
    if (p->a->kind != E_NAME) return;
    const function *f = &e->functions[e->statements[e->places[place].statement].function];
    const int counter = p->a->first;
    for (int i = f->body; i + 2 < f->end; i++) {
        if (i == counter || !edits_same(u, i, counter, 1) || !is(u, i + 1, "*") || !is_name(u, i + 2)) continue;
        if (!is(u, i - 1, "+") && !is(u, i - 1, "[")) continue;
        int end = i + 3;
        while (is(u, end, ".") || is(u, end, "->")) end += 2;
        const ingredient other = {.first = i + 2, .end = end};
        if ((end - i - 2 != x->end - x->first || !edits_same(u, i + 2, x->first, x->end - x->first)) &&
            !is(u, end, "(") && !is(u, end, "[") && edits_usable(e, &other, x->first))
            edits_replace(e, place, PITCH, "habit", x->first, x->end, "%s", edits_text(e, i + 2, end));
    }
}
