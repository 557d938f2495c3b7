// unit_explain_displaced.c: right numbers in wrong places. grader/core/diagnose: displaced.c, rows/tile_places.c.
#include "unit.h"

#include <string.h>

#include "symptom.h"

enum { ROWS = 40, KEYS = 50, D = 64, HEADS = 2 };

// One thread stores the whole row, out of the dims that it has itself: 0, 8, ...
static void columns_that_all_hold_one_of_their_group_are_named(void **state) {
    (void)state;
    for (int from = 0; from < 8; from += 7) {
        begin_claim("task4", "a_row_is_divided_by_its_sum_and_stored");
        for (size_t i = 0; i < wrong.n; i++) wrong.got[i] = (float)wrong.want[i / 8 * 8 + from];
        says(from
                 ? "in each group of 8, all hold what belongs to column 7 of the group"
                 : "in each group of 8, all hold what belongs to column 0 of the group: does one thread store for all");
        release(NULL);
    }
}

static void rows_and_columns_in_other_places_are_named(void **state) {
    (void)state;
    begin(&lab_flash, (attn_shape){1, HEADS, ROWS, KEYS, D, 0});
    for (int i = 0; i < HEADS * ROWS * D; i++) {
        const int row = i / D % ROWS, from = row < 16 ? row + 16 : row;
        wrong.got[i] = (float)wrong.want[i + (from - row) * D];
    }
    examine();
    assert_says(wrong.text, "head 0, row 0 holds what belongs to head 0, row 16");
    for (int i = 0; i < HEADS * ROWS * D; i++)
        wrong.got[i] = (float)wrong.want[i / D * D + i % 8 * (D / 8) + i % D / 8];
    examine();
    assert_says(wrong.text,
                "column 1 holds what belongs to column 8, and 2 what belongs to 16, so 8 x + y for x + 8 y");
    for (int i = 0; i < HEADS * ROWS * D; i++) {
        const int of = i % D % 4 * 32 + i % D / 4;
        wrong.got[i] = of < D ? (float)wrong.want[i / D * D + of] : 0;
    }
    examine();
    assert_says(wrong.text, "so 32 x + y for x + 4 y");
    for (int i = 0; i < HEADS * ROWS * D; i++) wrong.got[i] = (float)wrong.want[i / D * D + i % D % 8 * 8];
    examine();
    assert_says(wrong.text, "and 2 what belongs to 16, so 8 x for x + 8 y");
}

// Computed for row x + apart * y of a tile, stored at row each * x + y; 0: the tiles behind the edge were 0.
static void store_in_order(int m, int n, int rows_each, int columns_each) {
    begin(&lab_gemm_nn, (attn_shape){2, 1, m, n, 16, 0});
    for (int i = 0; i < 2 * m * n; i++) {
        const int r = i / n % m, c = i % n, first = r / 64 * 64, from = c / 64 * 64, x = r - first, y = c - from;
        const int of_r = rows_each ? first + x / rows_each + x % rows_each * (64 / rows_each) : r,
                  of_c = columns_each ? from + y / columns_each + y % columns_each * (64 / columns_each) : c;
        wrong.got[i] = of_r < m && of_c < n ? (float)wrong.want[(i / n / m * m + of_r) * n + of_c] : 0;
    }
    examine();
}

// Of a matrix of 8 x 8 in a tile of 64 x 64 few elements are left, and some of them where they belong.
static void a_small_matrix_in_another_order_is_named_too(void **state) {
    (void)state;
    static lab_guesses all;
    int found = 0;
    wrong.guesses = &all, all.n = 0;
    store_in_order(8, 8, 16, 4);
    wrong.guesses = NULL;
    for (int i = 0; i < all.n; i++)
        found += strstr(all.text[i], "row 16 x + y holds what belongs to row x + 4 y, and column 4 x + y what belongs "
                                     "to column x + 16 y:") != NULL;
    assert_int_equal(found, 1);
    store_in_order(8, 8, 0, 0);
    for (int i = 0; i < 128; i++) wrong.got[i] = 0;
    examine();
    assert_null(strstr(wrong.text, "of a tile"));
}

static void a_tile_that_is_stored_in_another_order_is_named(void **state) {
    (void)state;
    store_in_order(128, 128, 4, 4);
    assert_says(wrong.text, "matches right numbers in other places of a tile: row 4 x + y holds what belongs to row "
                            "x + 16 y, and column 4 x + y what belongs to column x + 16 y");
    store_in_order(101, 67, 16, 4);
    assert_says(wrong.text, "row 16 x + y holds what belongs to row x + 4 y, and column 4 x + y what");
    store_in_order(128, 128, 0, 8);
    assert_says(wrong.text, "tile: column 8 x + y holds what belongs to column x + 8 y: store each");
    store_in_order(128, 128, 2, 0);
    assert_says(wrong.text, "tile: row 2 x + y holds what belongs to row x + 32 y: store each");
    wrong.got[5] += 1;
    examine();
    assert_null(strstr(wrong.text, "of a tile"));
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(rows_and_columns_in_other_places_are_named),
        CLAIM(columns_that_all_hold_one_of_their_group_are_named),
        CLAIM(a_tile_that_is_stored_in_another_order_is_named),
        CLAIM(a_small_matrix_in_another_order_is_named_too),
    };
    return cmocka_run_group_tests_name("explain_displaced", claims, NULL, release);
}
