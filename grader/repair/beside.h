// beside.h: CUDA: while the likeliest changes are compiled and tried, another processor compiles all that are data.
#ifndef LAB_REPAIR_BESIDE_H
#define LAB_REPAIR_BESIDE_H

#include "candidates.h"

void lab_beside_begin(const lab_repair_ask *ask, const lab_candidates *c, int probe);

// Waits for it. 0: nothing was begun for the probe (or the stage), or it does not compile; then nothing has changed.
int lab_beside_take(const lab_candidates *c, int probe, const char *output);

void lab_beside_drop(void);                // what was not taken goes
void lab_beside_clear(const char *stage);  // what another process has begun for that stage, and was ended

#endif
