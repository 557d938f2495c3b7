// shuffle_span.c: over which distances a loop of shuffles goes: those within a group of lanes, as many as a constant says.
//
//     for (w = LANES; w < 32; w *= 2)      for (w = 1; w < LANES; w *= 2)
//     for (w = 16; w >= LANES; w /= 2)     for (w = LANES / 2; w > 0; w /= 2)
#include "edits.h"

#include <string.h>

enum { SPAN = 5, BOTH = 7, LONGEST = 60 };  // ranks; tokens

static bool shuffles(const edits *e, const statement *st) {
    for (int i = st->first; i < st->end; i++)
        if (is(&e->u, i, "__shfl_xor_sync") || is(&e->u, i, "__shfl_down_sync")) return true;
    return false;
}

// Of for (int w = A; w < B; w *= 2) the places of A and of the condition.
typedef struct {
    int begin, condition;
    bool doubles;
    const char *name;
} span;

static int place_at(const edits *e, int s, place_kind kind, int first) {
    for (int p = 0; p < e->n_places; p++)
        if (e->places[p].statement == s && e->places[p].kind == kind && (first < 0 || e->places[p].first == first))
            return p;
    return -1;
}

static bool find_span(edits *e, int s, span *found) {
    const statement *st = &e->statements[s];
    if (st->kind != S_LOOP || !is(&e->u, st->first, "for") || st->end - st->first > LONGEST || !shuffles(e, st))
        return false;
    int set = st->first + 2;
    while (set < st->end && !is(&e->u, set, "=")) set++;
    found->begin = place_at(e, s, P_VALUE, set + 1), found->condition = place_at(e, s, P_CONDITION, -1);
    if (found->begin < 0 || found->condition < 0) return false;
    found->name = edits_text(e, set - 1, set), found->doubles = false;
    bool halves = false;
    for (int i = e->places[found->condition].end; i < e->u.tokens[st->first + 1].match; i++) {
        found->doubles |= adjacent(&e->u, i, "*=") || adjacent(&e->u, i, "<<=");
        halves |= adjacent(&e->u, i, "/=") || adjacent(&e->u, i, ">>=");
    }
    return found->doubles || halves;
}

static void go_over(edits *e, const span *w, const char *begin, const char *condition) {
    const place *a = &e->places[w->begin], *b = &e->places[w->condition];
    const bool other = strcmp(edits_text(e, a->first, a->end), begin) != 0,
               ends = strcmp(edits_text(e, b->first, b->end), condition) != 0;
    const replacement first = {w->begin, a->first, a->end, begin}, second = {w->condition, b->first, b->end, condition};
    if (other && ends)
        edits_replace_two(e, BOTH, "span", &first, &second);
    else if (other)
        edits_replace(e, w->begin, SPAN, "span", a->first, a->end, "%s", begin);
    else if (ends)
        edits_replace(e, w->condition, SPAN, "span", b->first, b->end, "%s", condition);
}

// threadIdx.x % LANES, tid / LANES, dim3(LANES, ROWS), y * LANES + x: as many threads belong together.
static bool groups_threads(const edits *e, const variable *v) {
    for (int i = 2; i + 1 < e->u.token_count; i++) {
        if (!is(&e->u, i, v->name)) continue;
        const bool divides = (is(&e->u, i - 1, "%") || is(&e->u, i - 1, "/")) && is_name(&e->u, i - 2);
        const bool side = is(&e->u, i - 1, "(") && (is(&e->u, i - 2, "dim3") || is(&e->u, i - 3, "dim3"));
        const bool row = is(&e->u, i - 1, "*") && is(&e->u, i + 1, "+") && is(&e->u, i + 2, "x");
        if (divides || side || row) return true;
    }
    return false;
}

void edits_change_spans(edits *e) {
    for (int s = 0; s < e->n_statements; s++) {
        span w;
        if (!edits_wanted(e, s) || !find_span(e, s, &w)) continue;
        for (int i = 0; i < e->n_variables; i++) {
            const variable *v = &e->variables[i];
            if ((!v->is_global && !v->is_const) || v->type.base != BASE_INT || v->type.pointers ||
                !edits_sees(e, v, e->statements[s].first) || !groups_threads(e, v))
                continue;
            if (w.doubles)
                go_over(e, &w, "1", format(&e->u, "%s < %s", w.name, v->name));
            else
                go_over(e, &w, format(&e->u, "%s / 2", v->name), format(&e->u, "%s > 0", w.name));
        }
    }
}
