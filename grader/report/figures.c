// figures.c: the plots on the page. The same rule as in plots.py says which plots a task has: a plot without data is
// neither drawn nor embedded, and the page says why.
#include "page.h"

#include "results.h"
#include "roof.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct {
    const char *name;  // of the file, without ending
    const char *title;
    const char *series[2];
    bool needs_ceilings;
} figure;

static const figure figures[] = {
    {"roofline", "Roofline: what the machine allows, and where each implementation stands", {"seq", NULL}, true},
    {"scaling_seq", "Time against sequence length, with slopes", {"seq", NULL}, false},
    {"scaling_heads_batch", "Time against heads and batch", {"heads", "batch"}, false},
    {"scaling_threads", "Rate against threads", {"threads", NULL}, false},
    {"scaling_tiles", "Rate by tile size, Br × Bc", {"tiles", NULL}, false},
    {"scaling_memory", "Memory: O(S²) of the naive chain, O(S) of the fused kernel", {"seq", NULL}, false},
};

static bool has_data(const json_t *task, const figure *f) {
    const json_t *timings = json_object_get(task, "timings");
    for (size_t i = 0; i < json_array_size(timings); i++) {
        const json_t *timing = json_array_get(timings, i);
        const char *series = results_text(timing, "series");
        bool wanted = strcmp(series, f->series[0]) == 0 || (f->series[1] && strcmp(series, f->series[1]) == 0);
        // A sweep without tile sizes has no place in a grid of tile sizes.
        bool placed = strcmp(series, "tiles") != 0 || json_is_array(json_object_get(timing, "tiles"));
        if (wanted && placed && results_is_measured(timing)) {
            return true;
        }
    }
    return false;
}

static const char *why_missing(const json_t *root, const json_t *task, const figure *f) {
    if (!has_data(task, f)) {
        return "nothing of its series was measured";
    }
    const json_t *timing = json_array_get(json_object_get(task, "timings"), 0);
    if (f->needs_ceilings && isnan(roof_at(roof_ceilings_for(root, timing), 1))) {
        return "the machine's ceilings were not measured";
    }
    return NULL;
}

// The task with the most timings, the first of those: its plots have the plain names. NULL if no task has any.
static const json_t *main_task(const json_t *root) {
    const json_t *tasks = json_object_get(root, "tasks"), *most = NULL;
    size_t count = 0;
    for (size_t t = 0; t < json_array_size(tasks); t++) {
        const json_t *task = json_array_get(tasks, t);
        if (json_array_size(json_object_get(task, "timings")) > count) {
            count = json_array_size(json_object_get(task, "timings"));
            most = task;
        }
    }
    return most;
}

// Every other task's plots have its id behind the name: roofline.png, roofline_task1.png.
static void figure_of_task(const json_t *root, const json_t *task, const figure *f, bool main, const char *folder) {
    char name[96], path[4096];
    const char *why = why_missing(root, task, f), *id = results_text(task, "id");
    snprintf(name, sizeof name, "%s%s%s", f->name, main ? "" : "_", main ? "" : id);
    snprintf(path, sizeof path, "%s/%s.png", folder ? folder : ".", name);
    if (!why && folder && access(path, R_OK) != 0) {
        why = "its picture was not drawn (is matplotlib installed? make setup)";
    }
    if (why) {
        printf("\n%s of %s is left out: %s.\n", f->name, id, why);
    } else {
        printf("\n[![%s](%s.png)](%s.svg)\n", f->title, name, name);
    }
}

void page_plots(const json_t *root, const char *plots_folder) {
    const json_t *tasks = json_object_get(root, "tasks");
    const json_t *most = main_task(root);
    printf("\n## Plots\n");
    for (size_t t = 0; t < json_array_size(tasks); t++) {
        const json_t *task = json_array_get(tasks, t);
        if (json_array_size(json_object_get(task, "timings")) > 0) {
            for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
                figure_of_task(root, task, &figures[i], task == most, plots_folder);
            }
        }
    }
    if (!most) {
        printf("\nNo plot: no benchmark was run.\n");
    }
}
