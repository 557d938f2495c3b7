// unit_prove.c: before a change is said, it is tried on what the search had no time for, and on the claims of the code that
// it alters. grader/repair/prove.c and harmless.c, whose calls of a student's code are answered here.
#include "unit.h"

#include <string.h>

#include "search.h"
#include "stretch.h"

enum { CLAIMS = 6, CHANGES = 3 };

static struct {
    double left;                          // seconds
    double costs;                         // of an attempt
    int slow;                             // a claim that takes ten times as long; 0: none
    int heavy;                            // a claim that is tried on another processor; 0: none
    int holds[CHANGES][CLAIMS], n_tried;  // with change 0, the file as it is
    int tried[CHANGES][CLAIMS];
} world;

static double fake_left(void) { return world.left; }

static lab_prepared *fake_prepare(const lab_case *c, uint64_t seed) { return seed ? (lab_prepared *)c : NULL; }

static void fake_free(lab_prepared *p) { (void)p; }

static int fake_attempt(lab_attempts *a, const lab_prepared *p, int edit, double limit) {
    (void)a;
    const int claim = ((const lab_case *)p)->shape.batch;
    world.tried[edit][claim]++, world.n_tried++;
    const double costs = world.costs * (world.slow && claim == world.slow ? 10 : 1);
    world.left -= costs;
    return world.holds[edit][claim] && costs <= limit;
}

static double fake_weight(const lab_case *c) { return world.heavy && c->shape.batch == world.heavy ? 1e9 : 1; }

static void nothing_open(lab_attempts *a) { (void)a; }

#define lab_attempts_close nothing_open
#define lab_weight fake_weight
#define lab_attempts_left fake_left
#define lab_prepare fake_prepare
#define lab_prepared_free fake_free
#define lab_attempt fake_attempt
#define lab_search_prove search_prove
#include "prove.c"

// There is no time for claims that held.
static lab_stretch no_stretch(void) { return (lab_stretch){0, 0}; }

static int is_long(const lab_stretch *t, const lab_case *c, double most) { return t && c && most > 0; }

static int no_race(lab_attempts *a, const lab_case *c, uint64_t seed, int edit, double seconds) {
    return a && c && seed && edit && seconds > 0;
}

static void no_length(lab_stretch *t, const lab_case *c, double before) { (void)t, (void)c, (void)before; }

#define lab_attempt_twice no_race
#define lab_note_length no_length
#define lab_begin_stretch no_stretch
#define lab_is_too_long is_long
#define lab_search_harmless search_harmless
#include "harmless.c"

static lab_kept kept[CLAIMS];
static lab_subject subject;
static lab_edit edits[CHANGES];
static lab_found found;

// Three claims failed, three held; of those that failed one has been tried, of those that held two.
static void set_up(void) {
    memset(&subject, 0, sizeof subject), memset(&found, 0, sizeof found), memset(&world, 0, sizeof world);
    for (int i = 0; i < CLAIMS; i++) {
        kept[i] = (lab_kept){.failed = i < 3};
        kept[i].c.shape.batch = i;
        subject.claim[i] = &kept[i];
        world.holds[1][i] = world.holds[2][i] = 1, world.holds[0][i] = i >= 3;
    }
    subject.n = CLAIMS, subject.failed = 3;
    for (int i = 0; i < CHANGES; i++) edits[i].id = i;
    found = (lab_found){.mend = {{&edits[1], 1, 0}, {&edits[2], 1, 0}}, .n = 2, .tried = 1, .left = 1};
    world.left = 1, world.costs = 0.01;
}

static void what_was_not_tried_is_tried_and_nothing_else(void **state) {
    (void)state;
    set_up();
    search_prove(&subject, 1, &found);
    assert_int_equal(found.n, 2);
    assert_ptr_equal(found.mend[0].edit, &edits[1]);
    assert_int_equal(found.tried, 3), assert_int_equal(found.left, 0);
    const int want[CLAIMS] = {0, 1, 1, 0, 0, 1};
    assert_memory_equal(world.tried[1], want, sizeof want);
}

static void a_change_that_fails_one_of_them_goes(void **state) {
    (void)state;
    for (int claim = 2; claim < CLAIMS; claim += 3) {  // one that failed, one that held
        set_up();
        world.holds[1][claim] = 0;
        search_prove(&subject, 1, &found);
        assert_int_equal(found.n, 1);
        assert_ptr_equal(found.mend[0].edit, &edits[2]);
        assert_int_equal(found.tried, 3), assert_int_equal(found.left, 0);
    }
    world.holds[1][1] = world.holds[2][1] = 0;
    found.n = 2, found.tried = 1, found.left = 1;
    search_prove(&subject, 1, &found);
    assert_int_equal(found.n, 0);
}

// A file compiled for many changes is slow: what held fails there without any change, too.
static void what_fails_without_the_change_too_is_no_objection(void **state) {
    (void)state;
    set_up();
    world.holds[1][5] = world.holds[0][5] = 0;
    search_prove(&subject, 1, &found);
    assert_ptr_equal(found.mend[0].edit, &edits[1]);
    assert_int_equal(found.left, 0);
}

// Compiled alone it has no switch, and is as fast as the file: what fails there fails.
static void what_fails_with_the_change_alone_is_an_objection(void **state) {
    (void)state;
    set_up();
    lab_edit alone = edits[1];
    alone.id = 0, found.mend[0].edit = &alone;
    memset(world.holds[0], 0, sizeof world.holds[0]), world.holds[0][1] = world.holds[0][2] = 1;
    search_prove(&subject, 1, &found);
    assert_int_equal(found.n, 1);
    assert_ptr_equal(found.mend[0].edit, &edits[2]);
}

static void without_time_it_is_said_how_much_was_tried(void **state) {
    (void)state;
    set_up();
    world.costs = 1.5;  // longer than a call may take: it says nothing
    search_prove(&subject, 1, &found);
    assert_ptr_equal(found.mend[0].edit, &edits[1]);
    assert_int_equal(found.tried, 1), assert_int_equal(found.left, 1);
    set_up();
    found.ends = 1;  // all claims of the whole file have been tried
    search_prove(&subject, 1, &found);
    assert_int_equal(world.n_tried, 0);
}

// A claim that failed takes too long, and one of a TODO that held does not hold with the change.
static void behind_a_long_claim_those_of_todos_are_tried(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        set_up();
        kept[5].c.todo = k ? NULL : "6.1";
        world.left = 3, world.costs = 0.15, world.slow = 1, world.holds[1][5] = 0;
        search_prove(&subject, 1, &found);
        assert_ptr_equal(found.mend[0].edit, &edits[k ? 1 : 2]);
        assert_int_equal(found.tried, 1), assert_int_equal(world.tried[1][5], !k);
    }
}

// What is tried in another process leaves no trace in this one but its outcome.
static void the_longest_claim_is_tried_beside_the_others(void **state) {
    (void)state;
    for (int claim = 2; claim < CLAIMS; claim += 3)  // one that failed, one that held
        for (int holds = 0; holds < 2; holds++) {
            set_up();
            world.heavy = claim, world.holds[1][claim] = holds;
            search_prove(&subject, 1, &found);
            assert_ptr_equal(found.mend[0].edit, &edits[holds ? 1 : 2]);
            assert_int_equal(found.tried, 3), assert_int_equal(found.left, 0);
            assert_int_equal(world.tried[1][claim], 0), assert_int_equal(world.tried[1][7 - claim], 1);
        }
    set_up();
    world.heavy = world.slow = 2, world.costs = 0.15;  // it takes too long: that says nothing
    search_prove(&subject, 1, &found);
    assert_ptr_equal(found.mend[0].edit, &edits[1]);
    assert_int_equal(found.tried, 2);
}

static void a_change_in_another_todos_code_leaves_its_claims(void **state) {
    (void)state;
    static const char *const todos[CLAIMS] = {"2.11", "2.11", "2.11", "2.9", "2.10", "2.10"};
    for (int k = 0; k < 3; k++) {
        set_up();
        for (int i = 0; i < CLAIMS; i++) kept[i].c.todo = todos[i];
        subject.todo = "2.11", strcpy(edits[1].todo, k == 1 ? "2.9" : "2.10");
        world.holds[1][5] = 0;              // a claim of TODO 2.10
        if (k == 2) world.holds[0][5] = 0;  // which fails in this build as it is
        search_harmless(&subject, 1, &found);
        assert_ptr_equal(found.mend[0].edit, &edits[k ? 1 : 2]);
    }
    memset(edits, 0, sizeof edits), memset(kept, 0, sizeof kept);
}

int main(void) {
    const struct CMUnitTest claims[] = {
        cmocka_unit_test(the_longest_claim_is_tried_beside_the_others),
        cmocka_unit_test(what_was_not_tried_is_tried_and_nothing_else),
        cmocka_unit_test(a_change_that_fails_one_of_them_goes),
        cmocka_unit_test(what_fails_without_the_change_too_is_no_objection),
        cmocka_unit_test(what_fails_with_the_change_alone_is_an_objection),
        cmocka_unit_test(without_time_it_is_said_how_much_was_tried),
        cmocka_unit_test(behind_a_long_claim_those_of_todos_are_tried),
        cmocka_unit_test(a_change_in_another_todos_code_leaves_its_claims),
    };
    return cmocka_run_group_tests(claims, NULL, NULL);
}
