// unit_shrink.c: the smallest shape that goes wrong is found. grader/claims/shrink.c.
#include "unit.h"

#include <string.h>

#include "shrink.h"
#include "trial.h"

static char text[640];

static void says_of(const char *name, const char *body, const char *words) {
    static lab_smallest_wrong wrong;
    char *runner[] = {"build/bin/runner", NULL, NULL};
    const trial_source source = {name, NULL, body};
    const lab_case c = {"task1", "attention", "trial", .op = &lab_sdpa, {2, 3, 40, 70, 64, 0}};
    runner[1] = (char *)trial_build(&source);
    const lab_stage_options options = {.runner = runner,
                                       .stage = runner[1],
                                       .arena_bytes = lab_layout_of(c.op, c.shape, 1).bytes,
                                       .load_seconds = TRIAL_SECONDS};
    wrong = (lab_smallest_wrong){.c = c, .options = &options};
    wrong.r.compared = 1;
    const int known = lab_shrink(&wrong, 1, TRIAL_SECONDS, text, sizeof text);
    assert_int_equal(known, *words != 0);
    assert_says(text, words);
}

static void a_side_that_cannot_be_smaller_is_told(void **state) {
    (void)state;
    says_of("keys", "right(); if (shape.seq_kv > 32) O[0] += 1;",
            "batch 1, heads 1, seq_q 1, seq_kv 33, head_dim 8; with seq_kv = 32 it is right");
    says_of("dims", "right(); if (shape.head_dim > 32 && shape.seq_q > 8) O[0] += 1;",
            "seq_q 9, seq_kv 1, head_dim 40; with seq_q = 8 it is right; with head_dim = 32 it is right");
}

// What the numbers of the smallest shape are like is said, and not what they would mean: no claim that fails is like that.
static void what_would_follow_from_the_smallest_shape_is_not_told(void **state) {
    (void)state;
    says_of("mean",
            "const int D = shape.head_dim, Sq = shape.seq_q, Sk = shape.seq_kv; right();"
            "for (int i = 0; i < shape.batch * shape.heads * Sq * D && Sk > 8; i++) { O[i] = 0;"
            "for (int j = 0; j < Sk; j++) O[i] += V[(i / D / Sq * Sk + j) * D + i % D] / Sk; }",
            "; there it matches the plain mean of V, as where all scores are equal");
    assert_null(strstr(text, "holds zeros"));
}

// What is refused there, or hangs, is not called right.
static void a_shape_that_fails_otherwise_is_not_right(void **state) {
    (void)state;
    says_of("refused", "if (shape.head_dim <= 32) return ATTN_BAD_SHAPE; right(); if (shape.seq_kv > 32) O[0] += 1;",
            "seq_kv 33, head_dim 40; with seq_kv = 32 it is right");
    assert_null(strstr(text, "with head_dim = 32 it is right"));
}

static void what_is_right_is_not_made_smaller(void **state) {
    (void)state;
    says_of("all", "right();", "");
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(a_side_that_cannot_be_smaller_is_told),
        CLAIM(what_would_follow_from_the_smallest_shape_is_not_told),
        CLAIM(a_shape_that_fails_otherwise_is_not_right),
        CLAIM(what_is_right_is_not_made_smaller),
    };
    return cmocka_run_group_tests_name("shrink", claims, NULL, NULL);
}
