// unit_explain_overflow.c: rows that overflow, as what is subtracted before exp is no maximum of all keys so far: which
// rows are NaN tells what it is. grader/core/diagnose: kept_max.c.
#include "unit.h"

#include <math.h>
#include <string.h>

#include "symptom.h"

enum { D = 64, ROWS = 65, KEYS = 129, BC = 16 };

// The rows are NaN in which a score is 88 above the largest of the first `first` keys; 0: above 0.
static void overflows(int first) {
    begin_kind(&lab_tiled, (attn_shape){1, 2, ROWS, KEYS, D, 1}, LAB_LARGE);
    wrong.extra[0] = 32, wrong.extra[1] = BC;
    for (int r = 0; r < 2 * ROWS; r++) {
        const int seen = r % ROWS + 1 + KEYS - ROWS;
        const float *q = wrong.in[1] + r * D, *K = wrong.in[2] + r / ROWS * KEYS * D;
        float begin = first ? -INFINITY : 0, all = -INFINITY;
        for (int j = 0; j < seen; j++) {
            float dot = 0;
            for (int d = 0; d < D; d++) dot += q[d] * K[j * D + d];
            all = fmaxf(all, dot / sqrtf(D));
            if (j < first) begin = all;
        }
        for (int d = 0; d < D && all - begin > 88; d++) wrong.got[r * D + d] = NAN;
    }
}

static void the_maximum_of_the_first_tile_is_named(void **state) {
    (void)state;
    overflows(BC);
    says("matches the maximum of the first tile of keys that is kept");
    memset(wrong.extra, 0, sizeof wrong.extra);
}

static void the_first_score_is_named(void **state) {
    (void)state;
    overflows(1);
    says("matches the first score of a row that is subtracted from all");
    memset(wrong.extra, 0, sizeof wrong.extra);
}

static void without_a_maximum_neither_is(void **state) {
    (void)state;
    overflows(0);
    says("exp overflows where scores are large: subtract the row maximum, of all keys so far");
    memset(wrong.extra, 0, sizeof wrong.extra);
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(the_maximum_of_the_first_tile_is_named),
        CLAIM(the_first_score_is_named),
        CLAIM(without_a_maximum_neither_is),
    };
    return cmocka_run_group_tests_name("explain_overflow", claims, NULL, release);
}
