// apart.c: the number of a block, or of all rows of all heads, where its place within a head or the head itself is meant.
//
//     scale<<<heads * Sq, ...>>>(...)      const int query = blockIdx.x;       blockIdx.x % s.seq_q
//                                          const int b = blockIdx.x;           blockIdx.x / s.heads
#include "edits.h"

#include <string.h>

enum { PRODUCT = 5 };  // rank

static bool is_block(const edits *e, const expression *x) {
    return x->end - x->first == 3 && is(&e->u, x->first, "blockIdx") && is(&e->u, x->first + 1, ".");
}

// Is the kernel launched with a * b blocks along this axis, x or y?
static bool counts_product(const edits *e, const function *f, char axis) {
    const unit *u = &e->u;
    for (int i = 0; i + 3 < u->token_count; i++) {
        if (!is(u, i, f->name) || !launch_open(u, i + 1)) continue;
        int k = i + 1, component = 'x';
        while (k < i + 6 && !is(u, k, "dim3") && !is_name(u, k)) k++;
        const bool dims = is(u, k, "dim3") && is(u, k + 1, "(");
        if (dims) k += 2;
        for (int depth = 0; k < u->token_count && depth >= 0 && !is(u, k, ";"); k++) {
            depth += is(u, k, "(") ? 1 : is(u, k, ")") ? -1 : 0;
            if (is(u, k, ",") && !depth && (!dims || component++ == axis)) break;
            if (is(u, k, "*") && component == axis) return true;
        }
    }
    return false;
}

// const int bh = blockIdx.x; ... lengths[bh / heads]: it is taken apart later.
static bool is_divided_later(const edits *e, const function *f, const expression *x) {
    const variable *v = NULL;
    for (int i = 0; i < e->n_variables && !v; i++)
        if (e->variables[i].value <= x->first && x->first < e->variables[i].value_end) v = &e->variables[i];
    for (int i = x->end; v && i + 1 < f->end; i++)
        if (is(&e->u, i, v->name) && (is(&e->u, i + 1, "/") || is(&e->u, i + 1, "%"))) return true;
    return false;
}

static void take_apart(edits *e, int place, const expression *x, const char *by) {
    const char *text = edits_text(e, x->first, x->end);
    edits_replace(e, place, PRODUCT, "apart", x->first, x->end, "%s %% %s", text, by);
    edits_replace(e, place, PRODUCT + 1, "apart", x->first, x->end, "%s / %s", text, by);
}

void edits_change_apart(edits *e, int place, const expression *x) {
    const struct place *p = &e->places[place];
    const function *f = &e->functions[e->statements[p->statement].function];
    if (!f->kernel || x->kind != E_MEMBER || !is_block(e, x) || is_operator(e, x->parent, "/%")) return;
    const expression *top = x->parent && x->parent->kind == E_CAST ? x->parent : x;  // const int query = blockIdx.x;
    if (top->parent || p->kind != P_VALUE || !counts_product(e, f, *e->u.tokens[x->end - 1].at) ||
        is_divided_later(e, f, x))
        return;
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (v->from != f->body || !v->is_parameter) continue;
        if (edits_is_whole(v->type)) take_apart(e, place, x, v->name);
        for (int k = 0; k < e->n_variables && v->type.base == BASE_STRUCT && v->type.pointers == 0; k++) {
            const variable *w = &e->variables[k];
            if (w->owner && v->type.word && !strcmp(w->owner, v->type.word) && edits_is_whole(w->type) &&
                strcmp(w->name, "causal"))
                take_apart(e, place, x, format(&e->u, "%s.%s", v->name, w->name));
        }
    }
}
