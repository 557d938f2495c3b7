// versus.h: tables that set timings against each other. Each prints to standard output.
#ifndef VERSUS_H
#define VERSUS_H

#include <jansson.h>

// Yours against every baseline at the three lengths that the analysis asks about, and decode at every KV length, or why
// there is nothing to show.
void versus_baselines(const json_t *root);

// fusion.c: the naive chain (task 2) against the fused kernel (task 4), both yours, at equal shapes: time, the model's bytes and,
// where both were counted, bytes that moved.
void versus_naive(const json_t *root);

// speedups.c: task 4's fused kernel against the naive chain and PyTorch at a short and a long sequence, full and causal.
void versus_four(const json_t *root);

#endif
