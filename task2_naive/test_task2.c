// test_task2.c: what task 2 claims, and what is tested: your file, in a process of its own, against a float64 oracle. On
// the GPU where there is one, else on the CPU by grader/simt.
//
// Shapes, inputs and tolerances of a claim are the row of its name in grader/core/cases.c. Every claim also demands that
// all of the output is written and nothing else, that inputs stay untouched, and that a second call gives the same bits.
#include "claims.h"
#include "task2.h"

int main(void) {
    const struct CMUnitTest claims[] = {
        // attn_softmax_batched
        CLAIM(softmax_of_one_score_is_one),
        CLAIM(softmax_of_fewer_columns_than_threads),
        CLAIM(softmax_of_any_number_of_columns),
        CLAIM(softmax_of_large_scores_stays_finite),
        CLAIM(softmax_gives_masked_scores_no_weight),
        CLAIM(softmax_of_a_secret_shape),
        // attn_gemm_nt, attn_gemm_nn
        CLAIM(gemm_nt_of_one_element),
        CLAIM(gemm_nt_of_whole_tiles),
        CLAIM(gemm_nt_with_ragged_edges),
        CLAIM(gemm_nt_of_prime_sizes),
        CLAIM(gemm_nt_of_a_secret_shape),
        CLAIM(gemm_nn_of_whole_tiles),
        CLAIM(gemm_nn_with_ragged_edges),
        CLAIM(gemm_nn_of_prime_sizes),
        CLAIM(gemm_nn_of_a_secret_shape),
        // attn_naive
        CLAIM(attention_to_one_key_returns_its_value),
        CLAIM(one_head_of_64_keys),
        CLAIM(every_batch_and_head_has_its_own_data),
        CLAIM(a_long_sequence),
        CLAIM(a_prime_length_and_a_small_head),
        CLAIM(queries_and_keys_differ_in_number),
        CLAIM(the_largest_head),
        CLAIM(causal_mask_hides_later_keys),
        CLAIM(causal_mask_is_aligned_bottom_right),
        CLAIM(large_logits_stay_finite),
        CLAIM(attention_of_a_secret_shape),
        CLAIM(causal_attention_of_a_secret_shape),
    };
    return RUN_CLAIMS("task2", claims);
}
