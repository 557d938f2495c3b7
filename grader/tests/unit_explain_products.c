// unit_explain_products.c: products that do not count once each, as steps along k leave them; a sum times a number of its
// sizes. grader/core/diagnose/sums: product_counts.c, product_factor.c.
#include "unit.h"

#include <string.h>

#include "symptom.h"

// k / 8 steps, and k / 16: no product of one element whose k is smaller, and none of small matrices.
static void whole_steps_along_k_are_named(void **state) {
    (void)state;
    for (int nt = 0; nt < 2; nt++) {
        static lab_guesses fits;
        static const attn_shape shapes[] = {{1, 1, 1, 1, 1, 0}, {1, 1, 9, 10, 6, 0}, {2, 1, 9, 10, 20, 0}};
        for (int i = 0; i < 3; i++) {
            begin(nt ? &lab_gemm_nt : &lab_gemm_nn, shapes[i]);
            const int n = 10, k = 20;
            for (size_t e = 0; e < wrong.n; e++) {
                const float *a = wrong.in[1] + e / n * k, *b = wrong.in[2] + e / 90 * n * k;
                float sum = 0;
                for (int l = 0; l < 16 && i == 2; l++) sum += a[l] * b[nt ? e % n * k + l : l * n + e % n];
                wrong.got[e] = sum;
            }
            int of_16 = 0;
            fits.n = 0, wrong.guesses = &fits;
            says(i ? "matches sums over the first" : "matches a loop along k that makes whole steps alone");
            wrong.guesses = NULL;
            for (int f = 0; f < fits.n; f++)
                of_16 += strstr(fits.text[f], "whole steps alone") && strstr(fits.text[f], "(tiles of 16)");
            assert_int_equal(of_16, 1);
        }
    }
}

// 1/sqrt(k), which is the chain's; a mean.
static void a_product_times_a_number_of_its_sizes_is_named(void **state) {
    (void)state;
    static const struct {
        double factor;
        const char *says;
    } of[] = {{0.2357023, "matches A B^T times 1/sqrt(k): C is the sum of the products alone, and the chain scales"},
              {0.0555556, "matches A B^T times 1/k: C is the sum of the products alone"},
              {0.3400471, "matches A B^T times log2(e)/sqrt(k)"},
              {-1, "matches A B^T times -1"},
              {0.3, "each wrong row is the right one times a number"}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        begin(&lab_gemm_nt, (attn_shape){4, 1, 35, 21, 18, 0});
        for (size_t e = 0; e < wrong.n; e++) wrong.got[e] = (float)(wrong.want[e] * of[i].factor);
        says(of[i].says);
    }
}

// Tiles that are 0 once, before the loop along k: behind the end of k they keep the numbers of the step before, of both; where
// numbers are loaded by four, from the next four on.
static void tiles_that_keep_the_step_before_are_named(void **state) {
    (void)state;
    enum { M = 20, N = 30, K = 85 };
    for (int four = 1; four <= 4; four += 3) {
        begin(&lab_gemm_nt, (attn_shape){1, 1, M, N, K, 0});
        for (int e = 0; e < M * N; e++)
            for (int l = four == 1 ? 69 : 72; l < 80; l++)
                wrong.got[e] += wrong.in[1][e / N * K + l] * wrong.in[2][e % N * K + l];
        says(four == 1
                 ? "matches tiles of 16 along k that keep, behind the end of k = 85, what the step before has left "
                   "there, or of which the last begins earlier, to end with k: products 69..79 count twice"
                 : "matches tiles of 16 along k that keep, behind the end of k = 85, what the step before has left "
                   "there: products 72..79 count twice");
        release(NULL);
    }
}

// C of products of which product l counts times(l) times.
static void count_products(int k, int (*times)(int l)) {
    enum { M = 20, N = 30 };
    begin(&lab_gemm_nt, (attn_shape){1, 1, M, N, k, 0});
    for (int e = 0; e < M * N; e++) {
        double sum = 0;
        for (int l = 0; l < k; l++) sum += (double)times(l) * wrong.in[1][e / N * k + l] * wrong.in[2][e % N * k + l];
        wrong.got[e] = (float)sum;
    }
}
static int of_32_the_first_16(int l) { return l % 32 < 16; }
static int of_64_the_first_16(int l) { return l % 64 < 16; }
static int from_16_on_twice(int l) { return 1 + (l >= 16); }
static int one_hole(int l) { return l < 32 || l >= 40; }
static int as_often_as_steps_follow(int l) { return 3 - l / 32; }
static int last_twice(int l) { return l < 16 ? 0 : l < 64 ? 1 : 2; }

static int doubled_in_each_step(int l) { return 1 << (3 - l / 32); }  // of k = 100

static void steps_that_go_on_by_another_number_are_named(void **state) {
    (void)state;
    static lab_guesses fits;
    count_products(70, of_32_the_first_16);
    says("matches a loop over k that goes on by 32 and multiplies 16 in each step: of every 32 products the last 16 "
         "are");
    release(NULL);
    count_products(100, from_16_on_twice), says("goes on by 16 and multiplies 32 in each step: products count twice");
    release(NULL);
    count_products(70, one_hole);  // may be a step of 40, and anything else
    fits.n = 0, wrong.guesses = &fits;
    says("do not count once each (of k = 70, products 0 .. 31 once, products 32 .. 39 not at all, "
         "products 40 .. 69 once)");
    wrong.guesses = NULL;
    assert_int_equal(fits.n, 2);
    release(NULL);
    count_products(64, of_64_the_first_16);  // its second step is behind the end
    is_among_what_fits("goes on by 64 and multiplies 16 in each step");
    release(NULL);
    count_products(70, last_twice);
    says("matches tiles of 16 along k of which the first is never multiplied, and the last one twice");
    release(NULL);
    count_products(100, doubled_in_each_step);
    says("matches a running sum that is added to itself in each step along k (tiles of 32)");
    release(NULL);
    count_products(70, as_often_as_steps_follow);
    says("matches a step's own sum that goes on from step to step: its products count once more in each step behind it "
         "(tiles of 32 along k)");
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(whole_steps_along_k_are_named),
        CLAIM(a_product_times_a_number_of_its_sizes_is_named),
        cmocka_unit_test(tiles_that_keep_the_step_before_are_named),
        cmocka_unit_test_teardown(steps_that_go_on_by_another_number_are_named, release),
    };
    return cmocka_run_group_tests_name("explain_products", claims, NULL, release);
}
