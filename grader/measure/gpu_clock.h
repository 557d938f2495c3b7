// gpu_clock.h: how long does a call take on the GPU? The checker's clock around a run and a wait for it; inputs are made on
// the device before, in memory that the caches do not hold, and outputs are compared after.
#ifndef LAB_GPU_CLOCK_H
#define LAB_GPU_CLOCK_H

#include "clock.h"
#include "gpu_experiments.h"

typedef struct {
    lab_gpu_implementation is;
    char *runner[8];
    const char *stage;
    size_t arena_bytes;   // stands for the largest request; only outputs that are copied back take memory in it
    size_t device_bytes;  // what one request may take on the GPU
    lab_stage process;    // started when it is first needed
    int started;
    char why[640];  // why it cannot be measured; "" when it can
} lab_gpu_runner;

// Measures one point on all, round by round. runners[0] is the null stage, whose time is subtracted; timings[i] belongs to
// runners[i]. A shape that does not fit into device_bytes has its batch halved until it does; *batch is what was measured.
void lab_gpu_measure(lab_gpu_runner *runners, int n, const lab_gpu_experiment *e, uint64_t seed, int *batch,
                     lab_timing *timings);

#endif
