// unit_unseen.c: what mends every claim by chance does not hold on a shape that was drawn for this alone.
// grader/repair/unseen.c, whose calls of a student's code are answered here.
#include "unit.h"

#include <string.h>

#include "search.h"
#include "stretch.h"

static struct {
    double left, costs;  // seconds; of an attempt
    int tried;
    int largest;  // elements of a shape that was tried
} world;

static double fake_left(void) { return world.left; }

static lab_prepared *fake_prepare(const lab_case *c, uint64_t seed) { return seed ? (lab_prepared *)c : NULL; }

static void fake_free(lab_prepared *p) { (void)p; }

// Change 1 takes heads for batch, 2 is right.
static int fake_attempt(lab_attempts *a, const lab_prepared *p, int edit, double limit) {
    const lab_case *c = (const lab_case *)p;
    (void)a;
    world.tried++, world.left -= world.costs;
    if (lab_elements(c) > world.largest) world.largest = (int)lab_elements(c);
    return world.costs <= limit && (edit == 2 || c->shape.batch == c->shape.heads);
}

#define lab_attempts_left fake_left
#define lab_prepare fake_prepare
#define lab_prepared_free fake_free
#define lab_attempt fake_attempt
#define lab_search_unseen search_unseen
#include "unseen.c"

static const lab_edit edits[2] = {{.id = 1}, {.id = 2}};
static lab_kept kept;
static lab_subject subject;

static lab_found look(double left, double costs, const char *todo) {
    lab_found found = {.mend = {{.edit = &edits[0]}, {.edit = &edits[1]}}, .n = 2};
    memset(&subject, 0, sizeof subject);
    assert_true(lab_case_find("task4", "one_head_of_64_keys", 1, &kept.c));
    subject.claim[0] = &kept, subject.n = subject.failed = 1, subject.todo = todo;
    subject.attempts.options.arena_bytes = 1 << 20;
    memset(&world, 0, sizeof world);
    world.left = left, world.costs = costs;
    search_unseen(&subject, 1, &found);
    return found;
}

static void what_mends_by_chance_fails_on_another_shape(void **state) {
    (void)state;
    const lab_found found = look(10, 0.001, NULL);
    assert_int_equal(found.n, 1);
    assert_int_equal(found.mend[0].edit->id, 2);
    assert_in_range(world.tried, 2, 2 * MOST_UNSEEN);
    assert_in_range(world.largest, 1, LARGEST);
}

static void what_there_is_no_time_for_is_not_known(void **state) {
    (void)state;
    assert_int_equal(look(10, 0.5, NULL).n, 2);  // a call took too long
    assert_in_range(world.tried, 1, 2);
    assert_int_equal(look(10, 0.001, "4.2").n, 2);  // a probe has no such shapes
    assert_int_equal(world.tried, 0);
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(what_mends_by_chance_fails_on_another_shape),
        CLAIM(what_there_is_no_time_for_is_not_known),
    };
    return cmocka_run_group_tests_name("unseen", claims, NULL, NULL);
}
