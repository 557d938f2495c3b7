// roof.c: looks the ceilings up in results.json, by threads.
#include "roof.h"

#include "results.h"

#include <math.h>
#include <string.h>

// The largest rate in a list like fma_peaks among the entries measured with so many threads; NaN if there is none.
static double largest(const json_t *list, const char *rate, double threads) {
    double best = NAN;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *entry = json_array_get(list, i);
        if (results_number(entry, "threads") == threads) {
            best = fmax(best, results_number(entry, rate));
        }
    }
    return best;
}

roof_ceilings roof_ceilings_for(const json_t *root, const json_t *timing) {
    const json_t *machine = json_object_get(root, "machine");
    const json_t *all = json_object_get(machine, "ceilings");
    roof_ceilings ceilings = {results_number(all, "gflop_s"), results_number(all, "bandwidth_gb_s")};
    double threads = results_number(timing, "threads");
    if (isnan(threads)) {
        return ceilings;
    }
    // With backend cuda, machine.ceilings are the GPU's and say nothing about a task that runs on the CPU.
    bool of_cpu = strcmp(results_text(root, "backend"), "cuda") != 0;
    double peak = largest(json_object_get(machine, "fma_peaks"), "gflop_s", threads);
    double bandwidth = largest(json_object_get(machine, "bandwidths"), "gb_s", threads);
    ceilings.gflop_s = !isnan(peak) ? peak : of_cpu ? ceilings.gflop_s : NAN;
    ceilings.gb_s = !isnan(bandwidth) ? bandwidth : of_cpu ? ceilings.gb_s : NAN;
    return ceilings;
}

double roof_at(roof_ceilings ceilings, double flop_per_byte) {
    double slope = ceilings.gb_s * flop_per_byte;
    return isnan(slope) || isnan(ceilings.gflop_s) ? NAN : fmin(slope, ceilings.gflop_s);
}
