// unit_cause_seen.c: what the driver of a layer has seen explains the claims in which nothing can be seen. grader/run:
// common_cause.c.
#include "scene.h"

static void layer_fails(const char *diagnosis, int besides, int prompt) {
    const lab_case c = {.task = "task6",
                        .criterion = "",
                        .claim = "a claim",
                        .op = &lab_layer,
                        .shape = shape,
                        .besides = besides,
                        .prompt = prompt};
    const lab_result r = failed(diagnosis);
    lab_cause_add(&c, &r);
}

static const char *const all_seen[] = {"matches a call of flash that gets work.Q as K: it is work.K",
                                       "matches work.O that the last product gets as the attention left it",
                                       "matches prompts taken for packed, H * count[b] * D numbers for each sequence"};
static const char *other = "", *is_seen = "";

static void two(void) { layer_fails(is_seen, 0, 2), layer_fails(is_seen, 0, 3); }
static void recorded(void) { two(), layer_fails(other, LAB_BESIDES_RECORDED, 2); }
static void refused(void) { two(), layer_fails(other, 0, 99); }
static void one_head(void) { two(), layer_fails("prefill is wrong, and all that follows it", 0, 2); }
static void otherwise(void) { two(), layer_fails(other, 0, 2); }

static void a_claim_in_which_nothing_is_seen_is_no_exception(void **state) {
    (void)state;
    void (*const scenes[])(void) = {recorded, refused, one_head};
    other = "matches new tokens that replace each other";
    for (int i = 0; i < 9; i++) {
        is_seen = all_seen[i / 3];
        play(scenes[i % 3], lab_cause_say);
        assert_says(text, "one cause would explain 2 of 3 (the other's numbers do not tell): ");
        assert_says(text, is_seen);
    }
    play(otherwise, lab_cause_say);
    assert_null(strstr(text, "one cause"));
}

// Of attention: with one key many a mistake gives the same numbers.
static void flash_fails(const char *diagnosis, int keys) {
    const lab_case c = {
        .task = "task4", .criterion = "", .claim = "a claim", .op = &lab_flash, .shape = {1, 2, keys, keys, 64, 0}};
    const lab_result r = failed(diagnosis);
    lab_cause_add(&c, &r);
}

static const char exchanged[] = "matches scores whose threads exchange query and key: where they are made";
static int few;

static void one_key(void) {
    flash_fails(exchanged, 64), flash_fails(exchanged, 97);
    flash_fails("matches 15 more keys of score 0 in every row sum", few);
}

static void one_key_alone_is_no_exception(void **state) {
    (void)state;
    few = 1;
    play(one_key, lab_cause_say);
    assert_says(text, "one cause would explain 2 of 3 (the other's numbers do not tell): ");
    few = 7;
    play(one_key, lab_cause_say);
    assert_null(strstr(text, "one cause"));
}

int main(void) {
    const struct CMUnitTest claims[] = {cmocka_unit_test(a_claim_in_which_nothing_is_seen_is_no_exception),
                                        cmocka_unit_test(one_key_alone_is_no_exception)};
    return cmocka_run_group_tests_name("cause_seen", claims, NULL, NULL);
}
