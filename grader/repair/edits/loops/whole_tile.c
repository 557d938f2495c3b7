// whole_tile.c: what is left from a tile's beginning on is no more than the tile; a share ends where all ends.
//
//     k0 = n * BC, there = Sk - k0;          there = min(BC, Sk - k0)
//     from = s * piece; to = cols;           to = min(from + piece, cols)
//     return {min(s * piece, cols), (s + 1) * piece};                        min((s + 1) * piece, cols)
#include "edits.h"

enum { TILE = 3, SHARE = 4, BESIDE = 4 };  // ranks

// The number that chooses the smaller one in this file: of a function of its own, of CUDA; NULL: there is none.
static const char *least(const edits *e, int token) {
    const char *own = edits_least(e, token);
    return own ? own : e->cuda ? "min" : NULL;
}

// The size that v steps in: first = tile * size, and for (...; first += size). 0: there is none.
static int size_of(edits *e, const variable *v) {
    const unit *u = &e->u;
    if (v->is_loop) {
        for (int i = v->declared; i < v->to; i++)
            if (is(u, i, v->name) && adjacent(u, i + 1, "+=") && is_name(u, i + 3) && is(u, i + 4, ")")) return i + 3;
        return 0;
    }
    const int last = v->value_end - 1;
    return v->value > 0 && last > v->value && is_name(u, last) && is(u, last - 1, "*") ? last : 0;
}

static const char *known(edits *e, int size, int token) {
    const ingredient its = {.first = size, .end = size + 1};
    return size && edits_usable(e, &its, token) ? edits_text(e, size, size + 1) : NULL;
}

static const variable *variable_of(const edits *e, const expression *x) {
    const token *t = &e->u.tokens[x->first];
    const variable *v = x->kind == E_NAME ? edits_visible(e, t->at, t->length, x->first) : NULL;
    return v && edits_is_whole(v->type) && !v->is_global ? v : NULL;
}

// What stands beside it in the statement has a limit, which is its own, too.
static void as_beside(edits *e, int place, const expression *x, const char *min) {
    const struct place *own = &e->places[place];
    if (x->parent || own->kind != P_VALUE || !is_operator(e, x, "+*")) return;
    for (int p = place - 1; p <= place + 1; p += 2) {
        const struct place *other = p >= 0 && p < e->n_places ? &e->places[p] : NULL;
        const expression *call = other && other->kind == P_VALUE ? other->tree : NULL;
        if (!call || other->statement != own->statement || call->kind != E_CALL || !is(&e->u, call->first, min) ||
            !call->arguments || !call->arguments->next)
            continue;
        for (const expression *a = call->arguments; a; a = a->next) {
            const ingredient limit = {.first = a->first, .end = a->end};
            if ((a->kind == E_NAME || a->kind == E_MEMBER) && edits_usable(e, &limit, x->first))
                edits_replace(e, place, BESIDE, "limit", x->first, x->end, "%s(%s, %s)", min, edits_text_of(e, x),
                              edits_text_of(e, a));
        }
    }
}

void edits_change_whole_tile(edits *e, int place, const expression *x) {
    if (!edits_is_value(e, place, x) || !edits_is_whole(edits_type_of(e, x))) return;
    const char *min = least(e, x->first), *text = edits_text_of(e, x);
    if (!min) return;
    as_beside(e, place, x, min);
    const variable *from = is_operator(e, x, "-") ? variable_of(e, x->b) : NULL;
    const char *size = from ? known(e, size_of(e, from), x->first) : NULL;
    if (size) edits_replace(e, place, TILE, "left", x->first, x->end, "%s(%s, %s)", min, size, text);
    const statement *st = &e->statements[e->places[place].statement];
    static const char *const numbers[] = {"threadIdx", "blockIdx", "blockDim", "gridDim", NULL};
    if (st->kind != S_DECLARATION || (x->kind != E_NAME && x->kind != E_MEMBER) || is_any(&e->u, x->first, numbers))
        return;
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        const int at = edits_declaration_of(e, v);
        const bool beside = at >= 0 && e->statements[at].end <= st->end && e->statements[at].end >= st->first;
        if (!beside || v->declared > x->first || !edits_is_whole(v->type) || v->is_loop || !edits_sees(e, v, x->first))
            continue;
        size = known(e, size_of(e, v), x->first);
        if (size) edits_replace(e, place, SHARE, "left", x->first, x->end, "%s(%s + %s, %s)", min, v->name, size, text);
    }
}
