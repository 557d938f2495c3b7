// roles.c: another text in the same role: what is divided or walked by elsewhere; a row that is one longer; the limit
// that the same counter has elsewhere.
//
//     tile + row * hd                elsewhere: r * (hd + 1)     tile + row * (hd + 1)
#include <string.h>

#include "habits.h"

enum { PADDED = 6, STEP = 6, DIVISOR = 8, LIMIT = 18, READ = 8, TILE = 8 };  // ranks

// D becomes (D + 1), or what is declared as D + 1, where that stands elsewhere.
void edits_change_padded(edits *e, int place, const expression *x) {
    const char *text = edits_text(e, x->first, x->end);
    if (!is_operator(e, x->parent, "*")) return;
    int n;
    const habit *list = edits_habits(AS_FACTOR, &n);
    for (int i = 0; i < n; i++) {
        const habit *h = &list[i];
        const bool paren = is(&e->u, h->what.first, "(") && h->what.end - h->what.first > x->end - x->first;
        if (paren &&
            edits_contains(e, &(expression){.first = h->what.first + 1, .end = h->what.end - 1},
                           &(ingredient){.first = x->first, .end = x->end}) &&
            edits_usable(e, &h->what, x->first))
            edits_replace(e, place, PADDED, "habit", x->first, x->end, "%s", h->what.text);
    }
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (v->type.base == BASE_INT && !v->type.pointers && v->value >= 0 && v->value_end - v->value == 3 &&
            is(&e->u, v->value + 1, "+") && !strcmp(edits_text(e, v->value, v->value + 1), text))
            edits_replace(e, place, PADDED, "habit", x->first, x->end, "%s",
                          edits_sees(e, v, x->first) ? v->name
                                                     : format(&e->u, "(%s)", edits_text(e, v->value, v->value_end)));
    }
}

// Another name in the same role: in / and % that split a number, in the step of a walk.
void edits_change_role(edits *e, int place, const expression *x, role r) {
    const int rank = r == AS_STEP ? STEP : DIVISOR;
    const char *text = edits_text(e, x->first, x->end);
    int n;
    const habit *list = edits_habits(r, &n);
    for (int i = 0; i < n; i++) {
        const habit *h = &list[i];
        if (strcmp(h->what.text, text) && edits_usable(e, &h->what, x->first) && !edits_contains(e, x, &h->what))
            edits_replace(e, place, rank, "habit", x->first, x->end, "%s", h->what.text);
    }
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (v->is_global && v->type.base == BASE_INT && !v->is_enumerator && strcmp(v->name, text) &&
            edits_sees(e, v, x->first))
            edits_replace(e, place, rank + 2, "habit", x->first, x->end, "%s", v->name);
    }
    const function *f = &e->functions[e->statements[e->places[place].statement].function];
    if (r == AS_STEP && f->device) edits_replace(e, place, rank + 2, "habit", x->first, x->end, "blockDim.x");
}

// Does the file say `from += step`?
static bool is_step(const edits *e, const ingredient *from, const char *step) {
    for (int i = 0; i + 3 < e->u.token_count; i++)
        if (is(&e->u, i, from->text) && adjacent(&e->u, i + 1, "+=") && is(&e->u, i + 3, step)) return true;
    return false;
}

// The limit is a number that was read from memory, as a length is: min(x, n). What x is the limit of: min(y, x).
static void limit_read(edits *e, int place, const expression *x, const char *least) {
    const char *text = edits_text(e, x->first, x->end);
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        const bool read = v->value >= 0 && v->value_end > v->value && is(&e->u, v->value_end - 1, "]");
        if (read && v->type.base == BASE_INT && !v->type.pointers && edits_sees(e, v, x->first) &&
            !edits_contains(e, x, &(ingredient){.first = v->declared, .end = v->declared + 1}) &&
            (x->kind == E_NAME || is_operator(e, x, "*+")))
            edits_replace(e, place, READ, "limit", x->first, x->end, "%s(%s, %s)", least, text, v->name);
    }
    const function *f = &e->functions[e->statements[e->places[place].statement].function];
    for (int i = f->body; i + 2 < f->end && x->kind == E_NAME; i++) {
        const ingredient other = {.first = i, .end = i + 1};
        if (is_name(&e->u, i) && is(&e->u, i + 1, "<") && is(&e->u, i + 2, text) && !is(&e->u, i, text) &&
            !is(&e->u, i - 1, ".") && edits_usable(e, &other, x->first))
            edits_replace(e, place, READ + 4, "limit", x->first, x->end, "%s(%s, %s)", least, edits_text(e, i, i + 1),
                          text);
    }
}

// The limit of another one: min(x, total); what is left from here on: min(x, n - from).
void edits_change_limits(edits *e, int place, const expression *x) {
    const char *least = e->cuda ? "min" : NULL, *text = edits_text(e, x->first, x->end);
    for (int i = 0; i < e->n_ingredients && !least; i++)
        if (e->ingredients[i].kind == I_CALL && (!strncmp(e->ingredients[i].text, "MIN(", 4))) least = "MIN";
    const int s = e->places[place].statement;
    const expression *p = x->parent;
    const bool value = (!p && e->places[place].kind == P_VALUE) || is_operator(e, p, "+-") ||
                       (p && p->kind == E_ASSIGN && p->b == x && p->op_end == p->op + 1);
    if (!least || !value || x->kind == E_NUMBER || x->kind == E_CALL || x->kind == E_TERNARY || is_operator(e, x, "/%"))
        return;
    int n;
    const habit *bounds = edits_habits(AS_BOUND, &n);
    for (int i = 0; i < n && (x->kind == E_NAME || is_operator(e, x, "*+")); i++)
        if (edits_habit_fits(e, place, x, &bounds[i]))
            edits_replace(e, place, LIMIT, "habit", x->first, x->end, "%s(%s, %s)", least, text, bounds[i].what.text);
    limit_read(e, place, x, least);
    const habit *starts = edits_habits(AS_START, &n);
    for (int i = 0; i < n && x->kind == E_NAME; i++) {
        const ingredient *from = &starts[i].what;
        if (!is_step(e, from, text) || !edits_usable(e, from, x->first)) continue;
        for (int k = 0; k < e->n_ingredients; k++) {
            const ingredient *g = &e->ingredients[k];
            const bool number = g->kind == I_ATOM && g->type.base == BASE_INT && !g->type.pointers &&
                                !strpbrk(g->text, "[") && !strstr(g->text, "Idx") && !strstr(g->text, "Dim.");
            if (number && g->function == e->statements[s].function && edits_usable(e, g, x->first))
                edits_replace(e, place, TILE, "habit", x->first, x->end, "%s(%s, %s - %s)", least, text, g->text,
                              from->text);
        }
    }
}
