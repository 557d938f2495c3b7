// show.c: tables and JSON lines.
#include "show.h"

#include <math.h>
#include <string.h>

#include <jansson.h>

#include "shape_json.h"

// One cell, 10 wide: the number, or a dash where it is not known.
static void cell(double x, const char *format) {
    char text[32] = "-";
    if (!isnan(x)) snprintf(text, sizeof text, format, x);
    printf(" %10s", text);
}

void lab_show_compiled(const lab_kernel *kernels, int n, const char *arch) {
    printf("  compiled for %-21s %10s %10s %10s %10s\n", *arch ? arch : "a GPU", "registers", "spills", "stack",
           "shared");
    for (int i = 0; i < n; i++) {
        const double *v = kernels[i].value;
        printf("  %-34.48s", kernels[i].name);
        cell(v[LAB_REGISTERS], "%.0f");
        cell(v[LAB_SPILL_BYTES], "%.0f B");
        cell(v[LAB_STACK_BYTES], "%.0f B");
        cell(v[LAB_SHARED_BYTES], "%.0f B");
        putchar('\n');
    }
    printf("  Spills are registers that did not fit: traffic to local memory.\n"
           "  Shared memory: static; dynamic comes on top.\n");
}

void lab_show_counted(const lab_experiment *point, const lab_kernel *kernels, int n) {
    static const char *const heads[] = {"time us", "DRAM MB", "GB/s",      "memory %",  "SM %",
                                        "GFLOP/s", "warps %", "shared KB", "conflicts", "local KB"};
    printf("  %-34.48s", point->name);
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) printf(" %10s", heads[i]);
    putchar('\n');
    for (int i = 0; i < n; i++) {
        const double *v = kernels[i].value;
        printf("  %-34.48s", kernels[i].name);
        cell(v[LAB_SECONDS] * 1e6, "%.1f");
        cell(v[LAB_DRAM_BYTES] * 1e-6, "%.2f");
        cell(v[LAB_DRAM_BYTES] / v[LAB_SECONDS] * 1e-9, "%.1f");
        cell(v[LAB_MEMORY_PCT], "%.1f");
        cell(v[LAB_SM_PCT], "%.1f");
        cell(v[LAB_FLOPS] / v[LAB_SECONDS] * 1e-9, "%.1f");
        cell(v[LAB_OCCUPANCY_PCT], "%.1f");
        cell(v[LAB_SHARED_BYTES] / 1024, "%.1f");
        cell(v[LAB_BANK_CONFLICTS], "%.0f");
        cell(v[LAB_LOCAL_BYTES] / 1024, "%.1f");
        putchar('\n');
    }
}

// The fields of a row that are in the schema of results.json; the table shows more.
static const struct {
    lab_field field;
    const char *key;
    int whole;  // a count, not a measurement
} columns[] = {
    {LAB_REGISTERS, "registers", 1}, {LAB_SPILL_BYTES, "spill_bytes", 1},     {LAB_SHARED_BYTES, "shared_bytes", 1},
    {LAB_SECONDS, "seconds", 0},     {LAB_DRAM_BYTES, "dram_bytes", 1},       {LAB_MEMORY_PCT, "memory_pct", 0},
    {LAB_SM_PCT, "sm_pct", 0},       {LAB_OCCUPANCY_PCT, "occupancy_pct", 0}, {LAB_BANK_CONFLICTS, "bank_conflicts", 1},
    {LAB_FLOPS, "flops", 1},
};

static int write_line(FILE *json, json_t *o) {
    const int ok = o && json_dumpf(o, json, JSON_COMPACT | JSON_REAL_PRECISION(6)) == 0 && fputc('\n', json) != EOF &&
                   fflush(json) == 0;
    json_decref(o);
    return ok;
}

int lab_write_kernels(FILE *json, const lab_experiment *point, const lab_kernel *kernels, int n) {
    int ok = 1;
    for (int i = 0; json && i < n; i++) {
        json_t *o = json_pack("{s:s}", "kernel", kernels[i].name);
        if (point) {
            json_object_set_new(o, "case", json_string(point->name));
            json_object_set_new(o, "shape", lab_shape_json(point->shape));
        }
        json_object_set_new(o, "source", json_string(point ? "ncu" : "ptxas"));
        for (size_t c = 0; c < sizeof columns / sizeof *columns; c++) {
            const double x = kernels[i].value[columns[c].field];
            if (!isnan(x))
                json_object_set_new(o, columns[c].key, columns[c].whole ? json_integer(llround(x)) : json_real(x));
        }
        ok &= write_line(json, o);
    }
    return ok;
}

int lab_write_note(FILE *json, const char *note) {
    return !json || write_line(json, json_pack("{s:s}", "profile_note", note));
}
