// versus.c: yours against the baselines, and the naive chain against the fused kernel.
#include "versus.h"

#include "markdown.h"
#include "results.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool is_text(const json_t *timing, const char *key, const char *value) {
    return strcmp(results_text(timing, key), value) == 0;
}

// In the series seq, at a length that the analysis asks about.
static bool is_asked(const json_t *timing) {
    double S = results_number(json_object_get(timing, "shape"), "seq_kv");
    return is_text(timing, "series", "seq") && (S == 128 || S == 512 || S == 1024);
}

// What was measured on yours at the same shape, with the same threads. NULL: nothing was.
static const json_t *yours_like(const json_t *timings, const json_t *wanted) {
    for (size_t i = 0; i < json_array_size(timings); i++) {
        const json_t *timing = json_array_get(timings, i);
        if (is_text(timing, "series", "seq") && is_text(timing, "implementation", "yours") &&
            json_equal(json_object_get(timing, "shape"), json_object_get(wanted, "shape")) &&
            json_equal(json_object_get(timing, "threads"), json_object_get(wanted, "threads")) &&
            results_is_measured(timing)) {
            return timing;
        }
    }
    return NULL;
}

static bool is_baseline(const json_t *timing) {
    return is_asked(timing) && !is_text(timing, "implementation", "yours");
}

// How many of timings[0..end) are of this baseline at an asked length, and measured (or not).
static size_t count_of(const json_t *timings, size_t end, const char *baseline, bool measured) {
    size_t count = 0;
    for (size_t i = 0; i < end; i++) {
        const json_t *timing = json_array_get(timings, i);
        count += is_baseline(timing) && is_text(timing, "implementation", baseline) &&
                 results_is_measured(timing) == measured;
    }
    return count;
}

static void baseline_row(const json_t *task, const json_t *baseline, bool for_every_shape) {
    const json_t *yours = for_every_shape ? NULL : yours_like(json_object_get(task, "timings"), baseline);
    printf("| %s | ", results_text(task, "id"));
    if (for_every_shape) {
        printf("every shape");
    } else {
        md_shape(json_object_get(baseline, "shape"));
    }
    printf(" | ");
    md_seconds(results_number(yours, "median_s"));
    printf(" | ");
    md_text(results_text(baseline, "implementation"));
    if (results_is_measured(baseline)) {
        printf(" | ");
        md_seconds(results_number(baseline, "median_s"));
    } else {
        const char *why = results_text(baseline, "why");
        printf(" | not measured: %s%s", results_text(baseline, "verdict"), why ? ", " : "");
        md_text(why);
    }
    printf(" | ");
    md_factor(results_number(baseline, "median_s") / results_number(yours, "median_s"));
    printf(" |\n");
}

// A row per shape and baseline; one row says it for a baseline that was never measured.
static size_t baseline_rows(const json_t *task, size_t rows) {
    const json_t *timings = json_object_get(task, "timings");
    for (size_t i = 0; i < json_array_size(timings); i++) {
        const json_t *timing = json_array_get(timings, i);
        const char *name = results_text(timing, "implementation");
        bool never = count_of(timings, json_array_size(timings), name, true) == 0;
        if (is_baseline(timing) && !(never && count_of(timings, i, name, false) > 0)) {
            printf("%s", rows++ ? ""
                                : "| task | shape | yours | baseline | its median | yours is |\n"
                                  "|---|---|--:|---|--:|---|\n");
            baseline_row(task, timing, never);
        }
    }
    return rows;
}

void versus_baselines(const json_t *root) {
    const json_t *tasks = json_object_get(root, "tasks");
    size_t rows = 0;
    for (size_t t = 0; t < json_array_size(tasks); t++) {
        rows = baseline_rows(json_array_get(tasks, t), rows);
    }
    if (rows == 0) {
        printf(
            "Not measured: these results hold no baseline at S = 128, 512 or 1024. Grade with the benchmark (without "
            "--no-bench); CUDA kernels are timed on a GPU only.\n");
    }
}

static const json_t *task_named(const json_t *root, const char *id) {
    const json_t *tasks = json_object_get(root, "tasks");
    for (size_t t = 0; t < json_array_size(tasks); t++) {
        if (is_text(json_array_get(tasks, t), "id", id)) {
            return json_array_get(tasks, t);
        }
    }
    return NULL;
}

static size_t fusion_in_time(const json_t *naive, const json_t *fused) {
    const json_t *timings = json_object_get(fused, "timings");
    size_t rows = 0;
    for (size_t i = 0; i < json_array_size(timings); i++) {
        const json_t *after = json_array_get(timings, i);
        const json_t *before = yours_like(json_object_get(naive, "timings"), after);
        if (!before || yours_like(timings, after) != after) {
            continue;
        }
        printf("%s| ", rows++ ? ""
                              : "| shape | naive chain | fused | fused is | model's bytes, naive | fused |\n"
                                "|---|--:|--:|---|--:|--:|\n");
        md_shape(json_object_get(after, "shape"));
        printf(" | ");
        md_seconds(results_number(before, "median_s"));
        printf(" | ");
        md_seconds(results_number(after, "median_s"));
        printf(" | ");
        md_factor(results_number(before, "median_s") / results_number(after, "median_s"));
        printf(" | ");
        md_bytes(results_number(before, "bytes"));
        printf(" | ");
        md_bytes(results_number(after, "bytes"));
        printf(" |\n");
    }
    return rows;
}

// Bytes loaded and stored in a case, over all buffers; NaN if the case was not counted.
static double counted_bytes(const json_t *task, const char *name) {
    const json_t *counts = json_object_get(task, "counts");
    double sum = NAN;
    for (size_t i = 0; i < json_array_size(counts); i++) {
        const json_t *count = json_array_get(counts, i);
        if (is_text(count, "case", name)) {
            sum =
                (isnan(sum) ? 0 : sum) + results_number(count, "bytes_loaded") + results_number(count, "bytes_stored");
        }
    }
    return sum;
}

static size_t fusion_in_bytes(const json_t *naive, const json_t *fused) {
    const json_t *counts = json_object_get(fused, "counts");
    size_t rows = 0;
    for (size_t i = 0; i < json_array_size(counts); i++) {
        const char *name = results_text(json_array_get(counts, i), "case");
        double before = counted_bytes(naive, name), after = counted_bytes(fused, name);
        bool again = false;
        for (size_t k = 0; k < i; k++) {
            again = again || is_text(json_array_get(counts, k), "case", name);
        }
        if (again || isnan(before)) {
            continue;
        }
        printf("%s| ",
               rows++ ? "" : "\n| case | counted bytes, naive chain | fused | naive / fused |\n|---|--:|--:|--:|\n");
        md_text(name);
        printf(" | ");
        md_bytes(before);
        printf(" | ");
        md_bytes(after);
        printf(" | ");
        md_number(after > 0 ? before / after : NAN);
        printf(" |\n");
    }
    return rows;
}

void versus_naive(const json_t *root) {
    const json_t *naive = task_named(root, "task2"), *fused = task_named(root, "task4");
    size_t timed = fusion_in_time(naive, fused);
    if (timed == 0) {
        printf(
            "Times not measured: task 2 and task 4 were not both timed at an equal shape (%s). CUDA kernels are timed "
            "on a GPU only.\n",
            !naive && !fused ? "neither was graded"
            : !naive         ? "task 2 was not graded"
            : !fused         ? "task 4 was not graded"
                             : "both were graded");
    }
    if (fusion_in_bytes(naive, fused) == 0) {
        printf("\nTraffic not counted: no case of task 2 and task 4 was counted for both. Backend simt counts.\n");
    }
}
