// cases_task6.c: what is claimed of task 6. Columns of a shape: batch, heads, seq_q, seq_kv, head_dim, causal.
#include "cases.h"

#define TASK "task6"

// clang-format off
const lab_case lab_cases_task6[] = {
    // seq_q is all tokens of a sequence, seq_kv is max_seq. The longest prompt has .prompt tokens, and is the last
    // sequence's; the lengths of the others are drawn. The rest of the tokens come one by one.
    {TASK, "prefill", "prefill_equals_causal_attention", .op = &lab_layer, {1, 2, 64, 64, 64, 1}, .prompt = 64},
    {TASK, "prefill", "every_head_and_sequence_has_its_own_data",  .op = &lab_layer, {3, 4, 33, 40, 32, 1},
     .prompt = 33},
    {TASK, "prefill", "a_prompt_of_one_token",                     .op = &lab_layer, {2, 2, 1, 8, 80, 1}, .prompt = 1},
    {TASK, "prefill", "a_large_head", .op = &lab_layer, {1, 1, 97, 128, 128, 1}, .prompt = 97},

    {TASK, "decode", "one_token_after_a_prompt", .op = &lab_layer, {1, 2, 34, 40, 64, 1}, .prompt = 33},
    {TASK, "decode", "prefill_then_decode_equals_one_prefill", .op = &lab_layer, {1, 2, 48, 48, 80, 1}, .prompt = 32},
    {TASK, "decode", "a_prompt_of_one_token_goes_on",              .op = &lab_layer, {1, 2, 9, 16, 96, 1}, .prompt = 1},
    {TASK, "decode", "a_large_head_goes_on", .op = &lab_layer, {1, 1, 24, 32, 128, 1}, .prompt = 16},
    {TASK, "decode", "the_cache_survives_1000_tokens", .op = &lab_layer, {1, 1, 1008, 1024, 8, 1}, .prompt = 768},

    {TASK, "batch", "prompts_of_different_lengths", .op = &lab_layer, {5, 2, 40, 64, 32, 1}, .prompt = 40},
    {TASK, "batch", "prompts_of_different_lengths_go_on", .op = &lab_layer, {4, 2, 40, 64, 64, 1}, .prompt = 29},
    {TASK, "batch", "two_sequences_do_not_leak", .op = &lab_layer, {2, 1, 24, 32, 64, 1}, .prompt = 17},
    {TASK, "batch", "layer_of_a_secret_shape",                     .op = &lab_layer, DRAWN_CAUSAL},

    {TASK, "limits", "the_last_slot_is_used", .op = &lab_layer, {2, 1, 12, 12, 64, 1}, .prompt = 5},
    {TASK, "limits", "a_call_that_is_neither_is_refused",          .op = &lab_layer, {2, 2, 12, 16, 64, 1},
     .prompt = 9, .besides = LAB_BESIDES_NEITHER},
    {TASK, "limits", "what_fails_is_passed_on", .op = &lab_layer, {2, 2, 8, 12, 32, 1}, .prompt = 5,
     .besides = LAB_BESIDES_FAILING},
    {TASK, "limits", "a_full_cache_is_refused", .op = &lab_layer, {1, 2, 20, 16, 64, 0}, .prompt = 9},
    {TASK, "limits", "one_full_sequence_refuses_the_call", .op = &lab_layer, {3, 2, 20, 16, 32, 0}, .prompt = 9,
     .besides = LAB_BESIDES_FULL},
    {TASK, "limits", "all_work_is_queued_on_the_stream", .op = &lab_layer, {2, 2, 8, 12, 32, 1}, .prompt = 5,
     .besides = LAB_BESIDES_RECORDED},
    {TASK, "limits", "padding_takes_no_slots", .op = &lab_layer, {3, 2, 14, 12, 32, 0}, .prompt = 7,
     .besides = LAB_BESIDES_PADDING},
    {TASK, "limits", "a_prompt_too_long_for_the_cache_is_refused", .op = &lab_layer, {1, 2, 40, 32, 64, 0},
     .prompt = 33},

    // A whole model. seq_q is the longest prompt, head_dim is 1 + the vocabulary (grader/gpt2/generate.h).
    {TASK, "model", "logits_and_tokens_equal_the_oracle", .op = &lab_generate, {1, 1, 40, 64, 98, 0}, .tokens = 24},
    {TASK, "model", "a_batch_of_prompts_is_answered", .op = &lab_generate, {3, 1, 33, 128, 98, 0}, .tokens = 16},
    {TASK, "model", "a_model_fills_its_cache_to_the_last_slot",    .op = &lab_generate, {2, 1, 40, 64, 98, 0},
     .tokens = 25},
    {0},
};
