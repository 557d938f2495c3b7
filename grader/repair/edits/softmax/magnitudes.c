// magnitudes.c: the largest score is no largest magnitude: |-INFINITY|, that of a key that is hidden, is above them all. A
// maximum of magnitudes may well begin with 0, and that of scores may not: one thought, two lines.
//
//     top = 0;   ...   top = fmaxf(top, fabsf(s[c]));          top = -INFINITY;   ...   top = fmaxf(top, s[c]);
#include "edits.h"

#include <string.h>

enum { MAGNITUDE = 2, BOTH = 1, LOWEST = 14 };  // ranks
enum { MOST = 4 };

// fabsf(s), where that is an argument of a maximum or one side of a question which number is larger.
static bool is_magnitude(const edits *e, const expression *x) {
    static const char *const names[] = {"fabsf", "fabs", "abs", NULL};
    const expression *up = x->parent;
    if (x->kind != E_CALL || !is_any(&e->u, x->first, names) || !x->arguments || x->arguments->next || !up)
        return false;
    while (up->parent && (up->kind == E_PAREN || up->kind == E_TERNARY)) up = up->parent;
    return up->kind == E_CALL ? edits_says_maximum(&e->u.tokens[up->first]) : is_operator(e, up, "<>") || up->c;
}

static void find(const edits *e, const expression *x, const expression *found[MOST], int *n) {
    if (!x) return;
    if (is_magnitude(e, x) && *n < MOST) found[(*n)++] = x;
    find(e, x->a, found, n), find(e, x->b, found, n), find(e, x->c, found, n);
    for (const expression *a = x->arguments; a; a = a->next) find(e, a, found, n);
}

// All of the place's magnitudes as the numbers that they are of.
static bool without_signs(edits *e, int place, replacement *r) {
    const expression *found[MOST];
    int n = 0;
    find(e, e->places[place].tree, found, &n);
    if (!n) return false;
    const char *text = "";
    for (int i = 0; i < n; i++) {
        if (i && found[i]->first < found[i - 1]->end) return false;
        text = format(&e->u, "%s%s%s", text, i ? edits_text(e, found[i - 1]->end, found[i]->first) : "",
                      edits_text_of(e, found[i]->arguments));
    }
    *r = (replacement){place, found[0]->first, found[n - 1]->end, text};
    return true;
}

// The name before = that is set to these tokens; -1: there is none.
static int name_set(const edits *e, int first) {
    int i = first - 1;
    if (i < 1 || !is(&e->u, i, "=")) return -1;
    for (i--; i > 0 && is(&e->u, i, "]"); i--) i = e->u.tokens[i].match;
    return is_name(&e->u, i) ? i : -1;
}

// Is that the maximum of this place, or what one of its numbers begins with, and not what the magnitudes are of?
static bool is_maximum_of(const edits *e, int name, const replacement *value) {
    const struct place *p = &e->places[value->place];
    for (int i = value->first; i < value->end; i++)
        if (edits_same(&e->u, i, name, 1)) return false;
    for (int i = p->first; i < p->end; i++) {
        const token *t = &e->u.tokens[i];
        const variable *v = is_name(&e->u, i) ? edits_visible(e, t->at, t->length, i) : NULL;
        if (edits_same(&e->u, i, name, 1)) return true;
        for (int k = v && v->value > 0 ? v->value : 0; v && k < v->value_end; k++)
            if (edits_same(&e->u, k, name, 1)) return true;
    }
    return false;
}

static bool is_member(const edits *e, int name) { return is(&e->u, name - 1, ".") || is(&e->u, name - 1, "->"); }

static int function_of(const edits *e, int place) { return e->statements[e->places[place].statement].function; }

// This change has a maximum begin with -INFINITY, and not with 0.
static bool begins_lower(const change *c) {
    return c->place >= 0 && !c->of && !c->n_more && c->insert < 0 && c->remove < 0 && c->rank <= LOWEST &&
           *c->old_shown == '0' && !strcmp(c->new_shown, "-INFINITY");
}

void edits_change_magnitudes(edits *e) {
    const int all = e->n_changes;
    for (int p = 0; p < e->n_places; p++) {
        replacement value;
        if (!edits_wanted(e, e->places[p].statement) || !without_signs(e, p, &value)) continue;
        edits_replace(e, p, MAGNITUDE, "magnitude", value.first, value.end, "%s", value.text);
        for (int i = 0; i < all; i++) {
            const change *c = &e->changes[i];
            const int name = begins_lower(c) && c->place != p ? name_set(e, c->first) : -1;
            if (name < 0 || !is_maximum_of(e, name, &value)) continue;
            if (function_of(e, c->place) != function_of(e, p) && !is_member(e, name)) continue;
            const replacement begin = {c->place, c->first, c->end, c->new_shown};
            const bool first = c->place < p;
            edits_replace_two(e, BOTH, "magnitude", first ? &begin : &value, first ? &value : &begin);
        }
    }
}
