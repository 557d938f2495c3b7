// unit_lines_ahead.c: the file that tells what its lines compute is compiled while others are asked why claims fail.
// grader/values/lines.c, whose compiler and runner are answered here.
#include "unit.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "build.h"
#include "edits_list.h"
#include "lines.h"

static struct {
    int built;  // in this process
    int fails_aside, hangs;
    pid_t here;
} world;

static char rows[64];

static char *fake_list(const lab_repair_ask *ask, const char *what, const char *output, const char *number) {
    snprintf(rows, sizeof rows, "1\t7\tattn_flash\tscore\n");
    return ask && what && output && !number ? rows : NULL;
}

static lab_verdict fake_build(const lab_task *task, const lab_build_options *o, char *message, size_t size, char *log,
                              size_t log_size) {
    const int aside = getpid() != world.here;
    world.built++;
    if (aside && world.hangs) pause();
    return task && o && message && size && log && log_size && !(aside && world.fails_aside) ? LAB_PASSED
                                                                                            : LAB_GRADER_ERROR;
}

static lab_verdict no_stage(lab_stage *s, const lab_stage_options *o, char *why, size_t size) {
    memset(s, 0, sizeof *s);
    return o && why && size ? LAB_GRADER_ERROR : LAB_PASSED;
}

static void nothing_open(lab_stage *s) { (void)s; }

static lab_verdict no_values(const lab_trial *t, lab_stage *s, uint64_t values, int room, double seconds,
                             attn_status *status, char *why, size_t size) {
    return t && s && values && room && seconds > 0 && status && why && size ? LAB_GRADER_ERROR : LAB_PASSED;
}

#define lab_edits_list fake_list
#define lab_build fake_build
#define lab_stage_open no_stage
#define lab_stage_close nothing_open
#define lab_trial_values no_values
#define lab_lines_tell lines_tell
#define lab_lines_again lines_again
#define lab_lines_open lines_open
#define lab_lines_close lines_close
#define lab_lines_output lines_output
#define lab_lines_free lines_free
#define lab_lines_ahead lines_ahead
#define lab_lines_drop lines_drop
void lines_drop(void);
void lines_close(lab_teller *teller);
#include "lines.c"

static const lab_task task = {.id = "task4", .file = "flash.cu", .language = LAB_CUDA};
static char *const runner[] = {"runner", "stage.so", NULL};
static const lab_repair_ask ask = {.task = &task, .stage = "build/tests/unit_lines_ahead.so", .runner = runner};

static int reset(void **state) {
    (void)state;
    memset(&world, 0, sizeof world);
    world.here = getpid();
    mkdir("build", 0755), mkdir("build/tests", 0755);
    return 0;
}

static void tell(void) {
    static lab_trial t;
    lab_lines lines;
    lines_tell(&ask, &t, 1, &lines, NULL, NULL);
    lines_free(&lines);
}

static void what_is_compiled_ahead_is_not_compiled_again(void **state) {
    (void)state;
    lines_ahead(&ask), tell();
    assert_int_equal(world.built, 0);
    tell();
    assert_int_equal(world.built, 0);
    lines_drop(), tell();
    assert_int_equal(world.built, 1);
    lines_drop();
}

static void what_failed_ahead_is_compiled_again(void **state) {
    (void)state;
    world.fails_aside = 1;
    lines_ahead(&ask), tell();
    assert_int_equal(world.built, 1);
}

static void what_nobody_asks_for_ends(void **state) {
    (void)state;
    world.hangs = 1;
    alarm(60);
    lines_ahead(&ask), lines_drop();
    alarm(0);
    assert_int_not_equal(access("build/tests/unit_lines_ahead.values", F_OK), 0);
}

int main(void) {
    const struct CMUnitTest claims[] = {
        cmocka_unit_test_setup(what_is_compiled_ahead_is_not_compiled_again, reset),
        cmocka_unit_test_setup(what_failed_ahead_is_compiled_again, reset),
        cmocka_unit_test_setup(what_nobody_asks_for_ends, reset),
    };
    return cmocka_run_group_tests(claims, NULL, NULL);
}
