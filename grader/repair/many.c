// many.c: one claim with thousands of changes: a call of the runner tries some dozens of them, each on tensors of its own.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "attempt.h"
#include "trial.h"

// A band is small: what reads or writes beyond it is found out when those that are left are tried one by one.
enum { SETS = 64, BAND = 1024, TABLE = LAB_TRIES_BEGIN, DEATHS = 40, SLEEPS = DEATHS / 2 };
static const double BATCH_SECONDS = 2, OVERTIME = 0.5;

typedef struct {
    lab_layout layout;
    char *image;  // a set before the call
    size_t bytes;
} picture;

static lab_layout lay_out(const lab_trial *t) {
    lab_layout layout = {{0}, 0, 0};
    size_t at = BAND;
    for (int i = 0; i < t->op->n_tensors; i++) {
        layout.offset[i] = at;
        at += (t->n[i] * sizeof(float) + 255) / 256 * 256 + BAND;
    }
    layout.bytes = at;
    layout.stride = (at + 4095) / 4096 * 4096 + LAB_TRIES_APART;
    return layout;
}

static int draw(const lab_trial *t, picture *p) {
    p->layout = lay_out(t);
    p->bytes = p->layout.bytes;
    p->image = malloc(p->bytes);
    if (!p->image) return 0;
    lab_guard_fill((uint32_t *)p->image, p->bytes / sizeof(uint32_t));
    for (int i = 1; i < t->op->n_tensors; i++)
        memcpy(p->image + p->layout.offset[i], t->in[i], t->n[i] * sizeof(float));
    lab_poison((float *)(p->image + p->layout.offset[0]), t->n[0]);
    return 1;
}

// All that is no output is as it was, and of the output every element is right.
static int is_right(const lab_trial *t, const picture *p, const char *set) {
    const size_t output = p->layout.offset[0], behind = output + t->n[0] * sizeof(float);
    const float *got = (const float *)(set + output);
    if (!(fabs((double)got[0] - t->want[0]) < LAB_TOLERANCE)) return 0;
    if (memcmp(set, p->image, output) || memcmp(set + behind, p->image + behind, p->bytes - behind)) return 0;
    for (size_t i = 0; i < t->n[0]; i++)
        if (!(fabs((double)got[i] - t->want[i]) < LAB_TOLERANCE)) return 0;
    return lab_compare(got, t->want, t->n[0], LAB_TOLERANCE).verdict == LAB_PASSED;
}

// Returns how many deaths it counts as: one that waits for ever takes no processor, and as long as many that crash.
static int ask(lab_attempts *a, const lab_trial *t, const picture *p, int sets, double us) {
    char why[256];
    attn_status status;
    lab_request r = lab_request_of(t->op, t->c->shape, sets, LAB_TRIES);
    memcpy(r.extra, t->c->extra, sizeof r.extra);
    for (int i = 0; i < t->op->n_tensors; i++) r.offset[i] = TABLE + p->layout.offset[i];
    r.stride = p->layout.stride, r.bytes = a->options.arena_bytes / 4096 * 4096;
    r.counts = 0, r.busy_us = (uint32_t)us;
    const lab_verdict v = lab_stage_call(&a->stage, &r, BATCH_SECONDS, &status, why, sizeof why);
    if (v != LAB_PASSED) a->stage.alive = 0;
    return v == LAB_PASSED ? 0 : v == LAB_TIMEOUT ? SLEEPS : 1;
}

int lab_attempt_many(lab_attempts *a, const lab_prepared *claim, const int ids[], int n, double us, char holds[]) {
    const lab_trial *t = lab_prepared_trial(claim);
    picture p;
    int deaths = 0;
    if (t->op->in_place || t->op->scratch || t->op->left || !t->n[0] || !draw(t, &p)) return 0;
    const size_t room = a->options.arena_bytes;
    const int fit = room > TABLE ? (int)((room - TABLE) / p.layout.stride) : 0, most = fit < SETS ? fit : SETS;
    memset(holds, 0, (size_t)n);
    int first = 0;
    while (first < n && most > 0 && deaths < DEATHS && lab_attempts_left() > -OVERTIME && lab_attempts_ready(a)) {
        lab_try *tries = (lab_try *)a->stage.arena;
        const int sets = n - first < most ? n - first : most;
        for (int i = 0; i < sets; i++) {
            memcpy(a->stage.arena + TABLE + (size_t)i * p.layout.stride, p.image, p.bytes);
            tries[i] = (lab_try){(uint32_t)ids[first + i], LAB_TRY_WAITS};
        }
        deaths += ask(a, t, &p, sets, us);
        int done = 0;  // those behind one that has ended the runner come again
        for (; done < sets && tries[done].status != LAB_TRY_WAITS; done++)
            holds[first + done] = tries[done].status == LAB_TRY_LATE
                                      ? LAB_LATE
                                      : tries[done].status == ATTN_OK &&
                                            is_right(t, &p, a->stage.arena + TABLE + (size_t)done * p.layout.stride);
        first += done ? done : 1;
    }
    free(p.image);
    return first >= n;
}
