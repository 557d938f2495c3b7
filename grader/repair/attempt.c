// attempt.c: what a change has damaged shows in a later call: who crashes is tried once more in a new runner.
#include "attempt.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "checked_run.h"

static const double LEAST = 0.01, MOST = 0.1;  // seconds of a processor for a call
static const double FORGIVEN = 3;              // seconds of a processor, for all that is ruled out
enum { SLOWER = 6 };                           // than the unchanged file a change may be

void lab_say_aloud(void) {
    static double since;
    static int said;
    if (!(since > 0)) since = lab_now();
    if (said || lab_now() - since < 1) return;
    fprintf(stderr, "  looking for one change that mends it ...\n");
    said = 1;
}

static double begun, allowed, forgiven,  // seconds of a processor; forgiven: for what was ruled out
    built;                               // and for programs of the lab's own

static double seconds_of(clockid_t clock) {
    struct timespec t;
    return clock_gettime(clock, &t) == 0 ? (double)t.tv_sec + 1e-9 * (double)t.tv_nsec : 0;
}

double lab_attempts_of_runner(const lab_attempts *a) {
    clockid_t clock;
    return a->open && a->stage.process.pid > 0 && clock_getcpuclockid(a->stage.process.pid, &clock) == 0
               ? seconds_of(clock)
               : 0;
}

enum { MOST_OPEN = 8 };
static const lab_attempts *living[MOST_OPEN];

static void note_living(const lab_attempts *a, int lives) {
    int i = 0;
    while (i < MOST_OPEN - 1 && living[i] && living[i] != a) i++;
    living[i] = lives ? a : NULL;
    for (; !lives && i < MOST_OPEN - 1; i++) living[i] = living[i + 1], living[i + 1] = NULL;
}

// The lab's own, those of compilers and runners that have ended, and of runners that live.
static double spent(void) {
    struct rusage r;
    const int known = getrusage(RUSAGE_CHILDREN, &r) == 0;
    double seconds = known ? (double)(r.ru_utime.tv_sec + r.ru_stime.tv_sec) +
                                 1e-6 * (double)(r.ru_utime.tv_usec + r.ru_stime.tv_usec)
                           : 0;
    for (int i = 0; i < MOST_OPEN && living[i]; i++) seconds += lab_attempts_of_runner(living[i]);
    return seconds + seconds_of(CLOCK_PROCESS_CPUTIME_ID) - built;
}

int lab_attempts_need(const char *program, const char *why) {
    const double before = spent();
    const int there = lab_is_built(program, why);
    built += spent() - before;
    return there;
}

// LAB_SEARCH=0.25: a quarter of the time, for tests of what is said where a search finds nothing.
static double part_of_search(void) {
    const char *given = getenv("LAB_SEARCH");
    const double part = given ? strtod(given, NULL) : 1;
    return part > 0 && part < 1 ? part : 1;
}

void lab_attempts_begin(double seconds) {
    begun = spent(), allowed = seconds * part_of_search() * lab_slowness(), forgiven = 0;
}

void lab_attempts_forgive(double seconds) { begun += seconds * lab_slowness(); }

void lab_attempts_forgive_since(double left) {
    const double seconds = fmax(0, fmin(left - lab_attempts_left(), FORGIVEN - forgiven));
    lab_attempts_forgive(seconds), forgiven += seconds;
}

double lab_attempts_left(void) { return (allowed - spent() + begun) / lab_slowness(); }

int lab_attempts_go_on(lab_attempts *a) {
    const double now = spent(), share = a->share > 0 ? a->share : 1;
    if (!(a->since > 0)) a->since = now;
    return now - a->since < share * a->budget * lab_slowness() && now - begun < allowed;
}

static void close_own(lab_attempts *a) {
    note_living(a, 0);
    if (a->open) lab_stage_close(&a->stage);
    a->open = 0;
}

int lab_attempts_ready(lab_attempts *a) {
    char why[256];
    if (a->open && a->stage.alive) return 1;
    close_own(a);
    a->calls = 0;
    a->options.trying = a->options.mends = 1;
    a->open = 1;
    note_living(a, 1);
    setenv("OMP_WAIT_POLICY", "passive", 1);
    setenv("SIMT_TRYING", "1", 1);           // a fault is told nobody, and costs no new runner
    setenv("SIMT_THREADS", "1", 1);          // data is small: threads would wait for each other
    setenv("OPENBLAS_NUM_THREADS", "1", 1);  // those of a new runner look for work until it is gone
    setenv("MALLOC_PERTURB_", "128", 1);     // what malloc gives is 3.4e38: no change mends by chance what nobody wrote
    if (a->reversed) setenv("SIMT_ORDER", "reverse", 1);
    const lab_verdict v = lab_stage_open(&a->stage, &a->options, why, sizeof why);
    unsetenv("SIMT_THREADS"), unsetenv("OPENBLAS_NUM_THREADS"), unsetenv("SIMT_ORDER"), unsetenv("OMP_WAIT_POLICY");
    unsetenv("MALLOC_PERTURB_"), unsetenv("SIMT_TRYING");
    return v == LAB_PASSED;
}

int lab_attempt_patience(const lab_attempts *a, double seconds) {
    return a->least > 0 && seconds > 1.5 * a->least ? LAB_PATIENT : 0;
}

int lab_attempt(lab_attempts *a, lab_prepared *claim, int edit, double seconds) {
    for (int again = 0; again < 2; again++) {
        if (!lab_attempts_ready(a)) return 0;
        const int fresh = a->calls++ == 0;
        a->stage.edit = (uint32_t)(edit | lab_attempt_patience(a, seconds));
        const int holds = lab_holds(claim, &a->stage, seconds);
        if (a->stage.alive) return holds;
        const lab_process *const p = &a->stage.process;
        if (fresh || fmax(p->used, p->idle) >= seconds * lab_slowness()) return 0;  // it did not crash
    }
    return 0;
}

double lab_attempt_limit(lab_attempts *a, lab_prepared *claim) {
    a->usual = LEAST;
    if (!lab_attempts_ready(a)) return fmax(LEAST, a->least);
    a->stage.edit = 0, a->calls++;  // it may spoil the memory of the runner: what crashes next is tried once more
    const double before = lab_attempts_of_runner(a);
    if (lab_holds(claim, &a->stage, MOST)) return 0;
    if (!a->stage.alive || a->stage.faulted) return fmax(LEAST, a->least);  // one that does not end says nothing
    const double used = lab_attempts_of_runner(a) - before;
    a->usual = used / lab_slowness();
    return fmin(MOST, fmax(fmax(LEAST, a->least), SLOWER * a->usual));
}

int lab_attempt_twice(lab_attempts *a, const lab_case *c, uint64_t seed, int edit, double seconds) {
    static lab_result r;
    lab_op silent = *c->op;
    lab_case of_silent = *c;
    silent.diagnose = NULL, of_silent.op = &silent;
    if (!lab_attempts_ready(a)) return 0;
    a->calls++;
    a->stage.edit = (uint32_t)edit;
    lab_judge(&a->stage, &of_silent, seed, seconds, &r);
    return r.verdict == LAB_PASSED;
}

void lab_attempts_close(lab_attempts *a) {
    close_own(a);
    if (a->beside) close_own(a->beside);
    free(a->beside);
    a->beside = NULL;
}
