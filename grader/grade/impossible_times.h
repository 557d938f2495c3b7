// impossible_times.h: a measured point above a measured ceiling is an error.
#ifndef LAB_IMPOSSIBLE_TIMES_H
#define LAB_IMPOSSIBLE_TIMES_H

#include <jansson.h>

// Gives timings above the machine's ceilings (of arithmetic; of decoding, of memory, too) the verdict TIMING_SUSPECT. The
// ceilings are measured again first, and raised in `machine`, in case a busy moment has hidden them. backend: as in
// results.json. scratch: a folder for the measurement's files.
void lab_mark_impossible_times(json_t *timings, const char *backend, json_t *machine, const char *build,
                               const char *scratch);

#endif
