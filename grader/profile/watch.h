// watch.h: one call of a stage under ncu.
#ifndef LAB_PROFILE_WATCH_H
#define LAB_PROFILE_WATCH_H

#include "kernel.h"
#include "points.h"

typedef enum {
    LAB_WATCHED,
    LAB_DENIED,      // ncu may not read the counters: no call will do better
    LAB_NOT_WATCHED  // this call failed, or ncu did
} lab_watch_end;

typedef struct {
    const char *ncu, *drive, *stage;  // paths of the programs and of the shared object
    const char *folder;               // for ncu's logs
} lab_watch_options;

// Runs the point under ncu. kernels, n: what was launched. why: a sentence when that is not LAB_WATCHED.
lab_watch_end lab_watch(const lab_watch_options *options, const lab_point *point, lab_kernel kernels[LAB_MAX_KERNELS],
                        int *n, char *why, size_t size);

#endif
