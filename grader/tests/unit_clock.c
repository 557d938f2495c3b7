// unit_clock.c: what has a time and what has none: wrong outputs, by real processes on the host and on a device. Nothing
// here depends on how fast the machine is. grader/measure/{time_host,time_device}.c.
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "build.h"
#include "rows.h"
#include "sandbox.h"
#include "time_device.h"
#include "time_host.h"

static const char *build_folder(void) { return getenv("LAB_BUILD") ? getenv("LAB_BUILD") : "build"; }

// Attention by the definition, one thread a query; WRONG is added to an element of the n-th call. What a head may redefine:
// KEY(x), as which a number of K is used; MAXIMUM, which is taken off each score.
#define AS_IT_IS "#ifndef KEY\n#define KEY(x) (x)\n#endif\n#ifndef MAXIMUM\n#define MAXIMUM top\n#endif\n"
static const char kernel[] = AS_IT_IS
    "static __global__ void row(float *O, const float *Q, const float *K, const float *V, attn_shape s, float wrong) "
    "{\n"
    "    const int D = s.head_dim, i = threadIdx.x, h = blockIdx.x;\n"
    "    float sum = 0, top = -INFINITY, o[64] = {0}, score[64];\n"
    "    for (int j = 0; j < s.seq_kv; j++) {\n"
    "        float x = 0;\n"
    "        for (int d = 0; d < D; d++) x += Q[(h * s.seq_q + i) * D + d] * KEY(K[(h * s.seq_kv + j) * D + d]);\n"
    "        score[j] = x / sqrtf((float)D), top = fmaxf(top, score[j]);\n"
    "    }\n"
    "    for (int j = 0; j < s.seq_kv; j++) {\n"
    "        const float x = expf(score[j] - (MAXIMUM));\n"
    "        sum += x;\n"
    "        for (int d = 0; d < D; d++) o[d] += x * V[(h * s.seq_kv + j) * D + d];\n"
    "    }\n"
    "    for (int d = 0; d < D; d++) O[(h * s.seq_q + i) * D + d] = o[d] / sum + wrong;\n"
    "}\n"
    "#define COMPUTE(c) row<<<s.batch * s.heads, s.seq_q, 0, stream>>>(c.O, c.Q, c.K, c.V, s, WRONG)\n"
    "ATTN_API attn_status attn_flash(float *O, const float *Q, const float *K, const float *V, attn_shape s,\n"
    "                                cudaStream_t stream) {\n"
    "    static int calls;\n"
    "    static struct call { float *O; const float *Q, *K, *V; } all[64], *last = NULL;\n"
    "    struct call *const now = all + calls++ % 64;\n"
    "    *now = {O, Q, K, V};\n"
    "    CALL\n"
    "    last = now;\n"
    "    return calls < 0 || last == NULL ? ATTN_BAD_SHAPE : ATTN_OK;\n"
    "}\n";

// The same on the host.
static const char loop[] = AS_IT_IS
    "attn_status attn_tiled(float *O, const float *Q, const float *K, const float *V, attn_shape s, attn_tiles t) {\n"
    "    static int calls;\n"
    "    const int D = s.head_dim;\n"
    "    (void)t, calls++;\n"
    "    for (int r = 0; r < s.batch * s.heads * s.seq_q; r++) {\n"
    "        const int h = r / s.seq_q;\n"
    "        float sum = 0, top = -INFINITY, o[64] = {0}, score[64];\n"
    "        for (int j = 0; j < s.seq_kv; j++) {\n"
    "            float x = 0;\n"
    "            for (int d = 0; d < D; d++) x += Q[r * D + d] * KEY(K[(h * s.seq_kv + j) * D + d]);\n"
    "            score[j] = x / sqrtf((float)D), top = fmaxf(top, score[j]);\n"
    "        }\n"
    "        for (int j = 0; j < s.seq_kv; j++) {\n"
    "            const float x = expf(score[j] - (MAXIMUM));\n"
    "            sum += x;\n"
    "            for (int d = 0; d < D; d++) o[d] += x * V[(h * s.seq_kv + j) * D + d];\n"
    "        }\n"
    "        for (int d = 0; d < D && !SKIPS; d++) O[r * D + d] = o[d] / sum + WRONG;\n"
    "    }\n"
    "    return ATTN_OK;\n"
    "}\n";

static char *stage_of(const char *task, const char *name, const char *head, const char *source) {
    char path[256], message[1024];
    char *stage = malloc(256);
    assert_non_null(stage);
    snprintf(path, sizeof path, "%s/tests/stages", build_folder());
    mkdir("build/tests", 0777), mkdir(path, 0777);
    snprintf(path, sizeof path, "build/tests/stages/%s.%s", name, strcmp(task, "task3") ? "cu" : "c");
    snprintf(stage, 256, "build/tests/stages/%s.so", name);
    FILE *f = fopen(path, "w");
    assert_true(f && fprintf(f, "#include <math.h>\n#include \"%s.h\"\n%s\n%s", task, head, source) > 0 && !fclose(f));
    const lab_build_options options = {.lab = ".", .source = path, .output = stage, .seconds = 60};
    if (lab_build(lab_task_find(task), &options, message, sizeof message, NULL, 0) != LAB_PASSED)
        fail_msg("%s", message);
    return stage;
}

// Times the stage beside the null stage; c[1] is the stage's.
static lab_timing time_stage(const char *runner, char *stage, const lab_op *by, const lab_experiment *e) {
    static lab_contender c[2];
    static char command[256], null[256];
    lab_timing t[2];
    snprintf(command, sizeof command, "%s/bin/%s", build_folder(), runner);
    snprintf(null, sizeof null, "%s/baselines/null.so", build_folder());
    for (int i = 0; i < 2; i++) {
        c[i] = (lab_contender){.name = i ? "yours" : "null",
                               .stage = i ? stage : null,
                               .threads = 1,
                               .arena_bytes = 64 << 20,
                               .device_bytes = 2 << 20,
                               .load_seconds = 30};
        c[i].runner[0] = command, c[i].runner[1] = (char *)c[i].stage;
        c[i].is = lab_null_implementation;
    }
    c[1].is.does[0].what = &lab_sdpa, c[1].is.does[0].by = by, c[1].is.file = NULL;
    if (e->method == LAB_ON_HOST) {
        assert_true(lab_host_start(&c[0]));
        lab_time_host(&c[0], 1, e, 0, 5, &t[0]);
        assert_int_equal(t[0].verdict, LAB_PASSED);
        t[1] = (lab_timing){.verdict = LAB_LOAD_ERROR};
        if (lab_host_start(&c[1])) lab_time_host(&c[1], 1, e, t[0].median_s, 5, &t[1]);
    } else {
        lab_device_point p = lab_device_point_of(c, 2, e);
        if (!lab_time_nothing(&c[0], &p, 5, &t[0])) fail_msg("%s", t[0].why);
        lab_time_device(&c[1], 1, &p, 5, &t[1]);
    }
    for (int i = 0; i < 2; i++) lab_contender_stop(&c[i]);
    free(stage);
    return t[1];
}

static lab_timing on_host(const char *name, const char *head) {
    const lab_experiment e = {.name = name, .method = LAB_ON_HOST, .op = &lab_sdpa, .shape = {1, 2, 24, 24, 16, 0}};
    return time_stage("runner", stage_of("task3", name, head, loop), &lab_tiled, &e);
}

static lab_timing on_device(const char *name, const char *head) {
    const lab_experiment e = {
        .name = name, .series = "seq", .method = LAB_ON_GPU, .op = &lab_sdpa, .shape = {1, 2, 24, 24, 16, 0}};
    return time_stage("runner_simt", stage_of("task4", name, head, kernel), &lab_flash, &e);
}

static void expect(lab_timing t, lab_verdict verdict, int least, int most) {
    if (t.verdict != verdict) fail_msg("%s: %s", lab_verdict_name(t.verdict), t.why);
    assert_in_range(t.rounds, least, most);
    assert_true(!t.rounds == !(t.median_s > 0));
}

static void a_right_stage_has_a_time_on_the_host(void **state) {
    (void)state;
    expect(on_host("host_right", "#define WRONG 0\n#define SKIPS 0"), LAB_PASSED, 1, LAB_MOST_ROUNDS);
}

// Within a sandbox the process that the checker starts is not the one that calls the stage.
static void working_memory_is_the_stages_own(void **state) {
    (void)state;
    for (int sandboxed = 0; sandboxed < 2; sandboxed++) {
        lab_sandbox_want(sandboxed);
        const lab_timing t = on_host("host_takes", "#include <stdlib.h>\n#include <string.h>\n#define WRONG 0\n"
                                                   "static int take(int keys) {\n"  // not in the small call before
                                                   "    static char *room;\n"
                                                   "    if (keys != 24 || room) return 0;\n"
                                                   "    room = malloc(16 << 20), memset(room, 1, 16 << 20);\n"
                                                   "    return room[keys] != 1;\n"
                                                   "}\n"
                                                   "#define SKIPS take(s.seq_kv)");
        lab_sandbox_want(0);
        expect(t, LAB_PASSED, 1, LAB_MOST_ROUNDS);
        assert_in_range(t.extra_bytes, 16 << 20, 20 << 20);
    }
}

// With a prediction of ten seconds a call, which only a point that carries points may take.
static void a_baseline_without_points_takes_a_glance(void **state) {
    (void)state;
    const lab_experiment e = {.name = "glance", .method = LAB_ON_HOST, .op = &lab_sdpa, .shape = {1, 2, 24, 24, 16, 0}};
    static lab_contender c;
    static char runner[256], stage[256];
    lab_timing t;
    snprintf(runner, sizeof runner, "%s/bin/runner", build_folder());
    snprintf(stage, sizeof stage, "%s/baselines/plain.so", build_folder());
    c = (lab_contender){.name = "task 1", .stage = stage, .threads = 1, .arena_bytes = 64 << 20, .load_seconds = 30};
    c.runner[0] = runner, c.runner[1] = stage, c.is.file = stage, c.is.does[0].what = c.is.does[0].by = &lab_sdpa;
    assert_true(lab_host_start(&c));
    c.glance = 1;
    lab_time_host(&c, 1, &e, 0, 5, &t);
    expect(t, LAB_PASSED, 1, 3);
    for (c.glance = 1; c.glance >= 0; c.glance--) {
        c.seconds_per_flop = 10 / lab_experiment_flops(&e);
        lab_time_host(&c, 1, &e, 0, 5, &t);
        assert_int_equal(t.verdict, c.glance ? LAB_SKIPPED : LAB_PASSED);
    }
    lab_contender_stop(&c);
}

static void a_stage_that_is_wrong_in_later_calls_has_none(void **state) {
    (void)state;
    expect(on_host("host_tired", "#define WRONG (calls > 2)\n#define SKIPS 0"), LAB_WRONG_ANSWER, 0, 0);
    expect(on_host("host_lazy", "#define WRONG 0\n#define SKIPS (calls > 2)"), LAB_WRONG_ANSWER, 0, 0);
}

// Keys, and nothing else, are rounded to the ten bits of TF32 and of half precision: still within 1e-3.
#define ROUNDED(qualifiers)                                                                                            \
    qualifiers " float key(float x) {\n"                                                                               \
               "    union { float x; unsigned bits; } u;\n"                                                            \
               "    u.x = x, u.bits = (u.bits + 0x1000u) & ~0x1fffu;\n"                                                \
               "    return u.x;\n"                                                                                     \
               "}\n#define KEY(x) key(x)\n"

static void inexact(lab_timing t) {
    expect(t, LAB_WRONG_ANSWER, 0, 0);
    if (!strstr(t.why, "less exact than float32")) fail_msg("\"%s\"", t.why);
}

static void lower_precision_where_it_is_timed_has_no_time(void **state) {
    (void)state;
    inexact(on_host("host_rounds", ROUNDED("static") "#define WRONG 0\n#define SKIPS 0"));
    inexact(on_device("device_rounds", ROUNDED("static __device__") "#define WRONG 0\n#define CALL COMPUTE((*now));"));
}

// Of 64 small keys, the scores of the start included, none is beyond expf's end but those of the large query.
static void a_maximum_left_out_where_it_is_timed_has_no_time(void **state) {
    (void)state;
    expect(on_host("host_no_maximum", "#define WRONG 0\n#define SKIPS 0\n#define MAXIMUM 0 * top"), LAB_WRONG_ANSWER, 0,
           0);
    expect(on_host("host_one_bound", "#define WRONG 0\n#define SKIPS 0\n#define MAXIMUM 0 * top + 60"),
           LAB_WRONG_ANSWER, 0, 0);
    expect(on_device("device_no_maximum", "#define WRONG 0\n#define CALL COMPUTE((*now));\n#define MAXIMUM 0 * top"),
           LAB_WRONG_ANSWER, 0, 0);
    expect(
        on_device("device_one_bound", "#define WRONG 0\n#define CALL COMPUTE((*now));\n#define MAXIMUM 0 * top + 60"),
        LAB_WRONG_ANSWER, 0, 0);
}

// Of the large query all numbers are 64 times as large, but those that a link has made fresh.
static void a_large_query_and_what_is_fresh_in_it_are_known(void **state) {
    (void)state;
    enum { D = 64, N = 32 * D, ROW = 1024 / D };
    const lab_experiment e = {.op = &lab_sdpa, .shape = {1, 1, 32, 32, D, 0}};
    const uint64_t key[LAB_MAX_TENSORS] = {0, 5, 6, 7};
    const lab_made none = {.key = key, .set = 1, .link = 8, .seen = 9}, large = {key, 1, 8, 9, 1 + ROW};
    static float x[N];
    lab_fill_quick(x, N, key[1], N);
    for (int d = 0; d < D; d++) x[ROW * D + d] *= 64;
    for (int j = 0; j < 2; j++) x[1024 * j] = lab_fresh(8, 9, 1, 1, j);
    assert_true(lab_input_is_unchanged(&e, &large, 1, x, 0, N));
    assert_true(lab_input_is_unchanged(&e, &large, 1, x + 1000, 1000, 100));
    assert_false(lab_input_is_unchanged(&e, &none, 1, x, 0, N));
    lab_fill_quick(x, N, key[2], N);
    for (int j = 0; j < 2; j++) x[1024 * j] = lab_fresh(8, 9, 1, 2, j);
    assert_true(lab_input_is_unchanged(&e, &large, 2, x, 0, N));
}

// The stage is wrong where it gets more threads than it is timed with.
static void nobody_has_more_threads_than_are_timed(void **state) {
    (void)state;
    expect(on_host("host_crowds",
                   "static int team(void) {\n    int n = 0;\n"
                   "#pragma omp parallel num_threads(8)\n    {\n#pragma omp atomic\n        n++;\n    }\n"
                   "    return n;\n}\n#define WRONG 0\n#define SKIPS (team() > 1)"),
           LAB_PASSED, 1, LAB_MOST_ROUNDS);
}

static void an_input_that_is_changed_is_seen_on_the_host(void **state) {
    (void)state;
    expect(on_host("host_scribbles", "#define WRONG 0\n#define SKIPS (((float *)K)[calls] *= 2, 0)"),
           LAB_INPUT_MODIFIED, 0, 0);
}

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

static void a_time_on_one_thread_is_not_one_of_many(void **state) {
    (void)state;
    assert_true(lab_uses_more(1, 2, 0.200, 0.100));   // two threads, all the time
    assert_true(lab_uses_more(1, 16, 0.135, 0.100));  // a second one for a third of it
    assert_true(lab_uses_more(4, 16, 0.600, 0.100));
    assert_false(lab_uses_more(1, 16, 0.105, 0.100));  // who is fair, and woken a little late
    assert_false(lab_uses_more(4, 16, 0.400, 0.100));
    assert_false(lab_uses_more(2, 2, 0.300, 0.100));  // all processors: none is left to steal
}

static void a_little_help_from_another_thread_gains_nothing(void **state) {
    (void)state;
    assert_true(lab_fair_seconds(1, 2, 0.100, 0.082) == 0.100);  // a second one for a fifth of the work
    assert_true(lab_fair_seconds(4, 16, 0.440, 0.100) == 0.110);
    assert_true(lab_fair_seconds(1, 2, 0.099, 0.100) == 0.100);  // who is fair has the time on the clock
    assert_true(lab_fair_seconds(2, 2, 0.230, 0.100) == 0.100);  // all processors: threads that spin are no work
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(a_right_stage_has_a_time_on_the_host),
        CLAIM(working_memory_is_the_stages_own),
        CLAIM(a_baseline_without_points_takes_a_glance),
        CLAIM(a_stage_that_is_wrong_in_later_calls_has_none),
        CLAIM(lower_precision_where_it_is_timed_has_no_time),
        CLAIM(a_maximum_left_out_where_it_is_timed_has_no_time),
        CLAIM(a_large_query_and_what_is_fresh_in_it_are_known),
        CLAIM(nobody_has_more_threads_than_are_timed),
        CLAIM(an_input_that_is_changed_is_seen_on_the_host),
        CLAIM(a_right_kernel_has_a_time),
        CLAIM(a_kernel_that_is_wrong_in_later_calls_has_none),
        CLAIM(calls_cannot_be_left_out_put_off_or_put_together),
        CLAIM(an_input_that_is_changed_is_seen),
        CLAIM(a_time_on_one_thread_is_not_one_of_many),
        CLAIM(a_little_help_from_another_thread_gains_nothing),
    };
    setenv("LAB_BACKEND", "simt", 1);
    setenv("SIMT_GUARD", "0", 1);  // the guard changes the protection of all memory around every launch
    unsetenv("LAB_CHECKED");
    return cmocka_run_group_tests_name("clock", claims, NULL, NULL);
}
