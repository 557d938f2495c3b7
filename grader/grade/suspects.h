// suspects.h: a measured point above a measured ceiling is an error.
#ifndef LAB_SUSPECTS_H
#define LAB_SUSPECTS_H

#include <jansson.h>

// Gives timings above the machine's compute ceiling the verdict TIMING_SUSPECT. The ceiling is measured again first, and
// raised in `machine`, in case a busy moment has hidden it. scratch: a folder for the measurement's files.
void lab_mark_suspects(json_t *timings, json_t *machine, const char *build, const char *scratch);

#endif
