// cases_task5.c: what is claimed of task 5. Columns of a shape: batch, heads, seq_q, seq_kv, head_dim, causal.
#include "cases.h"

#define TASK "task5"

// clang-format off
const lab_case lab_cases_task5[] = {
    // seq_kv is max_seq. Sequence 1 is empty, 2 full, 3 one short of full, the others are drawn; free slots: NaN.
    {TASK, "append", "append_writes_the_next_slot",            .op = &lab_cache_append, {1, 2, 1, 16, 64, 0}},
    {TASK, "append", "append_of_an_empty_and_a_full_sequence", .op = &lab_cache_append, {4, 35, 1, 4, 72, 0}},
    {TASK, "append", "append_of_a_secret_shape",               .op = &lab_cache_append, DRAWN},
    {TASK, "append", "append_is_queued_on_the_stream", .op = &lab_cache_append, {2, 2, 1, 16, 64, 0}, .recorded = 1},
    {TASK, "append", "append_refuses_a_cache_out_of_range", .op = &lab_cache_append, {2, 2, 1, 16, 64, 0},
     .extra = {0, LAB_REFUSES}},

    {TASK, "decode", "decode_over_one_slot_returns_its_value", .op = &lab_decode, {1, 2, 1, 1, 64, 0}},
    {TASK, "decode", "decode_reads_no_slot_beyond_the_length", .op = &lab_decode, {1, 4, 1, 200, 64, 0}},
    {TASK, "decode", "sequences_of_different_lengths",         .op = &lab_decode, {5, 2, 1, 77, 64, 0}},
    {TASK, "decode", "every_head_has_its_own_cache",           .op = &lab_decode, {2, 8, 1, 64, 128, 0}},
    {TASK, "decode", "a_small_head_and_a_long_cache",          .op = &lab_decode, {1, 2, 1, 1031, 32, 0}},
    {TASK, "decode", "decode_of_large_logits_stays_finite",    .op = &lab_decode, {4, 2, 1, 129, 40, 0},
     .kind = LAB_LARGE},
    {TASK, "decode", "decode_of_a_secret_shape",               .op = &lab_decode, DRAWN},
    {TASK, "decode", "decode_is_queued_on_the_stream", .op = &lab_decode, {2, 2, 1, 77, 64, 0}, .recorded = 1},
    {TASK, "decode", "decode_refuses_a_cache_out_of_range", .op = &lab_decode, {2, 2, 1, 16, 64, 0},
     .extra = {0, LAB_REFUSES}},

    {TASK, "split", "one_split_is_plain_decode", .op = &lab_decode_split, {3, 2, 1, 65, 64, 0}, .n_splits = 1},
    {TASK, "split", "splits_are_combined", .op = &lab_decode_split, {3, 2, 1, 200, 64, 0}, .n_splits = 4},
    {TASK, "split", "keys_are_shared_out", .op = &lab_decode_split, {3, 1, 1, 2048, 16, 0}, .n_splits = 32},
    // Half of the cache is used: shares of max_seq are too large.
    {TASK, "split", "shares_are_of_the_length", .op = &lab_decode_split, {1, 2, 1, 2048, 16, 0}, .n_splits = 4},
    {TASK, "split", "more_splits_than_keys", .op = &lab_decode_split, {3, 1, 1, 9, 96, 0}, .n_splits = 64},
    {TASK, "split", "splits_of_large_logits_stay_finite",      .op = &lab_decode_split, {1, 2, 1, 130, 72, 0},
     .kind = LAB_LARGE, .n_splits = 5},
    {TASK, "split", "your_own_number_of_splits",               .op = &lab_decode_split, {1, 2, 1, 777, 128, 0}},
    {TASK, "split", "splits_of_a_secret_shape",                .op = &lab_decode_split, DRAWN, .n_splits = 7},
    {TASK, "split", "splits_are_queued_on_the_stream", .op = &lab_decode_split, {2, 2, 1, 130, 64, 0}, .n_splits = 4,
     .recorded = 1},
    {TASK, "split", "splits_out_of_range_are_refused", .op = &lab_decode_split, {2, 2, 1, 16, 64, 0},
     .extra = {0, LAB_REFUSES}},
    {TASK, "split", "parts_are_combined", .op = &lab_combine, {2, 3, 1, 1, 40, 0}, .n_splits = 41},
    {TASK, "split", "parts_of_large_scores_are_combined", .op = &lab_combine, {1, 2, 1, 1, 128, 0},
     .kind = LAB_LARGE, .n_splits = 64},
    {TASK, "split", "parts_of_a_secret_shape_are_combined", .op = &lab_combine, DRAWN, .n_splits = 6},
    {TASK, "split", "parts_out_of_range_are_refused", .op = &lab_combine, {2, 2, 1, 1, 64, 0},
     .extra = {4, LAB_REFUSES}},
    {0},
};
