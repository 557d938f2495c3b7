// rows_ratios.c: rows that set yours against something else.
#include "block_table.h"

#include <math.h>
#include <string.h>

#include "markdown.h"
#include "ratios.h"
#include "results.h"

json_t *lab_ratio(double yours, double other, const char *name) {
    char factor[40];
    return json_sprintf(other > 0 && yours > 0 ? "%s %s" : "", lab_number(factor, 'F', other / yours), name);
}

json_t *lab_seconds_or_why(const json_t *timing) {
    const char *why = lab_str(timing, "why");
    if (lab_measured(timing)) return json_incref(json_object_get(timing, "median_s"));
    if (!timing) return json_null();
    return json_sprintf("not measured: %s%s%s", lab_str(timing, "verdict"), *why ? ", " : "", why);
}

json_t *lab_real(double x) { return isnan(x) || isinf(x) ? json_null() : json_real(x); }

// A timing that the analysis asks about: decode, and the sequence lengths of the assignment.
static int is_asked(const json_t *t, const char *series) {
    const double S = lab_dim(t, "seq_kv");
    if (series) return lab_is(t, "series", series);
    return lab_is(t, "series", "kv") || (lab_is(t, "series", "seq") && (S == 128 || S == 512 || S == 1024));
}

static int is_yours(const json_t *t) { return lab_is(t, "implementation", "yours"); }

static int is_beside(const json_t *a, const json_t *b) {
    return lab_same(a, b, "series") && lab_same(a, b, "shape") && lab_same(a, b, "threads") && lab_same(a, b, "case");
}

// "1.92x faster than cuBLAS chain (40.1 µs), 1.2x slower than PyTorch (22 µs)": against all that was measured beside
// it.
static json_t *ratios(json_t *timings, const json_t *at, const json_t *yours) {
    json_t *text = json_string(""), *t;
    size_t i;
    char time[40];
    json_array_foreach(timings, i, t) {
        if (is_yours(t) || !is_beside(t, at) || !lab_measured(t)) continue;
        json_t *ratio = lab_ratio(lab_num(yours, "median_s"), lab_num(t, "median_s"), lab_str(t, "implementation"));
        const char *before = json_string_value(text), *more = json_string_value(ratio);
        json_t *longer = json_sprintf("%s%s%s (%s)", before, *before ? ", " : "", more,
                                      lab_number(time, 'T', lab_num(t, "median_s")));
        json_decref(text), json_decref(ratio);
        text = longer;
    }
    return text;
}

static json_t *against(const lab_view *view, const char *series) {
    json_t *rows = json_array(), *task, *t, *other;
    size_t k, m;
    for (size_t i = 0; (task = lab_next_task(view, &i));) {
        json_t *timings = json_object_get(task, "timings");
        json_array_foreach(timings, k, t) {
            const json_t *yours = NULL;
            int first = is_asked(t, series), others = 0;
            json_array_foreach(timings, m, other) {
                if (!first || !is_beside(other, t)) continue;
                if (m < k) first = 0;
                if (is_yours(other)) yours = other;
                others += !is_yours(other) && lab_measured(other);
            }
            if (!first || !others) continue;
            json_t *row = json_pack("{s:s, s:O, s:o}", "task", lab_str(task, "id"), "shape",
                                    json_object_get(t, "shape"), "yours", lab_seconds_or_why(yours));
            json_object_set_new(row, "ratios", lab_measured(yours) ? ratios(timings, t, yours) : json_string(""));
            json_array_append_new(rows, row);
        }
    }
    return rows;
}

json_t *lab_rows_baselines(const lab_view *view) { return against(view, NULL); }
json_t *lab_rows_speedups(const lab_view *view) { return against(view, "speedups"); }

void lab_say_absent(FILE *out, const lab_view *view) {
    json_t *task, *t, *other;
    size_t k, m;
    for (size_t i = 0; (task = lab_next_task(view, &i));) {
        json_t *timings = json_object_get(task, "timings");
        json_array_foreach(timings, k, t) {
            int first = is_asked(t, NULL) && !is_yours(t);
            json_array_foreach(timings, m, other) {
                if (!is_asked(other, NULL) || !lab_same(other, t, "implementation")) continue;
                if (m < k || lab_measured(other)) first = 0;
            }
            if (first)
                lab_md(out, "\nNot measured, %s: %t, %s, %t.\n", lab_str(task, "id"), lab_str(t, "implementation"),
                       lab_str(t, "verdict"), lab_str(t, "why"));
        }
    }
}

json_t *lab_rows_naive_vs_fused(const lab_view *view) {
    json_t *rows = json_array(), *before, *after;
    json_t *naive = lab_timings(view->root, "task2", "seq", "yours");
    json_t *fused = lab_timings(view->root, "task4", "seq", "yours");
    size_t i, k;
    json_array_foreach(fused, i, after) {
        json_array_foreach(naive, k, before) {
            if (!lab_same(before, after, "shape")) continue;
            const double slow = lab_num(before, "median_s"), quick = lab_num(after, "median_s");
            json_array_append_new(
                rows, json_pack("{s:O, s:f, s:f, s:o, s:O, s:O}", "shape", json_object_get(after, "shape"), "naive",
                                slow, "fused", quick, "ratio", lab_ratio(quick, slow, "the naive chain"), "naive_bytes",
                                json_object_get(before, "bytes"), "fused_bytes", json_object_get(after, "bytes")));
        }
    }
    json_decref(naive), json_decref(fused);
    return rows;
}

double lab_traffic_of(const json_t *task, const json_t *shape, const char *which) {
    json_t *count;
    size_t i;
    double sum = NAN;
    json_array_foreach(json_object_get(task, "counts"), i, count) {
        if (!json_equal(json_object_get(count, "shape"), shape) || lab_is(count, "buffer", "shared")) continue;
        if (isnan(sum)) sum = 0;
        if (which)
            sum += lab_num(count, which);
        else
            sum += lab_num(count, "bytes_loaded") + lab_num(count, "bytes_stored");
    }
    return sum;
}

json_t *lab_rows_traffic_saved(const lab_view *view) {
    const json_t *naive = lab_task_in(view->root, "task2"), *fused = lab_task_in(view->root, "task4");
    json_t *rows = json_array(), *counts = json_object_get(fused, "counts"), *count;
    size_t i;
    json_array_foreach(counts, i, count) {
        const json_t *shape = json_object_get(count, "shape");
        const double before = lab_traffic_of(naive, shape, NULL), after = lab_traffic_of(fused, shape, NULL);
        if (!shape || isnan(before) || (i && lab_same(json_array_get(counts, i - 1), count, "case"))) continue;
        json_array_append_new(rows, json_pack("{s:s, s:f, s:f, s:o}", "case", lab_str(count, "case"), "naive", before,
                                              "fused", after, "ratio", lab_real(before / after)));
    }
    return rows;
}
