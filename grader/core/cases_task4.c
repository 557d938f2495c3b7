// cases_task4.c: what is claimed of task 4. Columns of a shape: batch, heads, seq_q, seq_kv, head_dim, causal.
#include "cases.h"

#define TASK "task4"

// clang-format off
const lab_case lab_cases_task4[] = {
    {TASK, "tiles", "one_head_of_64_keys",                      .op = &lab_flash, {1, 1, 64, 64, 64, 0}},
    {TASK, "tiles", "key_tiles_are_summed",                     .op = &lab_flash, {1, 1, 32, 512, 64, 0}},
    {TASK, "tiles", "every_batch_and_head_has_its_own_data",    .op = &lab_flash, {2, 4, 128, 128, 64, 0}},
    {TASK, "tiles", "a_long_sequence",                          .op = &lab_flash, {1, 1, 512, 512, 64, 0}},
    {TASK, "tiles", "a_small_head",                             .op = &lab_flash, {1, 3, 96, 96, 32, 0}},
    {TASK, "tiles", "a_head_of_80",                             .op = &lab_flash, {1, 2, 64, 128, 80, 0}},
    {TASK, "tiles", "the_largest_head",                         .op = &lab_flash, {1, 2, 128, 128, 128, 0}},
    {TASK, "tiles", "all_work_is_queued_on_the_stream", .op = &lab_flash, {1, 2, 64, 64, 64, 0}, .recorded = 1},

    {TASK, "edges", "one_query_and_one_key",                    .op = &lab_flash, {1, 2, 1, 1, 64, 0}},
    {TASK, "edges", "a_sequence_shorter_than_a_tile",           .op = &lab_flash, {2, 2, 5, 7, 64, 0}},
    {TASK, "edges", "ragged_last_query_tile_is_computed",       .op = &lab_flash, {1, 2, 97, 64, 64, 0}},
    {TASK, "edges", "ragged_last_key_tile_is_not_padded",       .op = &lab_flash, {1, 2, 64, 97, 64, 0}},
    {TASK, "edges", "prime_lengths_and_a_head_of_96",           .op = &lab_flash, {2, 1, 131, 113, 96, 0}},
    {TASK, "edges", "attention_of_a_secret_shape",              .op = &lab_flash, DRAWN},
    {TASK, "edges", "shapes_out_of_range_are_refused", .op = &lab_flash, {1, 1, 8, 8, 64, 0},
     .extra = {0, LAB_REFUSES}},

    {TASK, "causal", "causal_mask_hides_later_keys",            .op = &lab_flash, {1, 2, 128, 128, 64, 1}},
    {TASK, "causal", "causal_tiles_that_straddle_the_diagonal", .op = &lab_flash, {2, 2, 97, 97, 64, 1}},
    {TASK, "causal", "causal_mask_is_aligned_bottom_right",     .op = &lab_flash, {2, 2, 17, 77, 64, 1}},
    {TASK, "causal", "causal_last_query_sees_every_key",        .op = &lab_flash, {1, 2, 1, 97, 64, 1}},
    {TASK, "causal", "causal_last_tile_holds_one_key",          .op = &lab_flash, {1, 1, 64, 65, 64, 1}},
    {TASK, "causal", "causal_attention_of_a_secret_shape",      .op = &lab_flash, DRAWN_CAUSAL},

    {TASK, "stability", "large_logits_stay_finite", .op = &lab_flash, {2, 2, 65, 65, 64, 0}, .kind = LAB_LARGE},
    {TASK, "stability", "causal_large_logits_stay_finite", .op = &lab_flash, {1, 2, 65, 129, 64, 1}, .kind = LAB_LARGE},
    {TASK, "stability", "the_row_max_grows_from_tile_to_tile",  .op = &lab_flash, {1, 1, 32, 512, 64, 0},
     .kind = LAB_LARGE},
    {0},
};
