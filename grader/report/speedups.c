// speedups.c: the four speed-ups of task 4 (series speedups): a short and a long sequence, full and causal.
#include "versus.h"

#include "markdown.h"
#include "results.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool is_text(const json_t *timing, const char *key, const char *value) {
    return strcmp(results_text(timing, key), value) == 0;
}

// What this implementation took where yours did. NULL: it was not asked.
static const json_t *find(const json_t *timings, const char *implementation, const json_t *yours) {
    for (size_t i = 0; i < json_array_size(timings); i++) {
        const json_t *timing = json_array_get(timings, i);
        if (is_text(timing, "series", "speedups") && is_text(timing, "implementation", implementation) &&
            json_equal(json_object_get(timing, "shape"), json_object_get(yours, "shape"))) {
            return timing;
        }
    }
    return NULL;
}

// its time | yours is
static void against(const json_t *yours, const json_t *other) {
    double mine = yours && results_is_measured(yours) ? results_number(yours, "median_s") : NAN;
    printf(" | ");
    if (!other || results_is_measured(other)) {
        md_seconds(results_number(other, "median_s"));
        printf(" | ");
        md_factor(results_number(other, "median_s") / mine);
    } else {
        printf("not measured: %s%s", results_text(other, "verdict"), results_text(other, "why") ? ", " : "");
        md_text(results_text(other, "why"));
        printf(" | -");
    }
}

static void row(const json_t *timings, const json_t *yours) {
    printf("| ");
    md_shape(json_object_get(yours, "shape"));
    printf(" | ");
    if (results_is_measured(yours)) {
        md_seconds(results_number(yours, "median_s"));
    } else {
        printf("not measured: %s", results_text(yours, "verdict"));
    }
    against(yours, find(timings, "task 2", yours));
    against(yours, find(timings, "cuBLAS chain", yours));
    against(yours, find(timings, "PyTorch", yours));
    printf(" |\n");
}

void versus_four(const json_t *root) {
    const json_t *tasks = json_object_get(root, "tasks");
    size_t rows = 0;
    for (size_t t = 0; t < json_array_size(tasks); t++) {
        const json_t *timings = json_object_get(json_array_get(tasks, t), "timings");
        for (size_t i = 0; i < json_array_size(timings); i++) {
            const json_t *timing = json_array_get(timings, i);
            if (is_text(timing, "series", "speedups") && is_text(timing, "implementation", "yours")) {
                printf(rows++ ? ""
                              : "| shape | yours | task 2 (the lab's) | yours is | cuBLAS chain | yours is | PyTorch | "
                                "yours is |\n|---|--:|--:|---|--:|---|--:|---|\n");
                row(timings, timing);
            }
        }
    }
    if (rows == 0) {
        printf("Not measured: these results hold no timing of series speedups. Kernels are timed on a GPU only.\n");
    }
}
