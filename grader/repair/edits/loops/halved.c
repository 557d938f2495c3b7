// halved.c: where a walk in steps that halve or double begins and ends: over 16 threads the first step is 8.
//
//     for (int w = SIDE; w > 0; w /= 2)     for (int w = SIDE / 2; w > 0; w /= 2)
//     for (int w = 1; w <= N; w *= 2)       for (int w = 1; w < N; w *= 2)
//     for (int w = SIDE / 2; w > 1; w /= 2) for (int w = SIDE / 2; w > 0; w /= 2)
//     for (int w = 1; w < 32; w++) x += __shfl_xor_sync(~0u, x, w);      w *= 2, and w /= 2 for w--
#include "edits.h"

#include <stdlib.h>
#include <string.h>

enum { HALVED = 6, SHUFFLED = 3 };  // ranks

// What the loop's last part does with its counter: -1 it halves, 1 it doubles, 0 neither.
static int step_of(const edits *e, const statement *loop) {
    const unit *u = &e->u;
    const int close = u->tokens[loop->first + 1].match;
    for (int i = loop->first + 2; i + 1 < close; i++) {
        if (adjacent(u, i, "/=") || adjacent(u, i, ">>=")) return -1;
        if (adjacent(u, i, "*=") || adjacent(u, i, "<<=")) return 1;
    }
    return 0;
}

// A number is said as what it comes to: 1, not 2 / 2. A walk that halves and goes on while w > 1 has no round of w = 1.
static void number(edits *e, int place, const expression *x) {
    const long n = strtol(e->u.tokens[x->first].at, NULL, 0);
    if (n == 1 && x->parent && is_operator(e, x->parent, ">"))
        edits_replace(e, place, HALVED, "halved", x->first, x->end, "0");
    if (n > 0 && n % 2 == 0) edits_replace(e, place, HALVED, "halved", x->first, x->end, "%ld", n / 2);
    if (n > 0) edits_replace(e, place, HALVED + 2, "halved", x->first, x->end, "%ld", 2 * n);
}

static void twice_or_half(edits *e, int place, const expression *x) {
    const char *text = edits_text_of(e, x);
    const bool plain = x->kind == E_NAME || x->kind == E_MEMBER || is_operator(e, x, "*/");
    if (x->kind == E_NUMBER) {
        number(e, place, x);
        return;
    }
    edits_replace(e, place, HALVED, "halved", x->first, x->end, plain ? "%s / 2" : "(%s) / 2", text);
    edits_replace(e, place, HALVED + 2, "halved", x->first, x->end, plain ? "2 * %s" : "2 * (%s)", text);
    if (is_operator(e, x, "/"))
        edits_replace(e, place, HALVED, "halved", x->first, x->end, "%s", edits_text_of(e, x->a));
}

// Does a shuffle of the loop take the counter for its distance?
static bool is_distance(const edits *e, const statement *loop, int counter) {
    const unit *u = &e->u;
    for (int i = loop->first; i < loop->end; i++) {
        if (u->tokens[i].length < 6 || memcmp(u->tokens[i].at, "__shfl", 6) || !is(u, i + 1, "(")) continue;
        for (int k = i + 2; k < u->tokens[i + 1].match; k++)
            if (edits_same(u, k, counter, 1)) return true;
    }
    return false;
}

// A butterfly over distances 1, 2, 3, ... adds parts many times over.
static void doubled(edits *e, int place, const expression *x, const statement *loop) {
    const unit *u = &e->u;
    const bool up = adjacent(u, x->op, "++");
    if ((!up && !adjacent(u, x->op, "--")) || !x->a || x->a->kind != E_NAME) return;
    if (is_distance(e, loop, x->a->first))
        edits_replace(e, place, SHUFFLED, "halved", x->first, x->end, "%s %s 2", edits_text_of(e, x->a),
                      up ? "*=" : "/=");
}

void edits_change_halved(edits *e, int place, const expression *x) {
    const struct place *p = &e->places[place];
    const statement *loop = &e->statements[p->statement];
    if (x == p->tree && p->kind == P_VOID && loop->kind == S_LOOP) doubled(e, place, x, loop);
    if (x != p->tree || loop->kind != S_LOOP || !is(&e->u, loop->first, "for") || !step_of(e, loop)) return;
    if (p->kind == P_VALUE && edits_is_whole(edits_type_of(e, x)))
        twice_or_half(e, place, x);
    else if (p->kind == P_CONDITION && x->kind == E_BINARY && strchr("<>", *edits_operator_text(&e->u, x->op)))
        twice_or_half(e, place, x->b);
    else if (p->kind == P_VOID && x->kind == E_ASSIGN && is(&e->u, x->op, "=") && x->op_end == x->op + 1)
        twice_or_half(e, place, x->b);
}
