// early.h: C: what a found change is tried with next, compiled on another processor before it is known which change that is:
// the stage with all changes of the batch, and the file with the likeliest one alone, optimised, for its proof.
#ifndef LAB_REPAIR_EARLY_H
#define LAB_REPAIR_EARLY_H

#include "candidates.h"

typedef enum { LAB_EARLY_STAGE, LAB_EARLY_ALONE, LAB_EARLY_KINDS } lab_early;

// Begins with it, unless that has begun. id: the change that is alone; 0: all that are chosen. probe: of which file.
void lab_early_begin(lab_early kind, const lab_repair_ask *ask, const lab_candidates *c, int id, int probe);

// Waits for it. Returns 0 if this one was not begun, or does not compile.
int lab_early_take(lab_early kind, int id, int probe, const char *output);

void lab_early_drop(void);  // nobody is going to take them any more

// The file with that change alone, whether it was begun or not. Returns 0 if it does not compile.
int lab_early_alone(const lab_repair_ask *ask, lab_candidates *c, int id, int probe, const char *output);

#endif
