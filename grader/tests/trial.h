// trial.h: small stages for the tests of grader/run: written, compiled, called once, judged.
#ifndef LAB_TRIAL_H
#define LAB_TRIAL_H

#include "judge.h"

// A stage's source: `before` at file scope, `body` inside attn_sdpa, which computes the right output when it says
// right(). With a `before` of one line, the body stands on line 5 of NAME.c.
typedef struct {
    const char *name, *before, *body;
} trial_source;

static const double TRIAL_SECONDS = 1;  // a call may take

// A case of attention that every trial uses, small and ragged.
extern const lab_case trial_case;

// Writes and compiles it; returns the path of the stage, valid until the next call. Fails the test on an error.
const char *trial_build(const trial_source *source);

// Opens the stage in a new runner. LAB_PASSED, or why not.
lab_verdict trial_open(lab_stage *stage, const char *path, char *why, size_t size);

// Builds, opens, calls once, closes. *log is what the stage printed (valid until the next call); may be NULL.
lab_result trial_run(const trial_source *source, const char **log);

// The same of a stage that is built.
lab_result trial_run_built(const char *path, const char **log);

// The same in a guarded runner: what is known of the memory that it misused.
lab_stage trial_run_guarded(const trial_source *source);

// A right stage passes the same case, in a runner of its own: nothing was left behind.
void trial_next_passes(void);

#endif
