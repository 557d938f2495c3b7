// smaller.c: a smaller claim of the kind of one that fails, which fails, too: each change is tried on it.
#include "search.h"
#include "stretch.h"

// Half of a side, of a layer's tokens with half of the prompt. As many queries as keys remain as many: who takes both
// from one input has no others. Returns 0 if there is no such shape.
static int halve(lab_case *c, int side) {
    int *const sides[] = {&c->shape.batch, &c->shape.heads, &c->shape.seq_q, &c->shape.seq_kv, &c->shape.head_dim};
    const int was = *sides[side], square = !c->op->pipeline && c->shape.seq_q == c->shape.seq_kv;
    *sides[side] = side < 4 ? (was + 1) / 2 : (was / 2 + 7) / 8 * 8;
    if (square && side == 2) c->shape.seq_kv = c->shape.seq_q;
    if (c->op->pipeline && side == 2) c->prompt = (c->prompt + 1) / 2;
    return *sides[side] < was && !((c->op->pipeline || square) && side == 3) &&
           (c->op->pipeline || !c->shape.causal || c->shape.seq_q <= c->shape.seq_kv);
}

// What needs several tiles of keys to go wrong may need few queries.
static int halve_queries(lab_case *c) {
    const lab_op *const own[] = {&lab_sdpa, &lab_tiled, &lab_naive, &lab_flash};
    int has_own = 0;  // its queries are an input of their own
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) has_own |= c->op == own[i];
    const int was = c->shape.seq_q;
    c->shape.seq_q = (was + 1) / 2;
    return has_own && c->shape.seq_q < was;
}

// Each split is a block for each head, whether it has keys or not.
static int halve_splits(lab_case *c) {
    enum { FEW_SPLITS = 4 };
    if ((c->op != &lab_decode_split && c->op != &lab_combine) || c->n_splits <= FEW_SPLITS) return 0;
    c->n_splits = (c->n_splits + 1) / 2;
    return 1;
}

// An empty cache beside one that is not: of one sequence alone the call is a prefill, and it is right not to refuse it.
static int can_be(const lab_case *c) { return c->besides != LAB_BESIDES_NEITHER || c->shape.batch > 1; }

static int fails_as(lab_subject *s, const lab_case *c, uint64_t seed) {
    lab_prepared *p = lab_prepare(c, seed);
    const int fails = p && lab_attempt_limit(&s->attempts, p) > 0;
    lab_prepared_free(p);
    return fails;
}

// A TODO's claim has the shape that its probe works with, but for a TODO that calls whole functions.
static int has_any_shape(const lab_subject *s, const lab_case *c) { return !s->todo || c->op->uses[0]; }

int lab_search_smaller(lab_subject *s, int k, uint64_t seed, lab_case *c) {
    int smaller = 0;
    *c = s->claim[k]->c;
    if (c->op->pipeline && c->besides && lab_attempts_go_on(&s->attempts)) {
        lab_case plain = *c;  // a layer whose parts fail in turn is called a dozen times
        plain.besides = 0;
        if (fails_as(s, &plain, seed)) *c = plain, smaller = 1;
    }
    for (int fails = 1; fails && has_any_shape(s, c) && lab_attempts_go_on(&s->attempts);) {
        lab_case half = *c;
        fails = halve_splits(&half) && fails_as(s, &half, seed);
        if (fails) *c = half, smaller = 1;
    }
    for (int side = 0; side < (s->dim ? 4 : 5) && has_any_shape(s, c) && c->kind != LAB_SCORES; side++)
        for (int fails = 1; fails && lab_elements(c) > LAB_SMALL && lab_attempts_go_on(&s->attempts);) {
            lab_case half = *c;
            fails = halve(&half, side) && can_be(&half) && fails_as(s, &half, seed);
            if (fails) *c = half, smaller = 1;
        }
    for (int fails = 1;
         fails && has_any_shape(s, c) && lab_elements(c) > LAB_SMALL && lab_attempts_go_on(&s->attempts);) {
        lab_case half = *c;
        fails = halve_queries(&half) && fails_as(s, &half, seed);
        if (fails) *c = half, smaller = 1;
    }
    return smaller;
}
