// mixed.c: what is mixed up with its neighbour: two names in one call, the size of all with that of one row; and a grid with fewer blocks than its kernel tells apart.
#include "edits.h"

#include <string.h>

enum { NAMES = 12, ALIKE = 22, UNLIKE = 46, ROW = 6, BLOCKS = 8 };  // how many; ranks

static bool is_scalar(const variable *v) {
    return v && !v->type.pointers && !v->is_enumerator && !v->is_global &&
           (v->type.base == BASE_INT || v->type.base == BASE_FLOAT);
}

static bool is_it(const edits *e, int i, const variable *v) {
    return is(&e->u, i, v->name) && !is(&e->u, i - 1, ".") && !is(&e->u, i - 1, "->");
}

// Both names change places wherever they stand in it.
static const char *exchanged(edits *e, const expression *x, const variable *v, const variable *w) {
    const char *text = "";
    for (int i = x->first; i < x->end; i++) {
        const token *t = &e->u.tokens[i];
        const char *name = is_it(e, i, v) ? w->name : is_it(e, i, w) ? v->name : NULL;
        const bool gap = i + 1 < x->end && e->u.tokens[i + 1].at > t->at + t->length;
        text =
            format(&e->u, "%s%.*s%s", text, name ? (int)strlen(name) : t->length, name ? name : t->at, gap ? " " : "");
    }
    return text;
}

static void exchange_names(edits *e, int place, const expression *x) {
    const variable *here[NAMES];
    int n = 0;
    for (int i = x->first; i < x->end && n < NAMES; i++) {
        const token *t = &e->u.tokens[i];
        const variable *v = t->kind == TOKEN_NAME ? edits_visible(e, t->at, t->length, i) : NULL;
        bool known = !is_scalar(v) || !is_it(e, i, v);
        for (int k = 0; k < n; k++) known |= here[k] == v;
        if (!known) here[n++] = v;
    }
    for (int i = 0; i < n; i++)
        for (int k = i + 1; k < n; k++)
            if (edits_alike(here[i]->type, here[k]->type))
                edits_replace(e, place, *here[i]->name == *here[k]->name ? ALIKE : UNLIKE, "exchanged", x->first,
                              x->end, "%s", exchanged(e, x, here[i], here[k]));
}

// S becomes counts[b], which the function reads elsewhere: each row has its own size.
static void own_of_row(edits *e, int place, const expression *x) {
    const int function = e->statements[e->places[place].statement].function;
    const expression *to = x->parent && x->parent->kind == E_ASSIGN && x->parent->b == x ? x->parent->a : NULL;
    if (!to || to->kind != E_INDEX) return;
    for (int i = 0; i < e->n_ingredients; i++) {
        const ingredient *g = &e->ingredients[i];
        if (g->kind == I_ATOM && g->function == function && g->type.base == BASE_INT && !g->type.pointers &&
            is(&e->u, g->end - 1, "]") && is(&e->u, g->end - 2, edits_text(e, to->b->first, to->b->end)) &&
            is(&e->u, g->end - 3, "[") && edits_usable(e, g, x->first))
            edits_replace(e, place, ROW, "subscript", x->first, x->end, "%s", g->text);
    }
}

static bool divides_by(const edits *e, const function *f, const char *name) {
    for (int i = f->body; i < f->end; i++)
        if (is(&e->u, i, name) && (is(&e->u, i - 1, "/") || is(&e->u, i - 1, "%"))) return true;
    return false;
}

// A number of blocks times what the kernel divides by: it tells as many more apart.
static void more_blocks(edits *e, int place, const expression *x) {
    const function *f = NULL;
    for (int i = 0; i < e->n_functions; i++)
        if (e->functions[i].kernel && is(&e->u, x->first, e->functions[i].name)) f = &e->functions[i];
    const expression *grid = f ? x->c : NULL, *given = x->arguments;
    if (!grid) return;
    const expression *side = grid->kind == E_CALL ? grid->arguments : grid;
    for (int i = 0; i < e->n_variables && given; i++) {
        const variable *v = &e->variables[i];
        if (!v->is_parameter || v->from != f->body) continue;
        const char *times = edits_text(e, given->first, given->end);
        const bool divisor = is_scalar(v) && v->type.base == BASE_INT && divides_by(e, f, v->name);
        for (const expression *s = side; s && divisor; s = grid->kind == E_CALL ? s->next : NULL)
            if (!is_operator(e, s, "/"))
                edits_replace(e, place, BLOCKS, "factor", s->first, s->end,
                              s->kind == E_BINARY ? "(%s) * %s" : "%s * %s", edits_text(e, s->first, s->end), times);
        given = given->next;
    }
}

void edits_change_mixed(edits *e, int place, expression *x) {
    const bool call = x->kind == E_CALL && x->a->kind == E_NAME;
    const bool value = !x->parent || (x->parent->kind == E_ASSIGN && x->parent->b == x);
    if (call || (value && x->kind == E_BINARY)) exchange_names(e, place, x);
    if (call) more_blocks(e, place, x);
    if (x->kind == E_NAME || x->kind == E_MEMBER) own_of_row(e, place, x);
}
