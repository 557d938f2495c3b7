// joined.c: a maximum and a sum of exponentials go together: two such pairs are joined by bringing each sum to the
// maximum of the whole.
//
//     c.sum = a.sum + b.sum;        a.sum * expf(a.max - c.max) + b.sum * expf(b.max - c.max)
//     top = a.top;                  top = fmaxf(a.top, b.top)
#include "edits.h"

#include <string.h>

enum { ONE = 3, BOTH = 4, TOPS = 3 };  // ranks

const char *edits_exponential(const edits *e) {
    static const char *const names[] = {"exp2f", "__expf", "expf", "exp", NULL};
    for (int k = 0; names[k]; k++)
        for (int i = 0; i < e->u.token_count; i++)
            if (is(&e->u, i, names[k])) return names[k];
    return NULL;
}

static const variable *owner_of(const edits *e, const expression *x) {
    if (x->kind != E_MEMBER || x->a->kind != E_NAME) return NULL;
    const token *t = &e->u.tokens[x->a->first];
    const variable *v = edits_visible(e, t->at, t->length, x->a->first);
    return v && v->type.base == BASE_STRUCT && v->type.word && !v->type.pointers ? v : NULL;
}

// The other number of a struct of two floats; NULL: it is none.
static const char *other_field(const edits *e, const variable *v, const char *field) {
    const char *other = NULL;
    int n = 0;
    for (int i = 0; i < e->n_variables; i++) {
        const variable *f = &e->variables[i];
        if (!f->owner || strcmp(f->owner, v->type.word) || f->type.base != BASE_FLOAT || f->type.pointers) continue;
        n++;
        if (strcmp(f->name, field)) other = f->name;
    }
    return n == 2 ? other : NULL;
}

static const char *brought(edits *e, const expression *x, const variable *v, const char *whole) {
    const char *field = edits_text(e, x->end - 1, x->end), *max = other_field(e, v, field), *exp = edits_exponential(e);
    const char *text = edits_text(e, x->first, x->end);
    if (!max || !exp || !strcmp(v->name, whole)) return NULL;
    return format(&e->u, "(%s > 0.0f ? %s * %s(%s.%s - %s.%s) : 0.0f)", text, text, exp, v->name, max, whole, max);
}

// Of a sum of two, the one that has the smaller maximum; of what is added to c.sum, both in their statements.
void edits_change_joined(edits *e, int place, expression *x) {
    const variable *v = owner_of(e, x), *to = NULL;
    const expression *up = x->parent, *set = up;
    while (set && set->kind != E_ASSIGN) set = set->parent;
    if (!v || !set || set->a == x || !(up == set || is_operator(e, up, "+"))) return;
    to = owner_of(e, set->a);
    const char *field = edits_text(e, x->end - 1, x->end);
    if (!to || strcmp(to->type.word, v->type.word) || strcmp(field, edits_text(e, set->a->end - 1, set->a->end)))
        return;
    const char *text = brought(e, x, v, to->name);
    if (!text) return;
    edits_replace(e, place, ONE, "state", x->first, x->end, "%s", text);
    for (int p = 0; p < e->n_places; p++) {  // c.sum += a.sum; c.sum += b.sum;
        const expression *y = e->places[p].tree;
        const variable *w = p != place && y && y->kind == E_ASSIGN ? owner_of(e, y->b) : NULL;
        const int s = e->places[p].statement;
        if (!w || y->b->end <= x->end || e->statements[s].parent != e->statements[e->places[place].statement].parent ||
            strcmp(w->type.word, v->type.word) || strcmp(field, edits_text(e, y->b->end - 1, y->b->end)))
            continue;
        const char *second = brought(e, y->b, w, to->name);
        const replacement a = {place, x->first, x->end, text}, b = {p, y->b->first, y->b->end, second};
        if (second) edits_replace_two(e, BOTH, "state", &a, &b);
    }
    const expression *beside = is_operator(e, up, "+") ? up->a == x ? up->b : up->a : NULL;
    const variable *w = beside ? owner_of(e, beside) : NULL;
    if (w && up->b == x && (text = brought(e, beside, w, to->name)))
        edits_replace(e, place, BOTH, "state", up->first, up->end, "%s + %s", text, brought(e, x, v, to->name));
}

// The function is given two: what it takes of the one to bring both to it is the larger of both.
void edits_change_tops(edits *e, int place, const expression *x) {
    const variable *v = edits_is_value(e, place, x) ? owner_of(e, x) : NULL;
    const char *field =
        v && v->is_parameter && edits_is_real(edits_type_of(e, x)) ? edits_text(e, x->end - 1, x->end) : NULL;
    const function *f = &e->functions[e->statements[e->places[place].statement].function];
    for (int i = 0; field && edits_exponential(e) && i < e->n_variables; i++) {
        const variable *w = &e->variables[i];
        if (w == v || !w->is_parameter || w->from != f->body || !edits_alike(v->type, w->type)) continue;
        edits_replace(e, place, TOPS, "state", x->first, x->end, "fmaxf(%s.%s, %s.%s)", v->name, field, w->name, field);
        edits_replace(e, place, TOPS, "state", x->first, x->end, "fmaxf(%s.%s, %s.%s)", w->name, field, v->name, field);
    }
}
