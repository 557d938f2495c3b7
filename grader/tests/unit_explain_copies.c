// unit_explain_copies.c: few keys, of which the last one counts as often as a tile has room. grader/core:
// diagnose/online/copies.c, diagnose/rows/wrong_rows.c.
#include "unit.h"

#include <math.h>

#include "symptom.h"

// Beside what else fits so few keys.
static void copies_of_the_last_of_few_keys_are_among_what_fits(void **state) {
    (void)state;
    static const int keys[] = {2, 3, 5, 9, 33, 63};
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        const attn_shape few = {1, 2, 8, keys[k], 16, 0};
        begin(&lab_flash, few);
        for (int row = 0; row < 16; row++) {
            const float *q = wrong.in[1] + row * 16;
            double o[16] = {0}, l = 0;
            for (int j = 0; j < 64; j++) {
                const int at = row / 8 * few.seq_kv + (j < few.seq_kv ? j : few.seq_kv - 1);
                const double p = exp(lab_dot(q, wrong.in[2] + at * 16, 16) / 4);
                l += p;
                for (int d = 0; d < 16; d++) o[d] += p * wrong.in[3][at * 16 + d];
            }
            for (int d = 0; d < 16; d++) wrong.got[row * 16 + d] = (float)(o[d] / l);
        }
        is_among_what_fits("matches the last key counted");
        release(NULL);
    }
}

int main(void) {
    const struct CMUnitTest claims[] = {
        cmocka_unit_test_teardown(copies_of_the_last_of_few_keys_are_among_what_fits, release),
    };
    return cmocka_run_group_tests_name("explain_copies", claims, NULL, NULL);
}
