// figure_roofline.c: rooflines: of a task on the CPU over S, and of the CUDA tasks together.
#include "plots.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "canvas.h"
#include "markdown.h"
#include "ratios.h"
#include "results.h"
#include "roof.h"

static double roof_at(const void *roof, double x) { return lab_roof_at(*(const lab_roof *)roof, x); }
static double peak_at(const void *roof, double x) { return ((const lab_roof *)roof)->flop_s + 0 * x; }

static void add(json_t *line, const json_t *t, const char *label) {
    lab_point(line, lab_intensity(t), lab_rate(t));
    if (label) lab_label(line, label);
}

// The roof from left to right of all points, both axes, and the roof's numbers in the panel's title.
static void add_roof(json_t *plot, json_t *panel, lab_roof roof, const char *about) {
    char peak[40], bandwidth[40], ridge[40];
    json_t *panels = json_array_get(json_object_get(plot, "panels"), 0);
    json_object_set_new(panel, "title",
                        json_sprintf("roof: %sFLOP/s, %sB/s; ridge: %s FLOP/byte\n%s",
                                     lab_number(peak, 'C', roof.flop_s), lab_number(bandwidth, 'C', roof.byte_s),
                                     lab_number(ridge, 'N', lab_ridge(roof)), about));
    json_t *line = lab_series_new(panel, "measured roof", "roof");
    lab_point(line, lab_ridge(roof), roof.flop_s);
    lab_axis_log(panels, "x", "arithmetic intensity, FLOP per byte", 'N', 2.4);
    lab_axis_log(panels, "y", "FLOP/s", 'C', 2.2);
    const double low = lab_num(json_object_get(panel, "x"), "low"), high = lab_num(json_object_get(panel, "x"), "high");
    json_array_clear(json_object_get(line, "x")), json_array_clear(json_object_get(line, "y"));
    lab_point(line, low, low * roof.byte_s), lab_point(line, lab_ridge(roof), roof.flop_s),
        lab_point(line, high, roof.flop_s);
}

// Names above the frame: where the kernels of an attention of this length and head dimension stand.
static void add_kernels(json_t *panel, double S, double D) {
    const double flops = lab_attention_flops(S, D);
    json_object_set_new(panel, "top",
                        json_pack("[[f, s], [f, s], [f, s], [f, s]]", 0.5, "softmax",
                                  flops / lab_chain_traffic(S, D, 4), "naive chain", S * D / (4 * D + 2 * S),
                                  "Q Kᵀ, P V", flops / lab_chain_traffic(S, D, 0), "fused"));
}

// The points of a task's series: those of one shape (at) or, without, of all. label: S, k (the
// kernel's name), B, or s: over S without labels. Returns how many there are.
static int add_points(json_t *panel, const json_t *root, const char *task, const char *series,
                      const char *implementation, const json_t *at, const char *name, const char *role, char label) {
    json_t *timings = lab_timings(root, task, series, implementation), *t, *line = NULL;
    size_t i;
    char text[80];
    json_array_foreach(timings, i, t) {
        const json_t *shape = json_object_get(t, "shape");
        if (isnan(lab_intensity(t)) || (at && !json_equal(shape, at))) continue;
        if ((label == 'S' || label == 's') &&
            (json_is_true(json_object_get(shape, "causal")) || lab_num(shape, "batch") > 1))
            continue;
        if (label == 'B' && i + 1 < json_array_size(timings) &&
            lab_dim(json_array_get(timings, i + 1), "batch") == lab_num(shape, "batch"))
            continue;  // decode: the longest cache of each batch alone
        if (!line) line = lab_series_new(panel, name, role);
        const int words = (int)strcspn(lab_str(t, "case"), " ");
        if (label == 'S')
            snprintf(text, sizeof text, "%.0f", lab_num(shape, "seq_q"));
        else if (label == 'B')
            snprintf(text, sizeof text, "B=%.0f", lab_num(shape, "batch"));
        else
            snprintf(text, sizeof text, "%.*s", words < 40 ? words : 40, lab_str(t, "case"));
        add(line, t, label == 's' ? NULL : text);
    }
    json_decref(timings);
    return line != NULL;
}

json_t *lab_make_roofline(const lab_figure *f, const json_t *root, const json_t *task, const char *file) {
    json_t *timings = lab_timings(root, lab_str(task, "id"), "seq", NULL), *names = lab_implementation_names(timings),
           *name;
    const json_t *first = json_array_get(timings, 0);
    const lab_roof roof = lab_roof_over(root, first);
    json_t *plot =
        lab_plot_new(file, json_sprintf("%s\n%s: %s", f->title, lab_str(task, "id"), lab_str(task, "title")));
    json_t *panel = lab_panel_new(plot, 0, json_null());
    size_t i;
    int any = 0;
    json_array_foreach(names, i, name) {
        const char *text = json_string_value(name);
        any |= add_points(panel, root, lab_str(task, "id"), "seq", text, NULL, text, lab_role_of(task, text), 'S');
    }
    if (any && !isnan(lab_ridge(roof))) {
        add_kernels(panel, 1024, lab_dim(first, "head_dim"));
        add_roof(plot, panel, roof, "full mask; at the points: S; above the frame: kernels at S = 1024");
        lab_mark_wrong(panel, roof_at, &roof, LAB_BEYOND_BYTES);
    } else {
        json_decref(plot);
        plot = NULL;
    }
    json_decref(names), json_decref(timings);
    return plot;
}

// Hollow points: where ncu's bytes put each kernel.
static void add_counted(json_t *panel, const json_t *root) {
    json_t *task, *p, *line = NULL;
    size_t i, k;
    json_array_foreach(json_object_get(root, "tasks"), i, task) {
        json_array_foreach(json_object_get(task, "profile"), k, p) {
            const double flops = lab_num(p, "flops"), bytes = lab_num(p, "dram_bytes"), seconds = lab_num(p, "seconds");
            if (!(flops > 0 && bytes > 0 && seconds > 0)) continue;
            if (!line) line = lab_series_new(panel, "at ncu's DRAM bytes", "counted.");
            lab_point(line, flops / bytes, flops / seconds);
            json_t *name = json_sprintf("%.*s", (int)strcspn(lab_str(p, "kernel"), "(<"), lab_str(p, "kernel"));
            lab_label(line, json_string_value(name));
            json_decref(name);
        }
    }
}

// The shape at which chain and fused kernel are compared: S = 1024, full, where there is one.
static const json_t *anchor(const json_t *root) {
    json_t *timings = lab_timings(root, "task2", "seq", "yours"), *t, *found = NULL;
    size_t i;
    json_array_foreach(timings, i, t) {
        json_t *shape = json_object_get(t, "shape");
        if (!found || (lab_num(shape, "seq_q") == 1024 && !json_is_true(json_object_get(shape, "causal")) &&
                       lab_num(found, "seq_q") != 1024))
            found = shape;
    }
    json_decref(timings);
    return found;
}

json_t *lab_make_gpu_roofline(const lab_figure *f, const json_t *root, const json_t *task, const char *file) {
    const json_t *machine = json_object_get(root, "machine"), *all = json_object_get(machine, "ceilings");
    const lab_roof roof = {lab_num(all, "gflop_s") * 1e9, lab_num(all, "bandwidth_gb_s") * 1e9};
    const json_t *at = anchor(root);
    json_t *plot = lab_plot_new(file, json_sprintf("%s\n%s", f->title, lab_str(machine, "gpu")));
    json_t *panel = lab_panel_new(plot, 0, json_null());
    int any = add_points(panel, root, "task2", "kernels", "yours", NULL, "task 2's kernels, S=1024", "6.", 'k');
    if (at) any |= add_points(panel, root, "task2", "seq", "yours", at, "task 2, the chain", "5.", 'k');
    any |= add_points(panel, root, "task4", "seq", "PyTorch", NULL, "PyTorch over S", "1", 's');
    any |= add_points(panel, root, "task4", "seq", "yours", NULL, "task 4, fused, at S", "yours", 'S');
    any |= add_points(panel, root, "task5", "kv", "yours", NULL, "task 5, decode", "2.", 'B');
    if (task || !any || isnan(lab_ridge(roof)) || !lab_is(root, "backend", "cuda")) {
        json_decref(plot);
        return NULL;
    }
    add_counted(panel, root);
    add_roof(plot, panel, roof, "at the model's bytes; above the slope a cache served part of them");
    lab_mark_wrong(panel, peak_at, &roof, LAB_BEYOND_CORES);
    return plot;
}
