// unit_explain_each_dim.c: task 5, a key's numbers that are computed in the loop over the lane's dims, and splits that all
// count the same. grader/core: diagnose/each_dim.c, probes_task5_parts.c.
#include "unit.h"

#include <math.h>

#include "symptom.h"

enum { LANES = 32, DIMS = 4, MOST = 128 };

// What stands in the loop over the dims t of the lane.
typedef struct {
    int factors, m, l, e_alone, only_below_d;
} loop;

static void add_key(loop in, int lane, double *m, double *l, double *o, const float *key, int D) {
    double top = fmax(*m, key[0]), rescale = *m == -INFINITY ? 0 : exp(*m - top), e = exp(key[0] - top);
    if (!in.l) *l = rescale * *l + (in.e_alone ? 0 : e);
    for (int t = 0; t < DIMS; t++) {
        if (in.only_below_d && lane + t * LANES >= D) continue;
        if (in.factors) top = fmax(*m, key[0]), rescale = *m == -INFINITY ? 0 : exp(*m - top);
        if (in.m) *m = top;
        if (in.l) *l = rescale * *l + e;
        if (in.e_alone) *l += e;
        if (lane + t * LANES < D) o[t] = rescale * o[t] + e * key[2 + lane + t * LANES];
    }
    *m = top;
}

static void all_claims_say(loop in, const char *words) {
    static const char *const claim[] = {"the_first_key_is_the_whole_answer", "more_keys_are_added",
                                        "keys_of_large_scores_stay_finite"};
    for (int k = 0; k < 3; k++) {
        begin_claim("task5", claim[k]);
        const int D = wrong.shape.head_dim, n = wrong.shape.seq_kv;
        for (int lane = 0; lane < LANES; lane++) {
            double m = -INFINITY, l = 0, o[DIMS] = {0};
            for (int j = 0; j < n; j++) add_key(in, lane, &m, &l, o, wrong.in[1] + j * (2 + D), D);
            wrong.got[0] = (float)m, wrong.got[1] = (float)l;  // of the last lane
            for (int t = 0; t < DIMS; t++)
                if (lane + t * LANES < D) wrong.got[2 + lane + t * LANES] = (float)o[t];
        }
        // Of one key m cannot grow, and where scores are far apart one key has all the weight.
        const int one_round = in.only_below_d && D < 2 * LANES, shows = k == 1 || in.e_alone || (in.l && in.factors);
        if (shows) says(k && !one_round ? words : "in the loop over the lane's dims");
    }
}

static void what_is_computed_for_each_dim_is_named(void **state) {
    (void)state;
    all_claims_say((loop){.factors = 1, .m = 1}, "matches m and the factors computed in the loop over the lane's dims");
    all_claims_say((loop){.factors = 1, .m = 1, .l = 1},
                   "matches m, l and the factors computed in the loop over the lane's dims");
    all_claims_say((loop){.factors = 1, .m = 1, .l = 1, .only_below_d = 1},
                   "matches m, l and the factors computed in the loop over the lane's dims");
    all_claims_say((loop){.l = 1}, "matches l = rescale * l + e in the loop over the lane's dims");
    all_claims_say((loop){.e_alone = 1}, "matches l to which e is added in the loop over the lane's dims");
}

static void splits_that_count_the_same_are_named(void **state) {
    (void)state;
    begin_claim("task5", "splits_are_weighed_and_joined");
    const int D = wrong.shape.head_dim, n = wrong.shape.seq_kv;
    wrong.got[0] = -100, wrong.got[1] = (float)n;  // -INFINITY
    for (int d = 0; d < D; d++) {
        wrong.got[2 + d] = 0;
        for (int j = 0; j < n; j++) wrong.got[2 + d] += wrong.in[1][j * (2 + D) + 2 + d];
    }
    says("matches the plain mean of the splits' O");
    begin_claim("task5", "a_split_says_its_log_sum_exp");
    for (int j = 0; j < wrong.shape.seq_kv; j++) wrong.got[j] = wrong.in[1][2 * j + 1] > 0 ? 0 : -100;
    says("matches 0 for all splits that have keys");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(what_is_computed_for_each_dim_is_named, release),
        cmocka_unit_test_teardown(splits_that_count_the_same_are_named, release),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
