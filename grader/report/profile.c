// profile.c: each kernel as its compiler saw it (ptxas: registers, spills, shared memory) and as the profiler did (ncu).
#include "page.h"

#include "markdown.h"
#include "results.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool is_from(const json_t *entry, const char *source) {
    return strcmp(results_text(entry, "source"), source) == 0;
}

static size_t count_from(const json_t *task, const char *source) {
    const json_t *profile = json_object_get(task, "profile");
    size_t count = 0;
    for (size_t i = 0; i < json_array_size(profile); i++) {
        count += is_from(json_array_get(profile, i), source);
    }
    return count;
}

// " | 96", " | 48.2 %", " | -"
static void cell(const json_t *entry, const char *key, const char *format) {
    double x = results_number(entry, key);
    printf(" | ");
    printf(isnan(x) ? "-" : format, x);
}

static void bytes_cell(const json_t *entry, const char *key) {
    printf(" | ");
    md_bytes(results_number(entry, key));
}

static void compiler_row(const json_t *entry) {
    printf("| ");
    md_text(results_text(entry, "kernel"));
    cell(entry, "registers", "%.0f");
    cell(entry, "spill_bytes", "%.0f");
    bytes_cell(entry, "shared_bytes");
    printf(" |\n");
}

static void profiler_row(const json_t *entry) {
    double flops = results_number(entry, "flops"), bytes = results_number(entry, "dram_bytes");
    printf("| ");
    md_text(results_text(entry, "kernel"));
    printf(" | ");
    if (json_object_get(entry, "shape")) {
        md_shape(json_object_get(entry, "shape"));
    } else {
        md_text(results_text(entry, "case"));
    }
    printf(" | ");
    md_seconds(results_number(entry, "seconds"));
    cell(entry, "memory_pct", "%.1f %%");
    cell(entry, "sm_pct", "%.1f %%");
    bytes_cell(entry, "dram_bytes");
    printf(" | ");
    md_number(bytes > 0 ? flops / bytes : NAN);
    cell(entry, "occupancy_pct", "%.1f %%");
    cell(entry, "registers", "%.0f");
    cell(entry, "spill_bytes", "%.0f");
    cell(entry, "bank_conflicts", "%.0f");
    printf(" |\n");
}

static void table_from(const json_t *task, const char *source, const char *head, void (*row)(const json_t *entry)) {
    const json_t *profile = json_object_get(task, "profile");
    if (count_from(task, source) == 0) {
        return;
    }
    printf("\n%s\n", head);
    for (size_t i = 0; i < json_array_size(profile); i++) {
        if (is_from(json_array_get(profile, i), source)) {
            row(json_array_get(profile, i));
        }
    }
}

static size_t profile_of_task(const json_t *task) {
    const char *note = results_text(task, "profile_note");
    if (json_array_size(json_object_get(task, "profile")) == 0 && !note) {
        return 0;
    }
    printf("\n### %s: kernels under the profiler\n", results_text(task, "id"));
    table_from(
        task, "ncu",
        "Nsight Compute (ncu), throughput in % of its peak:\n\n"
        "| kernel | shape | time | memory | SM | DRAM bytes | FLOP/byte | occupancy | registers | spills, bytes | "
        "bank conflicts |\n|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
        profiler_row);
    if (note) {
        printf("\nncu measured nothing: ");
        md_text(note);
        printf(".\n");
    }
    table_from(task, "ptxas",
               "The compiler (ptxas), registers and spills per thread, static shared memory per block:\n\n"
               "| kernel | registers | spills, bytes | shared memory |\n|---|--:|--:|--:|",
               compiler_row);
    return 1;
}

void page_profile(const json_t *root) {
    const json_t *tasks = json_object_get(root, "tasks");
    size_t count = 0;
    printf("\n## Profile\n");
    for (size_t t = 0; t < json_array_size(tasks); t++) {
        count += profile_of_task(json_array_get(tasks, t));
    }
    if (count == 0) {
        printf(
            "\nNo profile in these results: CUDA kernels are profiled where nvcc (registers, spills) and ncu are.\n");
    }
}
