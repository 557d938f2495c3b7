// unit_classes_steps.c: classes of mistakes, as unit_classes.c has them: how far apart rows, matrices and heads begin, and
// how tiles are read.
#include "unit.h"

#include <string.h>

#include "symptom.h"

// C = A B^T with B read as `b` says.
static void product_with(size_t (*b)(int g, int j, int l), int from, const char *words) {
    begin(&lab_gemm_nt, (attn_shape){2, 1, 24, 40, 32, 0});
    for (int e = 0; e < 2 * 24 * 40; e++) {
        double sum = 0;
        for (int l = from; l < 32; l++)
            sum += (double)wrong.in[1][e / 40 * 32 + l] * wrong.in[2][b(e / 960, e % 40, l)];
        wrong.got[e] = (float)sum;
    }
    examine();
    assert_says(wrong.text, words);
}
static size_t right_b(int g, int j, int l) { return ((size_t)g * 40 + j) * 32 + l; }
static size_t batch_of_a(int g, int j, int l) { return ((size_t)g * 24 + j) * 32 + l; }
static size_t one_number_on(int g, int j, int l) { return (size_t)g + j * 32 + l; }
static size_t one_row_on(int g, int j, int l) { return (size_t)(g + j) * 32 + l; }
static size_t rows_of_m(int g, int j, int l) { return (size_t)g * 40 * 32 + (size_t)j * 24 + l; }
static size_t tile_turned(int g, int j, int l) { return ((size_t)g * 40 + j / 8 * 8 + l % 8) * 32 + l / 8 * 8 + j % 8; }

static void steps_of_a_product_are_named(void **state) {
    (void)state;
    product_with(batch_of_a, 0, "matrices B of a batch that begin every m * k numbers");
    product_with(one_number_on, 0, "matches matrices of B that begin one number apart");
    product_with(one_row_on, 0, "matrices B of a batch that begin every k numbers: each has n * k");
    product_with(rows_of_m, 0, "a row of B that begins every m numbers: it has k");
    product_with(tile_turned, 0, "tiles of B (8 x 8) that are read the wrong way round");
    product_with(right_b, 16, "the products of the last tile of k alone");
}

static void steps_of_split_are_named(void **state) {
    (void)state;
    begin(&lab_split_heads, (attn_shape){2, 3, 5, 5, 8, 0});
    for (size_t i = 0; i < wrong.n; i++) {
        const size_t d = i % 8, s = i / 8 % 5, h = i / 40 % 3, b = i / 120;
        wrong.got[i] = wrong.in[1][(b * 5 + s) * 24 + h + d];
    }
    examine();
    assert_says(wrong.text, "a step of 1 from one head to the next in X: it is 8");
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(steps_of_a_product_are_named),
        CLAIM(steps_of_split_are_named),
    };
    return cmocka_run_group_tests_name("classes_steps", claims, NULL, release);
}
