// roof.c: looks the ceilings up in results.json, by threads.
#include "roof.h"

#include <math.h>

#include "results.h"

// The largest rate in a list like fma_peaks among the entries measured with so many threads; NaN if there is none.
static double largest(const json_t *list, const char *rate, double threads) {
    double best = NAN;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *entry = json_array_get(list, i);
        if (lab_num(entry, "threads") == threads) best = fmax(best, lab_num(entry, rate));
    }
    return best;
}

lab_roof lab_roof_over(const json_t *root, const json_t *timing) {
    const json_t *machine = json_object_get(root, "machine"), *all = json_object_get(machine, "ceilings");
    const lab_roof roof = {lab_num(all, "gflop_s") * 1e9, lab_num(all, "bandwidth_gb_s") * 1e9};
    const double threads = lab_num(timing, "threads");
    if (lab_on_gpu(timing)) return roof;
    // With backend cuda, machine.ceilings are the GPU's and say nothing about a task that runs on the CPU.
    const int of_gpu = lab_is(root, "backend", "cuda");
    const double peak = largest(json_object_get(machine, "fma_peaks"), "gflop_s", threads) * 1e9;
    const double bandwidth = largest(json_object_get(machine, "bandwidths"), "gb_s", threads) * 1e9;
    return (lab_roof){!isnan(peak) ? peak
                      : of_gpu     ? NAN
                                   : roof.flop_s,
                      !isnan(bandwidth) ? bandwidth
                      : of_gpu          ? NAN
                                        : roof.byte_s};
}

double lab_ridge(lab_roof roof) { return roof.flop_s / roof.byte_s; }

double lab_roof_at(lab_roof roof, double flop_per_byte) {
    const double slope = roof.byte_s * flop_per_byte;
    return isnan(slope) || isnan(roof.flop_s) ? NAN : fmin(slope, roof.flop_s);
}

double lab_rate(const json_t *timing) { return lab_num(timing, "flops") / lab_num(timing, "median_s"); }
double lab_byte_rate(const json_t *timing) { return lab_num(timing, "bytes") / lab_num(timing, "median_s"); }

double lab_intensity(const json_t *timing) {
    const double bytes = lab_num(timing, "bytes"), flops = lab_num(timing, "flops");
    return bytes > 0 && flops > 0 ? flops / bytes : NAN;
}

double lab_attention_flops(double S, double D) { return 4 * S * S * D; }
double lab_chain_traffic(double S, double D, int passes) { return 4 * (4 * S * D + passes * S * S); }
