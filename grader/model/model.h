// model.h: the given parts of a language model, which the runner drives through grader/run/driver.h. They belong to the
// untrusted side: they run in the process that holds the student's code. The checker judges their logits and tokens.
#ifndef LAB_MODEL_H
#define LAB_MODEL_H

#include "driver.h"

typedef struct {        // lab_generate's tensor 3
    float temperature;  // 0: greedy
    int32_t top_k;      // 0: all
    uint32_t seed[2];
    int32_t mode;  // lab_mode
    int32_t stop;  // a token that ends a sequence's generation; -1: none (a stopped sequence repeats it)
    int32_t unused[2];
} lab_sampling;

typedef enum {
    LAB_CACHED,        // prefill, then decode steps; on a GPU each step is a replayed CUDA graph
    LAB_EAGER,         // the same without a graph
    LAB_RECOMPUTE,     // without a cache: every token is a prefill of all before it (a baseline)
    LAB_NO_ATTENTION,  // decode steps with attention left out: what the rest of the step costs
} lab_mode;

#endif
