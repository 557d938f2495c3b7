// masked.c: a limit of the keys holds with a mask alone, and nobody asks whether there is one.
//
//     seen = j < Sk && j <= i + shift;      j < Sk && (!causal || j <= i + shift)
//     hidden = j > i + shift;               causal && j > i + shift
#include "edits.h"

#include <string.h>

enum { FORGOTTEN = 4 };  // a rank

// j <= i + shift: where a query's keys end is a sum.
static bool is_diagonal(const edits *e, const expression *x) {
    static const char *const signs[] = {"<", "<=", ">", ">=", NULL};
    for (int i = 0; x->kind == E_BINARY && signs[i]; i++)
        if (!strcmp(edits_operator_text(&e->u, x->op), signs[i])) return is_operator(e, edits_bare(x->b), "+-");
    return false;
}

static bool is_asked(const edits *e, int place, const expression *x) {
    const expression *up = x->parent;
    while (up && up->kind == E_PAREN) x = up, up = up->parent;
    if (!up) return e->places[place].kind != P_VOID;
    const char *op = up->kind == E_BINARY ? edits_operator_text(&e->u, up->op) : "";
    return !strcmp(op, "&&") || !strcmp(op, "||") || (up->kind == E_TERNARY && up->a == x);
}

static void ask(edits *e, int place, const expression *x, const char *flag) {
    const bool hides = *edits_operator_text(&e->u, x->op) == '>';
    const char *pattern = !x->parent ? hides ? "%s && %s" : "!%s || %s" : hides ? "(%s && %s)" : "(!%s || %s)";
    const char *text = format(&e->u, pattern, flag, edits_text_of(e, x));
    edits_replace(e, place, FORGOTTEN, "mask", x->first, x->end, "%s", text);
}

static bool says_causal(edits *e, int place) {
    const struct place *p = &e->places[place];
    if (strstr(edits_text(e, p->first, p->end), "causal")) return true;
    for (int s = e->statements[p->statement].parent; s >= 0; s = e->statements[s].parent) {
        const statement *st = &e->statements[s];
        if (st->kind == S_IF && strstr(edits_text(e, st->first, e->u.tokens[st->first + 1].match), "causal"))
            return true;
    }
    return false;
}

void edits_change_masked(edits *e, int place, const expression *x) {
    if (!is_diagonal(e, x) || !edits_is_whole(edits_type_of(e, x->b)) || !is_asked(e, place, x)) return;
    if (e->statements[e->places[place].statement].kind == S_LOOP || says_causal(e, place)) return;
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (!edits_sees(e, v, x->first)) continue;
        if (edits_is_whole(v->type) && strstr(v->name, "causal")) ask(e, place, x, v->name);
        if (v->type.base != BASE_STRUCT || v->type.pointers > 1 || !v->type.word) continue;
        for (int k = 0; k < e->n_variables; k++) {
            const variable *f = &e->variables[k];
            if (f->owner && !strcmp(f->owner, v->type.word) && edits_is_whole(f->type) && strstr(f->name, "causal"))
                ask(e, place, x, format(&e->u, "%s%s%s", v->name, v->type.pointers ? "->" : ".", f->name));
        }
    }
}
