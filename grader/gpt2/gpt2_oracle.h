// gpt2_oracle.h: what a GPT-2 must compute, in float64 and without cleverness; anchored to PyTorch
// (grader/golden/gpt2).
//
// One sequence; a batch is one oracle per sequence. Keys and values of earlier tokens are kept, in float64, so that
// generating n tokens costs n steps.
#ifndef GPT2_ORACLE_H
#define GPT2_ORACLE_H

#include <stdbool.h>

#include "checkpoint.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gpt2_oracle gpt2_oracle;

// The model must outlive the oracle. `capacity`: how many tokens the sequence may have, at most n_positions.
// NULL when the capacity is not in 1..n_positions or memory is short.
gpt2_oracle *gpt2_oracle_new(const gpt2_checkpoint *model, int capacity);
void gpt2_oracle_free(gpt2_oracle *o);

// Appends n tokens to the sequence. logits[last, V] gets those of the last `last` of them (0: none are wanted).
// false, with nothing changed, when a token is not in 0..V-1, the capacity is exceeded, or memory is short.
bool gpt2_oracle_run(gpt2_oracle *o, const int *tokens, int n, double *logits, int last);

// The index of the largest of n logits; of equal ones the first.
int gpt2_argmax(const double *logits, int n);

// The n tokens that follow the prompt, each the likeliest. margin, if not NULL, gets the least distance between a
// likeliest and a second likeliest logit: how near the answer is to being a matter of rounding. false as
// gpt2_oracle_run, or when the prompt is empty.
bool gpt2_oracle_greedy(const gpt2_checkpoint *model, const int *prompt, int n_prompt, int *out, int n, double *margin);

#ifdef __cplusplus
}
#endif

#endif
