// sampling.h: the next token, drawn from softmax(logits / temperature), or from its top_k likeliest tokens (0: all).
#ifndef LAB_SAMPLING_H
#define LAB_SAMPLING_H

#include <stdint.h>

#include "shape.h"

// logits: [n], host memory. state: of the generator; a draw changes it. Logits that are not numbers are not drawn.
ATTN_API int lab_sample(const float *logits, int n, float temperature, int top_k, uint64_t *state);

#endif
