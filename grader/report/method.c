// method.c: "How it was measured", with the ceilings by instruction set and threads.
#include "page.h"

#include "markdown.h"
#include "results.h"

#include <stdio.h>
#include <string.h>

// GPU, read from memory | | 4600 GB/s
static void gpu_row(const json_t *gpu, const char *what, const char *key, const char *unit) {
    printf("| GPU, %s | | ", what);
    md_number(results_number(gpu, key));
    printf(" %s |\n", unit);
}

static void ceilings_table(const json_t *machine) {
    const json_t *peaks = json_object_get(machine, "fma_peaks");
    const json_t *bandwidths = json_object_get(machine, "bandwidths");
    const json_t *gpu = json_object_get(machine, "gpu_rates");
    if (json_array_size(peaks) + json_array_size(bandwidths) == 0 && !gpu) {
        return;
    }
    printf("\n| measured ceiling | threads | rate |\n|---|--:|--:|\n");
    for (size_t i = 0; i < json_array_size(peaks); i++) {
        const json_t *peak = json_array_get(peaks, i);
        printf("| FMA, ");
        md_text(results_text(peak, "isa"));
        printf(" | %.0f | ", results_number(peak, "threads"));
        md_number(results_number(peak, "gflop_s"));
        printf(" GFLOP/s |\n");
    }
    for (size_t i = 0; i < json_array_size(bandwidths); i++) {
        const json_t *bandwidth = json_array_get(bandwidths, i);
        printf("| memory bandwidth | %.0f | ", results_number(bandwidth, "threads"));
        md_number(results_number(bandwidth, "gb_s"));
        printf(" GB/s |\n");
    }
    if (gpu) {
        gpu_row(gpu, "fp32 FMA", "fma_gflop_s", "GFLOP/s");
        if (json_object_get(gpu, "gemm_gflop_s")) gpu_row(gpu, "cuBLAS product of 8192", "gemm_gflop_s", "GFLOP/s");
        gpu_row(gpu, "memory, read", "read_gb_s", "GB/s");
        gpu_row(gpu, "memory, copy (read + write)", "copy_gb_s", "GB/s");
    }
}

void page_method(const json_t *root) {
    const json_t *machine = json_object_get(root, "machine");
    printf("\n## How it was measured\n\n");
    printf("- **Correct** means: every element written and finite, max_err below the tolerance against a float64 "
           "oracle, "
           "rms error below 1 %% of the output's rms, inputs unchanged, nothing written outside the output, two runs "
           "equal.\n");
    printf(
        "- **Time** is the median of the runs after warm-up, on fresh inputs, by the grader's clock; the spread is the "
        "distance between the quartiles (IQR) in percent of the median. Baselines ran in the same session.\n");
    printf(
        "- **FLOPs** are 4 B H Sq Sk D, for a causal mask 4 B H D times the visible pairs, counted exactly. "
        "**Bytes** are the model's: each tensor once, and the passes over S×S where an implementation makes them.\n");
    printf(
        "- **Ceilings** were measured on this machine, not looked up; %% of peak is against the FMA peak with the same "
        "number of threads. A time above a ceiling is an error, not a record, and is flagged.\n");
    printf("- **Working memory** is the growth of the process's peak resident set during the call.\n");
    if (strcmp(results_text(root, "backend"), "simt") == 0) {
        printf("- **No GPU was used**: CUDA files ran on the CPU (simt). Their performance points come from counted "
               "memory "
               "traffic; a time on the CPU is no kernel's speed and none is shown.\n");
    }
    if (strcmp(results_text(root, "backend"), "cuda") == 0) {
        printf("- **On the GPU** tasks stand under the GPU's ceilings, on the CPU under the CPU's. A kernel above the "
               "bandwidth line but below the peak was served by a cache in part; the L2 cache is flushed before each "
               "run, not between the kernels of a chain.\n");
    }
    ceilings_table(machine);
}
