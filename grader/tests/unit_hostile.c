// unit_hostile.c: a stage that plays with the protocol, its descriptors or other processes cannot pass, cannot see what
// is the checker's, and leaves nothing behind. grader/run: stage, sandbox, process.
#include "unit.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "trial.h"

static lab_result r;
static const char *printed;

// Runs a stage, then a good one. Sets r and printed.
static void run(const char *name, const char *before, const char *body) {
    const trial_source source = {name, before, body};
    static char log[LAB_LOG_KEPT + 1];
    r = trial_run(&source, &printed);
    snprintf(log, sizeof log, "%s", printed), printed = log;
    trial_next_passes();
}

static void expect(lab_verdict verdict, const char *says) {
    if (r.verdict != verdict || !strstr(r.diagnosis, says))
        fail_msg("%s, \"%s\"; expected %s, \"%s\"", lab_verdict_name(r.verdict), r.diagnosis, lab_verdict_name(verdict),
                 says);
}

// ---- the pipes

// A reply as stages can write it: 84 bytes, of which the first four words count.
_Static_assert(sizeof(lab_reply) == 84, "FORGE and the garbage below are as long as a reply");
#define FORGE                                                                                                          \
    "#include <unistd.h>\n#include <stdint.h>\n"                                                                       \
    "static void forge(unsigned serial) { const uint32_t a[21] = {0x4c41424e, serial, 0, 1}; "                         \
    "if (write(4, a, 84) < 0) return; }"
// What a stage does later it does when the checker has looked: that is on its way to the second call, which does not come.
#define UNTIL_ASKED_AGAIN                                                                                              \
    "\n#include <poll.h>\n"                                                                                            \
    "static void until_asked_again(int is_asked) {\n"                                                                  \
    "    struct pollfd go = {3, POLLIN, 0}; while (!is_asked) is_asked = poll(&go, 1, -1) == 1; }\n"

static void garbage_on_the_answer_pipe_is_no_answer(void **state) {
    (void)state;
    run("garbage", "#include <unistd.h>",
        "right(); for (int i = 0; i < 6; i++) if (write(4, \"PASSED PASSED PASSED\", 16) < 0) return 1; for (;;) "
        "pause();");
    expect(LAB_EARLY_EXIT, "a descriptor that is not its own");
    run("three_bytes", "#include <unistd.h>", "right(); if (write(4, \"abc\", 3) < 0) return 1;");
    expect(LAB_EARLY_EXIT, "a descriptor that is not its own");
    run("wrong_serial", FORGE, "right(); forge(7); for (;;) pause();");
    expect(LAB_EARLY_EXIT, "a descriptor that is not its own");
}

static void a_forged_answer_does_not_pass(void **state) {
    (void)state;
    run("forges_without_work", FORGE, "forge(1); for (;;) pause();");
    expect(LAB_WRONG_ANSWER, "never written");
    run("forges_then_works", FORGE UNTIL_ASKED_AGAIN, "forge(1); until_asked_again(0); right();");
    expect(LAB_WRONG_ANSWER, "never written");
    run("forges_two_and_works_once", FORGE, "right(); forge(1); forge(2); for (;;) pause();");
    expect(LAB_NONDETERMINISTIC, "another result");
    run("forges_the_greeting", FORGE "\n__attribute__((constructor)) static void early(void) { forge(0); forge(1); }",
        "right();");
    assert_int_not_equal(r.verdict, LAB_PASSED);
}

static void closed_pipes_end_the_call(void **state) {
    (void)state;
    run("closes_all", "#include <unistd.h>", "right(); for (int f = 0; f < 64; f++) close(f);");
    expect(LAB_EARLY_EXIT, "the process ended");
    run("closes_the_answer_and_waits", "#include <unistd.h>", "right(); close(4); for (;;) pause();");
    expect(LAB_EARLY_EXIT, "before the call returned");
}

static void the_arena_cannot_be_resized(void **state) {
    (void)state;
    run("shrinks", "#include <unistd.h>", "right(); if (!ftruncate(5, 0) || !ftruncate(5, 1l << 30)) return 77;");
    expect(LAB_PASSED, "");
}

// ---- other processes and threads

static void a_thread_that_writes_later_is_too_late(void **state) {
    (void)state;
    run("later",
        "#include <pthread.h>\n#include <string.h>" UNTIL_ASKED_AGAIN
        "static struct { float *O; const float *Q, *K, *V; attn_shape s; } job;\n"
        "static void *late(void *p) { until_asked_again(0); compute(job.O, job.Q, job.K, job.V, job.s); return p; }",
        "pthread_t t; job.O = O, job.Q = Q, job.K = K, job.V = V, job.s = shape; pthread_create(&t, 0, late, 0);");
    expect(LAB_WRONG_ANSWER, "never written");
}

// Gone, or a corpse that nobody has buried yet.
static int is_gone(int pid) {
    char path[64], status = 'Z';
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    FILE *f = fopen(path, "r");
    if (f && fscanf(f, "%*d (%*[^)]) %c", &status) != 1) status = 'Z';
    if (f) fclose(f);
    return status == 'Z' || status == 'X';
}

static void dies_soon(int pid) {
    const struct timespec pause = {0, 10000000};
    for (int i = 0; i < 6000 && !is_gone(pid); i++) nanosleep(&pause, NULL);
    if (!is_gone(pid)) {
        kill(pid, SIGKILL);
        fail_msg("process %d lives on", pid);
    }
}

static int pid_after(const char *word) {
    const char *at = strstr(printed, word);
    if (!at) fail_msg("it did not print %s", word);
    return atoi(at + strlen(word));
}

static void a_child_does_not_outlive_its_stage(void **state) {
    (void)state;
    run("forks", "#include <unistd.h>\n#include <stdio.h>",
        "static int child; if (!child && (child = fork()) == 0) for (;;) pause(); printf(\"child=%d\\n\", child); "
        "right();");
    expect(LAB_PASSED, "");
    dies_soon(pid_after("child="));
}

static void a_child_that_keeps_the_pipes_open_is_no_answer(void **state) {
    (void)state;
    run("forks_and_exits", "#include <unistd.h>\n#include <stdio.h>",
        "int child = fork(); if (child == 0) for (;;) pause(); printf(\"child=%d\\n\", child); fflush(stdout); "
        "_exit(0);");
    assert_true(r.verdict == LAB_TIMEOUT || r.verdict == LAB_EARLY_EXIT);
    dies_soon(pid_after("child="));
}

// ---- what a stage can see

static void the_seed_is_not_in_its_environment(void **state) {
    (void)state;
    setenv("LAB_SEED", "123456789", 1);
    setenv("LAB_RESULTS", "/nowhere", 1);
    run("reads_environment", "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>",
        "char e[65536]; FILE *f = fopen(\"/proc/self/environ\", \"r\"); size_t n = fread(e, 1, sizeof e, f); fclose(f);"
        "if (getenv(\"LAB_SEED\") || getenv(\"LAB_RESULTS\") || memmem(e, n, \"123456789\", 9)) return 77; right();");
    unsetenv("LAB_SEED"), unsetenv("LAB_RESULTS");
    expect(LAB_PASSED, "");
}

static void no_descriptor_of_the_checker_is_inherited(void **state) {
    (void)state;
    int opened[20];
    for (int i = 0; i < 20; i++) opened[i] = open("grader/rubric.json", O_RDONLY);  // without O_CLOEXEC
    run("lists_descriptors", "#include <dirent.h>\n#include <stdlib.h>",
        "DIR *d = opendir(\"/proc/self/fd\"); int own = dirfd(d), seen = 0;"
        "for (struct dirent *e; (e = readdir(d));) if (e->d_name[0] != '.') {"
        "    int f = atoi(e->d_name); if (f > 5 && f != own) return 77; seen++; }"
        "closedir(d); if (seen != 6) return 78; right();");
    for (int i = 0; i < 20; i++) close(opened[i]);
    expect(LAB_PASSED, "");
}

static void standard_input_is_empty(void **state) {
    (void)state;
    run("reads_input", "#include <stdio.h>", "if (getchar() != EOF) return 77; right();");
    expect(LAB_PASSED, "");
}

static void what_it_prints_is_kept_and_capped(void **state) {
    (void)state;
    run("prints", "#include <stdio.h>", "puts(\"hello\"); fputs(\"world\\n\", stderr); right();");
    expect(LAB_PASSED, "");
    assert_says(printed, "hello\n");
    assert_says(printed, "world\n");
    run("prints_much", "#include <stdio.h>",
        "for (int i = 0; i < 4000; i++) puts(\"0123456789 abcdefghijk\"); right();");
    expect(LAB_PASSED, "");
    assert_int_equal(strlen(printed), LAB_LOG_KEPT);
}

// ---- loading

static void what_cannot_be_loaded_is_explained(void **state) {
    (void)state;
    static lab_stage stage;
    char why[640];
    assert_int_equal(trial_open(&stage, "./grader/rubric.json", why, sizeof why), LAB_LOAD_ERROR);
    assert_says(why, "cannot be loaded");
    lab_stage_close(&stage);
    assert_int_equal(trial_open(&stage, "./build/no_such_stage.so", why, sizeof why), LAB_LOAD_ERROR);
    assert_says(why, "cannot be loaded: no_such_stage.so");
    lab_stage_close(&stage);
    trial_next_passes();
}

static void a_stage_that_was_never_opened_can_be_closed(void **state) {
    (void)state;
    static lab_stage stage;
    const int zero = fcntl(0, F_GETFD);
    lab_stage_close(&stage);
    assert_int_equal(fcntl(0, F_GETFD), zero);  // standard input is not the stage's to close
}

static void one_stage_serves_case_after_case_until_it_dies(void **state) {
    (void)state;
    static lab_stage stage;
    static const trial_source source = {"crashes_on_one_query", NULL,
                                        "if (shape.seq_q == 1) *(volatile int *)8 = 1; right();"};
    char why[640], path[256];
    snprintf(path, sizeof path, "%s", trial_build(&source));
    lab_case one = trial_case;
    one.shape.seq_q = 1;
    assert_int_equal(trial_open(&stage, path, why, sizeof why), LAB_PASSED);
    const pid_t pid = stage.process.pid;
    for (int i = 0; i < 3; i++) {
        lab_judge(&stage, &trial_case, i, TRIAL_SECONDS, &r);
        expect(LAB_PASSED, "");
    }
    assert_int_equal(stage.process.pid, pid);
    lab_judge(&stage, &one, 1, TRIAL_SECONDS, &r);
    expect(LAB_CRASH, "crashes_on_one_query.c:5");
    assert_false(stage.alive);
    lab_stage_close(&stage);
    assert_int_equal(trial_open(&stage, path, why, sizeof why), LAB_PASSED);
    lab_judge(&stage, &trial_case, 1, TRIAL_SECONDS, &r);
    expect(LAB_PASSED, "");
    lab_stage_close(&stage);
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(garbage_on_the_answer_pipe_is_no_answer),
        CLAIM(a_forged_answer_does_not_pass),
        CLAIM(closed_pipes_end_the_call),
        CLAIM(the_arena_cannot_be_resized),
        CLAIM(a_thread_that_writes_later_is_too_late),
        CLAIM(a_child_does_not_outlive_its_stage),
        CLAIM(a_child_that_keeps_the_pipes_open_is_no_answer),
        CLAIM(the_seed_is_not_in_its_environment),
        CLAIM(no_descriptor_of_the_checker_is_inherited),
        CLAIM(standard_input_is_empty),
        CLAIM(what_it_prints_is_kept_and_capped),
        CLAIM(what_cannot_be_loaded_is_explained),
        CLAIM(a_stage_that_was_never_opened_can_be_closed),
        CLAIM(one_stage_serves_case_after_case_until_it_dies),
    };
    return cmocka_run_group_tests_name("hostile", claims, NULL, NULL);
}
