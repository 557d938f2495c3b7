// blocks.c: the table of blocks. Results.md's sections print to standard output; here they print into memory, often on
// a view: a copy of the results that holds only the task and the series asked for.
#define _GNU_SOURCE
#include "blocks.h"

#include "page.h"
#include "results.h"
#include "tidy.h"
#include "versus.h"

#include <stdlib.h>
#include <string.h>

#define NOT_TIMED "Grade with the benchmark (without --no-bench); CUDA kernels are timed on a GPU only."

static bool same(const char *a, const char *b) { return strcmp(a, b) == 0; }

// Leaves in list the elements whose key has this value.
static void keep(json_t *list, const char *key, const char *value) {
    for (size_t i = json_array_size(list); i-- > 0;) {
        if (!same(results_text(json_array_get(list, i), key), value)) {
            json_array_remove(list, i);
        }
    }
}

// A copy with one task (NULL: all) and, of each task, only this list: its timings, of one series (NULL: all), or its
// traffic_table.
static json_t *view_of(const json_t *root, const char *task, const char *list, const char *series) {
    json_t *view = json_deep_copy(root), *tasks = json_object_get(view, "tasks");
    if (task && !same(task, "all")) {
        keep(tasks, "id", task);
    }
    for (size_t t = 0; t < json_array_size(tasks); t++) {
        json_t *timings = json_object_get(json_array_get(tasks, t), "timings");
        json_array_clear(same(list, "timings") ? json_object_get(json_array_get(tasks, t), "counts") : timings);
        if (series) {
            keep(timings, "series", series);
        }
    }
    return view;
}

// How many entries the list has, over all tasks.
static size_t total(const json_t *view, const char *list) {
    const json_t *tasks = json_object_get(view, "tasks");
    size_t count = 0;
    for (size_t t = 0; t < json_array_size(tasks); t++) {
        const json_t *entries = json_object_get(json_array_get(tasks, t), list);
        count += json_is_array(entries) ? json_array_size(entries) : json_object_size(entries);
    }
    return count;
}

// Not measured: task2 (PASSED), task4 (MISSING).
static void name_tasks_without(const json_t *view, const char *list, const char *what) {
    const json_t *tasks = json_object_get(view, "tasks");
    const char *before = what;
    for (size_t t = 0; t < json_array_size(tasks); t++) {
        const json_t *task = json_array_get(tasks, t);
        if (json_array_size(json_object_get(task, list)) == 0) {
            printf("%s%s (%s)", before, results_text(task, "id"), results_text(task, "verdict"));
            before = ", ";
        }
    }
    printf("%s", before == what ? "" : ".\n");
}

// page_benchmarks on a view, or why there is nothing: the task was not graded, or has no entry in that list.
static void print_view(const json_t *root, const char *list, const char *task, const char *series) {
    json_t *view = view_of(root, task, list, series);
    bool timings = same(list, "timings");
    if (total(view, list) > 0) {
        page_benchmarks(view);
    } else if (json_array_size(json_object_get(view, "tasks")) == 0) {
        printf("%s is not in these results: it was not graded.\n", task && !same(task, "all") ? task : "No task");
    } else if (timings) {
        printf("No timing%s%s in these results. %s\n", series ? " of series " : "", series ? series : "", NOT_TIMED);
    } else {
        printf("No memory traffic in these results: backend simt counts it in its checked mode.\n");
    }
    name_tasks_without(view, list, timings ? "\nTasks not measured here: " : "\nTasks not counted: ");
    json_decref(view);
}

typedef struct {
    const block_source *source;
    const char *first, *second;  // arguments; NULL where there are fewer
} request;

// Each prints its block. False: not with these arguments.
static bool print_run(const request *r) { return page_headline(r->source->root), true; }
static bool print_summary(const request *r) { return page_summary(r->source->root), true; }
static bool print_intensity(const request *r) { return page_intensity(r->source->root), true; }
static bool print_method(const request *r) { return page_method(r->source->root), true; }
static bool print_fusion(const request *r) { return versus_naive(r->source->root), true; }
static bool print_speedups(const request *r) { return versus_four(r->source->root), true; }

static bool print_demo(const request *r) {
    page_demo(r->source->root);
    if (total(r->source->root, "demo") == 0) {
        printf("No demo in these results: it runs with task 6.\n");
    }
    return true;
}

static bool print_profile(const request *r) {
    json_t *view = view_of(r->source->root, r->first, "profile", NULL);
    page_profile(view);
    json_decref(view);
    return true;
}

static bool print_counts(const request *r) { return print_view(r->source->root, "counts", r->first, NULL), true; }

static bool print_gap(const request *r) {
    versus_baselines(r->source->root);
    name_tasks_without(r->source->root, "timings", "\nTasks not measured here: ");
    return true;
}

static bool print_benchmark(const request *r) {
    print_view(r->source->root, "timings", r->first, r->second);
    return !r->second || page_has_series(r->second);
}

// A figure that only some tasks can have: that the others were not timed says nothing about it.
static bool is_of_some_tasks(const char *figure) {
    static const char *const names[] = {"roofline_gpu",     "traffic", "scaling_queries", "scaling_dim",
                                        "decode_bandwidth", "latency", "latency_kv"};
    for (size_t i = 0; figure && i < sizeof names / sizeof names[0]; i++) {
        if (same(figure, names[i])) {
            return true;
        }
    }
    return false;
}

static bool print_plots(const request *r) {
    page_plots(r->source->root, r->source->plots_folder);
    if (total(r->source->root, "timings") > 0 && !is_of_some_tasks(r->first)) {
        name_tasks_without(r->source->root, "timings", "\nNothing to draw, for nothing was timed: ");
    }
    return true;
}

static const struct {
    const char *name;
    int most_arguments;
    bool (*print)(const request *r);
    const char *usage;
} blocks[] = {
    {"run", 0, print_run, "run                         who was graded, when, on which machine, the score"},
    {"summary", 0, print_summary, "summary                     verdict and points, task by task"},
    {"intensity", 0, print_intensity, "intensity                   FLOPs per byte, derived, and the ridge point"},
    {"counts", 1, print_counts, "counts [TASK]               counted memory traffic, buffer by buffer"},
    {"profile", 1, print_profile,
     "profile [TASK]              registers, spills, and what ncu measured, kernel by kernel"},
    {"gap", 0, print_gap, "gap                         yours against every baseline at S = 128, 512, 1024, and decode"},
    {"speedups", 0, print_speedups,
     "speedups                    the four speed-ups of task 4: short, long, full, causal"},
    {"fusion", 0, print_fusion,
     "fusion                      the naive chain (task 2) against the fused kernel (task 4)"},
    {"benchmark", 2, print_benchmark,
     "benchmark [TASK|all [SERIES]]  timings; SERIES: seq, heads, batch, dim, threads, tiles, speedups, queries, "
     "kernels, graph, "
     "kv, tokens, model, tbt"},
    {"plots", 1, print_plots, "plots [FIGURE]              pictures; FIGURE: roofline, roofline_gpu, scaling_seq, ..."},
    {"demo", 0, print_demo, "demo                        task 6: what the language model answered, and its recall"},
    {"method", 0, print_method, "method                      how it was measured, and the ceilings"},
};

void block_list(FILE *out) {
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
        fprintf(out, "    lab:%s\n", blocks[i].usage);
    }
}

// What print prints. Results.md's sections know standard output only; glibc lets it be another stream for a while.
static char *captured(bool (*print)(const request *r), const request *r, bool *accepted) {
    char *text = NULL;
    size_t size;
    FILE *terminal = stdout, *memory = open_memstream(&text, &size);
    if (!memory) {
        fprintf(stderr, "report: out of memory\n");
        exit(1);
    }
    stdout = memory;
    *accepted = print(r);
    stdout = terminal;
    fclose(memory);
    return text;
}

char *block_text(const block_source *source, const char *const words[], int word_count) {
    request r = {source, word_count > 1 ? words[1] : NULL, word_count > 2 ? words[2] : NULL};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
        if (!same(words[0], blocks[i].name) || word_count - 1 > blocks[i].most_arguments) {
            continue;
        }
        bool accepted, plots = blocks[i].print == print_plots;
        char *raw = captured(blocks[i].print, &r, &accepted);
        tidy_figures figures = {source->root, r.first, source->plots_link, 0};
        char *text = tidy_section(raw, plots ? &figures : NULL);
        free(raw);
        // Where anything was timed, every figure has its line: a figure without one is none of the lab's.
        accepted = accepted && !(plots && figures.kept == 0 && total(source->root, "timings") > 0);
        if (accepted) {
            return text;
        }
        free(text);
    }
    return NULL;
}
