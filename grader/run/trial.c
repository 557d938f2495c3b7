// trial.c: what a claim's calls need, and one call of them.
#include "trial.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "generate.h"

int lab_trial_prepare(lab_trial *t, uint64_t seed) {
    const lab_case *c = t->c;
    int ok = 1;
    for (int i = 0; i < t->op->n_tensors; i++) {
        t->n[i] = c->op->elements(c->shape, i);
        if (i == 0) continue;
        ok = ok && (t->in[i] = malloc(t->n[i] * sizeof(float)));
        if (ok) lab_op_fill(c->op, c->shape, c->extra, i, c->kind, lab_key(seed, c->claim, i, 0), t->in[i]);
    }
    t->got = malloc(t->n[0] * sizeof(float));
    t->again = malloc(t->n[0] * sizeof(float));
    t->want = malloc(t->n[0] * sizeof(double));
    t->work = t->op->scratch ? malloc(t->n[t->op->scratch] * sizeof(float)) : NULL;
    ok = ok && t->got && t->again && t->want;
    if (!ok) return 0;
    if (c->op->oracle) return c->op->oracle(c->shape, c->extra, (const float *const *)t->in, LAB_NO_MISTAKE, t->want);
    return lab_oracle_generate(t->want, t->in, c->shape, lab_key(seed, c->claim, 1, 0));
}

void lab_trial_discard(lab_trial *t) {
    for (int i = 1; i < t->op->n_tensors; i++) free(t->in[i]);
    free(t->got);
    free(t->again);
    free(t->work);
    free(t->want);
}

static void lay_out(const lab_trial *t, char *arena) {
    lab_guard_fill((uint32_t *)arena, t->layout.bytes / sizeof(uint32_t));  // guards, and the gaps up to 256 bytes
    for (int i = 1; i < t->op->n_tensors; i++) memcpy(arena + t->layout.offset[i], t->in[i], t->n[i] * sizeof(float));
    // A state to change in place starts as it was; other outputs, and working memory, start as poison.
    if (t->op->in_place)
        memcpy(arena + t->layout.offset[0], t->in[1], t->n[0] * sizeof(float));
    else
        lab_poison((float *)(arena + t->layout.offset[0]), t->n[0]);
    if (t->op->scratch) lab_poison((float *)(arena + t->layout.offset[t->op->scratch]), t->n[t->op->scratch]);
}

// Lays the inputs out, and calls with them; `values`, `room`: see lab_trial_values.
static lab_verdict call(const lab_trial *t, lab_stage *stage, uint32_t steps, uint64_t values, int room, double seconds,
                        attn_status *status, char *why, size_t size) {
    lay_out(t, stage->arena);
    lab_request request = lab_request_of(t->c->op, t->c->shape, 1, steps);
    memcpy(request.extra, t->c->extra, sizeof request.extra);
    request.values = values, request.n_values = (uint64_t)room;
    return lab_stage_call(stage, &request, seconds, status, why, size);
}

lab_verdict lab_trial_run(const lab_trial *t, lab_stage *stage, float *output, double seconds, attn_status *status,
                          char *why, size_t size) {
    const uint32_t steps = LAB_TEST | (t->c->recorded ? LAB_CAPTURE : 0);
    const lab_verdict v = call(t, stage, steps, 0, 0, seconds, status, why, size);
    memcpy(output, stage->arena + t->layout.offset[0], t->n[0] * sizeof(float));
    return v;
}

lab_verdict lab_trial_values(const lab_trial *t, lab_stage *stage, uint64_t values, int room, double seconds,
                             attn_status *status, char *why, size_t size) {
    return call(t, stage, LAB_TEST, values, room, seconds, status, why, size);
}
