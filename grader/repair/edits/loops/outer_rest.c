// outer_rest.c: what is left of the queries is known before the loop, and is no limit of the tiles within it: what is left of
// the keys is counted from where the loop has come to.
//
//     left = seq_q - first;  for (j = 0; j < n; j += SIZE) load(ks, K + j * D, SIZE, left);       seq_kv - j
//                                                          load(vs, V + j * D, SIZE, left);       in both
//     min(SIZE, seq_q - first), where `left` is cut off there
#include "edits.h"

#include <string.h>

enum { OF_KEYS = 4, OF_LOOP = 7, LATER = 6, MOST = 8 };  // ranks; again.c takes LATER from those of several lines

// n - first, or min(SIZE, n - first): the token of the last name of n; 0: it is no rest.
static int whole_of_rest(const edits *e, const variable *v) {
    const unit *u = &e->u;
    int minus = 0;
    for (int i = v->value; i > 0 && i < v->value_end; i++)
        if (is(u, i, "-") && edits_operator(u, i) == 1) minus = minus ? -1 : i;
    return minus > 0 && is_name(u, minus - 1) && is_name(u, minus + 1) ? minus - 1 : 0;
}

// An argument of a call that stands alone and reads the counter elsewhere.
static bool is_handed_with(const edits *e, int i, const variable *counter) {
    const unit *u = &e->u;
    if ((!is(u, i - 1, ",") && !is(u, i - 1, "(")) || (!is(u, i + 1, ",") && !is(u, i + 1, ")"))) return false;
    int open = i - 1;
    for (; open > 0 && !is(u, open, "("); open--) {
        if (is(u, open, ";") || is(u, open, "{")) return false;
        if (is(u, open, ")") || is(u, open, "]")) open = u->tokens[open].match;
    }
    return open > 0 && is_name(u, open - 1) && edits_named(e, counter, open, u->tokens[open].match);
}

// seq_kv, where the rest is one of seq_q; NULL: nothing here is called so.
static const char *keys_of(edits *e, int whole, int at) {
    static const char *const twins[][2] = {{"seq_q", "seq_kv"}, {"Sq", "Sk"}, {"sq", "sk"}, {"nq", "nk"}, {"Nq", "Nk"}};
    int from = whole;
    while (is(&e->u, from - 1, ".") || is(&e->u, from - 1, "->")) from -= 2;
    for (size_t k = 0; k < sizeof twins / sizeof *twins; k++) {
        const char *keys = twins[k][1];
        if (!is(&e->u, whole, twins[k][0])) continue;
        if (from < whole) return format(&e->u, "%s%s", edits_text(e, from, whole), keys);
        if (edits_visible(e, keys, (int)strlen(keys), at)) return keys;
    }
    return NULL;
}

// for (...; ...; j += SIZE): SIZE; NULL: it goes on otherwise.
static const char *step_of(edits *e, const statement *loop) {
    for (int i = loop->first; i + 2 < loop->end && !is(&e->u, i, "{"); i++)
        if (adjacent(&e->u, i, "+=")) {
            const int by = i + 1 + !is(&e->u, i, "+=");
            return is(&e->u, by + 1, ")") ? edits_text(e, by, by + 1) : NULL;
        }
    return NULL;
}

static void to(edits *e, int rank, const int *first, int n, const char *text) {
    if (n > 1) edits_replace_each(e, rank + LATER, "bound", first, n, text);
    for (int i = 0; i < n; i++)
        edits_replace(e, edits_place_of(e, first[i], first[i] + 1), rank, "bound", first[i], first[i] + 1, "%s", text);
}

static void in_loop(edits *e, int loop, const variable *counter, const variable *rest, const expression *end) {
    const statement *st = &e->statements[loop];
    const int whole = whole_of_rest(e, rest);
    int first[MOST], n = 0;
    for (int i = st->first; i < st->end && n < MOST; i++)
        if (edits_named(e, rest, i, i + 1) && is_handed_with(e, i, counter) && edits_place_of(e, i, i + 1) >= 0)
            first[n++] = i;
    if (!n || n == MOST) return;
    const char *keys = keys_of(e, whole, first[0]), *step = step_of(e, st);
    const bool cut_off = is(&e->u, rest->value_end - 1, ")") && step;
    for (int k = 0; k < 2; k++) {
        const char *all = k ? edits_text(e, end->first, end->end) : keys;
        if (!all) continue;
        const char *left = format(&e->u, "%s - %s", all, counter->name);
        to(e, k ? OF_LOOP : OF_KEYS, first, n, cut_off ? format(&e->u, "min(%s, %s)", step, left) : left);
    }
}

void edits_change_outer_rests(edits *e) {
    for (int p = 0; p < e->n_places; p++) {
        const expression *x = e->places[p].tree;
        const int loop = e->places[p].statement;
        if (e->places[p].kind != P_CONDITION || e->statements[loop].kind != S_LOOP || !x || !is_operator(e, x, "<") ||
            x->a->kind != E_NAME)
            continue;
        const token *t = &e->u.tokens[x->a->first];
        const variable *counter = edits_visible(e, t->at, t->length, x->a->first);
        const statement *st = &e->statements[loop];
        const function *f = &e->functions[st->function];
        for (int i = 0; i < e->n_variables && counter; i++) {
            const variable *v = &e->variables[i];
            if (edits_is_whole(v->type) && !v->is_loop && !v->is_global && v->declared > f->body &&
                v->declared < st->first && v->value > 0 && whole_of_rest(e, v))
                in_loop(e, loop, counter, v, x->b);
        }
    }
}
