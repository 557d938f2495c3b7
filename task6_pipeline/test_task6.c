// test_task6.c: what task 6 claims, and what is tested: your file, in a process of its own, against a float64 oracle.
// On the GPU where there is one, else on the CPU by grader/simt.
//
// A case is a prompt per sequence and tokens after it: one call of your layer for the prompts, one for each further
// token. The oracle has no cache: it attends from every token to all before it. Where your task 4 or 5 is not solved,
// the lab's takes its place.
//
// Shapes, inputs and tolerances of a claim are the row of its name in grader/core/cases.c. Every claim also demands
// that all of the output is written and nothing else, that inputs stay untouched, and that a second run gives the same
// bits.
#include "claims.h"
#include "task6.h"

int main(void) {
    const struct CMUnitTest claims[] = {
        // one call for the prompts
        CLAIM(prefill_equals_causal_attention),
        CLAIM(every_head_and_sequence_has_its_own_data),
        CLAIM(a_prompt_of_one_token),
        CLAIM(a_large_head),
        // then one for each further token
        CLAIM(one_token_after_a_prompt),
        CLAIM(prefill_then_decode_equals_one_prefill),
        CLAIM(a_prompt_of_one_token_goes_on),
        CLAIM(a_large_head_goes_on),
        CLAIM(the_cache_survives_1000_tokens),
        // sequences side by side
        CLAIM(prompts_of_different_lengths),
        CLAIM(prompts_of_different_lengths_go_on),
        CLAIM(two_sequences_do_not_leak),
        CLAIM(layer_of_a_secret_shape),
        // a cache that is full
        CLAIM(the_last_slot_is_used),
        CLAIM(a_call_that_is_neither_is_refused),
        CLAIM(a_full_cache_is_refused),
        CLAIM(one_full_sequence_refuses_the_call),
        CLAIM(a_prompt_too_long_for_the_cache_is_refused),
        // a GPT-2 with random weights
        CLAIM(logits_and_tokens_equal_the_oracle),
        CLAIM(a_batch_of_prompts_is_answered),
        CLAIM(a_model_fills_its_cache_to_the_last_slot),
    };
    return RUN_CLAIMS("task6", claims);
}
