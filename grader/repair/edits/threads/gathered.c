// gathered.c: each thread of a group has its own part of a maximum or a sum, and the function that joins them is not
// called: what it is called with elsewhere, with this number in place of that one.
//
//     for (j) top = fmaxf(top, p[j]);            top = warp_max(top);   behind the loop
//     for (j) part += P[j];                      part = join(part, true);
#include "reducers.h"

#include <string.h>

enum { NEVER = 1, ELSEWHERE = 6, LONGEST = 16 };  // ranks: the function is called nowhere, it is; tokens of a call

// Does the loop before it gather in v: v = fmaxf(v, ...), v += ..., if (x > v) v = x?
static bool gathers(const edits *e, const statement *loop, const variable *v) {
    const unit *u = &e->u;
    for (int i = loop->first; i + 2 < loop->end; i++) {
        const token *t = &u->tokens[i];
        if (!is(u, i, v->name) || is(u, i - 1, ".") || is(u, i - 1, "->") || is(u, i - 1, "*") ||
            edits_visible(e, t->at, t->length, i) != v)
            continue;
        if (adjacent(u, i + 1, "+=") || (is(u, i + 1, "=") && !adjacent(u, i + 1, "=="))) return true;
    }
    return false;
}

static bool is_number(const edits *e, const variable *v, int token) {
    return v->type.base == BASE_FLOAT && !v->type.pointers && !v->is_const && !v->type.constant && !v->is_global &&
           !v->is_parameter && !v->owner && v->declared >= 0 && edits_sees(e, v, token);
}

static bool takes_a_float(const edits *e, const function *f) {
    for (int i = 0; i < e->n_variables; i++)
        if (e->variables[i].is_parameter && e->variables[i].from == f->body)
            return e->variables[i].type.base == BASE_FLOAT && !e->variables[i].type.pointers;
    return false;
}

// The statement of the same list that ends where s begins; -1: none.
static int before(const edits *e, int s) {
    for (int k = s - 1; k >= 0; k--)
        if (e->statements[k].listed && e->statements[k].end == e->statements[s].first &&
            e->statements[k].parent == e->statements[s].parent)
            return k;
    return -1;
}

static bool is_joined_before(const edits *e, int s, const variable *v, const char *call) {
    const char *text = edits_text((edits *)e, e->statements[s].first, e->statements[s].end);
    const size_t n = strcspn(call, "(");
    const char *at = strstr(text, v->name);
    for (; at && (at = strstr(at, v->name)); at++)
        if (!strncmp(at + strlen(v->name), " = ", 3) && !strncmp(at + strlen(v->name) + 3, call, n + 1)) return true;
    return false;
}

static void join(edits *e, int s, const variable *v, const char *call, int rank) {
    if (!is_joined_before(e, s, v, call))
        edits_insert(e, s, false, rank, "gathered", format(&e->u, "%s = %s;", v->name, call));
}

// F(x, rest), which stands elsewhere, with v for the first of its arguments that is a float.
static void as_elsewhere(edits *e, int s, const variable *v, const ingredient *g) {
    const unit *u = &e->u;
    const int open = g->first + 1, close = g->end - 1, here = e->statements[s].first;
    if (!is(u, open, "(") || u->tokens[open].match != close || g->end - g->first > LONGEST) return;
    bool known = false;  // a function of the file, or a lambda
    for (int f = 0; f < e->n_functions; f++)
        known |= is(u, g->first, e->functions[f].name) && e->functions[f].device && !e->functions[f].kernel &&
                 edits_is_real(e->functions[f].result);
    const token *t = &u->tokens[g->first];
    const variable *lambda = edits_visible(e, t->at, t->length, here);
    known |= lambda && lambda->value > 0 && is(u, lambda->value, "[") && edits_lambda(u, lambda->value);
    for (int first = open + 1, i = first; known && i <= close; i = i < close ? skip_group(u, i) : i + 1) {
        if (i < close && !is(u, i, ",")) continue;
        const token *name = &u->tokens[first];
        const variable *w = i == first + 1 ? edits_visible(e, name->at, name->length, first) : NULL;
        if (w && w->type.base == BASE_FLOAT && !w->type.pointers) {
            const ingredient left = {.first = g->first, .end = first}, right = {.first = i, .end = g->end};
            if (!edits_usable(e, &left, here) || !edits_usable(e, &right, here)) return;
            const char *before = edits_text(e, g->first, first), *behind = edits_text(e, i, g->end);
            join(e, s, v, format(&e->u, "%s%s%s", before, v->name, behind), ELSEWHERE);
            if (!strcmp(behind, ", true)") || !strcmp(behind, ", false)"))  // a sum there, a maximum here
                join(e, s, v, format(&e->u, "%s%s, %s", before, v->name, behind[2] == 't' ? "false)" : "true)"),
                     ELSEWHERE);
            return;
        }
        first = i + 1;
    }
}

void edits_change_gathered(edits *e) {
    for (int s = 0; s < e->n_statements; s++) {
        const statement *st = &e->statements[s];
        const int loop = st->listed && !st->fixed && edits_wanted(e, s) ? before(e, s) : -1;
        if (loop < 0 || e->statements[loop].kind != S_LOOP || !e->functions[st->function].device) continue;
        for (int i = 0; i < e->n_variables; i++) {
            const variable *v = &e->variables[i];
            if (!is_number(e, v, st->first) || !gathers(e, &e->statements[loop], v)) continue;
            for (int f = 0; f < e->n_functions; f++) {
                const function *g = &e->functions[f];
                if (g->device && !g->kernel && g->parameters == 1 && g->end <= st->first && takes_a_float(e, g) &&
                    edits_is_real(g->result) && edits_is_deduced(e, g))
                    join(e, s, v, format(&e->u, "%s(%s)", g->name, v->name), edits_is_called(e, g) ? ELSEWHERE : NEVER);
            }
            const reducer *list;
            const int n = edits_reducers(e, &list);
            for (int k = 0; k < n; k++)
                if (edits_alike(v->type, list[k].function->result) && edits_reducer_fits(e, &list[k], st->first))
                    join(e, s, v, format(&e->u, "%s%s%s", list[k].before, v->name, list[k].behind),
                         list[k].idle ? NEVER : ELSEWHERE);
            for (int k = 0; k < e->n_ingredients; k++)
                if (e->ingredients[k].kind == I_CALL) as_elsewhere(e, s, v, &e->ingredients[k]);
        }
    }
}
