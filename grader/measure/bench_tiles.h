// bench_tiles.h: which tile sizes are best for task 4's kernel on this GPU.
#ifndef LAB_BENCH_TILES_H
#define LAB_BENCH_TILES_H

#include <stdio.h>

#include "gpu_clock.h"
#include "tasks.h"

// Compiles `source` with every pair of Br and Bc into objects below `folder`, measures each, writes rows of series
// "tiles". null: the null stage's runner; like: how the student's is run. 0, or 1: no pair gave a time.
int lab_bench_tiles(const lab_task *task, const char *source, const char *folder, lab_gpu_runner *null,
                    lab_gpu_runner like, uint64_t seed, FILE *json);

#endif
