// forgotten.c: a factor that is computed and never read: what was summed with the old maximum is multiplied by it in two
// places at once, or the claims fail as before.
//
//     const float fix = expf(old - grown);
//     sum[r] = sum[r] + more;                 sum[r] * fix + more
//     float kept = out[r * D + d];            out[r * D + d] * fix
//
// And a factor that is multiplied in too late, so that it scales what this round adds, too, in all sums:
//
//     l = (l + p) * fix;                      l * fix + p
//     o[d] = (o[d] + p * v[d]) * fix;         o[d] * fix + p * v[d]
#include "edits.h"

#include <string.h>

enum { BOTH = 1 };  // rank
enum { MOST = 8 };

// Is this the left side of an assignment of the function?
static bool is_set(edits *e, int function, const char *text) {
    for (int p = 0; p < e->n_places; p++) {
        const expression *x = e->places[p].tree;
        if (x && x->kind == E_ASSIGN && e->statements[e->places[p].statement].function == function &&
            !strcmp(edits_text(e, x->a->first, x->a->end), text))
            return true;
    }
    return false;
}

// What stands here for what was summed so far: of a = a + b the second a, of kept = a all of it.
static const expression *summed(edits *e, int place) {
    const struct place *p = &e->places[place];
    const statement *st = &e->statements[p->statement];
    const expression *x = p->tree;
    if (!x) return NULL;
    if (st->kind == S_DECLARATION && (x->kind == E_INDEX || x->kind == E_NAME || x->kind == E_MEMBER))
        return edits_is_real(edits_type_of(e, x)) && is_set(e, st->function, edits_text(e, x->first, x->end)) ? x
                                                                                                              : NULL;
    if (p->kind != P_STATEMENT || x->kind != E_ASSIGN || x->op_end != x->op + 1 || !is_operator(e, x->b, "+"))
        return NULL;
    const char *left = edits_text(e, x->a->first, x->a->end);
    const expression *terms[] = {x->b->a, x->b->b};
    for (int i = 0; i < 2 && edits_is_real(edits_type_of(e, x->a)); i++)
        if (!strcmp(edits_text(e, terms[i]->first, terms[i]->end), left)) return terms[i];
    return NULL;
}

// (a + b) * fix, or fix * (a + b), where a is what it is stored to; without that a * fix + b. NULL text: it is none.
static replacement opened(edits *e, int p, const char *fix) {
    const expression *x = e->places[p].kind == P_STATEMENT ? e->places[p].tree : NULL;
    replacement r = {.place = p};
    if (!x || x->kind != E_ASSIGN || x->op_end != x->op + 1 || !is_operator(e, x->b, "*")) return r;
    for (int k = 0; k < 2; k++) {
        const expression *factor = k ? x->b->a : x->b->b, *sum = edits_bare(k ? x->b->b : x->b->a);
        if (!is_operator(e, sum, "+") || strcmp(edits_text(e, factor->first, factor->end), fix)) continue;
        const char *left = edits_text(e, x->a->first, x->a->end);
        const bool first = !strcmp(edits_text(e, sum->a->first, sum->a->end), left);
        if (!first && strcmp(edits_text(e, sum->b->first, sum->b->end), left)) continue;
        const expression *added = first ? sum->b : sum->a;
        r.first = x->b->first, r.end = x->b->end;
        r.text = format(&e->u, "%s * %s + %s", left, fix, edits_text(e, added->first, added->end));
    }
    return r;
}

// Both sums of a row, or all of them: the first two that are multiplied so.
static void open_both(edits *e, const variable *v) {
    replacement found[2];
    int n = 0;
    for (int p = 0; p < e->n_places && n < 2; p++) {
        if (!edits_wanted(e, e->places[p].statement) || !edits_sees(e, v, e->places[p].first)) continue;
        const replacement r = opened(e, p, v->name);
        if (r.text) found[n++] = r;
    }
    if (n == 2) edits_replace_two(e, BOTH, "state", &found[0], &found[1]);
}

void edits_change_forgotten(edits *e) {
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        replacement found[MOST];
        int n = 0;
        if (edits_is_real(v->type) && !v->type.pointers) open_both(e, v);
        if (!edits_is_rescale(e, v) || !edits_is_unread(e, v)) continue;
        for (int p = 0; p < e->n_places && n < MOST; p++) {
            const expression *x = edits_wanted(e, e->places[p].statement) && e->places[p].first > v->value_end &&
                                          edits_sees(e, v, e->places[p].first)
                                      ? summed(e, p)
                                      : NULL;
            if (x)
                found[n++] = (replacement){p, x->first, x->end,
                                           format(&e->u, "%s * %s", edits_text(e, x->first, x->end), v->name)};
        }
        for (int a = 0; a < n; a++)
            for (int b = a + 1; b < n; b++) edits_replace_two(e, BOTH, "state", &found[a], &found[b]);
    }
}
