// test_task4.c: what task 4 claims, and what is tested: your file, in a process of its own, against a float64 oracle. On
// the GPU where there is one, else on the CPU by grader/simt.
//
// Shapes, inputs and tolerances of a claim are the row of its name in grader/core/cases.c. Every claim also demands that
// all of the output is written and nothing else, that inputs stay untouched, and that a second call gives the same bits.
#include "claims.h"
#include "task4.h"

int main(void) {
    const struct CMUnitTest claims[] = {
        // tiles that divide the lengths
        CLAIM(one_head_of_64_keys),
        CLAIM(key_tiles_are_summed),
        CLAIM(every_batch_and_head_has_its_own_data),
        CLAIM(a_long_sequence),
        CLAIM(a_small_head),
        CLAIM(a_head_of_80),
        CLAIM(the_largest_head),
        // edges
        CLAIM(one_query_and_one_key),
        CLAIM(a_sequence_shorter_than_a_tile),
        CLAIM(ragged_last_query_tile_is_computed),
        CLAIM(ragged_last_key_tile_is_not_padded),
        CLAIM(prime_lengths_and_a_head_of_96),
        CLAIM(attention_of_a_secret_shape),
        // causal
        CLAIM(causal_mask_hides_later_keys),
        CLAIM(causal_tiles_that_straddle_the_diagonal),
        CLAIM(causal_mask_is_aligned_bottom_right),
        CLAIM(causal_last_query_sees_every_key),
        CLAIM(causal_attention_of_a_secret_shape),
        // stability of the online softmax
        CLAIM(large_logits_stay_finite),
        CLAIM(causal_large_logits_stay_finite),
        CLAIM(the_row_max_grows_from_tile_to_tile),
    };
    return RUN_CLAIMS("task4", claims);
}
