// window.h: one timed request to a CUDA stage: fresh inputs, calls and digests of the outputs, all between the start and
// the stop of the clock; then a look at parts of the outputs that were drawn after it.
#ifndef LAB_WINDOW_H
#define LAB_WINDOW_H

#include "clock.h"
#include "contender.h"

// Asks for `sets` calls. Round 0 looks at the whole first output, and it and round 1 never use a graph. Returns seconds;
// 0 on failure, with a verdict in t.
double lab_window(lab_contender *c, const lab_experiment *e, int sets, uint64_t seed, int round, lab_timing *t);

// Gives the device memory back: the next contender may need it.
void lab_window_free(lab_contender *c, const lab_experiment *e);

// The stage that does nothing. Nobody looks at its outputs.
int lab_is_null(const lab_contender *c);

#endif
