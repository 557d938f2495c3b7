// time_tokens.h: how long until a model's first token, and between tokens? The clock, stopped by each token's id as it
// arrives from the runner.
#ifndef LAB_TIME_TOKENS_H
#define LAB_TIME_TOKENS_H

#include "clock.h"
#include "contender.h"
#include "model.h"
#include "models.h"

enum { LAB_TOKEN_ROUNDS = 8 };  // at most

typedef struct {  // what is measured: a model's process in a mode of model.h, and what came of it
    const char *name;
    lab_contender *process;
    int mode;                // lab_mode
    int tokens;              // how many are generated: the run's, or fewer where each is slow
    lab_timing first, next;  // TTFT; TBT: all gaps of all rounds
    double p99_s, tokens_per_s;
    int said[LAB_TOKEN_ROUNDS][LAB_MOST_TOKENS];  // the tokens of each round
} lab_generator;

// Starts the process, with room for all of the model's runs. Returns 0 when it cannot be measured: process->why.
int lab_model_start(lab_contender *process, const lab_model *m);

// Every generator in turn, round by round, with a fresh prompt for each round; a first round is not counted.
void lab_time_tokens(lab_generator *g, int n, const lab_model *m, const lab_model_run *run, uint64_t seed);

// Are these the right tokens? The reference's of the same round are. Where the two part, both are right if the
// reference's logits for them are nearer to each other than the lab's tolerance can tell. Otherwise 0, and why says
// which token.
int lab_tokens_agree(const lab_generator *yours, lab_generator *reference, const lab_model *m, const lab_model_run *run,
                     uint64_t seed, char *why, size_t size);

#endif
