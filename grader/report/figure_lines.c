// figure_lines.c: plots of lines: a column of panels for each family of timings (what stays the same along its axis), a
// row for each measure.
#include "plots.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "canvas.h"
#include "markdown.h"
#include "results.h"
#include "roof.h"
#include "series.h"

enum { MOST_FAMILIES = 16, MOST_COLUMNS = 4, PAGE_BYTES = 4096 };

typedef struct {
    char key[100];  // sorts by head_dim, mask, batch, heads, length
    json_t *rows;
    lab_axis axis;
} family;

static int varies_seq(lab_axis axis) { return axis == LAB_BY_SEQ || axis == LAB_BY_SEQ_AND_BATCH || axis == LAB_BY_KV; }
static int varies_batch(lab_axis axis) { return axis == LAB_BY_BATCH || axis == LAB_BY_SEQ_AND_BATCH; }

static double x_of(lab_axis axis, const json_t *t) {
    return axis == LAB_BY_HEADS     ? lab_dim(t, "heads")
           : axis == LAB_BY_BATCH   ? lab_dim(t, "batch")
           : axis == LAB_BY_THREADS ? lab_num(t, "threads")
                                    : lab_dim(t, "seq_kv");
}

static const char *x_label(lab_axis axis) {
    static const char *const labels[] = {[LAB_BY_SEQ] = "sequence length S",
                                         [LAB_BY_SEQ_AND_BATCH] = "S, while B S stays",
                                         [LAB_BY_KV] = "KV length, tokens",
                                         [LAB_BY_HEADS] = "heads H",
                                         [LAB_BY_BATCH] = "batch B",
                                         [LAB_BY_THREADS] = "threads",
                                         [LAB_BY_TILES] = ""};
    return labels[axis];
}

static double measure_of(char measure, const json_t *t) {
    return measure == 't'   ? lab_num(t, "median_s")
           : measure == 'r' ? lab_rate(t)
           : measure == 'b' ? lab_byte_rate(t)
                            : fmax(lab_num(t, "extra_bytes"), PAGE_BYTES);  // the resident set grows by whole pages
}

static int by_key(const void *a, const void *b) { return strcmp(((const family *)a)->key, ((const family *)b)->key); }
static int by_size(const void *a, const void *b) {
    return (int)json_array_size(((const family *)b)->rows) - (int)json_array_size(((const family *)a)->rows);
}

static int causal(const json_t *t) { return json_is_true(json_object_get(json_object_get(t, "shape"), "causal")); }

// Sorts the timings of the figure's series into families; returns how many there are: the largest, in order.
static int families_of(const lab_figure *f, const json_t *root, const json_t *task, family all[MOST_FAMILIES]) {
    int n = 0;
    for (int s = 0; s < 2 && f->series[s]; s++) {
        const lab_axis axis = lab_series_find(f->series[s])->axis;
        json_t *timings = lab_timings(root, lab_str(task, "id"), f->series[s], NULL), *t;
        size_t i;
        json_array_foreach(timings, i, t) {
            char key[100];
            int k = 0;
            if (strchr(f->measures, 'm') && (causal(t) || isnan(lab_num(t, "extra_bytes")))) continue;
            snprintf(key, sizeof key, "%d %09.0f %d %09.0f %09.0f %09.0f", s, lab_dim(t, "head_dim"), causal(t),
                     varies_batch(axis) ? 0 : lab_dim(t, "batch"), axis == LAB_BY_HEADS ? 0 : lab_dim(t, "heads"),
                     varies_seq(axis) ? 0 : lab_dim(t, "seq_kv"));
            while (k < n && strcmp(all[k].key, key) != 0) k++;
            if (k == MOST_FAMILIES) continue;
            if (k == n) {
                all[n] = (family){.rows = json_array(), .axis = axis};
                strcpy(all[n++].key, key);
            }
            json_array_append(all[k].rows, t);
        }
        json_decref(timings);
    }
    qsort(all, n, sizeof *all, by_size);
    while (n > MOST_COLUMNS || (n > 1 && json_array_size(all[n - 1].rows) * 4 < json_array_size(all[0].rows)))
        json_decref(all[--n].rows);
    qsort(all, n, sizeof *all, by_key);
    return n;
}

static double slope_from(const json_t *rows, double least) {
    double n = 0, x = 0, y = 0, xx = 0, xy = 0;
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *t = json_array_get(rows, i);
        const double u = log(lab_dim(t, "seq_kv")), v = log(lab_num(t, "median_s"));
        if (lab_is(t, "implementation", "yours") && lab_dim(t, "seq_kv") >= least)
            n++, x += u, y += v, xx += u * u, xy += u * v;
    }
    return n > 1 ? (n * xy - x * y) / (n * xx - x * x) : NAN;
}

// "full, B1 H8 D64", without what varies; with the slope of time over long sequences.
static json_t *caption(const family *f, int with_slope) {
    const json_t *t = json_array_get(f->rows, 0);
    char text[120], part[40];
    int n = snprintf(text, sizeof text, "%s", causal(t) ? "causal" : "full");
    if (!varies_batch(f->axis)) n += snprintf(text + n, sizeof text - n, ", B%.0f", lab_dim(t, "batch"));
    if (f->axis != LAB_BY_HEADS) n += snprintf(text + n, sizeof text - n, " H%.0f", lab_dim(t, "heads"));
    if (!varies_seq(f->axis)) n += snprintf(text + n, sizeof text - n, " S%.0f", lab_dim(t, "seq_kv"));
    n += snprintf(text + n, sizeof text - n, " D%.0f", lab_dim(t, "head_dim"));
    const double slope = with_slope && f->axis == LAB_BY_SEQ ? slope_from(f->rows, 1024) : NAN;
    if (!isnan(slope))
        snprintf(text + n, sizeof text - n, "\nyours: slope %s from S=1024 on", lab_number(part, 'N', slope));
    return json_string(text);
}

// One line per implementation; the quartiles as error bars of times and rates.
static void add_lines(json_t *panel, const json_t *task, const family *f, char measure) {
    json_t *names = lab_implementation_names(f->rows), *name, *t;
    size_t i, k;
    json_array_foreach(names, i, name) {
        const char *text = json_string_value(name);
        json_t *line = lab_series_new(panel, text, lab_role_of(task, text));
        json_array_foreach(f->rows, k, t) {
            const double y = measure_of(measure, t), spread = lab_num(t, "iqr_s") / lab_num(t, "median_s");
            const double half = isnan(spread) ? 0 : fmin(spread / 2, 0.95);
            if (!lab_is(t, "implementation", text)) continue;
            lab_point(line, x_of(f->axis, t), y);
            if (measure == 't') lab_spread(line, y * (1 - half), y * (1 + half));
            if (measure == 'r' || measure == 'b') lab_spread(line, y / (1 + half), y / (1 - half));
        }
    }
    json_decref(names);
}

static void level(json_t *panel, const char *name, const char *role, const json_t *rows, lab_axis axis, double y) {
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < json_array_size(rows); i++) {
        low = fmin(low, x_of(axis, json_array_get(rows, i)));
        high = fmax(high, x_of(axis, json_array_get(rows, i)));
    }
    json_t *line = lab_series_new(panel, name, role);
    lab_point(line, low, y), lab_point(line, high, y);
}

static double best_of(const json_t *rows, double (*rate)(const json_t *)) {
    double best = 0;
    for (size_t i = 0; i < json_array_size(rows); i++) best = fmax(best, rate(json_array_get(rows, i)));
    return best;
}

// What the lines are held against: the ceiling where it is near enough to be seen, perfect scaling, formulas.
static void add_bounds(json_t *panel, const json_t *root, const family *f, char measure) {
    const json_t *first = json_array_get(f->rows, 0), *t;
    const lab_roof roof = lab_roof_over(root, first);
    if (measure == 'b' && !isnan(roof.byte_s))
        level(panel, "measured bandwidth", "roof", f->rows, f->axis, roof.byte_s);
    if (measure == 'r' && f->axis != LAB_BY_THREADS && roof.flop_s < 4 * best_of(f->rows, lab_rate))
        level(panel, "measured FMA rate", "roof", f->rows, f->axis, roof.flop_s);
    if (measure == 'r' && f->axis == LAB_BY_THREADS) {
        json_t *peak = lab_series_new(panel, "measured FMA rate", "roof");
        json_t *ideal = lab_series_new(panel, "yours, perfect scaling", "ideal");
        double one = NAN;
        for (size_t i = 0; i < json_array_size(f->rows); i++) {
            t = json_array_get(f->rows, i);
            const double threads = lab_num(t, "threads"), top = lab_roof_over(root, t).flop_s;
            if (!lab_is(t, "implementation", "yours")) continue;
            if (isnan(one)) one = lab_rate(t) / threads;
            lab_point(ideal, threads, one * threads);
            if (!isnan(top)) lab_point(peak, threads, top);
        }
    }
    if (measure != 'm') return;
    json_t *scores = lab_series_new(panel, "formula: S × S scores of all heads", "formula0");
    json_t *tensors = lab_series_new(panel, "formula: Q, K, V and O themselves", "formula1");
    for (size_t i = 0; i < json_array_size(f->rows); i++) {
        t = json_array_get(f->rows, i);
        const double S = lab_dim(t, "seq_kv"), heads = lab_dim(t, "batch") * lab_dim(t, "heads");
        if (!lab_is(t, "implementation", lab_str(first, "implementation"))) continue;
        lab_point(scores, S, 4 * heads * S * S);
        lab_point(tensors, S, 16 * heads * S * lab_dim(t, "head_dim"));
    }
}

static double byte_roof(const void *roof, double x) { return ((const lab_roof *)roof)->byte_s + 0 * x; }
static double flop_roof(const void *roof, double x) { return ((const lab_roof *)roof)->flop_s + 0 * x; }

json_t *lab_make_lines(const lab_figure *f, const json_t *root, const json_t *task, const char *file) {
    family all[MOST_FAMILIES];
    const int n = families_of(f, root, task, all);
    if (n == 0) return NULL;
    json_t *plot =
        lab_plot_new(file, json_sprintf("%s\n%s: %s", f->title, lab_str(task, "id"), lab_str(task, "title")));
    for (int row = 0; f->measures[row]; row++) {
        const char measure = f->measures[row];
        for (int column = 0; column < n; column++) {
            const lab_roof roof = lab_roof_over(root, json_array_get(all[column].rows, 0));
            json_t *panel =
                lab_panel_new(plot, row, row == 0 ? caption(&all[column], measure == 't') : json_string(""));
            add_lines(panel, task, &all[column], measure);
            add_bounds(panel, root, &all[column], measure);
            lab_axis_at_values(panel, x_label(all[column].axis), all[column].axis != LAB_BY_THREADS);
            const char *cores = lab_on_gpu(json_array_get(all[column].rows, 0)) ? LAB_BEYOND_CORES : LAB_BEYOND_BYTES;
            if (measure == 'b') lab_mark_wrong(panel, byte_roof, &roof, LAB_BEYOND_BYTES);
            if (measure == 'r' && all[column].axis != LAB_BY_THREADS) lab_mark_wrong(panel, flop_roof, &roof, cores);
        }
        json_t *panels = json_array_get(json_object_get(plot, "panels"), row);
        if (measure == 't' || measure == 'm')
            lab_axis_log(panels, "y", measure == 't' ? "median time" : "working memory, bytes",
                         measure == 't' ? 'T' : 'B', 1.6);
        else
            lab_axis_from_zero(panels, "y", measure == 'r' ? "FLOP/s" : "K and V read, bytes/s", 'C');
    }
    for (int i = 0; i < n; i++) json_decref(all[i].rows);
    return plot;
}
