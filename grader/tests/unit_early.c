// unit_early.c: what may follow a change that mends is compiled before it is known which change that is.
// grader/repair/early.c, whose compiler is answered here.
#include "unit.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "aside.h"
#include "attempt.h"
#include "candidates.h"

enum { LIKELY = 1, OTHER };

static struct {
    int compiled, kept;  // in this process; the change that was compiled alone
    double left, forgiven;
    int hangs;
    pid_t here;
} world;

static double fake_left(void) { return world.left -= 1; }
static void fake_forgive(double seconds) { world.forgiven += seconds; }
static void fake_name(const lab_repair_ask *ask, lab_candidates *c) { snprintf(c->file, 64, "%s.none", ask->stage); }

static int fake_keep(lab_candidates *c, int id) {
    world.kept = id;
    return c != NULL;
}

static int fake_compile(const lab_repair_ask *ask, lab_candidates *c, int probe, const char *output) {
    FILE *f = fopen(output, "w");
    world.compiled++;
    if (world.hangs && getpid() != world.here) pause();
    const int is_chosen = !world.kept || c->chosen == c->batch;  // or all others of the batch would be chosen again
    return ask && is_chosen && !probe && f && fclose(f) == 0;
}

#define lab_attempts_left fake_left
#define lab_attempts_forgive fake_forgive
#define lab_candidates_name fake_name
#define lab_candidates_keep_one fake_keep
#define lab_candidates_compile fake_compile
#define lab_early_begin early_begin
#define lab_early_take early_take
#define lab_early_drop early_drop
#define lab_early_alone early_alone
#include "early.c"

static const char object[] = "build/tests/unit_early.so";
static const lab_repair_ask ask = {.stage = "build/tests/unit_early.stage.so"};
static lab_candidates candidates;

static int reset(void **state) {
    (void)state;
    memset(&world, 0, sizeof world);
    candidates.batch = 1, candidates.chosen = 0;
    world.here = getpid();
    mkdir("build", 0755), mkdir("build/tests", 0755), unlink(object);
    return 0;
}

static void what_is_begun_early_is_not_compiled_again(void **state) {
    (void)state;
    early_begin(LAB_EARLY_ALONE, &ask, &candidates, LIKELY, 0);
    assert_true(early_alone(&ask, &candidates, LIKELY, 0, object));
    assert_int_equal(world.compiled, 0), assert_int_equal(access(object, R_OK), 0);
}

static void another_change_is_compiled_when_it_is_known(void **state) {
    (void)state;
    early_begin(LAB_EARLY_ALONE, &ask, &candidates, LIKELY, 0);
    assert_true(early_alone(&ask, &candidates, OTHER, 0, object));
    assert_int_equal(world.compiled, 1), assert_int_equal(world.kept, OTHER);
}

static void all_changes_of_a_batch_are_a_stage(void **state) {
    (void)state;
    early_begin(LAB_EARLY_STAGE, &ask, &candidates, 0, 0);
    assert_true(early_take(LAB_EARLY_STAGE, 0, 0, object));
    assert_int_equal(world.compiled + world.kept, 0), assert_int_equal(access(object, R_OK), 0);
    assert_false(early_take(LAB_EARLY_STAGE, 0, 0, object));
}

static void what_nobody_waits_for_ends_and_costs_nothing(void **state) {
    (void)state;
    world.hangs = 1;
    alarm(60);
    early_begin(LAB_EARLY_STAGE, &ask, &candidates, 0, 0);
    early_drop();
    alarm(0);
    assert_true(world.forgiven > 0);
    assert_false(early_take(LAB_EARLY_STAGE, 0, 0, object));
}

int main(void) {
    const struct CMUnitTest claims[] = {
        cmocka_unit_test_setup(what_is_begun_early_is_not_compiled_again, reset),
        cmocka_unit_test_setup(another_change_is_compiled_when_it_is_known, reset),
        cmocka_unit_test_setup(all_changes_of_a_batch_are_a_stage, reset),
        cmocka_unit_test_setup(what_nobody_waits_for_ends_and_costs_nothing, reset),
    };
    return cmocka_run_group_tests(claims, NULL, NULL);
}
