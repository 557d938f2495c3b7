// zero.c: a number that is 0 in every thread hides a term that is wrong: to leave that out says it. Of a kernel's number
// nobody makes such a one.
//
//     (blockIdx.z * m + blockIdx.y * TILE) * k      blockIdx.y / TILE: no grid has so many blocks
//     (blockIdx.z * m + blockIdx.y * EDGE) * k      threadIdx.y, where every block is launched with one dimension
//     offset = blockIdx.z * m + tile * EDGE         tile * offset, where offset is 0 until then
#include "edits.h"

#include <ctype.h>
#include <stdlib.h>
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

// In how many places of the text does the name stand?
static int names_in(const char *text, const token *name) {
    int found = 0;
    for (const char *at = text; *at; at++) {
        const bool begins = at == text || (!isalnum((unsigned char)at[-1]) && at[-1] != '_' && at[-1] != '.');
        const char behind = begins && !strncmp(at, name->at, (size_t)name->length) ? at[name->length] : 'x';
        found += !isalnum((unsigned char)behind) && behind != '_';
    }
    return found;
}

// What gets its first number here has none yet: in that number it is the 0 that it was declared with.
static bool is_not_set_yet(edits *e, const change *c) {
    const unit *u = &e->u;
    const place *p = &e->places[c->place];
    const int name = is(u, p->first + 1, "=") ? p->first : is(u, p->first - 1, "=") ? p->first - 2 : -1;
    if (name < 0 || !is_name(u, name) || is(u, name + 2, "=") || is(u, name - 1, ".") || is(u, name - 1, "->") ||
        !c->text)
        return false;
    const token *t = &u->tokens[name];
    const variable *v = edits_visible(e, t->at, t->length, name);
    if (!v || v->is_parameter || v->value < 0 || v->value_end != v->value + 1 || v->declared >= name ||
        u->tokens[v->value].kind != TOKEN_NUMBER || strtod(u->tokens[v->value].at, NULL) != 0)
        return false;
    for (int i = v->value_end; i < name; i++)
        if (edits_same(u, i, name, 1) || is(u, i, "for") || is(u, i, "while") || is(u, i, "do")) return false;
    return names_in(c->text, t) > names_in(edits_text(e, p->first, p->end), t);
}

bool edits_is_zero(edits *e, const change *c) {
    if (c->place >= 0 && is_not_set_yet(e, c)) return true;
    return e->cuda && c->place >= 0 && (divides_block(e, c) || has_no_axis(e, c));
}
