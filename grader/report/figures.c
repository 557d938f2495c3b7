// figures.c: the plots on the page. The same rule as in plots.py says which plots a task has: a plot without data is
// neither drawn nor embedded, and the page says why.
#include "page.h"

#include "results.h"
#include "roof.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define NO_GPU "there is no GPU, and a time on the CPU is no kernel's speed"

typedef struct {
    const char *name;  // of the file, without ending
    const char *title;
    const char *series[2];
    bool needs_ceilings;
    const char *tasks;  // on the GPU: of which tasks the page says that it is left out; NULL: of none
} figure;

static const figure cpu_figures[] = {
    {"roofline", "Roofline: what the machine allows, and where each implementation stands", {"seq"}, true, NULL},
    {"scaling_seq", "Time against sequence length, with slopes", {"seq"}, false, NULL},
    {"scaling_heads_batch", "Time against heads and batch", {"heads", "batch"}, false, NULL},
    {"scaling_threads", "Rate against threads", {"threads"}, false, NULL},
    {"scaling_tiles", "Rate by tile size, Br × Bc", {"tiles"}, false, NULL},
    {"scaling_memory", "Memory: O(S²) of the naive chain, O(S) of the fused kernel", {"seq"}, false, NULL},
};

static const figure gpu_figures[] = {
    {"scaling_seq", "Time and TFLOP/s against sequence length", {"seq"}, false, "task2 task4"},
    {"scaling_heads_batch", "Time and TFLOP/s against heads and batch", {"heads", "batch"}, false, "task4"},
    {"scaling_dim", "Time and TFLOP/s by head dimension, at long sequences", {"dim"}, false, "task4"},
    {"scaling_tiles", "Rate by tile size, Br × Bc", {"tiles"}, false, "task4"},
    {"scaling_queries", "Before and after a block per query tile", {"queries"}, false, NULL},
    {"scaling_memory", "Memory: O(S²) of the naive chain, O(S) of the fused kernel", {"seq"}, false, NULL},
    {"decode_bandwidth", "Decode: bandwidth against KV length", {"kv"}, false, "task5"},
    {"latency", "TTFT and TBT by implementation", {"model"}, false, "task6"},
    {"latency_kv", "TBT against KV length", {"tbt"}, false, "task6"},
};

static bool is_on_gpu(const json_t *task) {
    const json_t *timings = json_object_get(task, "timings");
    for (size_t i = 0; i < json_array_size(timings); i++) {
        if (!isnan(results_number(json_array_get(timings, i), "threads"))) {
            return false;
        }
    }
    return json_array_size(timings) > 0;
}

static bool is_of(const json_t *timing, const figure *f) {
    const char *series = results_text(timing, "series");
    for (size_t s = 0; s < 2 && f->series[s]; s++) {
        if (strcmp(series, f->series[s]) == 0) {
            return true;
        }
    }
    return false;
}

static bool has_data(const json_t *task, const figure *f) {
    const json_t *timings = json_object_get(task, "timings");
    bool memory_on_gpu = strcmp(f->name, "scaling_memory") == 0 && is_on_gpu(task);
    for (size_t i = 0; i < json_array_size(timings); i++) {
        const json_t *timing = json_array_get(timings, i);
        // A sweep without tile sizes has no place in a grid of tile sizes.
        bool placed =
            strcmp(results_text(timing, "series"), "tiles") != 0 || json_is_array(json_object_get(timing, "tiles"));
        bool known = !memory_on_gpu || results_number(timing, "extra_bytes") > 0;
        if (is_of(timing, f) && placed && known && results_is_measured(timing)) {
            return true;
        }
    }
    return false;
}

static const char *why_missing(const json_t *root, const json_t *task, const figure *f) {
    if (!has_data(task, f)) {
        bool no_gpu = is_on_gpu(task) && strcmp(results_text(root, "backend"), "cuda") != 0;
        return no_gpu ? NO_GPU : "nothing of its series was measured";
    }
    const json_t *timing = json_array_get(json_object_get(task, "timings"), 0);
    if (f->needs_ceilings && isnan(roof_at(roof_ceilings_for(root, timing), 1))) {
        return "the machine's ceilings were not measured";
    }
    return NULL;
}

// The CPU's task with the most timings, the first of those: its plots have the plain names. NULL if no task has any.
static const json_t *main_task(const json_t *root) {
    const json_t *tasks = json_object_get(root, "tasks"), *most = NULL;
    size_t count = 0;
    for (size_t t = 0; t < json_array_size(tasks); t++) {
        const json_t *task = json_array_get(tasks, t);
        if (!is_on_gpu(task) && json_array_size(json_object_get(task, "timings")) > count) {
            count = json_array_size(json_object_get(task, "timings"));
            most = task;
        }
    }
    return most;
}

// The picture, or the reason why there is none. of: whose it is.
static void print_figure(const char *base, const char *name, const char *title, const char *of, const char *why,
                         const char *folder) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.png", folder ? folder : ".", name);
    if (!why && folder && access(path, R_OK) != 0) {
        why = "its picture was not drawn (is matplotlib installed? make setup)";
    }
    if (why) {
        printf("\n%s of %s is left out: %s.\n", base, of, why);
    } else {
        printf("\n[![%s](%s.png)](%s.svg)\n", title, name, name);
    }
}

// Every task but the main one has its id behind the name: roofline.png, roofline_task1.png.
static void figures_of_task(const json_t *root, const json_t *task, bool main, const char *folder) {
    bool gpu = is_on_gpu(task);
    const figure *figures = gpu ? gpu_figures : cpu_figures;
    size_t count = gpu ? sizeof gpu_figures / sizeof gpu_figures[0] : sizeof cpu_figures / sizeof cpu_figures[0];
    for (size_t i = 0; i < count; i++) {
        const figure *f = &figures[i];
        const char *why = why_missing(root, task, f), *id = results_text(task, "id");
        char name[96];
        snprintf(name, sizeof name, "%s%s%s", f->name, main ? "" : "_", main ? "" : id);
        if (!why || !gpu || (f->tasks && strstr(f->tasks, id))) {
            print_figure(f->name, name, f->title, id, why, folder);
        }
    }
}

// Whether the GPU's roofline has a point: roofline_gpu.py's rule.
static bool has_gpu_point(const json_t *root) {
    static const struct {
        const char *task, *series;
    } points[] = {{"task2", "kernels"}, {"task2", "seq"}, {"task4", "seq"}, {"task5", "kv"}};
    const json_t *tasks = json_object_get(root, "tasks");
    for (size_t t = 0; t < json_array_size(tasks); t++) {
        const json_t *task = json_array_get(tasks, t), *timings = json_object_get(task, "timings");
        for (size_t i = 0; i < json_array_size(timings); i++) {
            const json_t *timing = json_array_get(timings, i);
            bool drawn = results_is_measured(timing) && isnan(results_number(timing, "threads")) &&
                         strcmp(results_text(timing, "implementation"), "yours") == 0 &&
                         results_number(timing, "flops") > 0 && results_number(timing, "bytes") > 0;
            for (size_t p = 0; drawn && p < sizeof points / sizeof points[0]; p++) {
                if (strcmp(results_text(task, "id"), points[p].task) == 0 &&
                    strcmp(results_text(timing, "series"), points[p].series) == 0) {
                    return true;
                }
            }
        }
    }
    return false;
}

// Whether task 2 or task 4 has traffic counted at a length: traffic.py's rule.
static bool has_traffic(const json_t *root) {
    const json_t *tasks = json_object_get(root, "tasks");
    for (size_t t = 0; t < json_array_size(tasks); t++) {
        const json_t *task = json_array_get(tasks, t), *counts = json_object_get(task, "counts");
        bool wanted = strcmp(results_text(task, "id"), "task2") == 0 || strcmp(results_text(task, "id"), "task4") == 0;
        for (size_t i = 0; wanted && i < json_array_size(counts); i++) {
            const json_t *count = json_array_get(counts, i), *shape = json_object_get(count, "shape");
            if (shape && strcmp(results_text(count, "buffer"), "shared") != 0 &&
                results_number(shape, "seq_q") == results_number(shape, "seq_kv")) {
                return true;
            }
        }
    }
    return false;
}

static void figures_of_all(const json_t *root, const char *folder) {
    bool cuda = strcmp(results_text(root, "backend"), "cuda") == 0;
    bool ceilings = json_object_get(json_object_get(root, "machine"), "ceilings") != NULL;
    print_figure("roofline_gpu", "roofline_gpu",
                 "GPU roofline: the naive kernels one by one, the chain, the fused kernel", "the CUDA tasks",
                 !cuda                  ? NO_GPU
                 : !has_gpu_point(root) ? "nothing of yours was measured on the GPU"
                 : !ceilings            ? "the machine's ceilings were not measured"
                                        : NULL,
                 folder);
    print_figure("traffic", "traffic", "Memory traffic as counted: the naive chain and the fused kernel",
                 "task2 and task4", has_traffic(root) ? NULL : "nothing was counted (simt's checked mode counts)",
                 folder);
}

void page_plots(const json_t *root, const char *plots_folder) {
    const json_t *tasks = json_object_get(root, "tasks");
    const json_t *main = main_task(root);
    bool any = has_traffic(root);
    for (size_t t = 0; t < json_array_size(tasks); t++) {
        any = any || json_array_size(json_object_get(json_array_get(tasks, t), "timings")) > 0;
    }
    printf("\n## Plots\n");
    if (any) {
        figures_of_all(root, plots_folder);
    } else {
        printf("\nNo plot: no benchmark was run.\n");
    }
    for (size_t t = 0; t < json_array_size(tasks); t++) {
        const json_t *task = json_array_get(tasks, t);
        if (json_array_size(json_object_get(task, "timings")) > 0) {
            figures_of_task(root, task, task == main, plots_folder);
        }
    }
}
