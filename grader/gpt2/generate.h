// generate.h: task 6's whole model: the logits and tokens that a GPT-2 with random weights must give.
#ifndef LAB_GENERATE_H
#define LAB_GENERATE_H

#include "ops.h"

// The model of every lab_generate case, as lab_driver_open takes it (grader/model/model.h). Its weights are made so
// that wrong attention changes the tokens (grader/gpt2/random.c).
#define LAB_TEST_MODEL "random:layers=2,hidden=64,heads=2,vocab=97,positions=128,seed=8"

// out: [batch, n, columns]: per token its id, and the vocab logits that it is the largest of. in[]: 1 prompts, 2 their
// lengths (int32 in the elements of float tensors). Where two logits are so close that rounding decides which is
// larger, there is no right answer: prompts are drawn, from `key`, until that is nowhere so.
// Returns 0 when memory is short or columns is not 1 + vocab.
int lab_oracle_generate(double *out, float *const in[LAB_MAX_TENSORS], attn_shape shape, uint64_t key);

#endif
