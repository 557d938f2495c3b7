// unit_search.c: what the search makes of a claim on which the file as it is crashes, so that nobody knows how long it
// takes. grader/repair/search.c, whose calls of a student's code are answered here.
#include "unit.h"

#include <string.h>

#include "search.h"
#include "sizes.h"

enum { CHANGES = 3 };

typedef enum { HOLDS, FAILS, LATE } outcome;

static outcome with[CHANGES + 1][2];  // change, claim

static int claim_of(const lab_prepared *p) { return ((const lab_case *)p)->shape.batch; }

static lab_prepared *fake_prepare(const lab_case *c, uint64_t seed) { return seed ? (lab_prepared *)c : NULL; }

static void fake_free(lab_prepared *p) { (void)p; }

static int holds_plainly, least_keys;  // least_keys: with fewer of them a claim holds

static double fake_limit(lab_attempts *a, lab_prepared *p) {
    a->stage.alive = 0;  // it crashes
    const lab_case *c = (const lab_case *)p;
    return p && (!holds_plainly || c->besides) && c->shape.seq_kv >= least_keys ? 0.01 : 0;
}

static int fake_attempt(lab_attempts *a, lab_prepared *p, int edit, double seconds) {
    const outcome o = with[edit][claim_of(p)];
    a->stage.alive = o != LATE;
    a->stage.process.used = o == LATE ? 1e9 : seconds / 2;
    return o == HOLDS;
}

enum { MANY_CHANGES = 1200, SPOILT_LINE = 3 };
static double seconds_of_a_call = 1e-4;
static int order[MANY_CHANGES], asked, refused, time_for = MANY_CHANGES;

// Those of one line end the runner; of the others every tenth holds.
static int fake_many(lab_attempts *a, const lab_prepared *p, const int ids[], int n, double us, char holds[]) {
    if (!a->device || !p || !(us > 0) || (refused && !asked)) return 0;
    for (int i = 0; i < n; i++) {
        order[asked++] = ids[i];
        holds[i] = (char)(ids[i] % 10 == SPOILT_LINE ? LAB_ENDED : ids[i] % 10 == 0);
    }
    return 1;
}

static int always(lab_attempts *a) { return a != NULL && asked < time_for; }
static double a_second(void) { return 1; }
static void silence(void) {}

#define lab_attempt_many fake_many
#define lab_prepare fake_prepare
#define lab_prepared_free fake_free
#define lab_attempt_limit fake_limit
#define lab_attempt fake_attempt
#define lab_attempts_go_on always
#define lab_attempts_left a_second
#define lab_say_aloud silence
#define lab_search search
#define lab_search_whole search_whole
#include "stretch.c"
#include "smaller.c"
#include "search.c"
#include "dozens.c"

static lab_found found;

static void search_with(outcome first, outcome second) {
    static lab_op op;
    static lab_kept kept[2];
    asked = 0;
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

static lab_trying tried[MANY_CHANGES];
static int in_dozens(void) {
    static lab_edit edits[MANY_CHANGES];
    static lab_op op;
    lab_case c = {.op = &op};
    lab_attempts a = {.device = 1, .usual = seconds_of_a_call};
    for (int i = 0; i < MANY_CHANGES; i++) {
        edits[i] = (lab_edit){.id = i + 1, .line = (i + 1) % 10};
        tried[i] = (lab_trying){.edit = &edits[i]};
    }
    asked = 0;
    return lab_search_dozens(&a, (lab_prepared *)&c, tried, MANY_CHANGES, 0.01, 1, NULL);
}

static void in_dozens_all_are_tried_and_those_that_hold_are_left(void **state) {
    (void)state;
    assert_true(in_dozens());
    assert_int_equal(asked, MANY_CHANGES);
    for (int i = 0; i < MANY_CHANGES; i++)
        if (tried[i].out != ((i + 1) % 10 != 0)) fail_msg("change %d: out %d", i + 1, tried[i].out);
}

static void where_two_have_ended_the_runner_others_of_that_line_come_last(void **state) {
    (void)state;
    assert_true(in_dozens());
    int last = 0;
    for (int i = 0; i < MANY_CHANGES; i++)
        if (order[i] % 10 != SPOILT_LINE) last = i;
    for (int i = last + 1; i < MANY_CHANGES; i++) assert_int_equal(order[i] % 10, SPOILT_LINE);
    assert_true(MANY_CHANGES - 1 - last >= 10);  // of 120
}

static void of_calls_that_take_long_a_number_is_tried_whatever_time_is_left(void **state) {
    static const double seconds[] = {0.19e-3, 0.8e-3, 3e-3, 8e-3};
    static const int most[] = {MANY_CHANGES, 900, 900, 300};
    (void)state;
    for (int i = 0; i < 4; i++) {
        seconds_of_a_call = seconds[i];
        assert_true(in_dozens());
        assert_int_equal(asked, most[i]);
    }
    seconds_of_a_call = 1e-4;
}

static void what_time_did_not_suffice_for_is_out(void **state) {
    (void)state;
    time_for = 140;
    assert_true(in_dozens());
    time_for = MANY_CHANGES;
    assert_in_range(asked, 140, 280);
    for (int i = 0; i < asked; i++)
        if (order[i] % 10 == 0) assert_false(tried[order[i] - 1].out), tried[order[i] - 1].out = 1;
    for (int i = 0; i < MANY_CHANGES; i++) assert_true(tried[i].out);
}

static void a_claim_that_cannot_be_tried_so_is_left_as_it_was(void **state) {
    (void)state;
    refused = 1;
    assert_false(in_dozens());
    refused = 0;
    for (int i = 0; i < MANY_CHANGES; i++) assert_false(tried[i].out);
}

// A layer whose parts fail in turn is called a dozen times: each change would be tried so often.
static void what_a_claim_does_besides_is_left_out_where_it_fails_without(void **state) {
    (void)state;
    static lab_op op = {.pipeline = 1}, tiled;  // where the same number is Bc
    lab_kept kept = {.c = {.op = &op, .shape = {.batch = 1}, .besides = LAB_BESIDES_FAILING}, .failed = 1};
    lab_subject s = {.n = 1, .failed = 1, .claim = {&kept}};
    lab_case c;
    asked = 0;
    for (holds_plainly = 0; holds_plainly < 2; holds_plainly++) {
        assert_int_equal(lab_search_smaller(&s, 0, 1, &c), !holds_plainly);
        assert_int_equal(c.besides, holds_plainly ? LAB_BESIDES_FAILING : 0);
    }
    holds_plainly = 0, kept.c.op = &tiled;
    assert_int_equal(lab_search_smaller(&s, 0, 1, &c), 0);
    assert_int_equal(c.tiles.Bc, LAB_BESIDES_FAILING);
}

// An empty cache beside one that holds tokens takes two sequences: with one alone right code fails, too, and no change mends.
static void the_claim_of_an_empty_cache_beside_another_keeps_two_sequences(void **state) {
    (void)state;
    lab_kept kept = {.c = {.op = &lab_layer, .shape = {4, 2, 12, 16, 64, 1}, .besides = LAB_BESIDES_NEITHER},
                     .failed = 1};
    lab_subject s = {.n = 1, .failed = 1, .claim = {&kept}};
    lab_case c;
    holds_plainly = 1;
    assert_int_equal(lab_search_smaller(&s, 0, 1, &c), 1);
    assert_int_equal(c.shape.batch, 2), assert_int_equal(c.shape.heads, 1);
    holds_plainly = 0;
}

// What shows behind the first tile of keys needs all of them, and one query.
static void a_square_claim_that_needs_its_keys_has_fewer_queries(void **state) {
    (void)state;
    lab_kept kept = {.c = {.op = &lab_flash, .shape = {1, 1, 64, 64, 64, 0}}, .failed = 1};
    lab_subject s = {.n = 1, .failed = 1, .claim = {&kept}};
    lab_case c;
    asked = 0;
    least_keys = 64;
    assert_int_equal(lab_search_smaller(&s, 0, 1, &c), 1);
    assert_int_equal(c.shape.seq_kv, 64), assert_in_range(c.shape.seq_q, 1, 8);
    kept.c.op = &lab_mha;  // its queries and keys are one input
    lab_search_smaller(&s, 0, 1, &c);
    assert_int_equal(c.shape.seq_kv, 64), assert_int_equal(c.shape.seq_q, 64);
    least_keys = 0;
}

// 64 splits of a few keys are 64 blocks for each head.
static void a_claim_with_many_splits_is_tried_with_four(void **state) {
    (void)state;
    lab_kept kept = {.c = {.op = &lab_decode_split, .shape = {.batch = 1}, .n_splits = 41}, .failed = 1};
    lab_subject s = {.n = 1, .failed = 1, .claim = {&kept}};
    lab_case c;
    assert_int_equal(lab_search_smaller(&s, 0, 1, &c), 1);
    assert_in_range(c.n_splits, 2, 4);
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(in_dozens_all_are_tried_and_those_that_hold_are_left),
        CLAIM(where_two_have_ended_the_runner_others_of_that_line_come_last),
        CLAIM(of_calls_that_take_long_a_number_is_tried_whatever_time_is_left),
        CLAIM(what_time_did_not_suffice_for_is_out),
        CLAIM(a_claim_that_cannot_be_tried_so_is_left_as_it_was),
        CLAIM(what_a_claim_does_besides_is_left_out_where_it_fails_without),
        CLAIM(the_claim_of_an_empty_cache_beside_another_keeps_two_sequences),
        CLAIM(a_square_claim_that_needs_its_keys_has_fewer_queries),
        CLAIM(a_claim_with_many_splits_is_tried_with_four),
        cmocka_unit_test(what_ran_out_of_time_where_nothing_held_is_not_known_to_fail),
        cmocka_unit_test(beside_one_that_holds_it_is_out),
        cmocka_unit_test(what_fails_in_time_is_out),
    };
    return cmocka_run_group_tests(claims, NULL, NULL);
}
