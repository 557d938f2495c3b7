// beyond.c: a thread that has nothing to do leaves, and one of its numbers is not asked for: a grid of two dimensions is
// larger than the tensor in both.
//
//     if (column >= columns) return;        if (column >= columns || row >= rows) return;
//
// So does a function that is given a row, and how many there are, and never reads that.
#include "edits.h"

#include <string.h>

enum { GIVEN = 1, KNOWN = 9 };  // ranks

// Is it the number of a thread in the whole grid?
static bool is_of_grid(const edits *e, const variable *v) {
    for (int i = v->value; i < v->value_end; i++)
        if (is(&e->u, i, "blockIdx")) return true;
    return false;
}

// Does the function compare it with something?
static bool is_compared(const edits *e, const variable *v) {
    for (int i = v->value_end; i < v->to && i + 1 < e->u.token_count; i++)
        if (is(&e->u, i, v->name) && !is(&e->u, i - 1, ".") &&
            (is(&e->u, i + 1, "<") || is(&e->u, i + 1, ">") || is(&e->u, i - 1, "<=") || is(&e->u, i - 1, ">")))
            return true;
    return false;
}

static bool leaves(const edits *e, int s) {
    const int behind = e->u.tokens[e->statements[s].first + 1].match + 1;
    for (int i = behind; i < e->statements[s].end; i++)
        if (is(&e->u, i, "return") || is(&e->u, i, "continue")) return true;
    return false;
}

// At a condition that sends threads away, or lets the others work: s is its `if`.
void edits_change_beyond(edits *e, int place, expression *x) {
    const int s = e->places[place].statement;
    const function *f = &e->functions[e->statements[s].function];
    if (x->parent || e->places[place].kind != P_CONDITION || e->statements[s].kind != S_IF || !f->device) return;
    const char *text = edits_text(e, x->first, x->end);
    const bool away = leaves(e, s);
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        const bool given = v->is_parameter && v->from == f->body && !f->kernel && !edits_is_unread(e, v);
        if (!edits_is_whole(v->type) || v->is_loop || v->is_global || !edits_sees(e, v, x->first) ||
            !(given || (f->kernel && !v->is_parameter && is_of_grid(e, v))) || is_compared(e, v))
            continue;
        for (int k = 0; k < e->n_variables; k++) {
            const variable *w = &e->variables[k];
            if (!edits_is_whole(w->type) || !w->is_parameter || !edits_sees(e, w, x->first) ||
                (given && !edits_is_unread(e, w)))
                continue;
            edits_replace(e, place, edits_is_unread(e, w) ? GIVEN : KNOWN, "guard", x->first, x->end,
                          away ? "%s || %s >= %s" : "%s && %s < %s", text, v->name, w->name);
        }
    }
}
