// model_clock.h: how long until a model's first token, and between tokens? The checker's clock, stopped by each token's
// id as it arrives from the runner.
#ifndef LAB_MODEL_CLOCK_H
#define LAB_MODEL_CLOCK_H

#include "clock.h"
#include "model_experiments.h"

enum { LAB_MODEL_ROUNDS = 5 };

typedef struct {  // a model, alive in a process
    const char *name;
    char *runner[8];      // command, NULL-terminated; it speaks protocol.h
    const char *stage;    // what it loads, for messages
    const char *missing;  // what its exit status 3 means; NULL: nothing
    lab_stage process;
    int started;
    lab_verdict verdict;  // of starting it
    char why[640];        // why it cannot be measured; "" when it can
} lab_model_runner;

typedef struct {  // one call
    int n;        // tokens that have come
    int32_t token[LAB_MOST_TOKENS];
    double start, at[LAB_MOST_TOKENS];  // seconds of lab_now()
    int disordered;                     // a token that is not the next one
} lab_generation;

typedef struct {  // what is measured: a runner in a mode of model.h, and what came of it
    const char *name;
    lab_model_runner *runner;
    int mode;                // lab_mode
    int tokens;              // how many are generated: the run's, or fewer where each is slow
    lab_timing first, next;  // TTFT; TBT: all gaps of all rounds
    double p99_s, tokens_per_s;
    int32_t said[LAB_MODEL_ROUNDS][LAB_MOST_TOKENS];  // the tokens of each round
} lab_contender;

// Starts the runner, once: what does not start has its reason in `why`, and is not tried again. 1 if it is alive.
int lab_model_start(lab_model_runner *r, const lab_model *m);

// Generates with every contender in turn, round by round, a fresh prompt for each round; a first round is not counted.
void lab_model_measure(lab_contender *c, int n, const lab_model *m, const lab_model_run *run, uint64_t seed);

// Are these the right tokens? The reference's are, of the same round. Where the two part, both are right if the
// reference's logits for them are nearer to each other than the lab's tolerance can tell. Else 0; why: which token.
int lab_model_agrees(const lab_contender *yours, lab_contender *reference, const lab_model *m, const lab_model_run *run,
                     uint64_t seed, char *why, size_t size);

#endif
