// time_device.h: the clock around a CUDA stage on a GPU. A timed request makes fresh inputs on the device, flushes the
// caches, makes the calls and waits: all of it inside of the window, so nothing can be computed before. The null
// stage's request does all but the work; its time is subtracted.
#ifndef LAB_TIME_DEVICE_H
#define LAB_TIME_DEVICE_H

#include "clock.h"
#include "contender.h"

typedef struct {
    lab_experiment e;  // as it is measured: while it does not fit into device_bytes, its batch is halved
    int sets;          // calls of a timed request; the same for all, unless one is very slow
    double none_s[2];  // the null stage's request: with one call, with `sets`. Of lab_time_nothing
} lab_device_point;

// c[0] is the null stage, c[1] .. c[n - 1] those that this point is about.
lab_device_point lab_device_point_of(const lab_contender *c, int n, const lab_experiment *e);

// Times the null stage. Nothing that could disturb it may run. Returns 0 with the reason in t.
int lab_time_nothing(lab_contender *null, lab_device_point *p, uint64_t seed, lab_timing *t);

// Measures the point on n contenders; timings[i] belongs to c[i].
void lab_time_device(lab_contender *c, int n, const lab_device_point *p, uint64_t seed, lab_timing *timings);

#endif
