// unit_explain_whole.c: what all of a chain, of a walk over the keys, or of a join of parts shows: another scale, scores the
// other way round, one tile in place of all, a part without its factor.
// grader/core: probes_taskN.c, diagnose/chain.c, walk.c, joined.c.
#include "unit.h"

#include <math.h>
#include <string.h>

#include "heuristics.h"
#include "symptom.h"

static void another_scale_of_the_chain_is_named(void **state) {
    (void)state;
    begin_claim("task2", "the_chain_of_one_small_head");
    const int Sq = wrong.shape.seq_q, Sk = wrong.shape.seq_kv, D = wrong.shape.head_dim;
    for (int i = 0; i < Sq; i++) {
        double p[64], sum = 0, max = -INFINITY;
        for (int j = 0; j < Sk; j++) {
            p[j] = 0;
            for (int d = 0; d < D; d++) p[j] += (double)wrong.in[1][i * D + d] * wrong.in[2][j * D + d];
            max = fmax(max, p[j]);
        }
        for (int j = 0; j < Sk; j++) sum += p[j] = exp(p[j] - max);
        for (int d = 0; d < D; d++) {
            double o = 0;
            for (int j = 0; j < Sk; j++) o += p[j] / sum * wrong.in[3][j * D + d];
            wrong.got[i * D + d] = (float)o;
        }
    }
    says("matches scores that are not scaled: scale_and_causal_mask is called for them");
}

// K Q^T with the sizes of K Q^T: the scores lie the other way round.
static void transposed_scores_of_the_chain_are_named(void **state) {
    (void)state;
    begin_claim("task2", "the_chain_of_one_small_head");
    const int Sq = wrong.shape.seq_q, Sk = wrong.shape.seq_kv, D = wrong.shape.head_dim;
    for (int i = 0; i < Sq; i++) {
        double p[64], sum = 0;
        for (int j = 0; j < Sk; j++) {
            const int at = i * Sk + j, key = at / Sq, query = at % Sq;
            double dot = 0;
            for (int d = 0; d < D; d++) dot += (double)wrong.in[1][query * D + d] * wrong.in[2][key * D + d];
            sum += p[j] = exp(dot / sqrt(D));
        }
        for (int d = 0; d < D; d++) {
            double o = 0;
            for (int j = 0; j < Sk; j++) o += p[j] / sum * wrong.in[3][j * D + d];
            wrong.got[i * D + d] = (float)o;
        }
    }
    says("matches K Q^T, the scores transposed");
}

// K Q^T, and a softmax over the queries of each key: mask 1 goes by key and query, 2 by the places of Q K^T.
static void chain_of_keys(int mask) {
    enum { SQ = 17, SK = 29, DIM = 16 };
    static double p[SK * SQ];
    begin(&lab_naive, (attn_shape){1, 1, SQ, SK, DIM, mask > 0});
    for (int j = 0; j < SK; j++) {
        double sum = 0;
        for (int i = 0; i < SQ; i++) {
            const int at = j * SQ + i, past = SK - SQ;
            const int hidden = mask == 2 ? at % SK > at / SK + past : mask && j > i + past;
            double dot = 0;
            for (int d = 0; d < DIM; d++) dot += (double)wrong.in[1][i * DIM + d] * wrong.in[2][j * DIM + d];
            sum += p[at] = hidden ? 0 : exp(dot / sqrt(DIM));
        }
        for (int i = 0; i < SQ; i++) p[j * SQ + i] /= sum;
    }
    for (int n = 0; n < SQ * DIM; n++) {
        double o = 0;
        for (int j = 0; j < SK; j++) o += p[n / DIM * SK + j] * wrong.in[3][j * DIM + n % DIM];
        wrong.got[n] = (float)o;
    }
    says("matches K Q^T: the first product is Q K^T, Q before K");
    release(NULL);
}

static void a_chain_of_keys_and_queries_is_named(void **state) {
    (void)state;
    for (int mask = 0; mask < 3; mask++) chain_of_keys(mask);
}

// One tile of keys, where a loop over all of them belongs.
static void a_walk_of_one_tile_is_named(void **state) {
    (void)state;
    begin_claim("task3", "several_tiles_are_walked");
    wrong.extra[0] = wrong.extra[1] = 8;
    const int D = wrong.shape.head_dim;
    for (int i = 0; i < wrong.shape.seq_q; i++) {
        double p[8], sum = 0;
        for (int j = 0; j < 8; j++) {
            p[j] = 0;
            for (int d = 0; d < D; d++) p[j] += (double)wrong.in[1][i * D + d] * wrong.in[2][j * D + d];
            sum += p[j] = exp(p[j] / sqrt(D));
        }
        for (int d = 0; d < D; d++) {
            double o = 0;
            for (int j = 0; j < 8; j++) o += p[j] / sum * wrong.in[3][j * D + d];
            wrong.got[i * D + d] = (float)o;
        }
    }
    says("matches a walk that ends after the first tile of keys");
}

// exp(L) for exp(L - m): right, where it does not overflow.
static void sums_that_go_with_another_maximum_are_named(void **state) {
    (void)state;
    begin_claim("task5", "splits_are_weighed_and_joined");
    const float factor = expf(wrong.got[0]);
    for (int d = 1; d < 2 + wrong.shape.head_dim; d++) wrong.got[d] *= factor;
    wrong.got[0] = 0;
    says("m is 0: it must be the largest");
}

// One of the warps is added without its factor; or no key but one that raises the maximum counts.
static void a_part_without_its_factor_is_named(void **state) {
    (void)state;
    begin_claim("task5", "warps_are_joined");
    const int width = 2 + wrong.shape.head_dim;
    double m = -INFINITY;
    int first = -1;
    for (int w = 0; w < wrong.shape.seq_kv; w++) {
        if (first < 0 && wrong.in[1][w * width] != -INFINITY) first = w;
        m = fmax(m, wrong.in[1][w * width]);
    }
    for (int d = 1; d < width; d++)
        wrong.got[d] += (float)(1 - exp(wrong.in[1][first * width] - m)) * wrong.in[1][first * width + d];
    says("is added as it is: each of them takes its factor exp(m - max)");
    release(NULL);
    begin_claim("task5", "more_keys_are_added");
    const int row = 2 + wrong.shape.head_dim;
    double l = 0, top = -INFINITY;
    for (int d = 1; d < row; d++) wrong.got[d] = 0;
    for (int j = 0; j < wrong.shape.seq_kv; j++) {
        const float *x = wrong.in[1] + j * row;
        if (!(x[0] > top)) continue;
        const double old = exp(top - x[0]);
        l = old * l + 1, top = x[0];
        for (int d = 2; d < row; d++) wrong.got[d] = (float)(old * wrong.got[d] + x[d]);
    }
    wrong.got[1] = (float)l;
    says("a key that does not raise the maximum counts 0 times");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(another_scale_of_the_chain_is_named, release),
        cmocka_unit_test_teardown(transposed_scores_of_the_chain_are_named, release),
        cmocka_unit_test_teardown(a_chain_of_keys_and_queries_is_named, release),
        cmocka_unit_test_teardown(a_walk_of_one_tile_is_named, release),
        cmocka_unit_test_teardown(sums_that_go_with_another_maximum_are_named, release),
        cmocka_unit_test_teardown(a_part_without_its_factor_is_named, release),
    };
    return cmocka_run_group_tests_name("explain_whole", tests, NULL, NULL);
}
