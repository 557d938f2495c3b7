// impossible_times.c: times that this machine cannot do.
#include "impossible_times.h"

#include <math.h>
#include <string.h>

#include "grade.h"
#include "roof.h"
#include "verdict.h"

// How many times faster than the ceilings allow. Bytes count where they surely come from memory: decoding's.
static double above(const json_t *root, const json_t *t) {
    const double seconds = json_number_value(json_object_get(t, "median_s"));
    const char *series = json_string_value(json_object_get(t, "series"));
    const int streams =
        series && (strcmp(series, "kv") == 0 || strcmp(series, "tokens") == 0 || strcmp(series, "tbt") == 0);
    const roof_ceilings most = roof_ceilings_for(root, t);
    if (!(seconds > 0)) return 0;
    const double flops = json_number_value(json_object_get(t, "flops")) / seconds / (most.gflop_s * 1e9),
                 bytes = json_number_value(json_object_get(t, "bytes")) / seconds / (most.gb_s * 1e9);
    return fmax(isfinite(flops) ? flops : 0, streams && isfinite(bytes) ? bytes : 0);
}

static double most_above(const json_t *root, const json_t *timings) {
    double most = 0;
    size_t i;
    json_t *t;
    json_array_foreach(timings, i, t) most = fmax(most, above(root, t));
    return most;
}

// A time that the machine cannot do is an error, not a record: it earns nothing.
void lab_mark_impossible_times(json_t *timings, const char *backend, json_t *machine, const char *build,
                               const char *scratch) {
    json_t *root = json_pack("{s:s, s:O}", "backend", backend, "machine", machine), *t;
    size_t i;
    for (int k = 0; k < 3 && most_above(root, timings) > 1; k++) lab_machine_raise(machine, build, scratch);
    json_array_foreach(timings, i, t) {
        if (above(root, t) > 1.02) json_object_set_new(t, "verdict", json_string(lab_verdict_name(LAB_TIMING_SUSPECT)));
    }
    json_decref(root);
}
