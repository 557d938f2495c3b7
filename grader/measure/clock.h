// clock.h: how long does a call take? The checker's clock, fresh inputs in every round, every round's output checked.
#ifndef LAB_CLOCK_H
#define LAB_CLOCK_H

#include "cases.h"
#include "stage.h"

enum { LAB_MAX_IMPLEMENTATIONS = 6, LAB_MAX_ROUNDS = 7 };

// Something that computes attention: the student's stage or a baseline.
typedef struct {
    const char *name;   // "yours", "task 1", "OpenBLAS chain", "PyTorch"
    char *runner[8];    // command, NULL-terminated
    const char *stage;  // what it loads, for messages
    const lab_op *op;   // lab_sdpa or lab_tiled: same inputs, same result
    int chain;          // passes whole score matrices through memory
    lab_stage process;
    long resident_bytes;      // without tensors, before the first measured call
    double seconds_per_flop;  // of its last point: what the next one will cost; 0 before the first
    char why[640];            // why it cannot be measured; "" when it can
} lab_implementation;

typedef struct {
    lab_verdict verdict;  // PASSED, or why there is no time; SKIPPED: over the budget
    int rounds;
    double median_s, iqr_s;  // per call
    long extra_bytes;        // peak memory beyond the tensors; -1 unknown
    char why[640];
} lab_timing;

// What one point may cost, in seconds per implementation; a point predicted to take longer than `longest` is skipped.
typedef struct {
    double per_point, longest;
} lab_budget;

// Opens an implementation with `threads` threads and room for `arena_bytes`. On failure `why` says why.
int lab_implementation_open(lab_implementation *im, int threads, size_t arena_bytes);
void lab_implementation_close(lab_implementation *im);

// Median and quartiles of t->rounds times, each of `calls` calls. Sorts them.
void lab_summarise(lab_timing *t, double *seconds, double calls);

// Measures one shape on all implementations, round by round, so that a drifting machine drifts for all of them.
// impls[0] is the null stage, whose time is subtracted; timings[i] belongs to impls[i].
void lab_measure(lab_implementation *impls, int n, attn_shape shape, const int tiles[2], uint64_t seed,
                 lab_budget budget, lab_timing *timings);

#endif
