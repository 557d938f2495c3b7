// twice_placed.c: the place of a block's tile is added to where a matrix begins, and once more where it is read or stored.
//
//     const float *a = A + (z * m + blockIdx.y * TILE) * k;     A + z * m * k, as a[(row0 + y) * k] adds the rows
//     float *out = C + (z * m + top) * n + side;                C + z * m * n, as out[(top + y) * n + side + x] does
#include "edits.h"

enum { TWICE = 3 };  // rank

static bool names_block(const edits *e, int first, int end) {
    for (int i = first; i + 2 < end; i++)
        if (is(&e->u, i, "blockIdx") && (is(&e->u, i + 2, "x") || is(&e->u, i + 2, "y"))) return true;
    return false;
}

// blockIdx.y * TILE, or the name of a variable that is that.
static const variable *made_of_block(const edits *e, const expression *x) {
    const token *t = &e->u.tokens[x->first];
    const variable *v = x->kind == E_NAME ? edits_visible(e, t->at, t->length, x->first) : NULL;
    return v && v->value > 0 && names_block(e, v->value, v->value_end) ? v : NULL;
}

// Does the function, beyond this place, say the same, or the name of what is the same?
static bool is_elsewhere(const edits *e, const place *p, const expression *x) {
    const function *f = &e->functions[e->statements[p->statement].function];
    const int n = x->end - x->first;
    for (int i = f->body; i + n <= f->end; i++)
        if ((i < p->first || i >= p->end) && edits_same(&e->u, i, x->first, n)) return true;
    return false;
}

static bool is_tile(const edits *e, const place *p, const expression *x) {
    const bool block = x->kind != E_NAME && names_block(e, x->first, x->end);
    return (block || made_of_block(e, x)) && is_elsewhere(e, p, x);
}

// Which of two summands is a tile's place: 1 the second, 0 the first, -1 none.
static int tile_of(const edits *e, const place *p, const expression *x) {
    if (!is_operator(e, x, "+")) return -1;
    return is_tile(e, p, x->b) ? 1 : is_tile(e, p, x->a) ? 0 : -1;
}

// The text of x without any of them; counts them.
static const char *without(edits *e, const place *p, const expression *x, int *n) {
    const int tile = x ? tile_of(e, p, x) : -1;
    if (tile >= 0) {
        ++*n;
        return without(e, p, tile ? x->a : x->b, n);
    }
    if (!x || (x->kind != E_BINARY && x->kind != E_PAREN)) return edits_text_of(e, x);
    const char *a = without(e, p, x->a, n);
    if (x->kind == E_PAREN) return format(&e->u, "(%s)", a);
    return format(&e->u, "%s %s %s", a, edits_operator_text(&e->u, x->op), without(e, p, x->b, n));
}

// All of them in one pointer, and each alone.
void edits_change_twice_placed(edits *e, int place, const expression *x) {
    const struct place *p = &e->places[place];
    const bool sets = p->tree && p->tree->kind == E_ASSIGN;  // A += (z * m + top) * k;
    const expression *root = sets ? p->tree->b : p->tree;
    if (!root || !edits_type_of(e, sets ? p->tree->a : root).pointers) return;
    const int tile = tile_of(e, p, x);
    if (tile >= 0)
        edits_replace(e, place, TWICE, "added twice", x->first, x->end, "%s", edits_text_of(e, tile ? x->a : x->b));
    int n = 0;
    const char *text = x == root ? without(e, p, x, &n) : NULL;
    if (n > 1) edits_replace(e, place, TWICE, "added twice", x->first, x->end, "%s", text);
}
