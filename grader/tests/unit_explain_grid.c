// unit_explain_grid.c: which blocks of task 4 have run, and how many there were, by which rows were written. grid.c of
// grader/core/diagnose.
#include "unit.h"

#include <string.h>

#include "heuristics.h"
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
    begin(&lab_flash, (attn_shape){2, 1, 1, 1, 16, 0});
    leave_out(1, 0, 32);
    assert_int_equal(sentences_that_fit(sentence), 1);
    assert_null(strstr(wrong.text, sentence));
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

// Tiles of 16 of all rows: what lies in a tile that begins in the head before has no block of its own.
static void tiles_that_are_cut_from_all_rows_are_named(void **state) {
    (void)state;
    const char *sentence =
        "whose rows of the second head nobody writes: cut the rows of each head on their own, its last "
        "tile may be narrower (tiles of 16 queries)";
    begin(&lab_flash, (attn_shape){1, 3, 20, 20, 16, 0});
    for (int r = 0; r < 60; r++)
        if (r / 16 * 16 / 20 != r / 20) lab_poison(wrong.got + r * 16, 16);
    says(sentence);
    begin(&lab_flash, (attn_shape){1, 2, 1, 1, 16, 0});  // it may as well be a head that has no block
    lab_poison(wrong.got + 16, 16);
    assert_int_equal(sentences_that_fit(sentence), 1);
    assert_null(strstr(wrong.text, sentence));
}

// Rows of a head of task 4's small claim that no block has written. exchanged: head and query tile change places.
static void blocks_leave_out(int exchanged) {
    const int H = wrong.shape.heads, rows = wrong.shape.seq_q, D = wrong.shape.head_dim, Br = 16, Bc = 24;
    const int tiles = (rows + Br - 1) / Br;
    for (int r = 0; r < H * rows; r++)
        if (exchanged ? r / rows >= tiles || r % rows / Br >= H : r % rows % Bc >= Br) lab_poison(wrong.got + r * D, D);
}

static void which_blocks_have_run_is_named(void **state) {
    (void)state;
    lab_guesses guesses = {0};
    char text[320];
    begin_claim("task4", "a_small_causal_sequence");
    blocks_leave_out(0);
    says("matches tiles of BR queries that begin BC rows apart");
    begin(&lab_flash_launch, (attn_shape){1, 3, 20, 20, 16, 0});
    blocks_leave_out(1);
    says("matches blocks that take their query tile for their head");
    begin(&lab_flash_launch, (attn_shape){1, 2, 37, 37, 16, 0});  // a third tile writes as head 2, behind O
    blocks_leave_out(1);
    const lab_symptom s = {.op = wrong.op, .shape = wrong.shape, .got = wrong.got, .guesses = &guesses};
    assert_false(lab_explain_grid(&s, 0, text, sizeof text));
    assert_true(lab_explain_grid(&s, 1, text, sizeof text));
    assert_says(text, "matches blocks that take their query tile for their head");
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(blocks_that_are_counted_over_all_rows_are_named),
        CLAIM(other_tiles_that_are_not_written_are_not),
        CLAIM(tiles_that_are_cut_from_all_rows_are_named),
        CLAIM(which_blocks_have_run_is_named),
    };
    return cmocka_run_group_tests_name("explain_grid", claims, NULL, release);
}
