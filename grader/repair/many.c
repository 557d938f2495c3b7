// many.c: one claim with thousands of changes: a call of the runner tries some dozens of them, each on tensors of its own.
// Two runners are at work at once, each on a half of them: which half is whose depends on nothing but their number.
// On a device (simt's) they come there one after another, behind the file as it is: who is not met by that is not tried.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "attempt.h"
#include "trial.h"

// A band is small: what reads or writes beyond it is found out when those that are left are tried one by one.
enum {
    SETS = 64,
    BAND = 1024,
    TABLE = LAB_TRIES_BEGIN,
    DEATHS = 40,
    SLEEPS = DEATHS / 2,
    FEW_SETS = 8,
    TIMES = 6,
    ENOUGH = 63
};
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

// Half of the changes, with a runner of their own.
typedef struct {
    lab_attempts *a;
    const int *id;
    char *holds;
    int n, first, deaths;  // first: that has not been tried
    int sets, fresh;       // of the call that is on its way; fresh: it is the first of its runner
    int ended;             // the file as it is ends every runner
} lane;

static int can_do(const lab_attempts *a, const lab_trial *t) {
    const int simple = !t->op->in_place && !t->op->scratch && !t->op->left;
    return t->n[0] && (simple || a->device) && !t->c->recorded;
}

static int holds_with(const lab_trial *t, const picture *p, const char *set, int status) {
    if (status == LAB_TRY_LATE) return LAB_LATE;
    return status == LAB_TRY_RUNS ? LAB_ENDED : status == ATTN_OK && is_right(t, p, set);
}

static int goes_on(const lane *l) { return l->first < l->n && l->deaths < DEATHS && !l->ended; }

// How many fit into a call.
static int most_of(const lab_attempts *a, const picture *p) {
    const size_t room = a->options.arena_bytes;
    const int fit = room > TABLE ? (int)((room - TABLE) / p->layout.stride) : 0;
    const int wanted = a->device ? (int)fmin(SETS, fmax(FEW_SETS, AT_ONCE / a->usual)) : SETS;
    return fit < wanted ? fit : wanted;
}

// A device's first set is for the file as it is.
static void ask(lane *l, const lab_trial *t, const picture *p, int most, double us) {
    lab_attempts *a = l->a;
    const int head = a->device, patience = head ? lab_attempt_patience(a, 1e-6 * us) : 0;
    l->sets = 0;
    if (!goes_on(l) || !lab_attempts_ready(a)) {
        l->ended = 1;
        return;
    }
    lab_try *tries = (lab_try *)a->stage.arena;
    l->sets = l->n - l->first + head < most ? l->n - l->first + head : most, l->fresh = a->calls++ == 0;
    for (int i = 0; i < l->sets; i++) {
        memcpy(a->stage.arena + TABLE + (size_t)i * p->layout.stride, p->image, p->bytes);
        tries[i] = (lab_try){i < head ? 0 : (uint32_t)(l->id[l->first + i - head] | patience), LAB_TRY_WAITS};
    }
    lab_request r = lab_request_of(t->op, t->c->shape, l->sets, LAB_TRIES);
    memcpy(r.extra, t->c->extra, sizeof r.extra);
    for (int i = 0; i < t->op->n_tensors; i++) r.offset[i] = TABLE + p->layout.offset[i];
    r.stride = p->layout.stride, r.bytes = a->device ? p->bytes : a->options.arena_bytes / 4096 * 4096;
    r.counts = 0, r.busy_us = (uint32_t)us;
    if (a->device) r.busy_us = (uint32_t)(us * lab_slowness());  // who takes longer ends the runner
    if (!lab_stage_ask(&a->stage, &r)) a->stage.alive = 0;
}

// Returns how many deaths it counts as: one that waits for ever takes no processor, and as long as many that crash.
static int await(lane *l, double us) {
    char why[256];
    attn_status status;
    lab_attempts *a = l->a;
    const double seconds = a->device ? TIMES * (1e-6 * us + a->usual * l->sets) : BATCH_SECONDS;
    const lab_verdict v = a->stage.alive ? lab_stage_answer(&a->stage, seconds, &status, why, sizeof why) : LAB_CRASH;
    if (v != LAB_PASSED) a->stage.alive = 0;
    return v == LAB_PASSED ? 0 : v == LAB_TIMEOUT ? SLEEPS : 1;
}

static void take(lane *l, const lab_trial *t, const picture *p, double us) {
    const int head = l->a->device, fresh = l->fresh, deaths = l->sets ? await(l, us) : 0;
    const lab_try *tries = (const lab_try *)l->a->stage.arena;
    if (!l->sets) return;
    l->deaths += head ? deaths > 0 : deaths;  // a device's calls are short
    int done = 0;                             // those behind one that has ended the runner come again
    for (; done < l->sets - head && tries[head + done].status != LAB_TRY_WAITS; done++) {
        const int status = tries[head + done].status;
        if (head && status == LAB_TRY_RUNS && (done || !fresh)) break;  // does it, too, as the first of a new one?
        const char *const set = l->a->stage.arena + TABLE + (size_t)(head + done) * p->layout.stride;
        l->holds[l->first + done] = (char)holds_with(t, p, set, status);
    }
    if (!done && !deaths) l->ended = 1;  // it has answered, and tried none
    if (head && !done && tries[0].status <= LAB_TRY_RUNS && fresh)
        l->ended = 1;
    else
        l->first += done || (head && !fresh) ? done : 1;
}

// With a second runner, for what is many.
static int two_lanes(lab_attempts *a, lane l[2], const int ids[], int n, char holds[]) {
    const int half = n > ENOUGH ? (n + 1) / 2 : n;
    l[0] = (lane){.a = a, .id = ids, .holds = holds, .n = half};
    if (half < n && !a->beside) a->beside = calloc(1, sizeof *a->beside);
    if (half == n || !a->beside) return l[0].n = n, 1;
    a->beside->options = a->options, a->beside->device = a->device, a->beside->reversed = a->reversed;
    a->beside->usual = a->usual, a->beside->least = a->least;
    l[1] = (lane){.a = a->beside, .id = ids + half, .holds = holds + half, .n = n - half};
    return 2;
}

int lab_attempt_many(lab_attempts *a, const lab_prepared *claim, const int ids[], int n, double us, char holds[]) {
    const lab_trial *t = lab_prepared_trial(claim);
    picture p;
    lane l[2];
    if (!can_do(a, t) || !draw(t, &p)) return 0;
    const int most = most_of(a, &p), lanes = two_lanes(a, l, ids, n, holds);
    memset(holds, 0, (size_t)n);
    for (int going = most > a->device; going && lab_attempts_left() > -OVERTIME;) {
        for (int i = 0; i < lanes; i++) ask(&l[i], t, &p, most, us);
        for (int i = 0; i < lanes; i++) take(&l[i], t, &p, us);
        going = 0;
        for (int i = 0; i < lanes; i++) going |= goes_on(&l[i]);
    }
    free(p.image);
    int done = 1;
    for (int i = 0; i < lanes; i++) done &= l[i].first >= l[i].n;
    return done;
}
