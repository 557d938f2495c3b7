// unit_clock_device.c: what has a time on a device, and what has none: wrong outputs, and calls that do not do their
// work when they should, by real processes. Nothing here depends on how fast the machine is.
// grader/measure/time_device.c.
#include "timed.h"

static void a_right_kernel_has_a_time(void **state) {
    (void)state;
    expect(on_device("device_right", "#define WRONG 0\n#define CALL COMPUTE((*now));"), LAB_PASSED, 3, LAB_MOST_ROUNDS);
}

static void a_kernel_that_is_wrong_in_later_calls_has_none(void **state) {
    (void)state;
    expect(on_device("device_wrong", "#define WRONG 1\n#define CALL COMPUTE((*now));"), LAB_WRONG_ANSWER, 0, 0);
    expect(on_device("device_tired", "#define WRONG (calls > 3)\n#define CALL COMPUTE((*now));"), LAB_WRONG_ANSWER, 0,
           0);
    expect(on_device("device_nan", "#define WRONG (calls > 3 ? NAN : 0)\n#define CALL COMPUTE((*now));"),
           LAB_WRONG_ANSWER, 0, 0);
}

static void lower_precision_where_it_is_timed_has_no_time(void **state) {
    (void)state;
    inexact(on_device("device_rounds", ROUNDED("static __device__") "#define WRONG 0\n#define CALL COMPUTE((*now));"));
}

// Of 64 small keys, the scores of the start included, none is beyond expf's end but those of the large query.
static void a_maximum_left_out_where_it_is_timed_has_no_time(void **state) {
    (void)state;
    expect(on_device("device_no_maximum", "#define WRONG 0\n#define CALL COMPUTE((*now));\n#define MAXIMUM 0 * top"),
           LAB_WRONG_ANSWER, 0, 0);
    expect(
        on_device("device_one_bound", "#define WRONG 0\n#define CALL COMPUTE((*now));\n#define MAXIMUM 0 * top + 60"),
        LAB_WRONG_ANSWER, 0, 0);
}

// From the fourth call on the stage does what `call` says. Round 0 and 1 of the clock are one call each.
static void cheats(const char *name, const char *call, const char *says) {
    char head[512];
    snprintf(head, sizeof head, "#define WRONG 0\n#define CALL if (calls < 4) COMPUTE((*now)); else { %s }", call);
    const lab_timing t = on_device(name, head);
    expect(t, LAB_WRONG_ANSWER, 0, 0);
    if (!strstr(t.why, says)) fail_msg("%s: \"%s\", expected \"%s\"", name, t.why, says);
}

static void calls_cannot_be_left_out_put_off_or_put_together(void **state) {
    (void)state;
    cheats("device_second", "if (calls % 2) COMPUTE((*now));", "was not there when the next call began");
    cheats("device_behind", "if (last->O != O) COMPUTE((*last));", "was not there when the next call began");
    cheats("device_remembers", "(void)O;", "");
    // The inputs of a request stand there from its start: the first call computes the second one's output, too.
    cheats("device_ahead",
           "static float *ahead; static size_t step; "
           "if (O > last->O) step = O - last->O; "
           "if (O != ahead) COMPUTE((*now)); "
           "if (O < last->O && step) { "
           "struct call next = {O + step, Q + step, K + step, V + step}; COMPUTE(next); ahead = next.O; }",
           "a row of a timed call's output is wrong");
}

static void an_input_that_is_changed_is_seen(void **state) {
    (void)state;
    const lab_timing t = on_device(
        "device_scribbles",
        "static __global__ void scribble(float *x, int n) { for (int i = threadIdx.x; i < n; i += 32) x[i] *= 2; }\n"
        "#define WRONG 0\n#define CALL COMPUTE((*now)); if (calls > 3) { const size_t n = s.batch * s.heads * s.seq_q "
        "* "
        "s.head_dim; scribble<<<1, 32, 0, stream>>>((float *)Q, n); scribble<<<1, 32, 0, stream>>>((float *)K, n); "
        "scribble<<<1, 32, 0, stream>>>((float *)V, n); }");
    expect(t, LAB_INPUT_MODIFIED, 0, 0);
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(a_right_kernel_has_a_time),
        CLAIM(a_kernel_that_is_wrong_in_later_calls_has_none),
        CLAIM(lower_precision_where_it_is_timed_has_no_time),
        CLAIM(a_maximum_left_out_where_it_is_timed_has_no_time),
        CLAIM(calls_cannot_be_left_out_put_off_or_put_together),
        CLAIM(an_input_that_is_changed_is_seen),
    };
    timed_environment();
    return cmocka_run_group_tests_name("clock_device", claims, NULL, NULL);
}
