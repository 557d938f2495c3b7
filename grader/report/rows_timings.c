// rows_timings.c: rows of everything that was timed.
#include "block_table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "markdown.h"
#include "ratios.h"
#include "results.h"
#include "roof.h"
#include "series.h"

static int is_alike(const json_t *a, const json_t *b) {
    return lab_same(a, b, "series") && lab_same(a, b, "implementation");
}

// No timing of the implementation in this series was measured: one row says so in place of all.
static int is_never_measured(json_t *timings, const json_t *timing) {
    json_t *other;
    size_t i;
    json_array_foreach(timings, i, other) if (lab_measured(other) && is_alike(other, timing)) return 0;
    return 1;
}

static int is_first(json_t *timings, size_t i) {
    for (size_t k = 0; k < i; k++)
        if (is_alike(json_array_get(timings, k), json_array_get(timings, i))) return 0;
    return 1;
}

// Median, spread, rate, share of the ceiling. A rate above its ceiling is an error of the measurement and says so.
static void add_numbers(json_t *row, const json_t *root, const json_t *t, int of_memory) {
    const lab_roof roof = lab_roof_over(root, t);
    const double rate = of_memory ? lab_byte_rate(t) : lab_rate(t), ceiling = of_memory ? roof.byte_s : roof.flop_s;
    const double spread = lab_num(t, "iqr_s") / lab_num(t, "median_s"), runs = lab_num(t, "runs");
    const int suspect = lab_is(t, "verdict", "TIMING_SUSPECT");
    char text[40], p99[40];
    json_object_set_new(row, "spread",
                        json_sprintf("%s, %.0f%s", lab_number(text, 'R', runs < 2 ? NAN : spread), runs,
                                     suspect ? " (TIMING_SUSPECT)" : ""));
    if (!isnan(lab_num(t, "tokens_per_s"))) {  // a whole model: what a user feels, in place of a rate
        json_object_set_new(row, "rate",
                            json_sprintf("%s tokens/s", lab_number(text, 'N', lab_num(t, "tokens_per_s"))));
        json_object_set_new(row, "share",
                            json_sprintf("attention: %s of the step; p99: %s",
                                         lab_number(text, 'R', lab_num(t, "attention_share")),
                                         lab_number(p99, 'T', lab_num(t, "tbt_p99_s"))));
        return;
    }
    if (!(rate > 0)) return;
    json_object_set_new(row, "rate", json_sprintf("%s%s", lab_number(text, 'C', rate), of_memory ? "B/s" : "FLOP/s"));
    if (isnan(ceiling)) return;
    json_object_set_new(row, "share",
                        json_sprintf("%s%s", lab_number(text, 'R', rate / ceiling),
                                     rate <= ceiling ? ""
                                     : of_memory     ? ", above the bandwidth: an error"
                                                     : ", above the peak: an error"));
}

static json_t *timing_row(const json_t *root, const json_t *task, const lab_series *series, const json_t *t,
                          int never) {
    json_t *row = json_pack("{s:s, s:O, s:O}", "case", never ? "all" : lab_str(t, "case"), "implementation",
                            json_object_get(t, "implementation"), "shape", json_object_get(t, "shape"));
    const double speedup = lab_num(t, "speedup");
    json_object_set_new(row, "group", json_sprintf("%s: %s", lab_str(task, "id"), series->title));
    json_object_set_new(row, "threads",
                        lab_on_gpu(t) ? json_string("GPU") : json_sprintf("%.0f", lab_num(t, "threads")));
    json_object_set_new(row, "median_s", lab_seconds_or_why(t));
    if (!lab_measured(t)) return row;
    add_numbers(row, root, t, series->of_memory);
    if (!lab_is(t, "implementation", "yours"))
        json_object_set_new(row, "ratio", lab_ratio(1, isnan(speedup) ? 0 : speedup, lab_str(t, "implementation")));
    return row;
}

json_t *lab_rows_timings(const lab_view *view) {
    json_t *rows = json_array(), *task, *t;
    size_t k;
    for (size_t i = 0; (task = lab_next_task(view, &i));)
        for (int s = 0; s < lab_n_series; s++) {
            const lab_series *series = &lab_all_series[s];
            json_t *timings = json_object_get(task, "timings");
            if (view->series && strcmp(view->series, series->name) != 0) continue;
            json_array_foreach(timings, k, t) {
                if (!lab_is(t, "series", series->name)) continue;
                const int never = is_never_measured(timings, t);
                if (never && !is_first(timings, k)) continue;
                json_array_append_new(rows, timing_row(view->root, task, series, t, never));
            }
        }
    return rows;
}

// What a reader should know of the timings: a wide spread, and the tasks without any.
void lab_say_remarks(FILE *out, const lab_view *view) {
    json_t *task, *t;
    size_t k, all = 0;
    const char *before = "\nTasks that were not measured here: ";
    for (size_t i = 0; (task = lab_next_task(view, &i));) {
        size_t unsteady = 0, timed = 0;
        json_array_foreach(json_object_get(task, "timings"), k, t) {
            if (view->series && !lab_is(t, "series", view->series)) continue;
            timed++;
            unsteady += lab_measured(t) && lab_num(t, "iqr_s") > 0.25 * lab_num(t, "median_s");
        }
        all += timed;
        if (unsteady)
            lab_md(out,
                   "\n%D timing(s) of %s spread by more than 25 %% of their median: other work ran on the machine. "
                   "Measure again on a quiet one before you trust them.\n",
                   (double)unsteady, lab_str(task, "id"));
    }
    if (!all)
        lab_md(out,
               "\nNo timing%s%s in these results. Grade with the benchmark (without --no-bench); CUDA kernels are "
               "timed on a GPU only.\n",
               view->series ? " of series " : "", view->series);
    for (size_t i = 0; all && (task = lab_next_task(view, &i));) {
        if (json_array_size(json_object_get(task, "timings")) > 0) continue;
        lab_md(out, "%s%s (%s)", before, lab_str(task, "id"), lab_str(task, "verdict"));
        before = ", ";
    }
    if (strcmp(before, ", ") == 0) fputs(".\n", out);
}
