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

int main(void) {
    const struct CMUnitTest claims[] = {cmocka_unit_test_teardown(a_claim_that_holds_rules_a_mistake_out, release),
                                        cmocka_unit_test_teardown(what_is_seen_is_not_ruled_out, release)};
    return cmocka_run_group_tests_name("refuted", claims, NULL, NULL);
}
