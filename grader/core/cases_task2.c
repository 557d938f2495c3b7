// cases_task2.c: what is claimed of task 2. Columns of a shape: batch, heads, seq_q, seq_kv, head_dim, causal.
#include "cases.h"

#define TASK "task2"

// clang-format off
const lab_case lab_cases_task2[] = {
    // Kernel by kernel, then whole. For GEMM, seq_q is m, seq_kv is n and head_dim is k.
    {TASK, "softmax", "softmax_of_one_score_is_one",           .op = &lab_softmax_batched, {1, 1, 1, 1, 8, 0}},
    {TASK, "softmax", "softmax_of_fewer_columns_than_threads", .op = &lab_softmax_batched, {1, 1, 64, 17, 8, 0}},
    {TASK, "softmax", "softmax_of_any_number_of_columns",      .op = &lab_softmax_batched, {1, 1, 7, 1009, 8, 0}},
    {TASK, "softmax", "softmax_of_large_scores_stays_finite",  .op = &lab_softmax_batched, {1, 1, 9, 1400, 8, 0},
     .kind = LAB_OFFSET},
    {TASK, "softmax", "softmax_gives_masked_scores_no_weight", .op = &lab_softmax_batched, {1, 1, 33, 97, 8, 0},
     .kind = LAB_SCORES},
    {TASK, "softmax", "softmax_of_a_secret_shape",             .op = &lab_softmax_batched, DRAWN, .kind = LAB_LARGE},
    {TASK, "softmax", "softmax_refuses_sizes_below_1",         .op = &lab_softmax_batched, {1, 1, 8, 40, 8, 0},
     .extra = {0, LAB_REFUSES}},

    {TASK, "gemm", "gemm_nt_of_one_element",                   .op = &lab_gemm_nt, {1, 1, 1, 1, 1, 0}},
    {TASK, "gemm", "gemm_nt_of_whole_tiles",                   .op = &lab_gemm_nt, {2, 1, 64, 64, 64, 0}},
    {TASK, "gemm", "gemm_nt_with_ragged_edges",                .op = &lab_gemm_nt, {3, 1, 36, 65, 85, 0}},
    {TASK, "gemm", "gemm_nt_of_prime_sizes",                   .op = &lab_gemm_nt, {1, 1, 17, 31, 13, 0}},
    {TASK, "gemm", "gemm_nt_of_a_secret_shape",                .op = &lab_gemm_nt, DRAWN},
    {TASK, "gemm", "gemm_nn_of_whole_tiles",                   .op = &lab_gemm_nn, {2, 1, 64, 64, 64, 0}},
    {TASK, "gemm", "gemm_nn_with_ragged_edges",                .op = &lab_gemm_nn, {3, 1, 65, 33, 100, 0}},
    {TASK, "gemm", "gemm_nn_of_prime_sizes",                   .op = &lab_gemm_nn, {1, 1, 17, 31, 13, 0}},
    {TASK, "gemm", "gemm_nn_of_a_secret_shape",                .op = &lab_gemm_nn, DRAWN},
    {TASK, "gemm", "gemm_nt_refuses_sizes_below_1",            .op = &lab_gemm_nt, {1, 1, 8, 8, 8, 0},
     .extra = {0, LAB_REFUSES}},
    {TASK, "gemm", "gemm_nn_refuses_sizes_below_1",            .op = &lab_gemm_nn, {1, 1, 8, 8, 8, 0},
     .extra = {0, LAB_REFUSES}},

    {TASK, "chain", "attention_to_one_key_returns_its_value",  .op = &lab_naive, {1, 2, 1, 1, 64, 0}},
    {TASK, "chain", "one_head_of_64_keys",                     .op = &lab_naive, {1, 1, 64, 64, 64, 0}},
    {TASK, "chain", "every_batch_and_head_has_its_own_data",   .op = &lab_naive, {2, 4, 128, 128, 64, 0}},
    {TASK, "chain", "a_long_sequence",                         .op = &lab_naive, {1, 1, 512, 512, 64, 0}},
    {TASK, "chain", "a_prime_length_and_a_small_head",         .op = &lab_naive, {1, 3, 97, 97, 32, 0}},
    {TASK, "chain", "queries_and_keys_differ_in_number",       .op = &lab_naive, {2, 2, 33, 65, 80, 0}},
    {TASK, "chain", "the_largest_head",                        .op = &lab_naive, {1, 2, 65, 65, 128, 0}},
    {TASK, "chain", "causal_mask_hides_later_keys",            .op = &lab_naive, {1, 2, 80, 80, 64, 1}},
    {TASK, "chain", "causal_mask_is_aligned_bottom_right",     .op = &lab_naive, {2, 2, 17, 49, 96, 1}},
    {TASK, "chain", "large_logits_stay_finite", .op = &lab_naive, {2, 2, 33, 33, 64, 1}, .kind = LAB_LARGE},
    {TASK, "chain", "all_work_is_queued_on_the_stream", .op = &lab_naive, {1, 2, 33, 33, 64, 1}, .recorded = 1},
    {TASK, "chain", "attention_of_a_secret_shape",             .op = &lab_naive, DRAWN},
    {TASK, "chain", "causal_attention_of_a_secret_shape",      .op = &lab_naive, DRAWN_CAUSAL},
    {TASK, "chain", "shapes_out_of_range_are_refused", .op = &lab_naive, {1, 1, 8, 8, 64, 1},
     .extra = {0, LAB_REFUSES}},
    {0},
};
