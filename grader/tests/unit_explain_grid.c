// unit_explain_grid.c: a number of blocks that is counted over all rows together, by which rows were written. grid.c of
// grader/core/diagnose.
#include "unit.h"

#include <string.h>

#include "symptom.h"

// Tile `tile` of head `head` has no block.
static void leave_out(int head, int tile, int size) {
    const int rows = wrong.shape.seq_q, D = wrong.shape.head_dim;
    for (int r = tile * size; r < rows && r < (tile + 1) * size; r++) lab_poison(wrong.got + (head * rows + r) * D, D);
}

static void blocks_that_are_counted_over_all_rows_are_named(void **state) {
    (void)state;
    const char *sentence = "matches a number of blocks that is counted over the rows of all heads together";
    begin(&lab_flash, (attn_shape){1, 2, 33, 33, 16, 0});  // 3 blocks, the last tiles of all heads first
    leave_out(1, 0, 32);
    says(sentence);
    // A head, or a batch, that is not there may have another reason: it is kept for the other claims to tell.
    lab_guesses kept = {.n = 0};
    begin(&lab_flash, (attn_shape){2, 1, 1, 1, 16, 0});
    leave_out(1, 0, 32);
    wrong.guesses = &kept, examine(), wrong.guesses = NULL;
    assert_null(strstr(wrong.text, sentence));
    int found = 0;
    for (int i = 0; i < kept.n; i++) found += strstr(kept.text[i], sentence) != NULL;
    assert_int_equal(found, 1);
}

static void other_tiles_that_are_not_written_are_not(void **state) {
    (void)state;
    begin(&lab_flash, (attn_shape){1, 2, 33, 33, 16, 0});
    leave_out(0, 0, 32);
    examine();
    assert_null(strstr(wrong.text, "counted over the rows of all heads"));
    begin(&lab_flash, (attn_shape){1, 2, 64, 64, 16, 0});  // whole tiles alone: the count is right
    leave_out(1, 1, 32);
    examine();
    assert_null(strstr(wrong.text, "counted over the rows of all heads"));
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(blocks_that_are_counted_over_all_rows_are_named),
        CLAIM(other_tiles_that_are_not_written_are_not),
    };
    return cmocka_run_group_tests_name("explain_grid", claims, NULL, release);
}
