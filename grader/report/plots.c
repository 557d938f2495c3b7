// plots.c: the table of figures, and how a page shows them.
#include "plots.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "block_table.h"
#include "canvas.h"
#include "markdown.h"
#include "results.h"

// clang-format off
static const lab_figure figures[] = {
    {"roofline_gpu", "GPU roofline: the naive chain, the fused kernel, decode",
     "Fusing moves attention to the right, out of the bandwidth's reach; what is left to the roof is the kernel's own.",
     "all", 0, {0}, "", lab_make_gpu_roofline},
    {"traffic", "Counted memory traffic, without caches",
     "The chain's S×S matrix grows as S²; the fused kernel stores its output alone.",
     "all", 0, {0}, "", lab_make_traffic},
    {"roofline", "Roofline",
     "Left of the ridge memory limits, right of it arithmetic; the roof is that of as many threads.",
     "task3", 1, {"seq"}, "", lab_make_roofline},
    {"scaling_seq", "Time and rate against sequence length",
     "Work grows as S²: a slope of 2 on the upper axes, and a rate that levels off below the roof.",
     "task3 task4", 3, {"seq"}, "tr", lab_make_lines},
    {"scaling_heads_batch", "Time and rate against heads and batch",
     "Once the machine is full, time is proportional to heads times batches.",
     "", 3, {"heads", "batch"}, "tr", lab_make_lines},
    {"scaling_threads", "Rate against threads",
     "What is lost to perfect scaling is shared between threads: caches, memory, clock.",
     "task3", 1, {"threads"}, "r", lab_make_lines},
    {"scaling_dim", "Time and rate by head dimension, at long sequences",
     "A larger head gives each byte of K and V more work, and each block more registers and shared memory.",
     "", 2, {"dim"}, "tr", lab_make_lines},
    {"scaling_tiles", "Tile sweep: rate by Br and Bc",
     "Small tiles read K and V again and again; large ones exceed registers or shared memory.",
     "task4", 3, {"tiles"}, "", lab_make_tiles},
    {"scaling_queries", "Before and after a block per query tile",
     "One block per head leaves most of a GPU idle; a block per query tile fills it.",
     "", 2, {"queries"}, "tr", lab_make_lines},
    {"scaling_memory", "Working memory: O(S²) of the naive chain, O(S) of the fused kernel",
     "What stores the scores grows as S²; a point at 4 KiB is below one page, the least that can be seen.",
     "task3", 3, {"seq"}, "m", lab_make_lines},
    {"decode_bandwidth", "Decode: bandwidth against KV length",
     "One query per sequence reads all of K and V once: memory bandwidth is the roof.",
     "task5", 2, {"kv"}, "b", lab_make_lines},
    {"latency", "Time to first token and between tokens",
     "The first token pays for the whole prompt, each later one for one step.",
     "task6", 2, {"model"}, "", lab_make_latency},
    {"latency_kv", "Time between tokens against KV length",
     "With a cache a step grows slowly with what it reads; without, with S.",
     "", 2, {"tbt"}, "t", lab_make_lines},
};
// clang-format on

enum { N_FIGURES = sizeof figures / sizeof *figures };

int lab_is_figure(const char *name) {
    for (int i = 0; i < N_FIGURES; i++)
        if (strcmp(figures[i].name, name) == 0) return 1;
    return 0;
}

static int runs_on_gpu(const json_t *task) {
    json_t *t;
    size_t i;
    json_array_foreach(json_object_get(task, "timings"), i, t) if (!lab_on_gpu(t)) return 0;
    return json_array_size(json_object_get(task, "timings")) > 0;
}

// The CPU's task with the most timings: its plots have the plain names.
static const json_t *main_task(const json_t *root) {
    json_t *task, *most = NULL;
    size_t i, count = 0;
    json_array_foreach(json_object_get(root, "tasks"), i, task) {
        const size_t n = json_array_size(json_object_get(task, "timings"));
        if (!runs_on_gpu(task) && n > count) most = task, count = n;
    }
    return most;
}

static void add_plot(json_t *plots, const lab_figure *f, const json_t *root, const json_t *task, const char *file) {
    const char *id = task ? lab_str(task, "id") : "all";
    json_t *plot = f->make(f, root, task, file);
    if (!plot) return;
    json_t *about = json_pack("{s:s, s:s, s:s, s:s, s:b}", "figure", f->name, "task", id, "alt", f->title, "sentence",
                              f->sentence, "on_page", strstr(f->page, id) != NULL);
    json_object_update_new(plot, about);
    json_array_append_new(plots, plot);
}

json_t *lab_plots(const json_t *root) {
    json_t *plots = json_array(), *task;
    const json_t *plain = main_task(root);
    size_t i;
    char file[80];
    for (int k = 0; k < N_FIGURES; k++) {
        const lab_figure *f = &figures[k];
        if (!f->where) add_plot(plots, f, root, NULL, f->name);
        json_array_foreach(json_object_get(root, "tasks"), i, task) {
            if (!(f->where & (runs_on_gpu(task) ? 2 : 1))) continue;
            snprintf(file, sizeof file, "%s%s%s", f->name, task == plain ? "" : "_",
                     task == plain ? "" : lab_str(task, "id"));
            add_plot(plots, f, root, task, file);
        }
    }
    return plots;
}

const char *lab_role_of(const json_t *task, const char *implementation) {
    static const char *const roles[] = {"0", "1", "2", "3", "4", "5", "6"};
    json_t *names = lab_implementation_names(json_object_get(task, "timings")), *name;
    size_t i, n = 0;
    json_array_foreach(names, i, name) {
        if (strcmp(json_string_value(name), implementation) == 0) break;
        n += strcmp(json_string_value(name), "yours") != 0;
    }
    json_decref(names);
    return strcmp(implementation, "yours") == 0 ? "yours" : roles[n % 7];
}

void lab_mark_wrong(json_t *panel, double (*roof)(const void *with, double x), const void *with, const char *beyond) {
    json_t *all = json_object_get(panel, "series"), *series, *x, *wrong = NULL;
    size_t n = json_array_size(all), s, i;
    for (s = 0; s < n; s++) {
        series = json_array_get(all, s);
        if (strchr("rif", *lab_str(series, "role"))) continue;  // roof, ideal, formula
        json_array_foreach(json_object_get(series, "x"), i, x) {
            const double y = json_number_value(json_array_get(json_object_get(series, "y"), i));
            if (!(y > roof(with, json_number_value(x)))) continue;
            if (!wrong) wrong = lab_series_new(panel, beyond, "wrong.");
            lab_point(wrong, json_number_value(x), y);
        }
    }
}

// Of a figure's pictures in a brief report: the one that Results.md shows, otherwise the first.
static const json_t *chosen(const lab_view *view) {
    const json_t *first = NULL;
    json_t *plot;
    size_t i;
    json_array_foreach(view->plots, i, plot) {
        if (!lab_is(plot, "figure", view->series)) continue;
        if (json_is_true(json_object_get(plot, "on_page"))) return plot;
        if (!first) first = plot;
    }
    return first;
}

void lab_show_plots(FILE *out, const lab_view *view) {
    const int on_page = view->where == LAB_ON_PAGE, simt = lab_is(view->root, "backend", "simt");
    json_t *plot;
    size_t i, shown = 0, undrawn = 0;
    char path[4400];
    json_array_foreach(view->plots, i, plot) {
        const char *file = lab_str(plot, "file");
        if (view->where != LAB_IN_REPORT && json_is_true(json_object_get(plot, "on_page")) != on_page) continue;
        if (view->series && !lab_is(plot, "figure", view->series)) continue;
        if (view->brief && plot != chosen(view)) continue;
        snprintf(path, sizeof path, "%s/%s.png", view->folder, file);
        shown++;
        if (access(path, R_OK) != 0)
            undrawn++;
        else
            lab_md(out, "\n![%s](%s%s.png)\n%s\n", lab_str(plot, "alt"), view->link, file, lab_str(plot, "sentence"));
    }
    if (undrawn)
        lab_md(out, "\n%D plot(s) were not drawn: is matplotlib installed? `make setup` does it.\n", (double)undrawn);
    if (!shown && !view->brief)
        lab_md(out, "\nNo plot%s%s%s.%s\n", view->series ? " " : "", view->series,
               on_page || view->series ? ": nothing that it shows was measured" : " but those of the page",
               simt ? " There is no GPU in these results, and a time on the CPU is no kernel's speed." : "");
}
