// parallel.h: loops that use every core where OpenMP is on, and are plain loops where it is not.
#ifndef GPT2_PARALLEL_H
#define GPT2_PARALLEL_H

// Before a for loop of so many operations in all. Short ones stay on one core: on a busy machine, waiting for the
// others takes far longer than the work.
#ifdef _OPENMP
#define PARALLEL_TEXT(x) #x
#define PARALLEL_FOR(operations)                                                                                       \
    _Pragma(PARALLEL_TEXT(omp parallel for schedule(static) if ((double)(operations) > 1e6)))
#else
#define PARALLEL_FOR(operations)
#endif

#endif
