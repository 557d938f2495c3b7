// benchmarks.c: every timing of results.json, by task and series: time, spread, rate, share of the peak, yours against
// it.
#include "page.h"

#include "traffic_table.h"
#include "latency_table.h"
#include "markdown.h"
#include "results.h"
#include "roof.h"
#include "tile_table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *series;
    const char *title;
    bool of_memory;  // its rate is bytes per second under the memory bandwidth, not FLOPs under the peak
} titles[] = {
    {"seq", "time against sequence length", false},
    {"heads", "time against heads", false},
    {"batch", "time against batch", false},
    {"dim", "head dimensions, at long sequences", false},
    {"threads", "time against threads", false},
    {"tiles", "tile sweep", false},
    {"speedups", "a short and a long sequence", false},
    {"queries", "before and after a block per query tile", false},
    {"kernels", "the naive chain, kernel by kernel", false},
    {"graph", "small shapes, replayed from a CUDA graph", false},
    {"kv", "decode against KV length", true},
    {"tokens", "a prompt of 1024, then 100 tokens: time per token", true},
    {"model", "latency of the whole model", false},
    {"tbt", "time between tokens against KV length", true},
};

static bool is_of_memory(const json_t *timing) {
    for (size_t s = 0; s < sizeof titles / sizeof titles[0]; s++) {
        if (strcmp(titles[s].series, results_text(timing, "series")) == 0) {
            return titles[s].of_memory;
        }
    }
    return false;
}

bool page_has_series(const char *name) {
    for (size_t s = 0; s < sizeof titles / sizeof titles[0]; s++) {
        if (strcmp(titles[s].series, name) == 0) {
            return true;
        }
    }
    return false;
}

static bool in_series(const json_t *timing, const char *series) {
    return strcmp(results_text(timing, "series"), series) == 0;
}

static bool is_yours(const json_t *timing) { return strcmp(results_text(timing, "implementation"), "yours") == 0; }

// GFLOP/s or GB/s | share of the measured ceiling. A rate above it is an error of the measurement and says so.
static void rate_cells(const json_t *root, const json_t *timing) {
    roof_ceilings ceilings = roof_ceilings_for(root, timing);
    bool memory = is_of_memory(timing);
    double work = results_number(timing, memory ? "bytes" : "flops");
    double rate = work > 0 ? work / results_number(timing, "median_s") * 1e-9 : NAN;
    double ceiling = memory ? ceilings.gb_s : ceilings.gflop_s;
    md_number(rate);
    printf(" | ");
    if (isnan(ceiling) || isnan(rate)) {
        printf("-");
    } else {
        const char *what = memory ? "bandwidth" : "peak";
        printf("%.1f %%", 100 * rate / ceiling);
        printf(rate > ceiling ? " **above the %s: error**" : "", what);
    }
}

static void print_implementation(const json_t *timing) {
    printf(is_yours(timing) ? "**" : "");
    md_text(results_text(timing, "implementation"));
    printf(is_yours(timing) ? "**" : "");
}

static void timing_row(const json_t *root, const json_t *timing) {
    const char *verdict = results_text(timing, "verdict");
    const char *why = results_text(timing, "why");
    double median = results_number(timing, "median_s"), threads = results_number(timing, "threads");
    printf("| ");
    md_text(results_text(timing, "case"));
    printf(isnan(threads) ? " | GPU | " : " | %.0f | ", threads);
    print_implementation(timing);
    if (!results_is_measured(timing)) {
        printf(" | not measured: %s", verdict);
        printf(why ? ", " : "");
        md_text(why);
        printf(" | - | - | - | - |\n");
        return;
    }
    printf(" | ");
    md_seconds(median);
    printf("%s | ", strcmp(verdict, "PASSED") == 0 ? "" : " (TIMING_SUSPECT)");
    double spread = 100 * results_number(timing, "iqr_s") / median;
    double runs = results_number(timing, "runs");
    if (isnan(spread) || runs < 2) {
        printf("-, %.0f | ", runs);
    } else {
        printf("%.1f %%, %.0f | ", spread, runs);
    }
    rate_cells(root, timing);
    printf(" | ");
    if (!is_yours(timing)) {
        md_factor(results_number(timing, "speedup"));
    }
    printf(" |\n");
}

// None of the implementation's timings in this series was measured: one line says so instead of a row each.
static bool never_measured(const json_t *timings, const json_t *timing) {
    for (size_t i = 0; i < json_array_size(timings); i++) {
        const json_t *other = json_array_get(timings, i);
        if (in_series(other, results_text(timing, "series")) && results_is_measured(other) &&
            strcmp(results_text(other, "implementation"), results_text(timing, "implementation")) == 0) {
            return false;
        }
    }
    return true;
}

// Below a table: PyTorch was not measured: SKIPPED, python3 has no module torch.
static void never_measured_lines(const json_t *timings, const char *series) {
    for (size_t i = 0; i < json_array_size(timings); i++) {
        const json_t *timing = json_array_get(timings, i);
        bool first = in_series(timing, series) && never_measured(timings, timing);
        for (size_t k = 0; k < i; k++) {
            const json_t *earlier = json_array_get(timings, k);
            first = first && !(in_series(earlier, series) && strcmp(results_text(earlier, "implementation"),
                                                                    results_text(timing, "implementation")) == 0);
        }
        if (first) {
            printf("\nNot measured: ");
            print_implementation(timing);
            printf(", %s", results_text(timing, "verdict"));
            printf(results_text(timing, "why") ? ", " : "");
            md_text(results_text(timing, "why"));
            printf(".\n");
        }
    }
}

static void series_table(const json_t *root, const json_t *timings, const char *series) {
    bool memory = false;
    for (size_t i = 0; i < json_array_size(timings); i++) {
        const json_t *timing = json_array_get(timings, i);
        memory = memory || (in_series(timing, series) && is_of_memory(timing));
    }
    printf("\n| case | threads | implementation | median | spread, runs | %s | yours is |\n"
           "|---|--:|---|--:|--:|--:|--:|---|\n",
           memory ? "GB/s | of bandwidth" : "GFLOP/s | of peak");
    for (size_t i = 0; i < json_array_size(timings); i++) {
        const json_t *timing = json_array_get(timings, i);
        if (in_series(timing, series) && !never_measured(timings, timing)) {
            timing_row(root, timing);
        }
    }
    never_measured_lines(timings, series);
}

static bool has_series(const json_t *timings, const char *series) {
    for (size_t i = 0; i < json_array_size(timings); i++) {
        if (in_series(json_array_get(timings, i), series)) {
            return true;
        }
    }
    return false;
}

static void timings_of_task(const json_t *root, const json_t *task) {
    const json_t *timings = json_object_get(task, "timings");
    for (size_t s = 0; s < sizeof titles / sizeof titles[0]; s++) {
        if (has_series(timings, titles[s].series)) {
            printf("\n### %s: %s\n", results_text(task, "id"), titles[s].title);
            if (strcmp(titles[s].series, "tiles") == 0) {
                tile_tables(timings);
            } else if (strcmp(titles[s].series, "model") == 0) {
                latency_table(timings);
            } else {
                series_table(root, timings, titles[s].series);
            }
        }
    }
}

// Timings whose quartiles lie more than a quarter of the median apart: something else ran on the machine.
static size_t count_unsteady(const json_t *task) {
    const json_t *timings = json_object_get(task, "timings");
    size_t count = 0;
    for (size_t i = 0; i < json_array_size(timings); i++) {
        const json_t *timing = json_array_get(timings, i);
        count +=
            results_is_measured(timing) && results_number(timing, "iqr_s") > 0.25 * results_number(timing, "median_s");
    }
    return count;
}

// Whether any baseline was faster than yours.
static bool is_slower(const json_t *task) {
    const json_t *timings = json_object_get(task, "timings");
    for (size_t i = 0; i < json_array_size(timings); i++) {
        const json_t *timing = json_array_get(timings, i);
        bool other = strncmp(results_text(timing, "implementation"), "yours", 5) != 0;  // "yours, split" is yours too
        if (results_is_measured(timing) && other && results_number(timing, "speedup") < 1) {
            return true;
        }
    }
    return false;
}

void page_benchmarks(const json_t *root) {
    const json_t *tasks = json_object_get(root, "tasks");
    size_t rows = 0;
    printf("\n## Benchmarks\n");
    for (size_t t = 0; t < json_array_size(tasks); t++) {
        const json_t *task = json_array_get(tasks, t);
        rows += json_array_size(json_object_get(task, "timings")) + json_array_size(json_object_get(task, "counts"));
        if (is_slower(task)) {
            printf(
                "\n%s is slower than a baseline somewhere. For a first version that is usual: the baselines call tuned "
                "libraries. The tables say where, and by how much.\n",
                results_text(task, "id"));
        }
        if (count_unsteady(task) > 0) {
            printf("\n%zu timing(s) of %s spread by more than 25 %% of their median: other work ran on the machine. "
                   "Measure "
                   "again on a quiet one before you trust them.\n",
                   count_unsteady(task), results_text(task, "id"));
        }
        timings_of_task(root, task);
        traffic_table(task);
    }
    if (rows == 0) {
        printf("\nNo benchmark was run: no task reached it, or grading ran with --no-bench.\n");
    }
}
