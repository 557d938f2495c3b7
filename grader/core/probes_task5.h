// probes_task5.h: the probes of task 5 whose claims stand in another file than they do.
#ifndef LAB_PROBES_TASK5_H
#define LAB_PROBES_TASK5_H

#include "probes.h"

enum { MOST_SPLITS = 64 };

extern const lab_op probe_add_key, probe_join_warps, probe_join_splits, probe_leave_part, probe_first_key,
    probe_log_sum_exp;  // probes_task5_parts.c

#endif
