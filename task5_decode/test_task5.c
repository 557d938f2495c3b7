// test_task5.c: what task 5 claims, and what is tested: your file, in a process of its own, against a float64 oracle. On
// the GPU where there is one, else on the CPU by grader/simt.
//
// Shapes, inputs and tolerances of a claim are the row of its name in grader/core/cases.c. Every claim also demands that
// all of the output is written and nothing else, that inputs stay untouched, and that a second call gives the same bits.
#include "claims.h"
#include "task5.h"

int main(void) {
    const struct CMUnitTest claims[] = {
        // attn_cache_append
        CLAIM(append_writes_the_next_slot),
        CLAIM(append_of_an_empty_and_a_full_sequence),
        CLAIM(append_of_a_secret_shape),
        // attn_decode
        CLAIM(decode_over_one_slot_returns_its_value),
        CLAIM(decode_reads_no_slot_beyond_the_length),
        CLAIM(sequences_of_different_lengths),
        CLAIM(every_head_has_its_own_cache),
        CLAIM(a_small_head_and_a_long_cache),
        CLAIM(decode_of_large_logits_stays_finite),
        CLAIM(decode_of_a_secret_shape),
        // bonus: attn_decode_split
        CLAIM(one_split_is_plain_decode),
        CLAIM(splits_are_combined),
        CLAIM(more_splits_than_keys),
        CLAIM(splits_of_large_logits_stay_finite),
        CLAIM(your_own_number_of_splits),
        CLAIM(splits_of_a_secret_shape),
    };
    return RUN_CLAIMS("task5", claims);
}
