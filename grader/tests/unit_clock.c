// unit_clock.c: what has a time on the host, and what has none: wrong outputs, by real processes. Nothing here
// depends on how fast the machine is. grader/measure/{time_host,resident}.c.
#include "rows.h"
#include "sandbox.h"
#include "timed.h"

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

static void lower_precision_where_it_is_timed_has_no_time(void **state) {
    (void)state;
    inexact(on_host("host_rounds", ROUNDED("static") "#define WRONG 0\n#define SKIPS 0"));
}

// Of 64 small keys, the scores of the start included, none is beyond expf's end but those of the large query.
static void a_maximum_left_out_where_it_is_timed_has_no_time(void **state) {
    (void)state;
    expect(on_host("host_no_maximum", "#define WRONG 0\n#define SKIPS 0\n#define MAXIMUM 0 * top"), LAB_WRONG_ANSWER, 0,
           0);
    expect(on_host("host_one_bound", "#define WRONG 0\n#define SKIPS 0\n#define MAXIMUM 0 * top + 60"),
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

// A second thread has a little to do after each answer, as OpenMP's have that spin. The call that begins before it has
// done that is wrong. The sleep makes calls so long that there is one in a request.
static const char works_on[] =
    "#include <math.h>\n#include <pthread.h>\n#include <time.h>\n#include \"task3.h\"\n"
    "static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;\n"
    "static pthread_cond_t more = PTHREAD_COND_INITIALIZER;\n"
    "static volatile int asked, done;\n"
    "static void *work(void *none) {\n"
    "    for (;; done++) {\n"
    "        pthread_mutex_lock(&lock);\n"
    "        while (asked == done) pthread_cond_wait(&more, &lock);\n"
    "        pthread_mutex_unlock(&lock);\n"
    "        for (volatile int i = 0; i < 2000000; i++) continue;\n"
    "    }\n"
    "    return none;\n"
    "}\n"
    "static int is_late(int calls) {\n"
    "    static int late;\n"
    "    pthread_t thread;\n"
    "    if (calls == asked) return late;\n"
    "    late = done != asked;\n"
    "    if (calls == 1) pthread_create(&thread, NULL, work, NULL);\n"
    "    nanosleep(&(struct timespec){0, 10000000}, NULL);\n"
    "    pthread_mutex_lock(&lock), asked = calls, pthread_cond_signal(&more), pthread_mutex_unlock(&lock);\n"
    "    return late;\n"
    "}\n#define WRONG is_late(calls)\n#define SKIPS 0\n";

static void idle_threads_sleep_before_the_next_request(void **state) {
    (void)state;
    const lab_experiment e = {.name = "rest", .method = LAB_ON_HOST, .op = &lab_sdpa, .shape = {1, 2, 24, 24, 16, 0}};
    char *const stage = strdup("build/tests/stages/works_on.so");  // no student's file may start such a thread
    mkdir("build/tests", 0777), mkdir("build/tests/stages", 0777);
    FILE *f = fopen("build/tests/stages/works_on.c", "w");
    assert_true(f && fprintf(f, "%s%s", works_on, loop) > 0 && !fclose(f));
    assert_int_equal(system("gcc -shared -fPIC -pthread -Igrader/core -Itask1_reference -Itask3_tiled_cpu "
                            "build/tests/stages/works_on.c -o build/tests/stages/works_on.so -lm"),
                     0);
    expect(time_stage("runner", stage, &lab_tiled, &e), LAB_PASSED, 1, LAB_MOST_ROUNDS);
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

static void who_runs_while_inputs_are_written_has_that_on_the_clock(void **state) {
    (void)state;
    assert_true(lab_clock_starts(10, 11, 0) == 11);      // all threads sleep
    assert_true(lab_clock_starts(10, 11, 0.001) == 10);  // one does not
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
        CLAIM(idle_threads_sleep_before_the_next_request),
        CLAIM(who_runs_while_inputs_are_written_has_that_on_the_clock),
        CLAIM(a_time_on_one_thread_is_not_one_of_many),
        CLAIM(a_little_help_from_another_thread_gains_nothing),
    };
    timed_environment();
    return cmocka_run_group_tests_name("clock", claims, NULL, NULL);
}
