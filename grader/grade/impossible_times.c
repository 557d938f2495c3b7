// impossible_times.c: times that this machine cannot do.
#include <math.h>

#include "grade.h"
#include "lock.h"
#include "results.h"
#include "roof.h"
#include "series.h"

// A busy moment may have made less of a GPU's ceiling, but not by more than this factor. On processors it may be any.
static const double HIDDEN = 1.5;

// A kernel may use tensor cores, and the roofline's ceiling is that of fp32 multiply-adds.
static double most_flops(const json_t *root, const json_t *t, double roof) {
    const json_t *rates = json_object_get(json_object_get(root, "machine"), "gpu_rates");
    return lab_on_gpu(t) ? fmax(roof, 1e9 * json_number_value(json_object_get(rates, "tensor_gflop_s"))) : roof;
}

// A call is one kernel at least, and the next call waits for it (grader/measure/window.c). 0 where it is not known.
static double most_calls(const json_t *root, const json_t *t) {
    const json_t *rates = json_object_get(json_object_get(root, "machine"), "gpu_rates");
    return lab_on_gpu(t) ? json_number_value(json_object_get(rates, "kernels_s")) : 0;
}

// How many times faster than the ceilings allow. Bytes count only in series whose data surely comes from memory.
static double above(const json_t *root, const json_t *t) {
    const double seconds = json_number_value(json_object_get(t, "median_s"));
    const char *name = json_string_value(json_object_get(t, "series"));
    const lab_series *series = name ? lab_series_find(name) : NULL;
    const lab_roof most = lab_roof_over(root, t);
    if (!(seconds > 0)) return 0;
    const double flops = lab_rate(t) / most_flops(root, t, most.flop_s), bytes = lab_byte_rate(t) / most.byte_s,
                 calls = 1 / seconds / most_calls(root, t),
                 work = fmax(isfinite(flops) ? flops : 0, isfinite(calls) ? calls : 0);
    return fmax(work, series && series->of_memory && isfinite(bytes) ? bytes : 0);
}

static double most_above(const json_t *root, const json_t *timings) {
    double most = 0;
    size_t i;
    json_t *t;
    json_array_foreach(timings, i, t) most = fmax(most, above(root, t));
    return most;
}

static int may_be_possible(const json_t *root, const json_t *timings) {
    const double most = most_above(root, timings);
    return most > 1 && (most < HIDDEN || !lab_on_gpu(json_array_get(timings, 0)));
}

// A time that the machine cannot do is an error, not a record: it earns nothing.
void lab_mark_impossible_times(const lab_graded *s, json_t *timings) {
    json_t *root = json_pack("{s:s, s:O}", "backend", lab_backend_of(s->g), "machine", s->machine), *t;
    size_t i;
    for (int k = 0; k < 3 && may_be_possible(root, timings); k++) {
        lab_lock(LAB_TIME_THE_HOST);  // it is a measurement, of the GPU and of all processors
        lab_machine_raise(s->machine, s->g->out);
        lab_lock(LAB_BESIDE_OTHERS);
    }
    json_array_foreach(timings, i, t) {
        if (above(root, t) > 1.02) json_object_set_new(t, "verdict", json_string(lab_verdict_name(LAB_TIMING_SUSPECT)));
    }
    json_decref(root);
}
