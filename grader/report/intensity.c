// intensity.c: arithmetic intensity (FLOP per byte of memory traffic), derived in numbers at S = 128 and 1024, for the
// naive chain kernel by kernel and for the fused kernel, and set against the measured ridge point.
//
// Per head, float32, Sq = Sk = S, full mask; batch and heads multiply FLOPs and bytes alike and cancel.
// The chain keeps the scores in memory: Q K^T writes S x S, softmax reads and writes it, P V reads it.
#include "page.h"

#include "markdown.h"
#include "results.h"
#include "roof.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    const char *name;
    const char *flops_formula;
    const char *bytes_formula;
    double (*flops)(double S, double D);
    double (*bytes)(double S, double D);
} kernel;

static double gemm_flops(double S, double D) { return 2 * S * S * D; }
static double gemm_bytes(double S, double D) { return 4 * (2 * S * D + S * S); }
static double softmax_flops(double S, double D) { return 4 * S * S + 0 * D; }
static double softmax_bytes(double S, double D) { return 8 * S * S + 0 * D; }
static double attention_flops(double S, double D) { return 4 * S * S * D; }
static double chain_bytes(double S, double D) { return 4 * (4 * S * S + 4 * S * D); }
static double fused_bytes(double S, double D) { return 4 * 4 * S * D; }

static const kernel kernels[] = {
    {"Q Kᵀ, scores to memory", "2 S² D", "4 (2 S D + S²)", gemm_flops, gemm_bytes},
    {"softmax over S×S", "4 S²", "4 (S² + S²)", softmax_flops, softmax_bytes},
    {"P V, scores from memory", "2 S² D", "4 (S² + 2 S D)", gemm_flops, gemm_bytes},
    {"**naive chain**", "4 S² D", "4 (4 S² + 4 S D)", attention_flops, chain_bytes},
    {"**fused kernel**", "4 S² D", "4 · 4 S D", attention_flops, fused_bytes},
};

static const double lengths[] = {128, 1024};

static double intensity(const kernel *k, double S, double D) { return k->flops(S, D) / k->bytes(S, D); }

static bool on_gpu(const json_t *root, const json_t *timing) {
    return strcmp(results_text(root, "backend"), "cuda") == 0 && isnan(results_number(timing, "threads"));
}

// The first timing of a seq series, on the GPU where there is one, tells the head dimension and which ceilings apply.
static const json_t *first_timing(const json_t *root) {
    const json_t *tasks = json_object_get(root, "tasks"), *first = NULL;
    for (size_t t = 0; t < json_array_size(tasks); t++) {
        const json_t *timings = json_object_get(json_array_get(tasks, t), "timings");
        for (size_t i = 0; i < json_array_size(timings); i++) {
            const json_t *timing = json_array_get(timings, i);
            if (strcmp(results_text(timing, "series"), "seq") != 0) continue;
            if (on_gpu(root, timing)) return timing;
            if (!first) first = timing;
        }
    }
    return first;
}

// 2.10 M / 131 k = 16.0, memory-bound
static void derivation_cell(const kernel *k, double S, double D, double ridge) {
    double x = intensity(k, S, D);
    printf(" ");
    md_count(k->flops(S, D));
    printf(" / ");
    md_count(k->bytes(S, D));
    printf(" = **");
    md_number(x);
    printf("**%s |", isnan(ridge) ? "" : x < ridge ? ", memory-bound" : ", compute-bound");
}

static void derivation_table(double D, double ridge) {
    printf("| kernel | FLOPs | bytes | at S = 128 | at S = 1024 |\n|---|---|---|---|---|\n");
    for (size_t k = 0; k < sizeof kernels / sizeof kernels[0]; k++) {
        printf("| %s | %s | %s |", kernels[k].name, kernels[k].flops_formula, kernels[k].bytes_formula);
        for (size_t s = 0; s < sizeof lengths / sizeof lengths[0]; s++) {
            derivation_cell(&kernels[k], lengths[s], D, ridge);
        }
        printf("\n");
    }
}

static void explanation(double D) {
    const kernel *chain = &kernels[3], *fused = &kernels[4];
    printf("\nSoftmax's 4 operations a score stand in its own row and, as usual in the field, not in the totals.\n"
           "\n**It rises with S.** FLOPs grow as S² D. The naive chain moves S² scores four times and the tensors (S "
           "D) once: "
           "4 S² D / 16 (S² + S D) = S D / 4 (S + D), which rises from ");
    md_number(intensity(chain, lengths[0], D));
    printf(" to ");
    md_number(intensity(chain, lengths[1], D));
    printf(" FLOP/byte as the tensors' share of the traffic fades, and can never pass D/4 = ");
    md_number(D / 4);
    printf(": the S×S matrix costs bytes as fast as it gives work. The fused kernel never stores it: "
           "4 S² D / 16 S D = S/4, from ");
    md_number(intensity(fused, lengths[0], D));
    printf(" to ");
    md_number(intensity(fused, lengths[1], D));
    printf(", without a limit. (Each tensor moved once is the least; tiles that read K and V again lower it. "
           "A causal mask halves the FLOPs, not the tensors: the fused kernel's intensity halves too.)\n");
}

// One measured point against the roof above it.
static void verdict_on(const json_t *root, const json_t *task, const json_t *timing) {
    roof_ceilings ceilings = roof_ceilings_for(root, timing);
    double flops = results_number(timing, "flops"), x = flops / results_number(timing, "bytes");
    double rate = flops / results_number(timing, "median_s") * 1e-9, roof = roof_at(ceilings, x);
    printf("- %s, ", results_text(task, "id"));
    md_text(results_text(timing, "case"));
    printf(": ");
    md_count(flops);
    printf("FLOP / ");
    md_count(results_number(timing, "bytes"));
    printf("B = ");
    md_number(x);
    printf(" FLOP/byte, ");
    md_number(rate);
    printf(" GFLOP/s");
    if (!isnan(roof)) {
        bool compute = x * ceilings.gb_s >= ceilings.gflop_s;
        printf(": %s-bound, at %.1f %% of its roof of ", compute ? "compute" : "memory", 100 * rate / roof);
        md_number(roof);
        printf(" GFLOP/s");
        if (rate > roof) {
            printf(compute
                       ? " (**above the peak: an error of the measurement**)"
                       : " (**above the bandwidth line**: its data stayed in a cache, or the measurement is wrong)");
        }
    }
    printf(".\n");
}

// A point to comment on: yours, in the seq series, at one of the derivation's lengths; B, H and D as first has them.
static bool is_point(const json_t *timing, const json_t *first) {
    const json_t *shape = json_object_get(timing, "shape"), *of_first = json_object_get(first, "shape");
    double S = results_number(shape, "seq_q");
    return results_is_measured(timing) &&
           json_equal(json_object_get(shape, "batch"), json_object_get(of_first, "batch")) &&
           json_equal(json_object_get(shape, "heads"), json_object_get(of_first, "heads")) &&
           json_equal(json_object_get(shape, "head_dim"), json_object_get(of_first, "head_dim")) &&
           strcmp(results_text(timing, "series"), "seq") == 0 &&
           strcmp(results_text(timing, "implementation"), "yours") == 0 && (S == lengths[0] || S == lengths[1]) &&
           results_number(timing, "flops") > 0 && results_number(timing, "bytes") > 0;
}

static void measured_points(const json_t *root) {
    const json_t *tasks = json_object_get(root, "tasks");
    size_t count = 0;
    for (size_t t = 0; t < json_array_size(tasks); t++) {
        const json_t *task = json_array_get(tasks, t), *timings = json_object_get(task, "timings");
        for (size_t i = 0; i < json_array_size(timings); i++) {
            const json_t *timing = json_array_get(timings, i);
            if (is_point(timing, first_timing(root))) {
                printf(count++ ? "" : "\nMeasured, yours:\n\n");
                verdict_on(root, task, timing);
            }
        }
    }
}

void page_intensity(const json_t *root) {
    const json_t *timing = first_timing(root);
    double D = timing ? results_number(json_object_get(timing, "shape"), "head_dim") : 64;
    roof_ceilings ceilings = roof_ceilings_for(root, timing);
    double ridge = ceilings.gflop_s / ceilings.gb_s;
    printf("\n## Arithmetic intensity\n\nFLOPs done per byte moved to or from memory; per head, float32, D = %.0f, "
           "full mask.\n",
           D);
    if (isnan(ridge)) {
        printf("The ceilings were not measured, so memory- or compute-bound is left open here.\n\n");
    } else {
        printf("The ridge point of this machine's %s is ", on_gpu(root, timing) ? "GPU" : "CPU");
        md_number(ceilings.gflop_s);
        printf(" GFLOP/s / ");
        md_number(ceilings.gb_s);
        printf(" GB/s = **");
        md_number(ridge);
        printf(" FLOP/byte**: a kernel left of it is memory-bound, right of it compute-bound.\n\n");
    }
    derivation_table(D, ridge);
    explanation(D);
    measured_points(root);
}
