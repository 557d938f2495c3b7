// run_ncu.h: one call of a stage under ncu.
#ifndef LAB_PROFILE_RUN_NCU_H
#define LAB_PROFILE_RUN_NCU_H

#include "experiments.h"
#include "kernel.h"

typedef enum {
    LAB_NCU_DONE,
    LAB_NCU_DENIED,  // ncu may not read the counters: no call will do better
    LAB_NCU_FAILED   // this call failed, or ncu did
} lab_ncu_end;

typedef struct {
    const char *ncu, *target, *stage;  // paths of the programs and of the shared object
    const char *folder;                // for ncu's logs
} lab_ncu_options;

// Runs the point under ncu. kernels, n: what was launched. why: a sentence when that is not LAB_NCU_DONE.
lab_ncu_end lab_run_ncu(const lab_ncu_options *options, const lab_experiment *point,
                        lab_kernel kernels[LAB_MAX_KERNELS], int *n, char *why, size_t size);

#endif
