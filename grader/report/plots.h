// plots.h: which plots a result has, as draw.py draws them and as pages show them.
#ifndef LAB_PLOTS_H
#define LAB_PLOTS_H

#include <jansson.h>

// What is drawn: one row of the table in plots.c.
typedef struct lab_figure {
    const char *name;  // of its file; of every task but the main one, its id follows
    const char *title, *sentence;
    const char *page;  // of which tasks it stands on the page, in details.md otherwise; "all": it is of all tasks
    int where;         // 1: of tasks on the CPU, 2: on the GPU, 3: both
    const char *series[2];
    const char *measures;  // of lines: t time, r rate, b bandwidth, m memory: a row of panels each
    // The plot (canvas.h), or NULL where there is nothing to draw.
    json_t *(*make)(const struct lab_figure *f, const json_t *root, const json_t *task, const char *file);
} lab_figure;

json_t *lab_make_lines(const lab_figure *f, const json_t *root, const json_t *task, const char *file);
json_t *lab_make_roofline(const lab_figure *f, const json_t *root, const json_t *task, const char *file);
json_t *lab_make_gpu_roofline(const lab_figure *f, const json_t *root, const json_t *task, const char *file);
json_t *lab_make_tiles(const lab_figure *f, const json_t *root, const json_t *task, const char *file);
json_t *lab_make_latency(const lab_figure *f, const json_t *root, const json_t *task, const char *file);
json_t *lab_make_traffic(const lab_figure *f, const json_t *root, const json_t *task, const char *file);

// plots.json: every plot that the results have data for; the caller's.
json_t *lab_plots(const json_t *root);
int lab_is_figure(const char *name);

// The role of an implementation's lines (canvas.h), the same in every plot of a task.
const char *lab_role_of(const json_t *task, const char *implementation);

// Adds the points above a roof to the panel once more, as wrong ones. roof: y at x; beyond: what may lie there, as the
// legend says it.
#define LAB_BEYOND_BYTES "above the roof: wrong, or from a cache"
#define LAB_BEYOND_CORES "above CUDA cores' roof: on tensor cores, or wrong"
void lab_mark_wrong(json_t *panel, double (*roof)(const void *with, double x), const void *with, const char *beyond);

#endif
