// stored.c: what lines compute and none reads belongs into an element: as it is, times a number that nobody reads
// either, or added to what the element holds.
//
//     for (int d = 0; d < D; d++) dot += q[d] * k[d];     s[c] = scale * dot; is missing
//     for (int c = 0; c < n; c++) sum += p[c];            l[r] = l[r] * fade + sum; is missing
#include "edits.h"

#include <string.h>

enum { STORED = 3, SCALED = 2, ADDED = 4, FADED = 3, LATER = 4 };  // ranks, and how many places

static int statement_at(const edits *e, int parent, int token) {
    for (int s = 0; s < e->n_statements; s++)
        if (e->statements[s].parent == parent && e->statements[s].first <= token && token < e->statements[s].end)
            return s;
    return -1;
}

// The statement that declares v.
static int declaration_of(const edits *e, const variable *v) {
    for (int s = 0; s < e->n_statements; s++) {
        const statement *st = &e->statements[s];
        if (st->kind == S_DECLARATION && st->listed && st->first <= v->declared && v->declared < st->end) return s;
    }
    return -1;
}

// Behind the statement s of a list: at once, or up to three statements later, which may compute a factor.
static void put_behind(edits *e, int s, const variable *factor, int rank, const char *text) {
    const int parent = e->statements[s].parent;
    int end = e->statements[s].end;
    for (int later = 0; later < LATER; later++) {
        int next = -1;
        for (int i = 0; i < e->n_statements; i++)
            if (e->statements[i].parent == parent && e->statements[i].first >= end &&
                (next < 0 || e->statements[i].first < e->statements[next].first))
                next = i;
        if (next < 0) {
            const int last = parent >= 0 ? e->statements[parent].end - 1 : -1;
            if (last >= 0 && e->statements[parent].kind == S_BLOCK && (!factor || edits_sees(e, factor, last)))
                edits_insert(e, parent, true, rank + later, "statement", text);
            return;
        }
        if (!factor || edits_sees(e, factor, e->statements[next].first))
            edits_insert(e, next, false, rank + later, "statement", text);
        end = e->statements[next].end;
    }
}

// Is an element of the array set in the list that begins with the declaration?
static bool is_set_between(const edits *e, const char *element, int from, int to) {
    const size_t name = strcspn(element, "[");
    for (int i = from; i < to; i++) {
        if (e->u.tokens[i].length != (int)name || memcmp(e->u.tokens[i].at, element, name)) continue;
        int k = i + 1;
        while (is(&e->u, k, "[")) k = e->u.tokens[k].match + 1;
        if (edits_assigns(&e->u, k)) return true;
    }
    return false;
}

static void store(edits *e, const variable *v, const char *element, int behind) {
    const int at = e->statements[behind].first;
    put_behind(e, behind, NULL, STORED, format(&e->u, "%s = %s;", element, v->name));
    put_behind(e, behind, NULL, ADDED, format(&e->u, "%s += %s;", element, v->name));
    for (int i = 0; i < e->n_variables; i++) {
        const variable *w = &e->variables[i];
        if (w == v || w->is_global || !edits_is_real(w->type) || w->declared < 0) continue;
        if (edits_is_unread(e, w))
            put_behind(e, behind, w, SCALED, format(&e->u, "%s = %s * %s;", element, w->name, v->name));
        if (edits_is_rescale(e, w))
            put_behind(e, behind, w, FADED, format(&e->u, "%s = %s * %s + %s;", element, element, w->name, v->name));
    }
    for (int i = 0; i < e->n_ingredients; i++) {
        const ingredient *g = &e->ingredients[i];  // l[id] * alpha[id]
        const char *index = strchr(element, '[');
        if (g->kind == I_ATOM && strchr(g->text, '[') && !strcmp(strchr(g->text, '['), index) &&
            strcmp(g->text, element) && edits_is_real(g->type) && edits_usable(e, g, at))
            put_behind(e, behind, NULL, ADDED, format(&e->u, "%s = %s * %s + %s;", element, element, g->text, v->name));
    }
}

void edits_change_stored(edits *e) {
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        const int write = edits_is_real(v->type) && !v->is_parameter ? edits_computed_for_nobody(e, v) : -1;
        const int declares = write >= 0 ? declaration_of(e, v) : -1;
        const int behind = declares >= 0 ? statement_at(e, e->statements[declares].parent, write) : -1;
        if (behind < 0) continue;
        const statement *st = &e->statements[behind];
        for (int k = 0; k < e->n_ingredients; k++) {
            const ingredient *g = &e->ingredients[k];
            const bool element = g->kind == I_ATOM && g->function == st->function && strchr(g->text, '[') &&
                                 edits_is_real(g->type) && !g->type.constant;
            if (element && edits_usable(e, g, st->first) &&
                !is_set_between(e, g->text, e->statements[declares].first, st->end))
                store(e, v, g->text, behind);
        }
    }
}
