// experiments.c: the table of measurements.
#include "experiments.h"

#include <stdio.h>
#include <string.h>

#define FULL(B, H, S)                                                                                                  \
    { B, H, S, S, 64, 0 }
#define CAUSAL(B, H, S)                                                                                                \
    { B, H, S, S, 64, 1 }
#define TILE_ROW(Br)                                                                                                   \
    {"task3", "tiles", FULL(1, 4, 1024), {Br, 16}, 0, 0}, {"task3", "tiles", FULL(1, 4, 1024), {Br, 32}, 0, 0},        \
        {"task3", "tiles", FULL(1, 4, 1024), {Br, 64}, 0, 0}, {"task3", "tiles", FULL(1, 4, 1024), {Br, 128}, 0, 0},   \
        {"task3", "tiles", FULL(1, 4, 1024), {Br, 256}, 0, 0}, {                                                       \
        "task3", "tiles", FULL(1, 4, 1024), {Br, 512}, 0, 0                                                            \
    }

const lab_experiment lab_experiments[] = {
    {"task1", "seq", FULL(1, 8, 128), {0}, 1, 1},
    {"task1", "seq", FULL(1, 8, 512), {0}, 1, 1},
    {"task1", "seq", FULL(1, 8, 1024), {0}, 1, 1},
    {"task1", "seq", CAUSAL(1, 8, 128), {0}, 1, 1},
    {"task1", "seq", CAUSAL(1, 8, 512), {0}, 1, 1},
    {"task1", "seq", CAUSAL(1, 8, 1024), {0}, 1, 1},

    {"task3", "seq", FULL(1, 8, 128), {0}, 0, 1},
    {"task3", "seq", FULL(1, 8, 512), {0}, 0, 1},
    {"task3", "seq", FULL(1, 8, 1024), {0}, 0, 1},
    {"task3", "seq", FULL(1, 8, 2048), {0}, 0, 1},
    {"task3", "seq", FULL(1, 8, 4096), {0}, 0, 1},
    {"task3", "seq", CAUSAL(1, 8, 128), {0}, 0, 1},
    {"task3", "seq", CAUSAL(1, 8, 512), {0}, 0, 1},
    {"task3", "seq", CAUSAL(1, 8, 1024), {0}, 0, 1},
    {"task3", "seq", CAUSAL(1, 8, 2048), {0}, 0, 1},
    {"task3", "seq", CAUSAL(1, 8, 4096), {0}, 0, 1},

    {"task3", "heads", FULL(1, 1, 512), {0}, 0, 1},
    {"task3", "heads", FULL(1, 2, 512), {0}, 0, 1},
    {"task3", "heads", FULL(1, 4, 512), {0}, 0, 1},
    {"task3", "heads", FULL(1, 8, 512), {0}, 0, 1},
    {"task3", "heads", FULL(1, 16, 512), {0}, 0, 1},

    {"task3", "batch", FULL(1, 4, 512), {0}, 0, 1},
    {"task3", "batch", FULL(2, 4, 512), {0}, 0, 1},
    {"task3", "batch", FULL(4, 4, 512), {0}, 0, 1},
    {"task3", "batch", FULL(8, 4, 512), {0}, 0, 1},

    {"task3", "threads", FULL(1, 8, 1024), {0}, 0, 1},  // at 1, 2, 4, ... all threads

    TILE_ROW(4),
    TILE_ROW(16),
    TILE_ROW(32),
    TILE_ROW(64),
    TILE_ROW(128),
    TILE_ROW(256),
};

const int lab_n_experiments = sizeof lab_experiments / sizeof *lab_experiments;

int lab_has_experiments(const char *task) {
    for (int i = 0; i < lab_n_experiments; i++)
        if (strcmp(lab_experiments[i].task, task) == 0) return 1;
    return 0;
}

void lab_experiment_name(const lab_experiment *e, int threads, char *text, size_t size) {
    const attn_shape s = e->shape;
    if (strcmp(e->series, "heads") == 0)
        snprintf(text, size, "H=%d", s.heads);
    else if (strcmp(e->series, "batch") == 0)
        snprintf(text, size, "B=%d", s.batch);
    else if (strcmp(e->series, "threads") == 0)
        snprintf(text, size, "%d thread%s", threads, threads > 1 ? "s" : "");
    else if (strcmp(e->series, "tiles") == 0)
        snprintf(text, size, "Br=%d Bc=%d", e->tiles[0], e->tiles[1]);
    else
        snprintf(text, size, "S=%d %s", s.seq_q, s.causal ? "causal" : "full");
}
