// series.c: the table of series, in the order in which the report shows them.
#include "series.h"

#include <stddef.h>
#include <string.h>

const lab_series lab_all_series[] = {
    {"seq", "time against sequence length", LAB_BY_SEQ, 0, 0},
    {"heads", "time against heads", LAB_BY_HEADS, 0, 0},
    {"batch", "time against batch", LAB_BY_BATCH, 0, 0},
    {"dim", "head dimensions, at long sequences", LAB_BY_SEQ_AND_BATCH, 0, 1},
    {"threads", "time against threads", LAB_BY_THREADS, 0, 0},
    {"tiles", "tile sweep", LAB_BY_TILES, 0, 0},
    {"speedups", "a short and a long sequence", LAB_BY_NOTHING, 0, 1},
    {"queries", "before and after a block per query tile", LAB_BY_SEQ, 0, 1},
    {"kernels", "the naive chain, kernel by kernel", LAB_BY_NOTHING, 0, 1},
    {"graph", "small shapes, replayed from a CUDA graph", LAB_BY_NOTHING, 0, 1},
    {"kv", "decode against KV length", LAB_BY_KV, 1, 1},
    {"tokens", "a prompt of 1024, then 100 tokens: time per token", LAB_BY_NOTHING, 1, 1},
    {"model", "latency of the whole model", LAB_BY_NOTHING, 0, 1},
    {"tbt", "time between tokens against KV length", LAB_BY_KV, 1, 1},
};

const int lab_n_series = sizeof lab_all_series / sizeof *lab_all_series;

const lab_series *lab_series_find(const char *name) {
    for (int i = 0; i < lab_n_series; i++)
        if (strcmp(lab_all_series[i].name, name) == 0) return &lab_all_series[i];
    return NULL;
}

double lab_noise(double median_s, double iqr_s, int runs) { return runs > 1 ? iqr_s / 2 : 0.05 * median_s; }
