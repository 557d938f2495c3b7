// time_host.h: the clock around a stage in C, which works in the arena itself.
#ifndef LAB_TIME_HOST_H
#define LAB_TIME_HOST_H

#include "clock.h"
#include "contender.h"

enum { LAB_MOST_CONTENDERS = LAB_MAX_IMPLEMENTATIONS + 1 };  // with the null stage

// Starts the contender, and makes a first small call: what a library loads lazily is not taken for working memory.
// Returns 0 when it cannot be measured; c->why says why.
int lab_host_start(lab_contender *c);

// Measures one point on n contenders in turn; timings[i] belongs to c[i]. none_s: the null stage's time, measured in the
// same way, which is subtracted.
void lab_time_host(lab_contender *c, int n, const lab_experiment *e, double none_s, uint64_t seed, lab_timing *timings);

// Did a call that may use so many threads use more? used: processor time within `seconds`. On all processors nobody can.
int lab_uses_more(int threads, long processors, double used, double seconds);

// What counts as the time of such a call: where others than its threads could help, at least the processor time of each,
// so that a second thread for a part of the work gains nothing.
double lab_fair_seconds(int threads, long processors, double used, double seconds);

// When the clock starts of a process that used so many seconds of a processor while its inputs were written.
double lab_clock_starts(double before, double written, double used);

#endif
