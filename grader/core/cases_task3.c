// cases_task3.c: what is claimed of task 3. Columns of a shape: batch, heads, seq_q, seq_kv, head_dim, causal.
#include "cases.h"

#define TASK "task3"

// clang-format off
const lab_case lab_cases_task3[] = {
    // Tiles that do and do not divide the lengths, larger than them, one wide, and the student's choice.
    {TASK, "tiles", "one_tile_holds_everything", .op = &lab_tiled, {1, 1, 64, 64, 64, 0}, .tiles = {64, 64}},
    {TASK, "tiles", "key_tiles_are_summed", .op = &lab_tiled, {1, 1, 64, 64, 64, 0}, .tiles = {64, 16}},
    {TASK, "tiles", "every_batch_and_head_has_its_own_data",    .op = &lab_tiled, {2, 4, 128, 128, 64, 0},
     .tiles = {32, 32}},
    {TASK, "tiles", "a_long_sequence",                          .op = &lab_tiled, {2, 2, 512, 512, 64, 0}},
    {TASK, "tiles", "a_small_head", .op = &lab_tiled, {1, 3, 96, 96, 32, 0}, .tiles = {16, 32}},
    {TASK, "tiles", "the_largest_head", .op = &lab_tiled, {1, 2, 128, 128, 128, 0}, .tiles = {64, 32}},

    {TASK, "edges", "one_query_and_one_key", .op = &lab_tiled, {1, 2, 1, 1, 64, 0}, .tiles = {16, 16}},
    {TASK, "edges", "ragged_last_query_tile_is_computed", .op = &lab_tiled, {1, 2, 97, 64, 64, 0}, .tiles = {32, 16}},
    {TASK, "edges", "ragged_last_key_tile_is_not_padded", .op = &lab_tiled, {1, 2, 64, 97, 64, 0}, .tiles = {32, 16}},
    {TASK, "edges", "tiles_larger_than_the_sequence", .op = &lab_tiled, {2, 2, 33, 33, 80, 0}, .tiles = {128, 256}},
    {TASK, "edges", "tiles_of_one", .op = &lab_tiled, {1, 1, 19, 23, 96, 0}, .tiles = {1, 1}},
    {TASK, "edges", "tiles_of_a_secret_shape",                  .op = &lab_tiled, DRAWN},

    {TASK, "causal", "causal_mask_hides_later_keys", .op = &lab_tiled, {1, 2, 128, 128, 64, 1}, .tiles = {32, 32}},
    {TASK, "causal", "causal_tiles_that_straddle_the_diagonal", .op = &lab_tiled, {2, 2, 97, 97, 64, 1},
     .tiles = {48, 20}},
    // Many query tiles that see one tile of keys, each two keys more of it than the one before.
    {TASK, "causal", "causal_mask_is_aligned_bottom_right", .op = &lab_tiled, {2, 2, 65, 125, 64, 1}, .tiles = {2, 100}},
    {TASK, "causal", "causal_last_query_sees_every_key",        .op = &lab_tiled, {1, 2, 1, 97, 64, 1}},
    {TASK, "causal", "causal_tiles_of_a_secret_shape",          .op = &lab_tiled, DRAWN_CAUSAL},

    {TASK, "stability", "large_logits_stay_finite",             .op = &lab_tiled, {2, 2, 65, 65, 64, 0},
     .kind = LAB_LARGE, .tiles = {16, 16}},
    {TASK, "stability", "causal_large_logits_stay_finite",      .op = &lab_tiled, {1, 2, 65, 129, 64, 1},
     .kind = LAB_LARGE, .tiles = {32, 16}},
    {TASK, "stability", "the_row_max_grows_from_tile_to_tile",  .op = &lab_tiled, {1, 1, 32, 256, 64, 0},
     .kind = LAB_LARGE, .tiles = {8, 8}},
    {0},
};
