// grids.c: a grid of two dimensions, of which the kernel reads one.
//
//     mask<<<dim3(Sq, heads), T>>>(S)       S + blockIdx.x * Sk         (blockIdx.y * gridDim.x + blockIdx.x) * Sk
#include "edits.h"

enum { FLAT = 4 };  // rank

static bool reads_axis(const edits *e, const function *f, const char *axis) {
    for (int i = f->body; i + 2 < f->end; i++)
        if (is(&e->u, i, "blockIdx") && is(&e->u, i + 2, axis)) return true;
    return false;
}

// How many dimensions the first launch of the kernel names; 0: it is not known. At: the first token of the grid.
static int dimensions(const edits *e, const function *f, int *at, int *end) {
    const unit *u = &e->u;
    for (int i = 0; i + 3 < u->token_count; i++) {
        if (!is(u, i, f->name) || !launch_open(u, i + 1)) continue;
        int k = i + 1, n = 1;
        while (k < i + 5 && is(u, k, "<")) k++;
        if (is(u, k, "<<<")) k++;
        *at = k;
        for (*end = k; *end < u->token_count && !is(u, *end, ",") && !is(u, *end, ";"); *end = skip_group(u, *end)) {}
        if (!is(u, k, "dim3"))
            return *end == k + 1 && edits_visible(e, u->tokens[k].at, u->tokens[k].length, k) &&
                           !edits_is_whole(edits_visible(e, u->tokens[k].at, u->tokens[k].length, k)->type)
                       ? 0
                       : 1;
        for (int c = k + 2; is(u, k + 1, "(") && c < u->tokens[k + 1].match; c = skip_group(u, c)) n += is(u, c, ",");
        return n;
    }
    return 0;
}

static const function *kernel_of(const edits *e, int place) {
    const function *f = &e->functions[e->statements[e->places[place].statement].function];
    return f->kernel ? f : NULL;
}

// blockIdx.x in a kernel that is launched with two dimensions and reads one: the number of a block among all.
void edits_change_grids(edits *e, int place, const expression *x) {
    const function *f =
        x->kind == E_MEMBER && x->end - x->first == 3 && is(&e->u, x->first, "blockIdx") && is(&e->u, x->end - 1, "x")
            ? kernel_of(e, place)
            : NULL;
    int at, end;
    if (f && !reads_axis(e, f, "y") && dimensions(e, f, &at, &end) == 2)
        edits_replace(e, place, FLAT, "grid", x->first, x->end, "(blockIdx.y * gridDim.x + blockIdx.x)");
}
