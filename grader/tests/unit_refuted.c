// unit_refuted.c: a known mistake fits the claim that fails, and would show in one that holds: refuted.c of grader/run.
#include "unit.h"

#include <string.h>

#include "refuted.h"
#include "symptom.h"
#include "tasks.h"

static void keep(const char *claim) {
    const lab_case *c = lab_task_find("task4")->todos;
    while (strcmp(c->claim, claim)) c++;
    lab_refuted_keep(c, 7);
}

// Without a causal mask, keys that are counted within the tile look like keys behind the last one that are not hidden.
static void a_claim_that_holds_rules_a_mistake_out(void **state) {
    (void)state;
    static const char within[] = "matches keys that are counted within the tile: score c is of key k0 + c of the head",
                      behind[] = "keys behind the last one are not hidden: hide j = k0 + c >= seq_kv, causal or not";
    begin_claim("task4", "keys_behind_the_last_are_hidden");
    memcpy(wrong.got, wrong.in[1], wrong.n * sizeof *wrong.got);
    examine();
    assert_false(lab_is_refuted("4.3", within));  // no claim holds
    keep("scores_are_scaled_dot_products");
    assert_false(lab_is_refuted("4.3", within));  // that is another TODO's
    keep("later_keys_are_hidden_where_causal"), keep("the_mask_is_aligned_bottom_right");
    assert_true(lab_is_refuted("4.3", within));
    assert_false(lab_is_refuted("4.3", behind));
    assert_false(lab_is_refuted("4.2", within));
    assert_false(lab_is_refuted("4.3", "matches what nobody knows"));
}

// What always adds shows in the claim of the maximum alone.
static void what_is_seen_is_not_ruled_out(void **state) {
    (void)state;
    static const char mixed[] = "max and sum are mixed up: join(op, ...) knows which one is asked for";
    const lab_case *c = lab_task_find("task2")->todos;
    begin_claim("task2", "a_block_agrees_on_its_max");
    for (int i = 0; i < (int)wrong.n; i++) {
        double sum = 0;
        for (int t = 0; t < 256; t++) sum += wrong.in[1][i / 256 * 256 + t];
        wrong.got[i] = (float)sum;
    }
    says(mixed);
    while (strcmp(c->claim, "a_block_agrees_on_its_sum")) c++;
    lab_refuted_keep(c, 7);
    assert_false(lab_is_refuted("2.1", mixed));
}

// o is left alone where l is 0: that looks as if it were never rescaled, also where no tile has given anything.
static void o_that_is_left_alone_at_times_is_rescaled(void **state) {
    (void)state;
    static const char never[] = "matches l rescaled and o not: both hold terms exp(s_j - m_old)";
    static const char *const asked[] = {"nothing_is_left_of_what_no_tile_has_given",
                                        "l_and_o_are_rescaled_when_the_max_grows"};
    const lab_case *c = lab_task_find("task3")->todos;
    for (int i = 0; i < 2; i++) {
        begin_claim("task3", asked[i]);
        const size_t D = wrong.shape.head_dim;
        for (size_t k = 0; k < wrong.n; k++)
            if (k % (D + 1) < D) wrong.got[k] = wrong.in[1][k / (D + 1) * D + k % (D + 1)];
        is_among_what_fits(never);
        release(state);
    }
    assert_false(lab_is_refuted("3.4", never));
    while (strcmp(c->claim, asked[1])) c++;
    lab_refuted_keep(c, 7);
    assert_true(lab_is_refuted("3.4", never));
}

int main(void) {
    const struct CMUnitTest claims[] = {cmocka_unit_test_teardown(a_claim_that_holds_rules_a_mistake_out, release),
                                        cmocka_unit_test_teardown(what_is_seen_is_not_ruled_out, release),
                                        cmocka_unit_test_teardown(o_that_is_left_alone_at_times_is_rescaled, release)};
    return cmocka_run_group_tests_name("refuted", claims, NULL, NULL);
}
