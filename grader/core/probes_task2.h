// probes_task2.h: the probes of task 2 whose claims stand in another file than they do.
#ifndef LAB_PROBES_TASK2_H
#define LAB_PROBES_TASK2_H

#include "probes.h"

enum { TILE = 32 };

extern const lab_op probe_matrix_offset, probe_load_or_zero, probe_load_tiles_nt, probe_load_tiles_nn,
    probe_multiply_nt;  // probes_task2_gemm.c

#endif
