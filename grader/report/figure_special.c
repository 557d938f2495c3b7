// figure_special.c: the tile sweep as a grid, latencies as bars, counted traffic over S.
//
// A panel of kind "grid" has "rows" and "columns" (names, with "row_label" and "column_label"), "values" (null: none)
// and "texts"; one of kind "bars" has "bars": [{"name", "role", "value", "high", "text"}, ...] and the axis "x".
#include "plots.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "canvas.h"
#include "markdown.h"
#include "ratios.h"
#include "results.h"
#include "roof.h"
#include "series.h"

enum { MOST_SIZES = 16 };

static double side(const json_t *t, int which) {
    return json_number_value(json_array_get(json_object_get(t, "tiles"), which));
}

// A timing of the sweep that begins with first.
static int is_of_sweep(const json_t *t, const json_t *first) {
    return lab_is(t, "series", "tiles") && json_array_size(json_object_get(t, "tiles")) == 2 &&
           lab_same(t, first, "shape") && lab_same(t, first, "implementation");
}

// The sizes of one side of the tiles, sorted. Returns how many.
static int sizes_of(json_t *timings, const json_t *first, int which, double sizes[MOST_SIZES]) {
    json_t *t;
    size_t i;
    int n = 0;
    json_array_foreach(timings, i, t) {
        if (is_of_sweep(t, first)) n = lab_insert(sizes, n, MOST_SIZES, side(t, which));
    }
    return n;
}

static json_t *names_of(const double *sizes, int n) {
    json_t *names = json_array();
    for (int i = 0; i < n; i++) json_array_append_new(names, json_sprintf("%.0f", sizes[i]));
    return names;
}

static double noise(const json_t *t) {
    return lab_noise(lab_num(t, "median_s"), lab_num(t, "iqr_s"), (int)lab_num(t, "runs"));
}

// Why a tile has no time, in a word or two.
static const char *short_why(const json_t *t) {
    const char *why = lab_str(t, "why");
    const int memory = strstr(why, "shared memory") != NULL, registers = strstr(why, "register") != NULL;
    return !t                                      ? "not run"
           : memory && registers                   ? "refused"
           : memory                                ? "too little\nshared mem."
           : registers                             ? "too many\nregisters"
           : lab_is(t, "verdict", "COMPILE_ERROR") ? "does not\ncompile"
                                                   : "no time";
}

// Of the sizes whose times the noise does not tell from the best one's.
static void say_equal(char *text, size_t size, json_t *measured, const json_t *best) {
    json_t *t;
    size_t i;
    int n = 0;
    json_array_foreach(measured, i, t) n +=
        best && t != best && is_of_sweep(t, best) &&
        lab_num(t, "median_s") - lab_num(best, "median_s") <= noise(t) + noise(best);
    snprintf(text, size, n ? "\n%d other%s as good, within the noise" : "", n, n == 1 ? " is" : "s are");
}

json_t *lab_make_tiles(const lab_figure *f, const json_t *root, const json_t *task, const char *file) {
    json_t *measured = lab_timings(root, lab_str(task, "id"), "tiles", NULL), *first = NULL, *t;
    json_t *timings = json_object_get(task, "timings"), *values = json_array(), *texts = json_array();
    double rows[MOST_SIZES], columns[MOST_SIZES];
    const json_t *best = NULL;
    size_t i;
    char shape[80], text[40], others[64];
    json_array_foreach(measured, i, t) {
        if (!first && is_of_sweep(t, t)) first = t;
        if (first && is_of_sweep(t, first) && (!best || lab_rate(t) > lab_rate(best))) best = t;
    }
    const int n_rows = sizes_of(timings, first, 0, rows), n_columns = sizes_of(timings, first, 1, columns);
    for (int r = 0; r < n_rows; r++) {
        json_t *line = json_array(), *words = json_array();
        for (int c = 0; c < n_columns; c++) {
            json_t *here = NULL;
            json_array_foreach(timings, i, t) if (is_of_sweep(t, first) && side(t, 0) == rows[r] &&
                                                  side(t, 1) == columns[c]) here = t;
            const int has = here && lab_measured(here);
            json_array_append_new(line, has ? json_real(lab_rate(here)) : json_null());
            json_array_append_new(words, json_string(has ? lab_number(text, 'C', lab_rate(here)) : short_why(here)));
        }
        json_array_append_new(values, line), json_array_append_new(texts, words);
    }
    say_equal(others, sizeof others, measured, best);
    json_decref(measured);
    if (!first) {
        json_decref(values), json_decref(texts);
        return NULL;
    }
    json_t *plot =
        lab_plot_new(file, json_sprintf("%s\n%s: %s", f->title, lab_str(task, "id"), lab_str(task, "title")));
    json_t *panel = lab_panel_new(plot, 0,
                                  json_sprintf("%s; FLOP/s; best: Br = %.0f, Bc = %.0f%s",
                                               lab_shape_text(shape, json_object_get(first, "shape")), side(best, 0),
                                               side(best, 1), others));
    json_t *grid = json_pack("{s:s, s:s, s:s, s:o, s:o, s:o, s:o}", "kind", "grid", "row_label", "Br, queries per tile",
                             "column_label", "Bc, keys per tile", "rows", names_of(rows, n_rows), "columns",
                             names_of(columns, n_columns), "values", values, "texts", texts);
    json_object_update_new(panel, grid);
    return plot;
}

static void add_bars(json_t *plot, int row, const json_t *task, json_t *timings, const char *run, const char *what,
                     const char *title) {
    json_t *t, *panel = NULL, *bars = json_array(), *reach;
    size_t i;
    char shape[80], text[40];
    json_array_foreach(timings, i, t) {
        const char *name = lab_str(t, "case"), *implementation = lab_str(t, "implementation");
        const double median = lab_num(t, "median_s"), p99 = lab_num(t, "tbt_p99_s");
        if (strncmp(name, what, strlen(what)) != 0 || strcmp(name + strcspn(name, ","), run) != 0) continue;
        if (!panel)
            panel = lab_panel_new(plot, row,
                                  json_sprintf("%s\n%s%s%s", title, run + strspn(run, ", "), *run ? "; " : "",
                                               lab_shape_text(shape, json_object_get(t, "shape"))));
        json_array_append_new(bars, json_pack("{s:s, s:s, s:f, s:f, s:s}", "name", implementation, "role",
                                              lab_role_of(task, implementation), "value", median, "high",
                                              isnan(p99) ? median : p99, "text", lab_number(text, 'T', median)));
    }
    if (!panel) {
        json_decref(bars);
        return;
    }
    json_object_set_new(panel, "kind", json_string("bars"));
    reach = lab_series_new(panel, "", "roof");  // for the axis: every bar, and room for the longest's text
    json_array_foreach(bars, i, t) lab_point(reach, 1.22 * fmax(lab_num(t, "value"), lab_num(t, "high")), 0);
    json_t *alone = json_pack("[O]", panel);
    lab_axis_from_zero(alone, "x", "", 'T');
    json_decref(alone);
    json_object_set_new(panel, "bars", bars);
}

json_t *lab_make_latency(const lab_figure *f, const json_t *root, const json_t *task, const char *file) {
    json_t *timings = lab_timings(root, lab_str(task, "id"), "model", NULL), *runs = json_object(), *t;
    json_t *plot =
        lab_plot_new(file, json_sprintf("%s\n%s: %s", f->title, lab_str(task, "id"), lab_str(task, "title")));
    const char *run;
    size_t i;
    int row = 0;
    json_array_foreach(timings, i, t)
        json_object_set_new(runs, lab_str(t, "case") + strcspn(lab_str(t, "case"), ","), json_true());
    json_object_foreach(runs, run, t) {
        add_bars(plot, row, task, timings, run, "TTFT", "time to first token");
        add_bars(plot, row, task, timings, run, "TBT", "time between tokens, median and p99");
        row += (int)json_array_size(json_object_get(plot, "panels")) > row;
    }
    json_decref(timings), json_decref(runs);
    if (row > 0) return plot;
    json_decref(plot);
    return NULL;
}

// Bytes over S that a task was counted to move at shapes like at, which varies in S alone. Returns how many points.
static int add_counts(json_t *panel, const json_t *task, const json_t *at, const char *which, const char *name,
                      const char *role) {
    json_t *counts = json_object_get(task, "counts"), *count, *line = NULL;
    size_t i, k;
    json_array_foreach(counts, i, count) {
        json_t *shape = json_object_get(count, "shape");
        int seen = 0;
        for (k = 0; k < i; k++) seen |= json_equal(json_object_get(json_array_get(counts, k), "shape"), shape);
        const double S = lab_num(shape, "seq_q"), moved = lab_traffic_of(task, shape, which);
        if (seen || S != lab_num(shape, "seq_kv") || !(moved > 0) || !lab_same(shape, at, "batch") ||
            !lab_same(shape, at, "heads") || !lab_same(shape, at, "head_dim") || !lab_same(shape, at, "causal"))
            continue;
        if (!line) line = lab_series_new(panel, name, role);
        lab_point(line, S, moved);
    }
    return line ? (int)json_array_size(json_object_get(line, "x")) : 0;
}

// The least that a chain of four kernels and a fused kernel load (or store), over the counted lengths.
static void add_least(json_t *panel, const json_t *at, int loads) {
    json_t *points = json_object_get(json_array_get(json_object_get(panel, "series"), 0), "x"), *x;
    const double heads = lab_num(at, "batch") * lab_num(at, "heads"), D = lab_num(at, "head_dim");
    json_t *chain = lab_series_new(panel, "least of the chain, O(S²)", "formula0");
    json_t *fused = lab_series_new(panel, "least when fused, O(S)", "formula1");
    size_t i;
    json_array_foreach(points, i, x) {
        const double S = json_number_value(x), tensors = 4 * heads * S * D * (loads ? 3 : 1);
        lab_point(chain, S, 12 * heads * S * S + tensors);
        lab_point(fused, S, tensors);
    }
}

// From which length on four blocks of each launch stand for all.
static void say_sampled(char *text, size_t size, const json_t *naive, const json_t *fused) {
    const json_t *const tasks[2] = {naive, fused};
    double least = INFINITY;
    json_t *count;
    size_t i;
    for (int k = 0; k < 2; k++)
        json_array_foreach(json_object_get(tasks[k], "counts"), i,
                           count) if (json_is_true(json_object_get(count, "sampled"))) least =
            fmin(least, lab_dim(count, "seq_q"));
    if (isfinite(least)) snprintf(text, size, "\nS >= %.0f: a sample of the blocks", least);
}

json_t *lab_make_traffic(const lab_figure *f, const json_t *root, const json_t *task, const char *file) {
    static const char *const which[] = {"bytes_loaded", "bytes_stored"};
    const json_t *naive = lab_task_in(root, "task2"), *fused = lab_task_in(root, "task4"), *at = NULL;
    json_t *count, *plot = lab_plot_new(file, json_string(f->title));
    size_t i;
    json_array_foreach(json_object_get(fused, "counts"), i, count) if (!at) at = json_object_get(count, "shape");
    json_array_foreach(json_object_get(naive, "counts"), i,
                       count) if (!at && lab_dim(count, "seq_q") == lab_dim(count, "seq_kv")) at =
        json_object_get(count, "shape");
    char note[96] = "";
    int points = 0;
    say_sampled(note, sizeof note, naive, fused);
    for (int w = 0; at && w < 2; w++) {
        json_t *panel = lab_panel_new(
            plot, 0, json_sprintf("%s%s", w ? "stored" : "loaded; what is read again counts again", note));
        points = add_counts(panel, naive, at, which[w], "naive chain (task 2)", "5");
        points += add_counts(panel, fused, at, which[w], "fused kernel (task 4)", "yours");
        if (!points) break;
        add_least(panel, at, w == 0);
        lab_axis_at_values(panel, "sequence length S", 1);
    }
    if (points && !task) {
        lab_axis_log(json_array_get(json_object_get(plot, "panels"), 0), "y", "bytes of global memory", 'B', 1.6);
        return plot;
    }
    json_decref(plot);
    return NULL;
}
