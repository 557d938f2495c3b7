// outputs.h: what lies in a submission's folder after grading.
#ifndef LAB_OUTPUTS_H
#define LAB_OUTPUTS_H

#include <jansson.h>

// Writes results.json (to a temporary name, synced, then renamed: it is whole or not there), then Results.md and the
// plots from it. Returns 0 with a sentence in why when one of them could not be written.
int lab_write_outputs(const json_t *result, const char *folder, const char *build, int plots, const char *log,
                      char *why, size_t size);

#endif
