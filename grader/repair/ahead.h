// ahead.h: what a search of the whole file, or of a TODO's function, begins with, made before it is asked for.
#ifndef LAB_REPAIR_AHEAD_H
#define LAB_REPAIR_AHEAD_H

#include "candidates.h"

// What the claims say of functions, for a list of the changes of lines c->from to c->to, or of the whole file.
void lab_ahead_judge(const char *todo, lab_candidates *c);

// The batch that is next, if it was made, or is made now: the list of changes with the first one, and `output`. Returns 0
// if nothing was made; then nothing has changed but c->ahead.
int lab_ahead_take(const lab_repair_ask *ask, lab_candidates *c, int probe, const char *output);

// CUDA: while the changes of a TODO's function are tried, those of the whole file are listed and compiled. enough: the
// function's do.
void lab_ahead_wider(const lab_repair_ask *ask, const char *todo);
void lab_ahead_enough(void);

// C: the list alone. Returns 0 if it is still to be made.
int lab_ahead_list(const lab_repair_ask *ask, lab_candidates *c);

#endif
