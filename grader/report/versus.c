// versus.c: yours against the baselines, a table per task: a row per shape, a column per baseline.
#include "versus.h"

#include "markdown.h"
#include "results.h"

#include <stdio.h>
#include <string.h>

static bool is_text(const json_t *timing, const char *key, const char *value) {
    return strcmp(results_text(timing, key), value) == 0;
}

// In the series seq, at a length that the analysis asks about; or decode.
static bool is_asked(const json_t *timing) {
    double S = results_number(json_object_get(timing, "shape"), "seq_kv");
    return is_text(timing, "series", "kv") || (is_text(timing, "series", "seq") && (S == 128 || S == 512 || S == 1024));
}

// The timing of this implementation in the series of wanted, at its shape and with its threads. NULL: there is none.
static const json_t *timing_like(const json_t *timings, const json_t *wanted, const char *implementation) {
    for (size_t i = 0; i < json_array_size(timings); i++) {
        const json_t *timing = json_array_get(timings, i);
        if (is_text(timing, "series", results_text(wanted, "series")) &&
            is_text(timing, "implementation", implementation) &&
            json_equal(json_object_get(timing, "shape"), json_object_get(wanted, "shape")) &&
            json_equal(json_object_get(timing, "threads"), json_object_get(wanted, "threads"))) {
            return timing;
        }
    }
    return NULL;
}

// What was measured on yours there. NULL: nothing was.
static const json_t *yours_like(const json_t *timings, const json_t *wanted) {
    const json_t *yours = timing_like(timings, wanted, "yours");
    return yours && results_is_measured(yours) ? yours : NULL;
}

static bool is_baseline(const json_t *timing) {
    return is_asked(timing) && !is_text(timing, "implementation", "yours");
}

// Entry i is the first of its baseline (of a column of the table).
static bool opens_column(const json_t *timings, size_t i) {
    for (size_t k = 0; k < i; k++) {
        const json_t *earlier = json_array_get(timings, k);
        if (is_baseline(earlier) &&
            is_text(earlier, "implementation", results_text(json_array_get(timings, i), "implementation"))) {
            return false;
        }
    }
    return is_baseline(json_array_get(timings, i));
}

// Entry i is the first baseline at its shape (of a row).
static bool opens_row(const json_t *timings, size_t i) {
    const json_t *timing = json_array_get(timings, i);
    for (size_t k = 0; k < i; k++) {
        const json_t *earlier = json_array_get(timings, k);
        if (is_baseline(earlier) && timing_like(timings, timing, results_text(earlier, "implementation")) == earlier) {
            return false;
        }
    }
    return is_baseline(timing);
}

// Measured at one of the asked lengths at least.
static bool was_measured(const json_t *timings, const char *baseline) {
    for (size_t i = 0; i < json_array_size(timings); i++) {
        const json_t *timing = json_array_get(timings, i);
        if (is_baseline(timing) && is_text(timing, "implementation", baseline) && results_is_measured(timing)) {
            return true;
        }
    }
    return false;
}

static void not_measured(const json_t *timing) {
    const char *why = results_text(timing, "why");
    printf("%s%s", results_text(timing, "verdict"), why ? ", " : "");
    md_text(why);
}

// 39.0 µs, 2.68x slower
static void baseline_cell(const json_t *timing, const json_t *yours) {
    if (timing && !results_is_measured(timing)) {
        printf("not measured: ");
        not_measured(timing);
        return;
    }
    md_seconds(results_number(timing, "median_s"));
    if (timing && yours) {
        printf(", ");
        md_factor(results_number(timing, "median_s") / results_number(yours, "median_s"));
    }
}

static void baseline_row(const json_t *timings, const json_t *at) {
    const json_t *yours = yours_like(timings, at);
    printf("| ");
    md_shape(json_object_get(at, "shape"));
    printf(" | ");
    md_seconds(results_number(yours, "median_s"));
    for (size_t i = 0; i < json_array_size(timings); i++) {
        const char *name = results_text(json_array_get(timings, i), "implementation");
        if (opens_column(timings, i) && was_measured(timings, name)) {
            printf(" | ");
            baseline_cell(timing_like(timings, at, name), yours);
        }
    }
    printf(" |\n");
}

// A column per baseline that was measured; a line each for the others. Returns whether there is any baseline.
static bool baselines_of_task(const json_t *task) {
    const json_t *timings = json_object_get(task, "timings");
    size_t columns = 0, count = 0;
    for (size_t i = 0; i < json_array_size(timings); i++) {
        const char *name = results_text(json_array_get(timings, i), "implementation");
        count += opens_column(timings, i);
        if (opens_column(timings, i) && was_measured(timings, name)) {
            printf(columns++ ? ""
                             : "\n### %s against its baselines\n\nBeside each baseline's median: yours is ... than "
                               "it.\n\n| shape | yours |",
                   results_text(task, "id"));
            printf(" ");
            md_text(name);
            printf(" |");
        }
    }
    for (size_t i = 0; i < columns; i++) {
        printf(i ? "--:|" : "\n|---|--:|--:|");
    }
    printf(columns ? "\n" : "");
    for (size_t i = 0; columns && i < json_array_size(timings); i++) {
        if (opens_row(timings, i)) {
            baseline_row(timings, json_array_get(timings, i));
        }
    }
    for (size_t i = 0; i < json_array_size(timings); i++) {
        const json_t *timing = json_array_get(timings, i);
        if (opens_column(timings, i) && !was_measured(timings, results_text(timing, "implementation"))) {
            printf("\nNot measured, %s: ", results_text(task, "id"));
            md_text(results_text(timing, "implementation"));
            printf(", ");
            not_measured(timing);
            printf(".\n");
        }
    }
    return count > 0;
}

void versus_baselines(const json_t *root) {
    const json_t *tasks = json_object_get(root, "tasks");
    bool any = false;
    for (size_t t = 0; t < json_array_size(tasks); t++) {
        any = baselines_of_task(json_array_get(tasks, t)) || any;
    }
    if (!any) {
        printf("\nNot measured: these results hold no baseline at S = 128, 512 or 1024, and no decode. Grade with the "
               "benchmark (without --no-bench); CUDA kernels are timed on a GPU only.\n");
    }
}
