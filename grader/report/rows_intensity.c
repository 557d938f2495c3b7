// rows_intensity.c: FLOP per byte: of what was measured, by formula, and the machine's ceilings.
//
// The formulas are per head, float32, Sq = Sk = S, full mask; batch and heads multiply FLOPs and bytes alike and
// cancel.
#include "block_table.h"

#include <math.h>
#include <string.h>

#include "markdown.h"
#include "ratios.h"
#include "results.h"
#include "roof.h"

static const double SHORT = 128, LONG = 1024;

static json_t *bound_row(const json_t *root, const json_t *task, const json_t *t) {
    const lab_roof roof = lab_roof_over(root, t);
    const double x = lab_intensity(t), rate = lab_rate(t), top = lab_roof_at(roof, x);
    const int memory = x < lab_ridge(roof);
    char share[40], of[40];
    json_t *row = json_pack("{s:s, s:s, s:f, s:f}", "task", lab_str(task, "id"), "case", lab_str(t, "case"),
                            "intensity", x, "rate", rate * 1e-9);
    if (isnan(top)) return row;
    json_object_set_new(row, "bound", json_string(memory ? "memory-bound" : "compute-bound"));
    json_object_set_new(row, "share",
                        json_sprintf("%s of %sFLOP/s%s", lab_number(share, 'R', rate / top), lab_number(of, 'C', top),
                                     rate <= top ? ""
                                     : memory    ? ", above it: a cache served it, or it is an error"
                                                 : ", above it: an error of the measurement"));
    return row;
}

// A point to comment on: a full mask at a short and a long S, a kernel of the chain, decode over the longest cache.
static int is_point(json_t *timings, const json_t *t) {
    const json_t *shape = json_object_get(t, "shape");
    const double S = lab_dim(t, "seq_q");
    json_t *other;
    size_t i;
    if (!lab_measured(t) || !lab_is(t, "implementation", "yours") || isnan(lab_intensity(t))) return 0;
    if (lab_is(t, "series", "kernels")) return 1;
    if (lab_is(t, "series", "seq")) return (S == SHORT || S == LONG) && !json_is_true(json_object_get(shape, "causal"));
    json_array_foreach(timings, i, other) {
        if (lab_same(other, t, "series") && lab_dim(other, "batch") == lab_dim(t, "batch") &&
            lab_dim(other, "seq_kv") > lab_dim(t, "seq_kv"))
            return 0;
    }
    return lab_is(t, "series", "kv");
}

json_t *lab_rows_bounds(const lab_view *view) {
    json_t *rows = json_array(), *task, *t;
    size_t k;
    for (size_t i = 0; (task = lab_next_task(view, &i));)
        json_array_foreach(json_object_get(task, "timings"), k, t) if (is_point(json_object_get(task, "timings"), t))
            json_array_append_new(rows, bound_row(view->root, task, t));
    return rows;
}

// The first timing over S, of the GPU where there is one: it tells the head dimension and which ceilings apply.
static const json_t *first_over_S(const json_t *root) {
    json_t *all = lab_timings(root, NULL, "seq", NULL), *t, *first = NULL;
    size_t i;
    json_array_foreach(all, i, t) if (!first || (!lab_on_gpu(first) && lab_on_gpu(t))) first = t;
    json_decref(all);  // the document still holds them
    return first;
}

// t: NULL where only what carries points was measured, and nothing of it over S.
static void say_ridge_over(FILE *out, const json_t *root, const json_t *t) {
    const lab_roof roof = lab_roof_over(root, t);
    const int of_gpu = t ? lab_on_gpu(t) : lab_is(root, "backend", "cuda");
    if (isnan(lab_ridge(roof)))
        lab_md(out, "\nThe ceilings were not measured, so memory- or compute-bound is left open here.\n");
    else
        lab_md(out,
               "\nThe ridge of this machine's %s is %C%s / %C%s = **%N FLOP/byte**: a kernel left of it is "
               "memory-bound, right of it compute-bound.\n",
               of_gpu ? "GPU" : "CPU", roof.flop_s, "FLOP/s", roof.byte_s, "B/s", lab_ridge(roof));
}

void lab_say_ridge(FILE *out, const lab_view *view) { say_ridge_over(out, view->root, first_over_S(view->root)); }

static double gemm_flops(double S, double D) { return 2 * S * S * D; }
static double gemm_bytes(double S, double D) { return 4 * (2 * S * D + S * S); }
static double softmax_flops(double S, double D) { return 4 * S * S + 0 * D; }
static double softmax_bytes(double S, double D) { return 8 * S * S + 0 * D; }
static double chain_bytes(double S, double D) { return lab_chain_traffic(S, D, 4); }
static double fused_bytes(double S, double D) { return lab_chain_traffic(S, D, 0); }

static const struct {
    const char *kernel, *flops_formula, *bytes_formula;
    double (*flops)(double S, double D), (*bytes)(double S, double D);
} kernels[] = {
    {"Q Kᵀ, scores to memory", "2 S² D", "4 (2 S D + S²)", gemm_flops, gemm_bytes},
    {"softmax over S×S", "4 S²", "4 (S² + S²)", softmax_flops, softmax_bytes},
    {"P V, scores from memory", "2 S² D", "4 (S² + 2 S D)", gemm_flops, gemm_bytes},
    {"naive chain, at least", "4 S² D", "4 (4 S D + 4 S²)", lab_attention_flops, chain_bytes},
    {"fused kernel", "4 S² D", "4 · 4 S D", lab_attention_flops, fused_bytes},
};

// 2.1 M / 131 k = 16.0, memory-bound
static json_t *derived(int k, double S, double D, double ridge) {
    const double flops = kernels[k].flops(S, D), bytes = kernels[k].bytes(S, D);
    char a[40], b[40], x[40];
    return json_sprintf("%s / %s = %s%s", lab_number(a, 'C', flops), lab_number(b, 'C', bytes),
                        lab_number(x, 'N', flops / bytes),
                        isnan(ridge)            ? ""
                        : flops / bytes < ridge ? ", memory-bound"
                                                : ", compute-bound");
}

static double head_dim(const json_t *root) {
    const json_t *first = first_over_S(root);
    return first ? lab_dim(first, "head_dim") : 64;
}

json_t *lab_rows_derivation(const lab_view *view) {
    const double D = head_dim(view->root), ridge = lab_ridge(lab_roof_over(view->root, first_over_S(view->root)));
    json_t *rows = json_array();
    for (int k = 0; k < (int)(sizeof kernels / sizeof *kernels); k++)
        json_array_append_new(rows, json_pack("{s:s, s:s, s:s, s:o, s:o}", "kernel", kernels[k].kernel, "flops",
                                              kernels[k].flops_formula, "bytes", kernels[k].bytes_formula, "at128",
                                              derived(k, SHORT, D, ridge), "at1024", derived(k, LONG, D, ridge)));
    return rows;
}

// Why the numbers are so is what the report asks (QUESTIONS.md has the key).
void lab_say_derivation(FILE *out, const lab_view *view) {
    const double D = head_dim(view->root);
    say_ridge_over(out, view->root, first_over_S(view->root));
    lab_md(out,
           "\nHere D = %D. Softmax's 4 operations a score have a row of their own and, as usual in the field, are not "
           "in the totals. A row has the least bytes, each tensor once in each kernel; task 2's chain has one kernel "
           "more.\n",
           D);
}

static void ceiling(json_t *rows, json_t *what, double threads, double rate, const char *unit) {
    char text[40];
    if (!isnan(rate))
        json_array_append_new(rows, json_pack("{s:o, s:o, s:o}", "what", what, "threads", lab_real(threads), "rate",
                                              json_sprintf("%s%s", lab_number(text, 'C', rate * 1e9), unit)));
    else
        json_decref(what);
}

json_t *lab_rows_ceilings(const lab_view *view) {
    const json_t *machine = json_object_get(view->root, "machine"), *gpu = json_object_get(machine, "gpu_rates");
    json_t *rows = json_array(), *entry;
    size_t i;
    json_array_foreach(json_object_get(machine, "fma_peaks"), i, entry)
        ceiling(rows, json_sprintf("FMA, %s", lab_str(entry, "isa")), lab_num(entry, "threads"),
                lab_num(entry, "gflop_s"), "FLOP/s");
    json_array_foreach(json_object_get(machine, "bandwidths"), i, entry)
        ceiling(rows, json_string("memory bandwidth"), lab_num(entry, "threads"), lab_num(entry, "gb_s"), "B/s");
    ceiling(rows, json_string("GPU, fp32 FMA"), NAN, lab_num(gpu, "fma_gflop_s"), "FLOP/s");
    ceiling(rows, json_string("GPU, cuBLAS product of 8192"), NAN, lab_num(gpu, "gemm_gflop_s"), "FLOP/s");
    ceiling(rows, json_string("GPU, memory, read"), NAN, lab_num(gpu, "read_gb_s"), "B/s");
    ceiling(rows, json_string("GPU, memory, copy (read + write)"), NAN, lab_num(gpu, "copy_gb_s"), "B/s");
    return rows;
}
