// zero.c: a number that is 0 in every thread hides a term that is wrong: to leave that out says it. Of a kernel's number
// nobody makes such a one.
//
//     (blockIdx.z * m + blockIdx.y * TILE) * k      blockIdx.y / TILE: no grid has so many blocks
//     (blockIdx.z * m + blockIdx.y * EDGE) * k      threadIdx.y, where every block is launched with one dimension
#include "edits.h"

#include <string.h>

static bool is_constant(const edits *e, int at) {
    const token *t = &e->u.tokens[at];
    if (t->kind == TOKEN_NUMBER) return true;
    if (t->kind != TOKEN_NAME) return false;
    const variable *v = edits_visible(e, t->at, t->length, at);
    return v ? v->is_global : (int)strspn(t->at, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") >= t->length;
}

// blockIdx.y * TILE with another sign
static bool divides_block(const edits *e, const change *c) {
    const unit *u = &e->u;
    return c->end == c->first + 1 && is(u, c->first, "*") &&
           (!strcmp(c->new_shown, "/") || !strcmp(c->new_shown, "%")) && is(u, c->first - 3, "blockIdx") &&
           is_constant(e, c->end);
}

// Does every launch name its threads by one number?
static bool has_flat_blocks(const edits *e) {
    const unit *u = &e->u;
    int launches = 0;
    for (int i = 1; i + 3 < u->token_count; i++) {
        if (!launch_open(u, i) || launch_open(u, i - 1)) continue;
        int k = i;
        while (k < i + 3 && (is(u, k, "<") || is(u, k, "<<<"))) k++;
        while (k < u->token_count && !is(u, k, ",") && !is(u, k, ";")) k = skip_group(u, k);
        const token *t = &u->tokens[++k];
        const variable *v = t->kind == TOKEN_NAME ? edits_visible(e, t->at, t->length, k) : NULL;
        if (is(u, k, "dim3") || is(u, k, "{") || (v && !edits_is_whole(v->type))) return false;
        launches++;
    }
    return launches > 0;
}

static bool reads(const unit *u, const char *number, int axis) {
    for (int i = 0; i + 2 < u->token_count; i++)
        if (is(u, i, number) && edits_same(u, i + 2, axis, 1)) return true;
    return false;
}

// threadIdx.y for blockIdx.y, or for threadIdx.x
static bool has_no_axis(const edits *e, const change *c) {
    const unit *u = &e->u;
    if (c->end != c->first + 1) return false;
    const bool other = !strcmp(c->new_shown, "threadIdx") && is(u, c->end, ".") && !is(u, c->end + 1, "x");
    const bool axis = is(u, c->first - 2, "threadIdx") && (!strcmp(c->new_shown, "y") || !strcmp(c->new_shown, "z"));
    if (!other && !axis) return false;
    return !(other && reads(u, "threadIdx", c->end + 1)) && has_flat_blocks(e);
}

bool edits_is_zero(const edits *e, const change *c) {
    return e->cuda && c->place >= 0 && (divides_block(e, c) || has_no_axis(e, c));
}
