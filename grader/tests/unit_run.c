// unit_run.c: whatever a stage does, it gets its verdict and the next case runs. grader/run: stage, examine, crash.
#define _GNU_SOURCE
#include "unit.h"

#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "trial.h"

typedef struct {
    trial_source source;
    lab_verdict verdict;
    const char *says;  // in the diagnosis
} row;

static void check(const row *rows, size_t n) {
    for (size_t i = 0; i < n; i++) {
        const lab_result r = trial_run(&rows[i].source, NULL);
        if (r.verdict != rows[i].verdict || !strstr(r.diagnosis, rows[i].says))
            fail_msg("%s: %s, \"%s\"; expected %s, \"%s\"", rows[i].source.name, lab_verdict_name(r.verdict),
                     r.diagnosis, lab_verdict_name(rows[i].verdict), rows[i].says);
        trial_next_passes();
    }
}

#define CHECK(rows) check(rows, sizeof rows / sizeof *rows)

static void a_right_stage_passes(void **state) {
    (void)state;
    const row rows[] = {
        {{"right", "", "right();"}, LAB_PASSED, ""},
        {{"talkative", "#include <stdio.h>", "puts(\"hello\"); right();"}, LAB_PASSED, ""},
        {{"closes_output", "#include <unistd.h>", "close(1); close(2); right();"}, LAB_PASSED, ""},
    };
    CHECK(rows);
}

static void a_crash_has_a_signal_and_a_line(void **state) {
    (void)state;
    const row rows[] = {
        {{"segfault", "", "*(volatile int *)8 = 1;"}, LAB_CRASH, "Segmentation fault at segfault.c:5 in attn_sdpa"},
        {{"far_past_the_end", "", "for (long i = 0; i < 1l << 30; i++) O[i] = 1;"}, LAB_CRASH, "far_past_the_end.c:5"},
        {{"in_the_library", "#include <string.h>", "memmove(O, (char *)8, elements * 4); O[0] = 1;"},
         LAB_CRASH,
         "in_the_library.c:5"},
        {{"in_a_helper", "static __attribute__((noinline)) void helper(int *p) { *(volatile int *)p = 1; }",
          "helper((int *)8);"},
         LAB_CRASH,
         "in_a_helper.c:3 in helper"},
        {{"abort", "#include <stdlib.h>", "abort();"}, LAB_CRASH, "Aborted"},
        {{"divide", "", "volatile int zero = 0; O[0] = 7 / zero;"},
         LAB_CRASH,
         "Floating point exception at divide.c:5"},
        {{"overflow",
          "static int deep(int n) { volatile char a[4096]; a[n & 4095] = 1; return deep(n + 1) + a[n & 4095]; }",
          "O[0] = deep(0);"},
         LAB_CRASH,
         "overflow.c:3 in deep: the stack is full"},
        {{"terminates_itself", "#include <signal.h>", "raise(SIGTERM);"}, LAB_CRASH, "Terminated"},
        {{"double_free", "#include <stdlib.h>", "char *volatile p = malloc(64); free(p); free(p);"},
         LAB_CRASH,
         "Aborted"},
        {{"in_a_constructor", "__attribute__((constructor)) static void early(void) { *(volatile int *)8 = 1; }",
          "right();"},
         LAB_CRASH,
         "Segmentation fault"},
    };
    CHECK(rows);
}

static void a_stage_killed_by_the_system_ran_out_of_memory(void **state) {
    (void)state;
    const row rows[] = {{{"killed", "#include <signal.h>", "raise(SIGKILL);"}, LAB_OUT_OF_MEMORY, "memory"}};
    CHECK(rows);
}

static void an_endless_call_is_killed(void **state) {
    (void)state;
    const row rows[] = {
        {{"loops", "", "for (volatile int i = 0;; i++);"},
         LAB_TIMEOUT,
         "of processor time, at loops.c:5 in attn_sdpa: an endless loop"},
        {{"blocks_signals", "#include <signal.h>\n#include <unistd.h>",
          "sigset_t all; sigfillset(&all); sigprocmask(SIG_BLOCK, &all, 0); setsid(); for (volatile int i = 0;; i++);"},
         LAB_TIMEOUT,
         "endless loop"},
        {{"stops_itself", "#include <signal.h>", "raise(SIGSTOP);"}, LAB_TIMEOUT, "it waits for something"},
        {{"waits", "#include <unistd.h>", "pause();"}, LAB_TIMEOUT, "at waits.c:5 in attn_sdpa: it waits"},
        {{"loops_in_a_constructor",
          "__attribute__((constructor)) static void early(void) { for (volatile int i = 0;; i++); }", "right();"},
         LAB_TIMEOUT,
         "no answer"},
    };
    CHECK(rows);
}

// The limit is of processor time: with four programs beside it on one processor, twice 0.2 s of it take longer than the
// limit of 1 s. (Where they take less, the test is weaker, and passes.)
static void a_busy_machine_is_not_the_stages_fault(void **state) {
    (void)state;
    enum { OTHERS = 4 };
    pid_t others[OTHERS];
    const trial_source source = {
        "works_long", "#include <time.h>",
        "const clock_t end = clock() + 2 * CLOCKS_PER_SEC / 10; while (clock() < end); right();"};
    const char *stage = trial_build(&source);
    cpu_set_t all, one;
    assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    for (int i = 0; i < OTHERS; i++)
        if ((others[i] = fork()) == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            for (volatile int k = 0;; k++) {}
        }
    const lab_result r = trial_run_built(stage, NULL);
    for (int i = 0; i < OTHERS; i++) kill(others[i], SIGKILL), waitpid(others[i], NULL, 0);
    assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
    if (r.verdict != LAB_PASSED) fail_msg("%s: %s", lab_verdict_name(r.verdict), r.diagnosis);
}

static void an_exit_is_not_an_answer(void **state) {
    (void)state;
    const row rows[] = {
        {{"exits", "#include <stdlib.h>", "right(); exit(0);"}, LAB_EARLY_EXIT, "exit status 0"},
        {{"exits_at_once", "#include <unistd.h>", "_exit(3);"}, LAB_EARLY_EXIT, "exit status 3"},
        {{"exits_in_a_constructor",
          "#include <stdlib.h>\n__attribute__((constructor)) static void early(void) { exit(0); }", "right();"},
         LAB_EARLY_EXIT,
         "a stage never exits"},
        {{"exits_at_exit", "#include <stdlib.h>\n#include <unistd.h>\nstatic void bye(void) { _exit(0); }",
          "atexit(bye); right(); exit(9);"},
         LAB_EARLY_EXIT,
         "exit status 0"},
        {{"says_passed_and_exits", "#include <stdlib.h>\n#include <stdio.h>",
          "puts(\"ok 1 - PASSED\\n1 of 1 claims hold.\"); exit(0);"},
         LAB_EARLY_EXIT,
         "exit status 0"},
        {{"ends_its_thread", "#include <pthread.h>", "pthread_exit(0);"}, LAB_EARLY_EXIT, "exit status"},
    };
    CHECK(rows);
    const row after[] = {
        {{"exits_when_all_is_done", "#include <stdlib.h>\n#include <unistd.h>\nstatic void bye(void) { _exit(9); }",
          "static int once; if (!once++) atexit(bye); right();"},
         LAB_PASSED,
         ""}};
    CHECK(after);
}

static void printing_without_end_is_stopped(void **state) {
    (void)state;
    const row rows[] = {
        {{"floods", "#include <stdio.h>", "for (;;) puts(\"a stage never prints\");"},
         LAB_OUTPUT_LIMIT,
         "never prints"},
        {{"floods_stderr", "#include <stdio.h>", "for (;;) fputs(\"a long line, without a break, \", stderr);"},
         LAB_OUTPUT_LIMIT,
         "1024 KiB"},
    };
    CHECK(rows);
}

static void memory_outside_of_the_output_is_guarded(void **state) {
    (void)state;
    const row rows[] = {
        {{"one_past", "", "right(); O[elements] = 1;"}, LAB_ILLEGAL_ACCESS, "the first 1 past the end of O"},
        {{"one_before", "", "right(); O[-1] = 1;"}, LAB_ILLEGAL_ACCESS, "the first 1 before the start of O"},
        {{"far_past", "", "right(); O[elements + 500] = 1;"}, LAB_ILLEGAL_ACCESS, "1 element outside"},
        {{"past_an_input", "", "right(); ((float *)V)[2 * 2 * 7 * 8] = 1;"}, LAB_ILLEGAL_ACCESS, "outside"},
        {{"shifts_its_guard", "#include <string.h>", "right(); memmove(O + elements, O + elements + 1, 1024);"},
         LAB_ILLEGAL_ACCESS,
         "outside"},
        {{"modifies_q", "", "right(); ((float *)Q)[0] = 0;"}, LAB_INPUT_MODIFIED, "input Q"},
        {{"modifies_v", "", "right(); ((float *)V)[2 * 2 * 7 * 8 - 1] += 1e-6f;"}, LAB_INPUT_MODIFIED, "input V"},
    };
    CHECK(rows);
}

static void every_element_must_be_written_and_right(void **state) {
    (void)state;
    const row rows[] = {
        {{"writes_nothing", "", ""}, LAB_WRONG_ANSWER, "never written: every element"},
        {{"leaves_the_last", "", "float last = O[elements - 1]; right(); O[elements - 1] = last;"},
         LAB_WRONG_ANSWER,
         "1 element was never written"},
        {{"nan", "", "right(); O[elements - 1] = NAN;"}, LAB_NOT_FINITE, "NaN"},
        {{"inf", "", "right(); O[0] = INFINITY;"}, LAB_NOT_FINITE, ""},
        {{"zeros", "#include <string.h>", "memset(O, 0, elements * 4);"}, LAB_WRONG_ANSWER, "wrong"},
        {{"off_by_the_tolerance", "", "right(); O[3] += 0.00101f;"}, LAB_WRONG_ANSWER, "row 0, column 3"},
    };
    CHECK(rows);
}

static void two_calls_must_agree(void **state) {
    (void)state;
    const row rows[] = {
        {{"drifts", "", "static float x; right(); O[0] += x += 1e-6f;"}, LAB_NONDETERMINISTIC, "another result"},
        {{"right_only_once", "", "static int n; if (!n++) right();"}, LAB_NONDETERMINISTIC, "another result"},
    };
    CHECK(rows);
}

static void a_second_call_is_judged_like_the_first(void **state) {
    (void)state;
    const row rows[] = {
        {{"crashes_later", "", "static int n; right(); if (n++) *(volatile int *)8 = 1;"},
         LAB_CRASH,
         "crashes_later.c:5"},
        {{"loops_later", "", "static int n; right(); while (n) __asm__(\"\"); n++;"}, LAB_TIMEOUT, "second call"},
        {{"modifies_later", "", "static int n; right(); if (n++) ((float *)K)[1] = 0;"}, LAB_INPUT_MODIFIED, "input K"},
        {{"fails_later", "", "static int n; right(); if (n++) return ATTN_NO_MEMORY;"},
         LAB_OUT_OF_MEMORY,
         "ATTN_NO_MEMORY"},
        {{"past_the_end_later", "", "static int n; right(); if (n++) O[elements] = 1;"},
         LAB_ILLEGAL_ACCESS,
         "past the end"},
    };
    CHECK(rows);
}

static void a_status_is_explained(void **state) {
    (void)state;
    const row rows[] = {
        {{"todo", "", "return ATTN_TODO(1, 10);"}, LAB_MISSING, "TODO 1.10"},
        {{"no_memory", "", "return ATTN_NO_MEMORY;"}, LAB_OUT_OF_MEMORY, "ATTN_NO_MEMORY"},
        {{"bad_shape", "", "return ATTN_BAD_SHAPE;"}, LAB_WRONG_ANSWER, "returned ATTN_BAD_SHAPE"},
        {{"odd_status", "", "right(); return 123456;"}, LAB_WRONG_ANSWER, "status 123456"},
        {{"lowest_status", "", "right(); return -2147483647 - 1;"}, LAB_WRONG_ANSWER, "status"},
        {{"other_function", "#define attn_sdpa attn_sdqa", "right();"}, LAB_MISSING, "does not define attn_sdpa"},
    };
    CHECK(rows);
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(a_right_stage_passes),
        CLAIM(a_crash_has_a_signal_and_a_line),
        CLAIM(a_stage_killed_by_the_system_ran_out_of_memory),
        CLAIM(an_endless_call_is_killed),
        CLAIM(a_busy_machine_is_not_the_stages_fault),
        CLAIM(an_exit_is_not_an_answer),
        CLAIM(printing_without_end_is_stopped),
        CLAIM(memory_outside_of_the_output_is_guarded),
        CLAIM(every_element_must_be_written_and_right),
        CLAIM(two_calls_must_agree),
        CLAIM(a_second_call_is_judged_like_the_first),
        CLAIM(a_status_is_explained),
    };
    return cmocka_run_group_tests_name("run", claims, NULL, NULL);
}
