// unit_explain_tile_sizes.c: how many keys a tile has is said only where no larger tiles would give the same numbers.
// grader/core: diagnose/online.c.
#include "unit.h"

#include <math.h>
#include <string.h>

#include "symptom.h"

enum { D = 24, TILE = 16 };

// Decode with the l of the last tile alone, whose last tile of 32 keys has as many keys, or has not. Returns 0 if the
// lengths that are drawn for so many slots are others.
static int decode_with(int slots, int same) {
    begin(&lab_decode, (attn_shape){1, 2, 1, slots, D, 0});
    const int n = lab_int_at(wrong.in[4], 0);
    if (n < 33 || n % TILE <= TILE / 2 || (n % TILE == n % (2 * TILE)) != same) return 0;
    for (int head = 0; head < 2; head++) {
        const float *q = wrong.in[1] + head * D, *K = wrong.in[2] + head * slots * D,
                    *V = wrong.in[3] + head * slots * D;
        double o[D] = {0}, l = 0;
        for (int j = 0; j < n; j++) {
            double dot = 0;
            for (int d = 0; d < D; d++) dot += (double)q[d] * K[j * D + d];
            for (int d = 0; d < D; d++) o[d] += exp(dot / sqrt(D)) * V[j * D + d];
            if (j >= n / TILE * TILE) l += exp(dot / sqrt(D));
        }
        for (int d = 0; d < D; d++) wrong.got[head * D + d] = (float)(o[d] / l);
    }
    says("matches l of the last tile alone");
    return 1;
}

static void a_size_is_said_where_it_is_the_only_one(void **state) {
    (void)state;
    for (int same = 0; same < 2; same++) {
        int slots = 40;
        while (!decode_with(slots, same) && slots < 200) slots++, release(NULL);
        assert_true(slots < 200);
        assert_int_equal(strstr(wrong.text, "(tiles of 16 keys)") == NULL, same);
        release(NULL);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test_teardown(a_size_is_said_where_it_is_the_only_one, release)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
