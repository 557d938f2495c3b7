// ncu.c: a table of metrics, and a reader of the raw page: a row of column names, a row of units, a row per launch.
#include "ncu.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

const lab_metric lab_metrics[] = {
    {"gpu__time_duration.sum", LAB_SECONDS, 1, 0},
    {"dram__bytes_read.sum", LAB_DRAM_BYTES, 1, 0},
    {"dram__bytes_write.sum", LAB_DRAM_BYTES, 1, 0},
    {"gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed", LAB_MEMORY_PCT, 1, 0},
    {"sm__throughput.avg.pct_of_peak_sustained_elapsed", LAB_SM_PCT, 1, 0},
    {"sm__warps_active.avg.pct_of_peak_sustained_active", LAB_OCCUPANCY_PCT, 1, 0},
    {"launch__registers_per_thread", LAB_REGISTERS, 1, 0},
    {"launch__shared_mem_per_block_static", LAB_SHARED_BYTES, 1, 0},
    {"launch__shared_mem_per_block_dynamic", LAB_SHARED_BYTES, 1, 0},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum", LAB_BANK_CONFLICTS, 1, 0},
    {"l1tex__data_bank_conflicts_pipe_lsu.sum", LAB_BANK_CONFLICTS, 1, 1},
    {"l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum", LAB_LOCAL_BYTES, 32, 0},
    {"l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum", LAB_LOCAL_BYTES, 32, 0},
    {"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", LAB_FLOPS, 2, 0},
    {"smsp__sass_thread_inst_executed_op_fadd_pred_on.sum", LAB_FLOPS, 1, 0},
    {"smsp__sass_thread_inst_executed_op_fmul_pred_on.sum", LAB_FLOPS, 1, 0},
};
const int lab_n_metrics = sizeof lab_metrics / sizeof *lab_metrics;

enum { MAX_COLUMNS = 1024, MAX_LINE = 128 << 10 };

// Splits a line in place: fields between commas, in quotes or not, a doubled quote for one.
static int split(char *line, char *field[MAX_COLUMNS]) {
    int n = 0;
    for (char *in = line; n < MAX_COLUMNS; in++) {
        char *out = in;
        const int in_quotes = *in == '"';
        field[n++] = out;
        if (in_quotes) in++;
        while (*in && (in_quotes ? *in != '"' || in[1] == '"' : *in != ',')) {
            if (in_quotes && *in == '"') in++;
            *out++ = *in++;
        }
        if (in_quotes && *in) in++;
        const int more = *in == ',';
        *out = 0;
        if (!more) break;
    }
    return n;
}

// "Kbyte", "byte/block", "nsecond", "us": bytes and seconds become plain ones.
static double scale_of(const char *unit) {
    static const struct {
        const char *unit;
        double scale;
    } units[] = {{"Kbyte", 1e3}, {"Mbyte", 1e6}, {"Gbyte", 1e9}, {"Tbyte", 1e12}, {"ns", 1e-9},
                 {"us", 1e-6},   {"ms", 1e-3},   {"usec", 1e-6}, {"msec", 1e-3},  {"nsec", 1e-9}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strncmp(unit, units[i].unit, strlen(units[i].unit)) == 0) return units[i].scale;
    return 1;
}

// "1,234.5" with separators; NAN where there is no number ("n/a").
static double number_of(const char *text) {
    char plain[64], *end;
    size_t n = 0;
    for (; *text && n + 1 < sizeof plain; text++)
        if (*text != ',') plain[n++] = *text;
    plain[n] = 0;
    const double x = strtod(plain, &end);
    return end == plain || !isfinite(x) ? NAN : x;
}

static void read_launch(lab_kernel *k, char *const names[], char *const units[], char *const values[], int n) {
    for (int m = 0; m < lab_n_metrics; m++) {
        const lab_metric *metric = &lab_metrics[m];
        double *value = &k->value[metric->field];
        for (int c = 0; c < n; c++) {
            if (strcmp(names[c], metric->name) || (metric->instead && !isnan(*value))) continue;
            const double x = number_of(values[c]) * scale_of(units[c]) * metric->weight;
            if (!isnan(x)) *value = (isnan(*value) ? 0 : *value) + x;
        }
    }
}

// A further launch of the same kernel: times and counts add up, percentages are weighted by time.
static void merge(lab_kernel *to, const lab_kernel *from) {
    const double a = to->value[LAB_SECONDS], b = from->value[LAB_SECONDS];
    const double share = a + b > 0 ? b / (a + b) : 0.5;
    for (int f = 0; f < LAB_N_FIELDS; f++) {
        double *x = &to->value[f];
        const double y = from->value[f];
        if (f == LAB_MEMORY_PCT || f == LAB_SM_PCT || f == LAB_OCCUPANCY_PCT)
            *x += (y - *x) * share;
        else if (f < LAB_SECONDS)
            *x = fmax(*x, y);
        else
            *x += y;
    }
}

static int column(char *const names[], int n, const char *name) {
    for (int c = 0; c < n; c++)
        if (strcmp(names[c], name) == 0) return c;
    return -1;
}

static int add_launch(lab_kernel kernels[], int n, char *const names[], char *const units[], char *values[], int width,
                      int at) {
    lab_kernel launch, *known;
    char name[LAB_KERNEL_NAME];
    lab_kernel_name(values[at], name, sizeof name);
    lab_kernel_init(&launch, name);
    read_launch(&launch, names, units, values, width);
    if ((known = lab_kernel_find(kernels, n, name)))
        merge(known, &launch);
    else if (n < LAB_MAX_KERNELS)
        kernels[n++] = launch;
    return n;
}

int lab_ncu_parse(const char *csv, lab_kernel kernels[LAB_MAX_KERNELS]) {
    static char header[MAX_LINE], second[MAX_LINE], line[MAX_LINE];
    char *names[MAX_COLUMNS], *units[MAX_COLUMNS], *values[MAX_COLUMNS];
    int width = 0, have_units = 0, at = -1, n = 0;
    for (const char *p = csv; *p; p += strcspn(p, "\n"), p += *p == '\n') {
        if (*p != '"') continue;  // "==PROF== ..."
        char *into = !width ? header : !have_units ? second : line;
        snprintf(into, MAX_LINE, "%.*s", (int)strcspn(p, "\r\n"), p);
        if (!width) {
            width = split(header, names);
            if ((at = column(names, width, "Kernel Name")) < 0) width = 0;
        } else if (!have_units) {
            have_units = split(second, units) == width;
        } else if (split(line, values) == width) {
            n = add_launch(kernels, n, names, units, values, width, at);
        }
    }
    return n;
}

int lab_ncu_complaint(const char *log, char *why, size_t size) {
    static const char mark[] = "==ERROR== ";
    const char *denied = strstr(log, "ERR_NVGPUCTRPERM"), *line = strstr(log, mark);
    why[0] = 0;
    if (line) {
        line += strlen(mark);
        snprintf(why, size, "%.*s", (int)strcspn(line, "\r\n"), line);
        lab_clean_text(why);
    }
    return denied != NULL;
}
