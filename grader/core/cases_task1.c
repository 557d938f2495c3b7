// cases_task1.c: what is claimed of task 1. Columns of a shape: batch, heads, seq_q, seq_kv, head_dim, causal.
#include "cases.h"

#define TASK "task1"

// clang-format off
const lab_case lab_cases_task1[] = {
    // For softmax, seq_q is rows and seq_kv is cols.
    {TASK, "softmax", "softmax_of_one_score_is_one",                 .op = &lab_softmax_rows, {1, 1, 1, 1, 8, 0}},
    {TASK, "softmax", "softmax_rows_are_independent",                .op = &lab_softmax_rows, {1, 1, 64, 64, 8, 0}},
    {TASK, "softmax", "softmax_of_any_number_of_columns",            .op = &lab_softmax_rows, {1, 1, 7, 1009, 8, 0}},
    {TASK, "softmax", "softmax_of_large_scores_stays_finite",        .op = &lab_softmax_rows, {1, 1, 33, 97, 8, 0},
     .kind = LAB_OFFSET},
    {TASK, "softmax", "softmax_gives_masked_scores_no_weight",       .op = &lab_softmax_rows, {1, 1, 33, 97, 8, 0},
     .kind = LAB_SCORES},
    {TASK, "softmax", "softmax_of_a_secret_shape",                   .op = &lab_softmax_rows, DRAWN, .kind = LAB_LARGE},

    {TASK, "heads", "split_heads_of_one_head_is_a_copy",             .op = &lab_split_heads, {2, 1, 9, 9, 64, 0}},
    {TASK, "heads", "split_heads_moves_every_element",               .op = &lab_split_heads, {2, 3, 17, 17, 32, 0}},
    {TASK, "heads", "merge_heads_moves_every_element",               .op = &lab_merge_heads, {2, 3, 17, 17, 32, 0}},
    {TASK, "heads", "split_heads_of_a_secret_shape",                 .op = &lab_split_heads, DRAWN},
    {TASK, "heads", "merge_heads_of_a_secret_shape",                 .op = &lab_merge_heads, DRAWN},

    {TASK, "attention", "attention_to_one_key_returns_its_value",    .op = &lab_sdpa, {1, 2, 1, 1, 64, 0}},
    {TASK, "attention", "one_head_of_64_keys",                       .op = &lab_sdpa, {1, 1, 64, 64, 64, 0}},
    {TASK, "attention", "every_batch_and_head_has_its_own_data",     .op = &lab_sdpa, {2, 4, 128, 128, 64, 0}},
    {TASK, "attention", "a_long_sequence",                           .op = &lab_sdpa, {1, 2, 512, 512, 64, 0}},
    {TASK, "attention", "a_prime_length_and_a_small_head",           .op = &lab_sdpa, {1, 3, 97, 97, 32, 0}},
    {TASK, "attention", "queries_and_keys_differ_in_number",         .op = &lab_sdpa, {2, 2, 33, 65, 80, 0}},
    {TASK, "attention", "the_largest_head",                          .op = &lab_sdpa, {1, 2, 65, 65, 128, 0}},
    {TASK, "attention", "causal_mask_hides_later_keys",              .op = &lab_sdpa, {1, 2, 64, 64, 64, 1}},
    {TASK, "attention", "causal_mask_is_aligned_bottom_right",       .op = &lab_sdpa, {2, 2, 17, 49, 96, 1}},
    {TASK, "attention", "causal_last_query_sees_every_key",          .op = &lab_sdpa, {1, 2, 1, 97, 64, 1}},
    {TASK, "attention", "large_logits_stay_finite", .op = &lab_sdpa, {2, 2, 33, 33, 64, 1}, .kind = LAB_LARGE},
    {TASK, "attention", "attention_of_a_secret_shape",               .op = &lab_sdpa, DRAWN},
    {TASK, "attention", "causal_attention_of_a_secret_shape",        .op = &lab_sdpa, DRAWN_CAUSAL},

    {TASK, "multi_head", "one_head_with_projections",                .op = &lab_mha, {1, 1, 16, 16, 32, 0}},
    {TASK, "multi_head", "projections_keep_batches_and_heads_apart", .op = &lab_mha, {2, 4, 33, 33, 32, 0}},
    {TASK, "multi_head", "causal_multi_head",                        .op = &lab_mha, {2, 2, 40, 40, 64, 1}},
    {TASK, "multi_head", "multi_head_of_a_secret_shape",             .op = &lab_mha, DRAWN_CAUSAL},
    {0},
};
