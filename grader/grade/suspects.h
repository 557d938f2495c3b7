// suspects.h: a measured point above a measured ceiling is an error.
#ifndef LAB_SUSPECTS_H
#define LAB_SUSPECTS_H

#include <jansson.h>

// Gives timings above the machine's ceilings (of arithmetic; of decoding, of memory, too) the verdict TIMING_SUSPECT. The
// ceilings are measured again first, and raised in `machine`, in case a busy moment has hidden them. backend: as in
// results.json. scratch: a folder for the measurement's files.
void lab_mark_suspects(json_t *timings, const char *backend, json_t *machine, const char *build, const char *scratch);

#endif
