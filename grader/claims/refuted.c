// refuted.c: asks the claims of a TODO that hold whether a known mistake would show in them.
#include "refuted.h"

#include <stdlib.h>
#include <string.h>

#include "heuristics.h"

enum { MOST = 128 };

static struct {
    lab_case c;
    uint64_t seed;
} held[MOST];
static int n_held;

void lab_refuted_keep(const lab_case *c, uint64_t seed) {
    if (c->todo && c->op->oracle && n_held < MOST) held[n_held].c = *c, held[n_held++].seed = seed;
}

// The inputs of a claim, and what is right.
static int would_show(const lab_case *c, uint64_t seed, const char *sentence) {
    float *in[LAB_MAX_TENSORS] = {NULL};
    double *want = malloc(c->op->elements(c->shape, 0) * sizeof *want);
    int ok = want != NULL;
    for (int t = 1; t < c->op->n_tensors && ok; t++) {
        in[t] = malloc(c->op->elements(c->shape, t) * sizeof(float));
        ok = in[t] != NULL;
        if (ok) lab_op_fill(c->op, c->shape, c->extra, t, c->kind, lab_key(seed, c->claim, t, 0), in[t]);
    }
    const float *const *inputs = (const float *const *)in;
    ok = ok && c->op->oracle(c->shape, c->extra, inputs, LAB_NO_MISTAKE, want) &&
         lab_would_show(sentence, c->op, c->shape, c->extra, inputs, want);
    for (int t = 0; t < LAB_MAX_TENSORS; t++) free(in[t]);
    free(want);
    return ok;
}

int lab_is_refuted(const char *todo, const char *sentence) {
    int refuted = 0;
    if (strncmp(sentence, "matches", 7) != 0) return 0;  // it says what is seen, be it made in whatever way
    for (int i = 0; i < n_held && !refuted && todo; i++)
        refuted = !strcmp(held[i].c.todo, todo) && would_show(&held[i].c, held[i].seed, sentence);
    return refuted;
}
