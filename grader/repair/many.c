// many.c: one claim with thousands of changes: a call of the runner tries some dozens of them, each on tensors of its own.
// On a device (simt's) they come there one after another, behind the file as it is: who is not met by that is not tried.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "attempt.h"
#include "trial.h"

// A band is small: what reads or writes beyond it is found out when those that are left are tried one by one.
enum { SETS = 64, BAND = 1024, TABLE = LAB_TRIES_BEGIN, DEATHS = 40, SLEEPS = DEATHS / 2, FEW_SETS = 8, TIMES = 6 };
static const double BATCH_SECONDS = 2, OVERTIME = 0.5, AT_ONCE = 0.03;  // of a device: calls of one request

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
    if (t->op->in_place)
        memcpy(p->image + p->layout.offset[0], t->in[1], t->n[0] * sizeof(float));
    else
        lab_poison((float *)(p->image + p->layout.offset[0]), t->n[0]);
    if (t->op->scratch) lab_poison((float *)(p->image + p->layout.offset[t->op->scratch]), t->n[t->op->scratch]);
    return 1;
}

// All but what may be written to is as it was.
static int is_untouched(const lab_trial *t, const picture *p, const char *set) {
    size_t from = 0;
    for (int i = 0; i < t->op->n_tensors; i++) {
        if (i && i != t->op->scratch) continue;
        if (memcmp(set + from, p->image + from, p->layout.offset[i] - from)) return 0;
        from = p->layout.offset[i] + t->n[i] * sizeof(float);
    }
    return !memcmp(set + from, p->image + from, p->bytes - from);
}

static int is_left_right(const lab_trial *t, const picture *p, const char *set) {
    char why[256];
    if (!t->op->left || !t->work) return 1;
    memcpy(t->work, set + p->layout.offset[t->op->scratch], t->n[t->op->scratch] * sizeof(float));
    return !t->op->left(t->c->shape, t->c->extra, (const float *const *)t->in, t->work, 0, why, sizeof why);
}

// And of the output every element is right.
static int is_right(const lab_trial *t, const picture *p, const char *set) {
    float *const got = t->got;
    memcpy(got, set + p->layout.offset[0], t->n[0] * sizeof(float));
    lab_op_to_floats(t->op, t->c->shape, got);
    if (!(fabs((double)got[0] - t->want[0]) < LAB_TOLERANCE) || !is_untouched(t, p, set) || !is_left_right(t, p, set))
        return 0;
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
    r.stride = p->layout.stride, r.bytes = a->device ? p->bytes : a->options.arena_bytes / 4096 * 4096;
    r.counts = 0, r.busy_us = (uint32_t)us;
    if (a->device) r.busy_us = (uint32_t)(us * lab_slowness());  // who takes longer ends the runner
    const double seconds = a->device ? TIMES * (1e-6 * us + a->usual * sets) : BATCH_SECONDS;
    const lab_verdict v = lab_stage_call(&a->stage, &r, seconds, &status, why, sizeof why);
    if (v != LAB_PASSED) a->stage.alive = 0;
    return v == LAB_PASSED ? 0 : v == LAB_TIMEOUT ? SLEEPS : 1;
}

static int can_do(const lab_attempts *a, const lab_trial *t) {
    const int simple = !t->op->in_place && !t->op->scratch && !t->op->left;
    return t->n[0] && (simple || a->device) && !t->c->recorded;
}

static int holds_with(const lab_trial *t, const picture *p, const char *set, int status) {
    if (status == LAB_TRY_LATE) return LAB_LATE;
    return status == LAB_TRY_RUNS ? LAB_ENDED : status == ATTN_OK && is_right(t, p, set);
}

int lab_attempt_many(lab_attempts *a, const lab_prepared *claim, const int ids[], int n, double us, char holds[]) {
    const lab_trial *t = lab_prepared_trial(claim);
    picture p;
    int deaths = 0, first = 0;
    if (!can_do(a, t) || !draw(t, &p)) return 0;
    const size_t room = a->options.arena_bytes;
    const int fit = room > TABLE ? (int)((room - TABLE) / p.layout.stride) : 0;
    const int wanted = a->device ? (int)fmin(SETS, fmax(FEW_SETS, AT_ONCE / a->usual)) : SETS;
    const int most = fit < wanted ? fit : wanted;
    const int head = a->device;  // the file as it is
    const int patience = a->device ? lab_attempt_patience(a, 1e-6 * us) : 0;
    memset(holds, 0, (size_t)n);
    while (first < n && most > head && deaths < DEATHS && lab_attempts_left() > -OVERTIME && lab_attempts_ready(a)) {
        lab_try *tries = (lab_try *)a->stage.arena;
        const int sets = n - first + head < most ? n - first + head : most, fresh = a->calls++ == 0;
        for (int i = 0; i < sets; i++) {
            memcpy(a->stage.arena + TABLE + (size_t)i * p.layout.stride, p.image, p.bytes);
            tries[i] = (lab_try){i < head ? 0 : (uint32_t)(ids[first + i - head] | patience), LAB_TRY_WAITS};
        }
        const int ended = ask(a, t, &p, sets, us);
        deaths += head ? ended > 0 : ended;  // a device's calls are short
        int done = 0;                        // those behind one that has ended the runner come again
        for (; done < sets - head && tries[head + done].status != LAB_TRY_WAITS; done++) {
            const int status = tries[head + done].status;
            if (head && status == LAB_TRY_RUNS && (done || !fresh)) break;  // does it, too, as the first of a new one?
            holds[first + done] =
                (char)holds_with(t, &p, a->stage.arena + TABLE + (size_t)(head + done) * p.layout.stride, status);
        }
        if (head && !done && tries[0].status <= LAB_TRY_RUNS && fresh) break;  // the file as it is ends every runner
        first += done || (head && !fresh) ? done : 1;
    }
    free(p.image);
    return first >= n;
}
