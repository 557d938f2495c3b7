// tree_root.c: a tree of halves leaves the number of all threads in element 0; the others hold parts of it.
//
//     for (h = n / 2; h > 0; h /= 2) { if (t < h) buf[t] += buf[t + h]; ... }
//     return buf[t];                                                              return buf[0];
#include "edits.h"

#include <string.h>

enum { ROOT = 3 };  // a rank

// These tokens, of whatever lengths, stand right before `end`.
static bool ends_with(const unit *u, int end, const char *text) {
    for (int n = 1; n <= (int)strlen(text); n++)
        if (adjacent(u, end - n, text)) return true;
    return false;
}

// for (h = n / 2; h > 0; h >>= 1), h /= 2, h = h / 2: the ) of its header; 0: it is no such loop.
static int header_of_halves(const edits *e, const statement *loop) {
    const unit *u = &e->u;
    const int open = loop->first + 1, close = is(u, loop->first, "for") ? u->tokens[open].match : 0;
    if (close < open + 5) return 0;
    const int last = close - 1;
    const bool halved = is(u, last, "2") && (ends_with(u, last, "/=") || ends_with(u, last, "/"));
    const bool shifted = is(u, last, "1") && (ends_with(u, last, ">>=") || ends_with(u, last, ">>"));
    return halved || shifted ? close : 0;
}

// Elements of the array are set in the loop.
static bool is_joined_in(const edits *e, const statement *loop, const char *array) {
    const unit *u = &e->u;
    const int close = header_of_halves(e, loop);
    for (int i = close + 1; close && i < loop->end; i++)
        if (is(u, i, array) && is(u, i + 1, "[") && edits_assigns(u, u->tokens[i + 1].match + 1)) return true;
    return false;
}

static bool is_of_thread(const edits *e, const expression *x) {
    const token *t = &e->u.tokens[x->first];
    if (x->kind == E_MEMBER) return is(&e->u, x->first, "threadIdx");
    const variable *v = x->kind == E_NAME ? edits_visible(e, t->at, t->length, x->first) : NULL;
    return v && v->value > 0 && is(&e->u, v->value, "threadIdx");
}

void edits_change_tree_root(edits *e, int place, const expression *x) {
    const function *f = &e->functions[e->statements[e->places[place].statement].function];
    if (x->kind != E_INDEX || x->a->kind != E_NAME || !is_of_thread(e, x->b) || edits_is_set(e, x)) return;
    const char *array = edits_text_of(e, x->a);
    for (int s = 0; s < e->n_statements; s++) {
        const statement *loop = &e->statements[s];
        if (loop->kind != S_LOOP || loop->first < f->body || loop->end > x->first || !is_joined_in(e, loop, array))
            continue;
        edits_replace(e, place, ROOT, "tree's root", x->first, x->end, "%s[0]", array);
        return;
    }
}
