// probes_task3.h: the probes of task 3 whose claims stand in another file than they do.
#ifndef LAB_PROBES_TASK3_H
#define LAB_PROBES_TASK3_H

#include "probes.h"

enum { PAD = 5, UNTOUCHED = 5 };

extern const lab_op probe_raise_max, probe_rescale, probe_exponentiate, probe_divide, probe_walk_visible_keys,
    probe_threads, probe_lanes, probe_max_in_lanes, probe_exp_of;  // probes_task3_rows.c, probes_task3_walk.c

#endif
