// speed.h: processor seconds, for programs that are timed by hand: one thread, the best of some passes.
//
//     grader/simt/simtcc grader/simt/tests/speed/naive.cu -o /tmp/naive && SIMT_THREADS=1 /tmp/naive
#ifndef SPEED_H
#define SPEED_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double processor_seconds() {
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

// The best of five passes.
template <class Pass> double best_seconds(Pass pass) {
    double best = 1e9;
    for (int i = 0; i < 5; i++) {
        double begin = processor_seconds();
        pass();
        if (cudaDeviceSynchronize() != cudaSuccess) exit(1);
        double seconds = processor_seconds() - begin;
        if (seconds < best) best = seconds;
    }
    return best;
}

#endif
