// trial.h: a claim's inputs, oracle and copies of outputs, in the checker's own memory, and one call on them.
#ifndef LAB_TRIAL_H
#define LAB_TRIAL_H

#include "cases.h"
#include "stage.h"

typedef struct lab_trial {
    const lab_case *c;
    const lab_op *op;
    lab_layout layout;
    size_t n[LAB_MAX_TENSORS];   // elements
    float *in[LAB_MAX_TENSORS];  // pristine inputs
    float *got, *again;          // outputs of the two runs
    float *work;                 // working memory after the first
    double *want;
} lab_trial;

int lab_trial_prepare(lab_trial *t, uint64_t seed);  // 0: no memory; discard it all the same
void lab_trial_discard(lab_trial *t);
// Lays the inputs into the stage's arena, calls, and copies the output.
lab_verdict lab_trial_run(const lab_trial *t, lab_stage *stage, float *output, double seconds, attn_status *status,
                          char *why, size_t size);

// The same call, of a file that tells what its lines compute (edits --values): that is left in the arena at `values`, where
// there is room for so many numbers.
lab_verdict lab_trial_values(const lab_trial *t, lab_stage *stage, uint64_t values, int room, double seconds,
                             attn_status *status, char *why, size_t size);

#endif
