// suspects.c: times that this machine cannot do.
#include "suspects.h"

#include "grade.h"
#include "verdict.h"

// The best rate among the timings, as a share of the compute ceiling.
static double above_the_ceiling(const json_t *timings, const json_t *machine) {
    const double peak = json_number_value(json_object_get(json_object_get(machine, "ceilings"), "gflop_s")) * 1e9;
    double most = 0;
    size_t i;
    json_t *t;
    json_array_foreach(timings, i, t) {
        const double seconds = json_number_value(json_object_get(t, "median_s"));
        const double rate = seconds > 0 ? json_number_value(json_object_get(t, "flops")) / seconds : 0;
        if (peak > 0 && rate / peak > most) most = rate / peak;
    }
    return most;
}

// A time that the machine cannot do is an error, not a record: it earns nothing.
void lab_mark_suspects(json_t *timings, json_t *machine, const char *build, const char *scratch) {
    for (int i = 0; i < 3 && above_the_ceiling(timings, machine) > 1; i++) lab_machine_raise(machine, build, scratch);
    const double peak = json_number_value(json_object_get(json_object_get(machine, "ceilings"), "gflop_s")) * 1e9;
    size_t i;
    json_t *t;
    json_array_foreach(timings, i, t) {
        const double seconds = json_number_value(json_object_get(t, "median_s"));
        if (peak > 0 && seconds > 0 && json_number_value(json_object_get(t, "flops")) / seconds > 1.02 * peak)
            json_object_set_new(t, "verdict", json_string(lab_verdict_name(LAB_TIMING_SUSPECT)));
    }
}
