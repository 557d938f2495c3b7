// ahead.h: what a search of the whole file begins with, made before it is asked for.
#ifndef LAB_REPAIR_AHEAD_H
#define LAB_REPAIR_AHEAD_H

#include "candidates.h"

// The batch that is next, if it was made, or is made now: the list of changes with the first one, and `output`. Returns 0
// if nothing was made; then nothing has changed but c->ahead.
int lab_ahead_take(const lab_repair_ask *ask, lab_candidates *c, const char *output);

// C: the list alone. Returns 0 if it is still to be made.
int lab_ahead_list(const lab_repair_ask *ask, lab_candidates *c);

#endif
