// time_device.h: the clock around a CUDA stage on a GPU: around a run and a wait for it. Inputs are made on the device
// before, in memory that no cache holds; outputs are compared after.
#ifndef LAB_TIME_DEVICE_H
#define LAB_TIME_DEVICE_H

#include "clock.h"
#include "contender.h"

// Measures one point on all; c[0] is the null stage, whose time is subtracted, and timings[i] belongs to c[i]. While a
// shape does not fit into device_bytes, its batch is halved; *batch is what was measured.
void lab_time_device(lab_contender *c, int n, const lab_experiment *e, uint64_t seed, int *batch, lab_timing *timings);

#endif
