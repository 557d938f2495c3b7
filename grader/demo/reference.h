// reference.h: what the model says when every kernel is right: the float64 oracle on the CPU, in the checker's own process.
#ifndef DEMO_REFERENCE_H
#define DEMO_REFERENCE_H

#include "gpt2_oracle.h"
#include "model.h"

// Multiply-adds of so many tokens, `new` of them generated.
double demo_work(const gpt2_config *c, double tokens, double generated);

// More than this, tens of seconds on two cores, is not asked of the oracle.
#define DEMO_MOST_WORK 3e10

// n tokens after the prompt, with the sampling that was asked of the student's process. each: called for every token as it
// is known. false when memory is short.
bool demo_reference(const gpt2_checkpoint *model, const int *ids, int n_ids, int n, lab_sampling sampling,
                    void (*each)(void *context, const int *token), void *context);

// Would the likeliest tokens after the first n_ids be `answer`? Continues from the *o of an earlier call, whose ids
// must be the beginning of these, or from NULL. want, if not NULL: [n_answer, V], gets the logits. -1 when memory is short.
int demo_reference_recalls(const gpt2_checkpoint *model, gpt2_oracle **o, int *done, const int *ids, int n_ids,
                           const int *answer, int n_answer, float *want);

#endif
