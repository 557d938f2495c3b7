// sizes.c: another size of the same struct, one that is called like its twin, or another one that the function is given:
// s.seq_q for s.seq_kv, Sk for Sq, n for m.
#include "edits.h"

#include <string.h>

enum { ROWS = 5, NAMED = 12, GIVEN = 11, TWIN = 17, OTHER = 22 };  // ranks

static bool are_twins(const char *a, const char *b) {
    static const char *const pairs[][2] = {{"batch", "heads"},
                                           {"seq_q", "seq_kv"},
                                           {"heads", "head_dim"},
                                           {"max_seq", "head_dim"},
                                           {"head_dim", "seq_kv"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if ((!strcmp(a, pairs[i][0]) && !strcmp(b, pairs[i][1])) ||
            (!strcmp(a, pairs[i][1]) && !strcmp(b, pairs[i][0])))
            return true;
    return false;
}

// row < s.SIZE, and its place is made of s.size + row: it is one of so many.
static bool is_row_of(const edits *e, const expression *x, const char *size) {
    const unit *u = &e->u;
    const int row = x->first - 2;
    if (row < 0 || !is(u, row + 1, "<") || !is_name(u, row)) return false;
    const token *t = &u->tokens[row];
    const variable *v = edits_visible(e, t->at, t->length, row);
    for (int i = v ? v->from : 0; v && i + 2 < v->to; i++)
        if (is(u, i, size) && is(u, i + 1, "+") && u->tokens[i + 2].length == t->length &&
            !memcmp(u->tokens[i + 2].at, t->at, (size_t)t->length))
            return true;
    return false;
}

static int rank_of(const edits *e, const expression *x, const char *own, const char *other) {
    if (is_row_of(e, x, other) && !is_row_of(e, x, own)) return ROWS;
    return are_twins(own, other) ? TWIN : OTHER;
}

// Sq and Sk: both are known here.
static void named_twins(edits *e, int place, const expression *x) {
    static const char *const pairs[][2] = {{"seq_q", "seq_kv"}, {"seq_q", "seq_k"}, {"Sq", "Sk"},
                                           {"sq", "sk"},        {"nq", "nk"},       {"Nq", "Nk"}};
    const token *t = &e->u.tokens[x->first];
    const variable *v = edits_visible(e, t->at, t->length, x->first);
    if (!v || !edits_is_whole(v->type) || v->is_loop) return;
    for (size_t i = 0; i < 2 * (sizeof pairs / sizeof *pairs); i++) {
        const char *own = pairs[i / 2][i % 2], *other = pairs[i / 2][1 - i % 2];
        const variable *w = strcmp(v->name, own) ? NULL : edits_visible(e, other, (int)strlen(other), x->first);
        if (w && w != v && edits_is_whole(w->type) && !w->is_loop)
            edits_replace(e, place, NAMED, "size", x->first, x->end, "%s", other);
    }
}

// r < m, or m alone, as what something is called or begins with: not a part of a sum or a product.
static bool is_limit(const edits *e, const expression *x) {
    const expression *p = x->parent;
    const token *op = p && p->kind == E_BINARY ? &e->u.tokens[p->op] : NULL;
    return !p || (op ? *op->at == '<' || *op->at == '>' : p->kind == E_CALL || p->kind == E_OPAQUE);
}

// m, n, k: another size that the function is given. Its kind is that of names, as likely.c knows which of them ends a loop.
static void given_sizes(edits *e, int place, const expression *x) {
    const token *t = &e->u.tokens[x->first];
    const variable *v = edits_visible(e, t->at, t->length, x->first);
    if (!v || !v->is_parameter || !edits_is_whole(v->type) || !is_limit(e, x)) return;
    for (int i = 0; i < e->n_variables; i++) {
        const variable *w = &e->variables[i];
        if (w != v && w->is_parameter && edits_is_whole(w->type) && edits_sees(e, w, x->first))
            edits_replace(e, place, GIVEN, "name", x->first, x->end, "%s", w->name);
    }
}

void edits_change_sizes(edits *e, int place, expression *x) {
    if (x->kind == E_NAME && !edits_is_set(e, x)) named_twins(e, place, x), given_sizes(e, place, x);
    if (x->kind != E_MEMBER || edits_is_set(e, x) || !edits_is_whole(edits_type_of(e, x))) return;
    const value_type of = edits_type_of(e, x->a);
    const char *own = edits_text(e, x->end - 1, x->end);
    for (int i = 0; of.base == BASE_STRUCT && of.word && i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (!v->owner || strcmp(v->owner, of.word) || !edits_is_whole(v->type) || !strcmp(v->name, own)) continue;
        edits_replace(e, place, rank_of(e, x, own, v->name), "size", x->end - 1, x->end, "%s", v->name);
    }
}
