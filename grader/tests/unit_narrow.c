// unit_narrow.c: which of a CUDA file's thousands of changes are tried once one of them holds. grader/repair/narrow.c and
// dozens.c, whose calls of a student's code are answered here.
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "narrow.h"
#include "rank.h"

enum { CHANGES = 2000, LINES = 50, BETWEEN = 8, HOLDS = 201, SLICE_OF_IT = 252, NEAR = 10 };

static lab_edit edits[CHANGES];
static lab_trying tried[CHANGES];
static int asked[CHANGES], n_asked, looks, others_hold;

static lab_prepared *fake_prepare(const lab_case *c, uint64_t seed) { return seed ? (lab_prepared *)c : NULL; }
static void fake_free(lab_prepared *p) { (void)p; }
static double fake_limit(lab_attempts *a, lab_prepared *p) { return p ? a->usual = 0.01 : 0; }

static int fake_attempt(lab_attempts *a, lab_prepared *p, int edit, double seconds) {
    assert_true(a && p && edit == HOLDS && seconds > 0);
    looks++;
    return others_hold;
}

static int fake_many(lab_attempts *a, const lab_prepared *p, const int ids[], int n, double us, char holds[]) {
    assert_true(a && p && us > 0);
    for (int i = 0; i < n; i++) asked[n_asked++] = ids[i], holds[i] = ids[i] == HOLDS;
    return 1;
}

static int always(lab_attempts *a) { return a != NULL; }
static void silence(void) {}

#define lab_attempt_many fake_many
#define lab_prepare fake_prepare
#define lab_prepared_free fake_free
#define lab_attempt_limit fake_limit
#define lab_attempt fake_attempt
#define lab_attempts_go_on always
#define lab_say_aloud silence
#define lab_search_dozens dozens
#define lab_narrow_by narrow_by
#define lab_narrow_passes_by narrow_passes_by
#define lab_narrow_end narrow_end
#include "narrow.c"
#include "dozens.c"

static lab_narrowing try_all(void) {
    static lab_kept kept = {.failed = 1};
    static lab_subject s = {.n = 1, .failed = 1, .claim = {&kept}};
    s.attempts = (lab_attempts){.device = 1, .usual = 1e-4};
    lab_narrowing narrow = {.s = &s, .seed = 1};
    n_asked = looks = 0;
    for (int i = 0; i < CHANGES; i++) tried[i] = (lab_trying){.edit = &edits[i]};
    assert_true(dozens(&s.attempts, (lab_prepared *)&kept.c, tried, CHANGES, 0.01, 1, &narrow));
    narrow_end(&narrow);
    assert_true(s.attempts.usual == 1e-4);  // how many are tried depends on the claim that they are tried on
    return narrow;
}

static int list_them(void **state) {
    (void)state;
    for (int i = 0; i < CHANGES; i++) edits[i] = (lab_edit){.id = i + 1, .rank = i / BETWEEN, .line = 1 + i % LINES};
    others_hold = 1;
    return 0;
}

static int is_near(const lab_edit *e) {
    return e->rank <= lab_edit_rank(&edits[HOLDS - 1], NULL) + NEAR || e->line == edits[HOLDS - 1].line;
}

static void behind_one_that_holds_only_the_likely_and_its_line_are_tried(void **state) {
    (void)state;
    assert_int_equal(try_all().best, HOLDS);
    for (int i = SLICE_OF_IT; i < n_asked; i++)
        if (!is_near(&edits[asked[i] - 1])) fail_msg("change %d need not be tried", asked[i]);
    int near = 0;
    for (int i = SLICE_OF_IT; i < CHANGES; i++) near += is_near(&edits[i]);
    assert_int_equal(n_asked, SLICE_OF_IT + near);
    for (int i = 0; i < CHANGES; i++) {
        assert_int_equal(tried[i].passed, i >= SLICE_OF_IT && !is_near(&edits[i]));
        assert_int_equal(tried[i].out, i != HOLDS - 1);
    }
}

static void the_lines_that_change_with_it_are_its_lines(void **state) {
    (void)state;
    snprintf(edits[HOLDS - 1].also, sizeof edits[0].also, "7,9");
    try_all();
    int others = 0;
    for (int i = SLICE_OF_IT; i < n_asked; i++) {
        const lab_edit *e = &edits[asked[i] - 1];
        if (!is_near(e) && e->line != 7 && e->line != 9) fail_msg("line %d is none of them", e->line);
        others += e->line == 7;
    }
    assert_true(others > 10);
}

static void one_that_fails_another_claim_ends_nothing(void **state) {
    (void)state;
    others_hold = 0;
    assert_int_equal(try_all().best, 0);
    assert_int_equal(looks, 1), assert_int_equal(n_asked, CHANGES);
    for (int i = 0; i < CHANGES; i++) assert_int_equal(tried[i].passed, 0);
}

// What is said late or never, or of the line alone, decides nothing.
static void what_is_often_ruled_out_ends_nothing(void **state) {
    (void)state;
    edits[HOLDS - 1].shared = 1;
    assert_int_equal(try_all().best, 0);
    edits[HOLDS - 1].shared = 0, edits[HOLDS - 1].rank = LAB_LAST_SAID;
    assert_int_equal(try_all().best, 0);
    edits[HOLDS - 1].rank = 0, strcpy(edits[HOLDS - 1].was, "n"), strcpy(edits[HOLDS - 1].now, "n * D");
    assert_int_equal(try_all().best, 0);
    assert_int_equal(looks, 0), assert_int_equal(n_asked, CHANGES);
}

static void what_was_passed_by_is_a_batch_of_its_own(void **state) {
    (void)state;
    static const lab_task cuda = {.language = LAB_CUDA};
    const lab_repair_ask ask = {.task = &cuda};
    for (int i = 0; i < CHANGES; i++) edits[i].hooked = 1, edits[i].later = i % 3 == 0;
    lab_candidates c = {.edit = edits, .n = CHANGES, .data = 1, .batch = 2, .chosen = 2, .best = HOLDS};
    lab_candidates_rest(&c);
    assert_int_equal(c.hooks, 1), assert_int_equal(c.batch, 2), assert_int_equal(c.best, 0);
    assert_int_not_equal(c.chosen, c.batch);  // it is still to be written and compiled
    lab_candidates_choose(&ask, &c);
    int left = 0;
    for (int i = 0; i < CHANGES; i++) {
        if (!edits[i].dropped && !edits[i].later) fail_msg("change %d was tried", i + 1);
        left += !edits[i].dropped;
    }
    assert_int_equal(c.most, left), assert_true(left > CHANGES / 4);
    c.batch = 3, c.hooks = 0;  // code has nothing to do with it
    edits[400].hooked = edits[400].later = 0;
    lab_candidates_choose(&ask, &c);
    assert_int_equal(edits[400].dropped, 0);
}

int main(void) {
    const struct CMUnitTest claims[] = {
        cmocka_unit_test_setup(behind_one_that_holds_only_the_likely_and_its_line_are_tried, list_them),
        cmocka_unit_test_setup(the_lines_that_change_with_it_are_its_lines, list_them),
        cmocka_unit_test_setup(one_that_fails_another_claim_ends_nothing, list_them),
        cmocka_unit_test_setup(what_is_often_ruled_out_ends_nothing, list_them),
        cmocka_unit_test_setup(what_was_passed_by_is_a_batch_of_its_own, list_them),
    };
    return cmocka_run_group_tests(claims, NULL, NULL);
}
