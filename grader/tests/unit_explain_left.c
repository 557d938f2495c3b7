// unit_explain_left.c: what was never written is what is left over behind whole groups. grader/core: left_unwritten.c, and
// probes_task6.c of a prompt that goes into the cache.
#include "unit.h"

#include <string.h>

#include "symptom.h"

// Of each n pieces of `unit` elements those from `first` on.
static void left_over(const lab_op *op, attn_shape shape, size_t unit, size_t n, size_t first, const char *words) {
    begin(op, shape);
    for (size_t i = 0; i < wrong.n; i++)
        if (i / unit % n >= first) lab_poison(wrong.got + i, 1);
    examine();
    assert_says(wrong.text, words);
}

static void what_is_left_over_behind_whole_groups_is_named(void **state) {
    (void)state;
    const attn_shape of_103 = {2, 3, 103, 103, 8, 0}, of_10 = {2, 3, 5, 5, 10, 0};
    static const char rest[] = "are never written: is there a loop behind for the rest?";
    left_over(&lab_merge_heads, of_103, 24, 103, 100, "; the rows that are left over behind whole groups of 4 are");
    assert_says(wrong.text, rest);
    left_over(&lab_split_heads, of_103, 8, 103, 100, "the rows that are left over behind whole groups of 4 are never");
    left_over(&lab_split_heads, of_103, 8, 103, 96, "groups of 8, 16 or 32 are never written: is there a loop behind");
    left_over(&lab_merge_heads, of_10, 30, 5, 4, "groups of 2 or 4 are never written: does the loop end one short, or");
    left_over(&lab_merge_heads, of_10, 1, 10, 8, "the dims of each head that are left over behind whole groups of 4 ");
    left_over(&lab_split_heads, of_10, 1, 10, 8, "the columns that are left over behind whole groups of 4 or 8 are");
    left_over(&lab_split_heads, of_10, 10, 30, 28, "the rows of the whole output that are left over behind whole gr");
    left_over(&lab_softmax_rows, (attn_shape){1, 1, 3, 25, 0, 0}, 1, 75, 72, "the elements of the whole output that");
    left_over(&lab_sdpa, of_103, 8, 103, 100, "the rows that are left over behind whole groups of 4 are never");
    left_over(&lab_split_heads, of_103, 8, 103, 99, "never written: rows 99");
    assert_null(strstr(wrong.text, "left over"));
    left_over(&lab_split_heads, (attn_shape){1, 2, 3, 3, 8, 0}, 8, 3, 0, "never written");
    assert_null(strstr(wrong.text, "left over"));
    wrong.extra[0] = wrong.extra[1] = 16;
    left_over(&lab_tiled, of_103, 8, 103, 96, "rows from 96 on have no tile: is the number of tiles, of 16 queries");
    left_over(&lab_tiled, of_103, 8, 103, 100, "the rows that are left over behind whole groups of 4 are never");
    memset(wrong.extra, 0, sizeof wrong.extra);
}

// Of 5 rows it may be 2 or 4, of 103 it is 4: one cause for both.
static void the_group_is_the_one_that_all_claims_have_in_common(void **state) {
    (void)state;
    static const char four[] =
        "the rows that are left over behind whole groups of 4 are never written: is there a loop behind for the rest?";
    lab_guesses all = {.n = 0};
    wrong.guesses = &all;
    left_over(&lab_merge_heads, (attn_shape){2, 3, 5, 5, 10, 0}, 30, 5, 4, "whole groups of 2 or 4 are never written");
    wrong.guesses = NULL;
    assert_int_equal(all.n, 3);
    assert_says(all.text[0], "whole groups of 2 or 4 are never");  // of one claim alone
    assert_string_equal(all.text[2], four);
}

// TODO 6.3: a block that the prompt fills in part stores nothing.
static void a_prompt_that_is_stored_by_whole_groups_is_named(void **state) {
    (void)state;
    static const char sentence[] = "numbers behind the last whole group that are not stored";
    for (int claim = 0; claim < 2; claim++)
        for (size_t group = 32; group <= 256; group *= 8) {
            begin_claim("task6", claim ? "a_prompt_is_stored_without_its_padding" : "two_tokens_are_stored");
            const attn_shape s = wrong.shape;
            const size_t slots = (size_t)s.seq_kv * s.head_dim;
            for (size_t i = 0; i < wrong.n; i++) {
                const size_t n = (size_t)lab_int_at(wrong.in[3], i / slots / s.heads) * s.head_dim;
                if (i % slots >= n / group * group) wrong.got[i] = wrong.in[1][i];
            }
            says(sentence);
            if (claim) assert_says(wrong.text, group == 32 ? "(groups of 32)" : "(groups of 256)");
        }
}

// Of each head one row alone is stored.
static void a_row_that_is_stored_alone_is_named(void **state) {
    (void)state;
    for (int last = 0; last < 2; last++) {
        begin_claim("task6", "a_prompt_is_stored_without_its_padding");
        const attn_shape s = wrong.shape;
        const size_t D = s.head_dim, slots = s.seq_kv;
        for (size_t i = 0; i < wrong.n; i++) {
            const size_t row = last ? (size_t)lab_int_at(wrong.in[3], i / D / slots / s.heads) - 1 : 0;
            if (i / D % slots != row) wrong.got[i] = wrong.in[1][i];
        }
        says(last ? "matches one row of each head, row count - 1 of X in slot count - 1, and no other"
                  : "matches one row of each head, row 0 of X in slot 0, and no other");
    }
}

// Of fewer keys than a group has none is added to O, which stays 0.
static void where_there_is_no_whole_group_all_are_left_over(void **state) {
    (void)state;
    begin(&lab_sdpa, (attn_shape){1, 2, 5, 3, 16, 0});
    memset(wrong.got, 0, wrong.n * sizeof *wrong.got);
    assert_int_equal(sentences_that_fit("the last whole group of 4 are left out: they count, too, and l has them"), 1);
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(what_is_left_over_behind_whole_groups_is_named),
        CLAIM(a_prompt_that_is_stored_by_whole_groups_is_named),
        CLAIM(the_group_is_the_one_that_all_claims_have_in_common),
        CLAIM(a_row_that_is_stored_alone_is_named),
        CLAIM(where_there_is_no_whole_group_all_are_left_over),
    };
    return cmocka_run_group_tests_name("explain_left", claims, NULL, release);
}
