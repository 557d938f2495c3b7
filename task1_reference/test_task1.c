// test_task1.c: what task 1 claims, and what is tested: your file, in a process of its own, against a float64 oracle.
//
// Shapes, inputs and tolerances of a claim are the row of its name in grader/core/cases.c. Every claim also demands that
// all of the output is written and nothing else, that inputs stay untouched, and that a second call gives the same bits.
#include "claims.h"
#include "task1.h"

int main(void) {
    const struct CMUnitTest claims[] = {
        // attn_softmax_rows
        CLAIM(softmax_of_one_score_is_one),
        CLAIM(softmax_rows_are_independent),
        CLAIM(softmax_of_any_number_of_columns),
        CLAIM(softmax_of_large_scores_stays_finite),
        CLAIM(softmax_gives_masked_scores_no_weight),
        CLAIM(softmax_of_a_secret_shape),
        // attn_split_heads, attn_merge_heads
        CLAIM(split_heads_of_one_head_is_a_copy),
        CLAIM(split_heads_moves_every_element),
        CLAIM(merge_heads_moves_every_element),
        CLAIM(split_heads_of_a_secret_shape),
        CLAIM(merge_heads_of_a_secret_shape),
        // attn_sdpa
        CLAIM(attention_to_one_key_returns_its_value),
        CLAIM(one_head_of_64_keys),
        CLAIM(every_batch_and_head_has_its_own_data),
        CLAIM(a_long_sequence),
        CLAIM(a_prime_length_and_a_small_head),
        CLAIM(queries_and_keys_differ_in_number),
        CLAIM(the_largest_head),
        CLAIM(causal_mask_hides_later_keys),
        CLAIM(causal_mask_is_aligned_bottom_right),
        CLAIM(causal_last_query_sees_every_key),
        CLAIM(large_logits_stay_finite),
        CLAIM(attention_of_a_secret_shape),
        CLAIM(causal_attention_of_a_secret_shape),
        // attn_mha
        CLAIM(one_head_with_projections),
        CLAIM(projections_keep_batches_and_heads_apart),
        CLAIM(causal_multi_head),
        CLAIM(multi_head_of_a_secret_shape),
    };
    return RUN_CLAIMS("task1", claims);
}
