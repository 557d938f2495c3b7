// machine.c: what the results were measured on.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backend.h"
#include "grade.h"
#include "tool.h"

enum { CEILING_SECONDS = 300 };

static void processor_name(char *text, size_t size) {
    char line[256];
    FILE *f = fopen("/proc/cpuinfo", "r");
    snprintf(text, size, "unknown");
    while (f && fgets(line, sizeof line, f))
        if (strncmp(line, "model name", 10) == 0 && strchr(line, ':')) {
            snprintf(text, size, "%s", strchr(line, ':') + 2);
            text[strcspn(text, "\n")] = 0;
            break;
        }
    if (f) fclose(f);
}

static void compiler_name(char *text, size_t size) {
    const char *cc = getenv("CC");
    char *const argv[] = {(char *)(cc && *cc ? cc : "gcc"), "--version", NULL};
    if (!lab_tool_line(argv, text, size)) snprintf(text, size, "unknown");
}

static void gpu_name(char *text, size_t size) {
    char *const argv[] = {"nvidia-smi", "--query-gpu=name", "--format=csv,noheader", NULL};
    lab_tool_line(argv, text, size);
}

static json_t *measure_ceilings(const char *scratch) {
    char path[4200], log[4200];
    snprintf(path, sizeof path, "%s/.ceilings-%d.json", scratch, (int)getpid());
    snprintf(log, sizeof log, "%s/.ceilings-%d.log", scratch, (int)getpid());
    char *const argv[] = {"build/bin/bench", "ceilings", "--json", path, NULL};
    json_t *ceilings = lab_tool_within(CEILING_SECONDS, argv, log) == 0 ? json_load_file(path, 0, NULL) : NULL;
    unlink(path);
    unlink(log);
    return ceilings;
}

json_t *lab_machine(int bench, const char *scratch) {
    char cpu[256], compiler[256], gpu[256];
    processor_name(cpu, sizeof cpu);
    compiler_name(compiler, sizeof compiler);
    gpu_name(gpu, sizeof gpu);
    json_t *machine = json_pack("{s:s, s:i, s:o, s:s}", "cpu", cpu, "cores", (int)sysconf(_SC_NPROCESSORS_ONLN), "gpu",
                                *gpu ? json_string(gpu) : json_null(), "compiler", compiler);
    json_t *ceilings = bench ? measure_ceilings(scratch) : NULL;
    if (ceilings) json_object_update(machine, ceilings);
    json_decref(ceilings);
    return machine;
}

// Raises old's number under key to new's.
static void raise(json_t *old, const json_t *new, const char *key) {
    const double x = json_number_value(json_object_get(new, key));
    if (x > json_number_value(json_object_get(old, key))) json_object_set_new(old, key, json_real(x));
}

void lab_machine_raise(json_t *machine, const char *scratch) {
    static const char *const lists[2] = {"fma_peaks", "bandwidths"}, *const rates[2] = {"gflop_s", "gb_s"};
    json_t *again = measure_ceilings(scratch), *entry;
    for (int k = 0; again && k < 2; k++) {
        size_t i;
        json_array_foreach(json_object_get(machine, lists[k]), i, entry) {
            raise(entry, json_array_get(json_object_get(again, lists[k]), i), rates[k]);
        }
        const char *name = k ? "bandwidth_gb_s" : "gflop_s";
        raise(json_object_get(machine, "ceilings"), json_object_get(again, "ceilings"), name);
    }
    static const char *const gpu[5] = {"copy_gb_s", "read_gb_s", "fma_gflop_s", "tensor_gflop_s", "kernels_s"};
    json_t *of_gpu = json_object_get(machine, "gpu_rates");
    for (int k = 0; of_gpu && k < 5; k++) raise(of_gpu, json_object_get(again, "gpu_rates"), gpu[k]);
    json_decref(again);
}

const char *lab_backend_of(const lab_grading *g) {
    for (int i = 0; i < g->n_tasks; i++)
        if (g->tasks[i]->language == LAB_CUDA) return lab_backend()->name;
    return "cpu";
}
