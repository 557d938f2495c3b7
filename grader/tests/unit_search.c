// unit_search.c: what the search makes of a claim on which the file as it is crashes, so that nobody knows how long it
// takes. grader/repair/search.c, whose calls of a student's code are answered here.
#include "unit.h"

#include <string.h>

#include "search.h"

enum { CHANGES = 3 };

typedef enum { HOLDS, FAILS, LATE } outcome;

static outcome with[CHANGES + 1][2];  // change, claim

static int claim_of(const lab_prepared *p) { return ((const lab_case *)p)->shape.batch; }

static lab_prepared *fake_prepare(const lab_case *c, uint64_t seed) { return seed ? (lab_prepared *)c : NULL; }

static void fake_free(lab_prepared *p) { (void)p; }

static double fake_limit(lab_attempts *a, lab_prepared *p) {
    a->stage.alive = 0;  // it crashes
    return p ? 0.01 : 0;
}

static int fake_attempt(lab_attempts *a, lab_prepared *p, int edit, double seconds) {
    const outcome o = with[edit][claim_of(p)];
    a->stage.alive = o != LATE;
    a->stage.process.used = o == LATE ? 1e9 : seconds / 2;
    return o == HOLDS;
}

static int always(lab_attempts *a) { return a != NULL; }
static double a_second(void) { return 1; }
static void silence(void) {}
static void nothing_spoilt(lab_subject *s, uint64_t seed, lab_found *found) { (void)s, (void)seed, (void)found; }

#define lab_prepare fake_prepare
#define lab_prepared_free fake_free
#define lab_attempt_limit fake_limit
#define lab_attempt fake_attempt
#define lab_attempts_go_on always
#define lab_attempts_left a_second
#define lab_say_aloud silence
#define lab_search_harmless nothing_spoilt
#define lab_search search
#define lab_search_whole search_whole
#include "stretch.c"
#include "search.c"

static lab_found found;

static void search_with(outcome first, outcome second) {
    static lab_op op;
    static lab_kept kept[2];
    static lab_edit edits[CHANGES];
    lab_subject s = {.n = 2, .failed = 2};
    for (int i = 0; i < 2; i++) {
        kept[i] = (lab_kept){.c = {.op = &op, .shape = {.batch = i}}, .failed = 1};
        s.claim[i] = &kept[i];
    }
    for (int i = 0; i < CHANGES; i++) {
        edits[i] = (lab_edit){.id = i + 1, .line = i};
        with[i + 1][0] = i == 2 ? FAILS : HOLDS;
    }
    with[1][1] = first, with[2][1] = second;
    const lab_candidates c = {.edit = edits, .n = CHANGES};
    search(&c, &s, 1, &found);
}

static void what_ran_out_of_time_where_nothing_held_is_not_known_to_fail(void **state) {
    (void)state;
    search_with(LATE, FAILS);
    assert_true(found.all);
    assert_int_equal(found.n, 1), assert_int_equal(found.mend[0].edit->id, 1);
    assert_int_equal(found.tried, 1);  // the sentence says so
}

static void beside_one_that_holds_it_is_out(void **state) {
    (void)state;
    search_with(LATE, HOLDS);
    assert_int_equal(found.n, 1), assert_int_equal(found.mend[0].edit->id, 2);
    assert_int_equal(found.tried, 2);
}

static void what_fails_in_time_is_out(void **state) {
    (void)state;
    search_with(FAILS, FAILS);
    assert_false(found.all);
}

int main(void) {
    const struct CMUnitTest claims[] = {
        cmocka_unit_test(what_ran_out_of_time_where_nothing_held_is_not_known_to_fail),
        cmocka_unit_test(beside_one_that_holds_it_is_out),
        cmocka_unit_test(what_fails_in_time_is_out),
    };
    return cmocka_run_group_tests(claims, NULL, NULL);
}
