// twin_pitch.c: rows of one length here, and of another one where the function multiplies the same number elsewhere.
//
//     f(key + j * D); ... g(value + j * WIDTH);        key + j * WIDTH, value + j * D
//     w->keys + d * pitch; and in another function     w->keys + d * w->wide
//     n = w->wide; ... w->keys[d * n + c];
//     m.q[(y + T * a) * D + d] * m.k[x * m.ld + d];        m.ld, in both: as other arrays of the function, or of m, have it
#include "edits.h"

#include <string.h>

enum { OWN = 3, PITCH = 5, OF_OTHERS = 6 };  // ranks: a field of the same struct; of a number; of other arrays

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

// The tokens behind the length at i of a[row * LENGTH + column], (D + 1) or m.ld; 0: it is none.
static int end_of_length(const edits *e, int i) {
    const unit *u = &e->u;
    const int row = is(u, i - 2, ")") ? u->tokens[i - 2].match : i - 2;
    if (!is(u, i - 1, "*") || !(is_name(u, row) || is(u, row, "(")) || !is(u, row - 1, "[")) return 0;
    if (!is_name(u, i) && !is(u, i, "(")) return 0;
    int end = is(u, i, "(") ? u->tokens[i].match + 1 : i + 1;
    while (is(u, end, ".") || is(u, end, "->")) end += 2;
    return is(u, end, "+") ? end : 0;
}

// The field at token i, if the struct of this array has one that is called so; NULL: it has none.
static const char *own_field(edits *e, const expression *array, int i) {
    const value_type of = array->kind == E_MEMBER ? edits_type_of(e, array->a) : (value_type){.base = BASE_UNKNOWN};
    if (of.base != BASE_STRUCT || !of.word || (!is(&e->u, i - 1, ".") && !is(&e->u, i - 1, "->"))) return NULL;
    const char *name = edits_text(e, i, i + 1);
    for (int k = 0; k < e->n_variables; k++) {
        const variable *v = &e->variables[k];
        if (v->owner && !strcmp(v->owner, of.word) && !strcmp(v->name, name) && edits_is_whole(v->type))
            return format(&e->u, "%s%s", edits_text(e, array->first, array->op_end), name);
    }
    return NULL;
}

// The array of a[row * LENGTH + d], or of a + row * LENGTH, with the length x; NULL: it is no row of an array.
static const expression *array_of_row(const edits *e, const expression *x) {
    const expression *sum = x->parent;
    while (is_operator(e, sum->parent, "+")) sum = sum->parent;
    if (sum->parent && sum->parent->kind == E_INDEX && sum->parent->b == sum) return sum->parent->a;
    while (is_operator(e, sum, "+")) sum = sum->a;
    return sum != x->parent && sum->kind == E_MEMBER ? sum : NULL;
}

// In m.q[row * D + d]: the length that rows of other arrays have in this function, or of the same struct anywhere.
static void of_other_rows(edits *e, int place, const expression *x) {
    const unit *u = &e->u;
    const function *f = &e->functions[e->statements[e->places[place].statement].function];
    const expression *array = f->device ? array_of_row(e, x) : NULL;
    if (!array) return;
    for (int i = 3; i < u->token_count; i++) {
        const int end = end_of_length(e, i);
        if (!end || i == x->first) continue;
        const ingredient other = {.first = i, .end = end};
        const bool here = i >= f->body && i < f->end && edits_usable(e, &other, x->first);
        const char *own = own_field(e, array, end - 1);
        const char *text = own ? own : here ? edits_text(e, i, end) : NULL;
        if (text && strcmp(text, edits_text_of(e, x)))
            edits_replace(e, place, own ? OWN : OF_OTHERS, "habit", x->first, x->end, "%s", text);
    }
}

void edits_change_twin_pitches(edits *e, int place, expression *x) {
    const unit *u = &e->u;
    const expression *p = x->parent;
    if ((x->kind != E_NAME && x->kind != E_MEMBER) || !is_operator(e, p, "*") || p->b != x ||
        edits_type_of(e, p).base == BASE_FLOAT)
        return;
    of_another_function(e, place, x);
    of_other_rows(e, place, x);
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
