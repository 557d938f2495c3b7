// bench_ceilings.c: what this machine can do at most, of its processor and of its GPU, for results.json's "machine".
#include "bench.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "backend.h"
#include "ceilings.h"

json_t *lab_gpu_rates(const char *build) {
    char command[4200];
    if (!lab_backend()->on_gpu) return NULL;
    snprintf(command, sizeof command, "'%s/bin/ceilings_cuda'", build);
    FILE *f = popen(command, "r");
    json_t *rates = f ? json_loadf(f, 0, NULL) : NULL;
    if (f) pclose(f);
    return rates;
}

static double rate(const json_t *rates, const char *key) { return json_number_value(json_object_get(rates, key)); }

int lab_bench_ceilings(const char *build, FILE *json) {
    lab_ceiling found[LAB_MAX_CEILINGS];
    const int all = omp_get_num_procs(), n = lab_measure_ceilings(all, found);
    json_t *peaks = json_array(), *bandwidths = json_array();
    double peak = 0, bandwidth = 0;
    for (int i = 0; i < n; i++) {
        const lab_ceiling *c = &found[i];
        printf("  %-9s %3d thread%s %8.1f %s\n", c->isa ? c->isa : "bandwidth", c->threads, c->threads > 1 ? "s" : " ",
               c->rate, c->isa ? "GFLOP/s" : "GB/s");
        if (c->isa)
            json_array_append_new(
                peaks, json_pack("{s:s, s:i, s:f}", "isa", c->isa, "threads", c->threads, "gflop_s", c->rate));
        else
            json_array_append_new(bandwidths, json_pack("{s:i, s:f}", "threads", c->threads, "gb_s", c->rate));
        if (c->isa && c->rate > peak) peak = c->rate;
        if (!c->isa && c->rate > bandwidth) bandwidth = c->rate;
    }
    json_t *gpu = lab_gpu_rates(build);
    if (gpu) {  // the roofline of a graded GPU task: reads alone may be faster than a copy's reads and writes
        peak = rate(gpu, "fma_gflop_s");
        bandwidth = rate(gpu, rate(gpu, "read_gb_s") > rate(gpu, "copy_gb_s") ? "read_gb_s" : "copy_gb_s");
        printf("  GPU       copy %.0f GB/s, read %.0f GB/s, fp32 multiply-adds %.0f GFLOP/s\n", rate(gpu, "copy_gb_s"),
               rate(gpu, "read_gb_s"), peak);
    }
    json_t *o = json_pack("{s:{s:f, s:f}, s:o, s:o}", "ceilings", "bandwidth_gb_s", bandwidth, "gflop_s", peak,
                          "fma_peaks", peaks, "bandwidths", bandwidths);
    if (gpu) json_object_set_new(o, "gpu_rates", gpu);
    const int written =
        !json || (json_dumpf(o, json, JSON_COMPACT | JSON_REAL_PRECISION(6)) == 0 && fputc('\n', json) != EOF);
    json_decref(o);
    return written ? 0 : 2;
}
