// cases.c: the case table. Columns of a shape: batch, heads, seq_q, seq_kv, head_dim, causal.
#include "cases.h"

#include <string.h>

#include "layer.h"

#define DRAWN                                                                                                          \
    { 0 }  // a shape drawn from the seed
#define DRAWN_CAUSAL                                                                                                   \
    { .causal = 1 }

#pragma GCC diagnostic ignored "-Wmissing-field-initializers"  // .todo stands where there is one
// clang-format off
const lab_case lab_cases[] = {
    // Task 1. For softmax, seq_q is rows and seq_kv is cols.
    {"task1", "softmax", "softmax_of_one_score_is_one",              LAB_SOFTMAX_ROWS, {1, 1, 1, 1, 8, 0},       LAB_NORMAL, {0}},
    {"task1", "softmax", "softmax_rows_are_independent",             LAB_SOFTMAX_ROWS, {1, 1, 64, 64, 8, 0},     LAB_NORMAL, {0}},
    {"task1", "softmax", "softmax_of_any_number_of_columns",         LAB_SOFTMAX_ROWS, {1, 1, 7, 1009, 8, 0},    LAB_NORMAL, {0}},
    {"task1", "softmax", "softmax_of_large_scores_stays_finite",     LAB_SOFTMAX_ROWS, {1, 1, 33, 97, 8, 0},     LAB_OFFSET, {0}},
    {"task1", "softmax", "softmax_gives_masked_scores_no_weight",    LAB_SOFTMAX_ROWS, {1, 1, 33, 97, 8, 0},     LAB_SCORES, {0}},
    {"task1", "softmax", "softmax_of_a_secret_shape",                LAB_SOFTMAX_ROWS, DRAWN,                    LAB_LARGE,  {0}},

    {"task1", "heads", "split_heads_of_one_head_is_a_copy",          LAB_SPLIT_HEADS, {2, 1, 9, 9, 64, 0},       LAB_NORMAL, {0}},
    {"task1", "heads", "split_heads_moves_every_element",            LAB_SPLIT_HEADS, {2, 3, 17, 17, 32, 0},     LAB_NORMAL, {0}},
    {"task1", "heads", "merge_heads_moves_every_element",            LAB_MERGE_HEADS, {2, 3, 17, 17, 32, 0},     LAB_NORMAL, {0}},
    {"task1", "heads", "split_heads_of_a_secret_shape",              LAB_SPLIT_HEADS, DRAWN,                     LAB_NORMAL, {0}},
    {"task1", "heads", "merge_heads_of_a_secret_shape",              LAB_MERGE_HEADS, DRAWN,                     LAB_NORMAL, {0}},

    {"task1", "attention", "attention_to_one_key_returns_its_value", LAB_SDPA, {1, 2, 1, 1, 64, 0},              LAB_NORMAL, {0}},
    {"task1", "attention", "one_head_of_64_keys",                    LAB_SDPA, {1, 1, 64, 64, 64, 0},            LAB_NORMAL, {0}},
    {"task1", "attention", "every_batch_and_head_has_its_own_data",  LAB_SDPA, {2, 4, 128, 128, 64, 0},          LAB_NORMAL, {0}},
    {"task1", "attention", "a_long_sequence",                        LAB_SDPA, {2, 8, 512, 512, 64, 0},          LAB_NORMAL, {0}},
    {"task1", "attention", "a_prime_length_and_a_small_head",        LAB_SDPA, {1, 3, 97, 97, 32, 0},            LAB_NORMAL, {0}},
    {"task1", "attention", "queries_and_keys_differ_in_number",      LAB_SDPA, {2, 2, 33, 65, 80, 0},            LAB_NORMAL, {0}},
    {"task1", "attention", "the_largest_head",                       LAB_SDPA, {1, 2, 65, 65, 128, 0},           LAB_NORMAL, {0}},
    {"task1", "attention", "causal_mask_hides_later_keys",           LAB_SDPA, {1, 2, 64, 64, 64, 1},            LAB_NORMAL, {0}},
    {"task1", "attention", "causal_mask_is_aligned_bottom_right",    LAB_SDPA, {2, 2, 17, 49, 96, 1},            LAB_NORMAL, {0}},
    {"task1", "attention", "causal_last_query_sees_every_key",       LAB_SDPA, {1, 2, 1, 97, 64, 1},             LAB_NORMAL, {0}},
    {"task1", "attention", "large_logits_stay_finite",               LAB_SDPA, {2, 2, 33, 33, 64, 1},            LAB_LARGE,  {0}},
    {"task1", "attention", "attention_of_a_secret_shape",            LAB_SDPA, DRAWN,                            LAB_NORMAL, {0}},
    {"task1", "attention", "causal_attention_of_a_secret_shape",     LAB_SDPA, DRAWN_CAUSAL,                     LAB_NORMAL, {0}},

    {"task1", "multi_head", "one_head_with_projections",             LAB_MHA, {1, 1, 16, 16, 32, 0},             LAB_NORMAL, {0}},
    {"task1", "multi_head", "projections_keep_batches_and_heads_apart", LAB_MHA, {2, 4, 33, 33, 32, 0},          LAB_NORMAL, {0}},
    {"task1", "multi_head", "causal_multi_head",                     LAB_MHA, {2, 2, 40, 40, 64, 1},             LAB_NORMAL, {0}},
    {"task1", "multi_head", "multi_head_of_a_secret_shape",          LAB_MHA, DRAWN_CAUSAL,                      LAB_NORMAL, {0}},

    // Task 3. Tiles that do and do not divide the lengths, larger than them, one wide, and the student's choice.
    {"task3", "tiles", "one_tile_holds_everything",                  LAB_TILED, {1, 1, 64, 64, 64, 0},           LAB_NORMAL, {64, 64}},
    {"task3", "tiles", "key_tiles_are_summed",                       LAB_TILED, {1, 1, 64, 64, 64, 0},           LAB_NORMAL, {64, 16}},
    {"task3", "tiles", "every_batch_and_head_has_its_own_data",      LAB_TILED, {2, 4, 128, 128, 64, 0},         LAB_NORMAL, {32, 32}},
    {"task3", "tiles", "a_long_sequence",                            LAB_TILED, {2, 8, 512, 512, 64, 0},         LAB_NORMAL, {0, 0}},
    {"task3", "tiles", "a_small_head",                               LAB_TILED, {1, 3, 96, 96, 32, 0},           LAB_NORMAL, {16, 32}},
    {"task3", "tiles", "the_largest_head",                           LAB_TILED, {1, 2, 128, 128, 128, 0},        LAB_NORMAL, {64, 32}},

    {"task3", "edges", "one_query_and_one_key",                      LAB_TILED, {1, 2, 1, 1, 64, 0},             LAB_NORMAL, {16, 16}},
    {"task3", "edges", "ragged_last_query_tile_is_computed",         LAB_TILED, {1, 2, 97, 64, 64, 0},           LAB_NORMAL, {32, 16}},
    {"task3", "edges", "ragged_last_key_tile_is_not_padded",         LAB_TILED, {1, 2, 64, 97, 64, 0},           LAB_NORMAL, {32, 16}},
    {"task3", "edges", "tiles_larger_than_the_sequence",             LAB_TILED, {2, 2, 33, 33, 80, 0},           LAB_NORMAL, {128, 256}},
    {"task3", "edges", "tiles_of_one",                               LAB_TILED, {1, 1, 19, 23, 96, 0},           LAB_NORMAL, {1, 1}},
    {"task3", "edges", "tiles_of_a_secret_shape",                    LAB_TILED, DRAWN,                           LAB_NORMAL, {0}},

    {"task3", "causal", "causal_mask_hides_later_keys",              LAB_TILED, {1, 2, 128, 128, 64, 1},         LAB_NORMAL, {32, 32}},
    {"task3", "causal", "causal_tiles_that_straddle_the_diagonal",   LAB_TILED, {2, 2, 97, 97, 64, 1},           LAB_NORMAL, {48, 20}},
    {"task3", "causal", "causal_mask_is_aligned_bottom_right",       LAB_TILED, {2, 2, 17, 77, 64, 1},           LAB_NORMAL, {16, 16}},
    {"task3", "causal", "causal_last_query_sees_every_key",          LAB_TILED, {1, 2, 1, 97, 64, 1},            LAB_NORMAL, {0, 0}},
    {"task3", "causal", "causal_tiles_of_a_secret_shape",            LAB_TILED, DRAWN_CAUSAL,                    LAB_NORMAL, {0}},

    {"task3", "stability", "large_logits_stay_finite",               LAB_TILED, {2, 2, 65, 65, 64, 0},           LAB_LARGE,  {16, 16}},
    {"task3", "stability", "causal_large_logits_stay_finite",        LAB_TILED, {1, 2, 65, 129, 64, 1},          LAB_LARGE,  {32, 16}},
    {"task3", "stability", "the_row_max_grows_from_tile_to_tile",    LAB_TILED, {1, 1, 32, 256, 64, 0},          LAB_LARGE,  {8, 8}},

    // Task 2, kernel by kernel, then whole. For GEMM, seq_q is m, seq_kv is n and head_dim is k.
    {"task2", "softmax", "softmax_of_one_score_is_one",               LAB_SOFTMAX_BATCHED, {1, 1, 1, 1, 8, 0},     LAB_NORMAL, {0}},
    {"task2", "softmax", "softmax_of_fewer_columns_than_threads",     LAB_SOFTMAX_BATCHED, {1, 1, 64, 17, 8, 0},   LAB_NORMAL, {0}},
    {"task2", "softmax", "softmax_of_any_number_of_columns",          LAB_SOFTMAX_BATCHED, {1, 1, 7, 1009, 8, 0},  LAB_NORMAL, {0}},
    {"task2", "softmax", "softmax_of_large_scores_stays_finite",      LAB_SOFTMAX_BATCHED, {1, 1, 33, 97, 8, 0},   LAB_OFFSET, {0}},
    {"task2", "softmax", "softmax_gives_masked_scores_no_weight",     LAB_SOFTMAX_BATCHED, {1, 1, 33, 97, 8, 0},   LAB_SCORES, {0}},
    {"task2", "softmax", "softmax_of_a_secret_shape",                 LAB_SOFTMAX_BATCHED, DRAWN,                  LAB_LARGE,  {0}},

    {"task2", "gemm", "gemm_nt_of_one_element",                       LAB_GEMM_NT, {1, 1, 1, 1, 1, 0},             LAB_NORMAL, {0}},
    {"task2", "gemm", "gemm_nt_of_whole_tiles",                       LAB_GEMM_NT, {2, 1, 64, 64, 64, 0},          LAB_NORMAL, {0}},
    {"task2", "gemm", "gemm_nt_with_ragged_edges",                    LAB_GEMM_NT, {3, 1, 33, 65, 80, 0},          LAB_NORMAL, {0}},
    {"task2", "gemm", "gemm_nt_of_prime_sizes",                       LAB_GEMM_NT, {1, 1, 17, 31, 13, 0},          LAB_NORMAL, {0}},
    {"task2", "gemm", "gemm_nt_of_a_secret_shape",                    LAB_GEMM_NT, DRAWN,                          LAB_NORMAL, {0}},
    {"task2", "gemm", "gemm_nn_of_whole_tiles",                       LAB_GEMM_NN, {2, 1, 64, 64, 64, 0},          LAB_NORMAL, {0}},
    {"task2", "gemm", "gemm_nn_with_ragged_edges",                    LAB_GEMM_NN, {3, 1, 65, 33, 97, 0},          LAB_NORMAL, {0}},
    {"task2", "gemm", "gemm_nn_of_prime_sizes",                       LAB_GEMM_NN, {1, 1, 17, 31, 13, 0},          LAB_NORMAL, {0}},
    {"task2", "gemm", "gemm_nn_of_a_secret_shape",                    LAB_GEMM_NN, DRAWN,                          LAB_NORMAL, {0}},

    {"task2", "chain", "attention_to_one_key_returns_its_value",      LAB_NAIVE, {1, 2, 1, 1, 64, 0},              LAB_NORMAL, {0}},
    {"task2", "chain", "one_head_of_64_keys",                         LAB_NAIVE, {1, 1, 64, 64, 64, 0},            LAB_NORMAL, {0}},
    {"task2", "chain", "every_batch_and_head_has_its_own_data",       LAB_NAIVE, {2, 4, 128, 128, 64, 0},          LAB_NORMAL, {0}},
    {"task2", "chain", "a_long_sequence",                             LAB_NAIVE, {1, 2, 512, 512, 64, 0},          LAB_NORMAL, {0}},
    {"task2", "chain", "a_prime_length_and_a_small_head",             LAB_NAIVE, {1, 3, 97, 97, 32, 0},            LAB_NORMAL, {0}},
    {"task2", "chain", "queries_and_keys_differ_in_number",           LAB_NAIVE, {2, 2, 33, 65, 80, 0},            LAB_NORMAL, {0}},
    {"task2", "chain", "the_largest_head",                            LAB_NAIVE, {1, 2, 65, 65, 128, 0},           LAB_NORMAL, {0}},
    {"task2", "chain", "causal_mask_hides_later_keys",                LAB_NAIVE, {1, 2, 64, 64, 64, 1},            LAB_NORMAL, {0}},
    {"task2", "chain", "causal_mask_is_aligned_bottom_right",         LAB_NAIVE, {2, 2, 17, 49, 96, 1},            LAB_NORMAL, {0}},
    {"task2", "chain", "large_logits_stay_finite",                    LAB_NAIVE, {2, 2, 33, 33, 64, 1},            LAB_LARGE,  {0}},
    {"task2", "chain", "attention_of_a_secret_shape",                 LAB_NAIVE, DRAWN,                            LAB_NORMAL, {0}},
    {"task2", "chain", "causal_attention_of_a_secret_shape",          LAB_NAIVE, DRAWN_CAUSAL,                     LAB_NORMAL, {0}},

    // Task 4. TODO by TODO, through grader/probes/task4.cu, whose tiles are 16 queries and 24 keys; then whole.
    {"task4", "todo", "a_whole_tile_is_loaded",                       LAB_PROBE_LOAD_TILE, {1, 1, 24, 24, 64, 0},  LAB_NORMAL, {0}, "4.1"},
    {"task4", "todo", "a_tile_ends_where_the_next_one_begins",        LAB_PROBE_LOAD_TILE, {1, 1, 24, 40, 80, 0},  LAB_NORMAL, {0}, "4.1"},
    {"task4", "todo", "rows_that_do_not_exist_are_zeros",             LAB_PROBE_LOAD_TILE, {1, 1, 24, 17, 128, 0}, LAB_NORMAL, {0}, "4.1"},
    {"task4", "todo", "scores_are_scaled_dot_products",               LAB_PROBE_COMPUTE_SCORES, {1, 1, 16, 24, 64, 0}, LAB_NORMAL, {0}, "4.2"},
    {"task4", "todo", "scores_of_a_head_of_96",                       LAB_PROBE_COMPUTE_SCORES, {1, 1, 16, 24, 96, 0}, LAB_NORMAL, {0}, "4.2"},

    {"task4", "tiles", "one_head_of_64_keys",                         LAB_FLASH, {1, 1, 64, 64, 64, 0},            LAB_NORMAL, {0}},
    {"task4", "tiles", "key_tiles_are_summed",                        LAB_FLASH, {1, 1, 32, 512, 64, 0},           LAB_NORMAL, {0}},
    {"task4", "tiles", "every_batch_and_head_has_its_own_data",       LAB_FLASH, {2, 4, 128, 128, 64, 0},          LAB_NORMAL, {0}},
    {"task4", "tiles", "a_long_sequence",                             LAB_FLASH, {1, 2, 512, 512, 64, 0},          LAB_NORMAL, {0}},
    {"task4", "tiles", "a_small_head",                                LAB_FLASH, {1, 3, 96, 96, 32, 0},            LAB_NORMAL, {0}},
    {"task4", "tiles", "a_head_of_80",                                LAB_FLASH, {1, 2, 64, 128, 80, 0},           LAB_NORMAL, {0}},
    {"task4", "tiles", "the_largest_head",                            LAB_FLASH, {1, 2, 128, 128, 128, 0},         LAB_NORMAL, {0}},

    {"task4", "edges", "one_query_and_one_key",                       LAB_FLASH, {1, 2, 1, 1, 64, 0},              LAB_NORMAL, {0}},
    {"task4", "edges", "a_sequence_shorter_than_a_tile",              LAB_FLASH, {2, 2, 5, 7, 64, 0},              LAB_NORMAL, {0}},
    {"task4", "edges", "ragged_last_query_tile_is_computed",          LAB_FLASH, {1, 2, 97, 64, 64, 0},            LAB_NORMAL, {0}},
    {"task4", "edges", "ragged_last_key_tile_is_not_padded",          LAB_FLASH, {1, 2, 64, 97, 64, 0},            LAB_NORMAL, {0}},
    {"task4", "edges", "prime_lengths_and_a_head_of_96",              LAB_FLASH, {2, 1, 131, 113, 96, 0},          LAB_NORMAL, {0}},
    {"task4", "edges", "attention_of_a_secret_shape",                 LAB_FLASH, DRAWN,                            LAB_NORMAL, {0}},

    {"task4", "causal", "causal_mask_hides_later_keys",               LAB_FLASH, {1, 2, 128, 128, 64, 1},          LAB_NORMAL, {0}},
    {"task4", "causal", "causal_tiles_that_straddle_the_diagonal",    LAB_FLASH, {2, 2, 97, 97, 64, 1},            LAB_NORMAL, {0}},
    {"task4", "causal", "causal_mask_is_aligned_bottom_right",        LAB_FLASH, {2, 2, 17, 77, 64, 1},            LAB_NORMAL, {0}},
    {"task4", "causal", "causal_last_query_sees_every_key",           LAB_FLASH, {1, 2, 1, 97, 64, 1},             LAB_NORMAL, {0}},
    {"task4", "causal", "causal_attention_of_a_secret_shape",         LAB_FLASH, DRAWN_CAUSAL,                     LAB_NORMAL, {0}},

    {"task4", "stability", "large_logits_stay_finite",                LAB_FLASH, {2, 2, 65, 65, 64, 0},            LAB_LARGE,  {0}},
    {"task4", "stability", "causal_large_logits_stay_finite",         LAB_FLASH, {1, 2, 65, 129, 64, 1},           LAB_LARGE,  {0}},
    {"task4", "stability", "the_row_max_grows_from_tile_to_tile",     LAB_FLASH, {1, 1, 32, 512, 64, 0},           LAB_LARGE,  {0}},

    // Task 5. seq_kv is max_seq. Sequence 1 is empty, 2 full, 3 one short of full, the others are drawn; free slots: NaN.
    {"task5", "append", "append_writes_the_next_slot",                LAB_CACHE_APPEND, {1, 2, 1, 16, 64, 0},      LAB_NORMAL, {0}},
    {"task5", "append", "append_of_an_empty_and_a_full_sequence",     LAB_CACHE_APPEND, {4, 3, 1, 33, 80, 0},      LAB_NORMAL, {0}},
    {"task5", "append", "append_of_a_secret_shape",                   LAB_CACHE_APPEND, DRAWN,                     LAB_NORMAL, {0}},

    {"task5", "decode", "decode_over_one_slot_returns_its_value",     LAB_DECODE, {1, 2, 1, 1, 64, 0},             LAB_NORMAL, {0}},
    {"task5", "decode", "decode_reads_no_slot_beyond_the_length",     LAB_DECODE, {1, 4, 1, 200, 64, 0},           LAB_NORMAL, {0}},
    {"task5", "decode", "sequences_of_different_lengths",             LAB_DECODE, {5, 2, 1, 77, 64, 0},            LAB_NORMAL, {0}},
    {"task5", "decode", "every_head_has_its_own_cache",               LAB_DECODE, {2, 8, 1, 64, 128, 0},           LAB_NORMAL, {0}},
    {"task5", "decode", "a_small_head_and_a_long_cache",              LAB_DECODE, {1, 2, 1, 1031, 32, 0},          LAB_NORMAL, {0}},
    {"task5", "decode", "decode_of_large_logits_stays_finite",        LAB_DECODE, {4, 2, 1, 129, 40, 0},           LAB_LARGE,  {0}},
    {"task5", "decode", "decode_of_a_secret_shape",                   LAB_DECODE, DRAWN,                           LAB_NORMAL, {0}},

    {"task5", "split", "one_split_is_plain_decode",                   LAB_DECODE_SPLIT, {3, 2, 1, 65, 64, 0},      LAB_NORMAL, {1}},
    {"task5", "split", "splits_are_combined",                         LAB_DECODE_SPLIT, {3, 2, 1, 200, 64, 0},     LAB_NORMAL, {4}},
    {"task5", "split", "more_splits_than_keys",                       LAB_DECODE_SPLIT, {3, 1, 1, 9, 96, 0},       LAB_NORMAL, {64}},
    {"task5", "split", "splits_of_large_logits_stay_finite",          LAB_DECODE_SPLIT, {1, 2, 1, 130, 72, 0},     LAB_LARGE,  {5}},
    {"task5", "split", "your_own_number_of_splits",                   LAB_DECODE_SPLIT, {1, 2, 1, 777, 128, 0},    LAB_NORMAL, {0}},
    {"task5", "split", "splits_of_a_secret_shape",                    LAB_DECODE_SPLIT, DRAWN,                     LAB_NORMAL, {7}},

    // Task 6. seq_q is all tokens of a sequence, seq_kv is max_seq, and the last number is how many of the tokens are the
    // longest prompt, the last sequence's; the others' are drawn. The rest of the tokens come one by one.
    {"task6", "prefill", "prefill_equals_causal_attention",           LAB_LAYER, {1, 2, 64, 64, 64, 1},            LAB_NORMAL, {64}},
    {"task6", "prefill", "every_head_and_sequence_has_its_own_data",  LAB_LAYER, {3, 4, 33, 40, 32, 1},            LAB_NORMAL, {33}},
    {"task6", "prefill", "a_prompt_of_one_token",                     LAB_LAYER, {2, 2, 1, 8, 80, 1},              LAB_NORMAL, {1}},
    {"task6", "prefill", "a_large_head",                              LAB_LAYER, {1, 1, 97, 128, 128, 1},          LAB_NORMAL, {97}},

    {"task6", "decode", "one_token_after_a_prompt",                   LAB_LAYER, {1, 2, 34, 40, 64, 1},            LAB_NORMAL, {33}},
    {"task6", "decode", "prefill_then_decode_equals_one_prefill",     LAB_LAYER, {1, 2, 48, 48, 80, 1},            LAB_NORMAL, {32}},
    {"task6", "decode", "a_prompt_of_one_token_goes_on",              LAB_LAYER, {1, 2, 9, 16, 96, 1},             LAB_NORMAL, {1}},
    {"task6", "decode", "a_large_head_goes_on",                       LAB_LAYER, {1, 1, 24, 32, 128, 1},           LAB_NORMAL, {16}},
    {"task6", "decode", "the_cache_survives_1000_tokens",             LAB_LAYER, {1, 1, 1008, 1024, 8, 1},         LAB_NORMAL, {8}},

    {"task6", "batch", "prompts_of_different_lengths",                LAB_LAYER, {5, 2, 40, 64, 32, 1},            LAB_NORMAL, {40}},
    {"task6", "batch", "prompts_of_different_lengths_go_on",          LAB_LAYER, {4, 2, 40, 64, 64, 1},            LAB_NORMAL, {29}},
    {"task6", "batch", "two_sequences_do_not_leak",                   LAB_LAYER, {2, 1, 24, 32, 64, 1},            LAB_NORMAL, {17}},
    {"task6", "batch", "layer_of_a_secret_shape",                     LAB_LAYER, DRAWN_CAUSAL,                     LAB_NORMAL, {0}},

    {"task6", "limits", "the_last_slot_is_used",                      LAB_LAYER, {2, 1, 12, 12, 64, 1},            LAB_NORMAL, {5}},
    {"task6", "limits", "a_call_that_is_neither_is_refused",          LAB_LAYER, {2, 2, 12, 16, 64, 1},            LAB_NORMAL, {9, 1}},
    {"task6", "limits", "a_full_cache_is_refused",                    LAB_LAYER, {1, 2, 20, 16, 64, 0},            LAB_NORMAL, {9}},
    {"task6", "limits", "one_full_sequence_refuses_the_call",         LAB_LAYER, {3, 2, 20, 16, 32, 0},            LAB_NORMAL, {9}},
    {"task6", "limits", "a_prompt_too_long_for_the_cache_is_refused", LAB_LAYER, {1, 2, 40, 32, 64, 0},            LAB_NORMAL, {33}},

    // A whole model. seq_q is the longest prompt, heads is tokens to generate, head_dim is 1 + the vocabulary (generate.h).
    {"task6", "model", "logits_and_tokens_equal_the_oracle",          LAB_GENERATE, {1, 24, 40, 64, 98, 0},        LAB_NORMAL, {0}},
    {"task6", "model", "a_batch_of_prompts_is_answered",              LAB_GENERATE, {3, 16, 33, 128, 98, 0},       LAB_NORMAL, {0}},
    {"task6", "model", "a_model_fills_its_cache_to_the_last_slot",    LAB_GENERATE, {2, 25, 40, 64, 98, 0},        LAB_NORMAL, {0}},
};
// clang-format on

const int lab_n_cases = sizeof lab_cases / sizeof *lab_cases;

static int between(uint64_t key, int index, int low, int high) {
    return low + (int)(lab_bits(key, index) % (uint64_t)(high - low + 1));
}

// Small enough for a float64 oracle, odd enough for every edge: lengths up to 160, any legal head_dim.
static void draw_shape(lab_case *c, uint64_t seed) {
    const uint64_t key = lab_key(seed, c->claim, 0, ~0u);
    const int causal = c->shape.causal;
    c->shape = (attn_shape){.batch = between(key, 0, 1, 3),
                            .heads = between(key, 1, 1, 4),
                            .seq_q = between(key, 2, 1, 160),
                            .head_dim = 8 * between(key, 3, 1, 16),
                            .causal = causal};
    if (c->op == LAB_GEMM_NT || c->op == LAB_GEMM_NN) c->shape.heads = 1, c->shape.head_dim = between(key, 3, 1, 128);
    if (c->op == LAB_CACHE_APPEND || c->op == LAB_DECODE || c->op == LAB_DECODE_SPLIT) c->shape.seq_q = 1;
    if (c->op == LAB_MHA) c->shape.head_dim = 8 * between(key, 3, 1, 6);
    c->shape.seq_kv =
        c->op == LAB_MHA ? c->shape.seq_q : c->shape.seq_q + between(key, 4, 0, c->shape.seq_q == 1 ? 224 : 64);
    if (c->op == LAB_LAYER) {  // a prompt of up to 40 tokens, up to 24 more, and some room
        c->tiles[0] = between(key, 2, 1, 40);
        c->shape.seq_q = c->tiles[0] + between(key, 5, 1, 24);
        c->shape.seq_kv = c->shape.seq_q + between(key, 6, 0, 40);
        c->shape.head_dim = 8 * between(key, 3, 1, 10);
    }
    if (c->op == LAB_TILED) c->tiles[0] = between(key, 5, 1, 80), c->tiles[1] = between(key, 6, 1, 80);
}

int lab_case_find(const char *task, const char *claim, uint64_t seed, lab_case *found) {
    for (int i = 0; i < lab_n_cases; i++)
        if (strcmp(lab_cases[i].task, task) == 0 && strcmp(lab_cases[i].claim, claim) == 0) {
            *found = lab_cases[i];
            if (found->shape.batch == 0) draw_shape(found, seed);
            return 1;
        }
    return 0;
}

void lab_case_fill(const lab_case *c, int t, uint64_t key, float *x) {
    if (c->op == LAB_LAYER && t == 6)
        lab_layer_prompts(c->shape, c->tiles[0], key, x);
    else
        lab_op_fill(c->op, c->shape, t, c->kind, key, x);
}
