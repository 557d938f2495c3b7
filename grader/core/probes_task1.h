// probes_task1.h: the probes of task 1 whose claims stand in another file than they do.
#ifndef LAB_PROBES_TASK1_H
#define LAB_PROBES_TASK1_H

#include "probes.h"

extern const lab_op probe_row_max, probe_exponentials, probe_normalise;  // probes_task1_softmax.c

#endif
