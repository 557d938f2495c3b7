// unit_locate.c: where an output is wrong, in words. grader/core/diagnose/diagnose.c.
#include "unit.h"

#include <string.h>

#include "symptom.h"

static const attn_shape FULL = {2, 3, 24, 24, 32, 0};

static void spoil(int b, int h, int row, int column) { wrong.got[((b * 3 + h) * 24 + row) * 32 + column] = 99; }

static void wrong_places_are_named(void **state) {
    (void)state;
    const struct {
        int batch[2], head[2], row[2], column[2];  // inclusive ranges
        const char *says;
    } places[] = {
        {{1, 1}, {2, 2}, {5, 5}, {7, 7}, "wrong: batch 1, head 2, row 5, column 7"},
        {{0, 1}, {0, 2}, {16, 23}, {0, 31}, "wrong: rows 16.. of every head"},
        {{0, 1}, {0, 2}, {0, 15}, {0, 31}, "wrong: rows 0..15 of every head"},
        {{1, 1}, {0, 2}, {0, 23}, {0, 31}, "wrong: batch 1"},
        {{0, 1}, {1, 2}, {0, 23}, {0, 31}, "wrong: heads 1.."},
        {{0, 1}, {0, 2}, {0, 23}, {8, 30}, "wrong: columns 8..30 of every head"},
        {{0, 1}, {0, 2}, {0, 23}, {0, 31}, "wrong: every element"},
    };
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        begin(&lab_sdpa, FULL);
        for (int b = places[i].batch[0]; b <= places[i].batch[1]; b++)
            for (int h = places[i].head[0]; h <= places[i].head[1]; h++)
                for (int r = places[i].row[0]; r <= places[i].row[1]; r++)
                    for (int c = places[i].column[0]; c <= places[i].column[1]; c++) spoil(b, h, r, c);
        examine();
        assert_says(wrong.text, places[i].says);
    }
    begin(&lab_sdpa, FULL);
    spoil(0, 0, 0, 0), spoil(1, 2, 23, 31);
    examine();
    assert_says(wrong.text, "scattered over the whole output");
}

static void merged_outputs_have_rows_and_columns_only(void **state) {
    (void)state;
    begin(&lab_merge_heads, (attn_shape){2, 3, 5, 5, 8, 0});  // [2, 5, 24]
    wrong.got[(1 * 5 + 4) * 24 + 23] = 99;
    examine();
    assert_says(wrong.text, "batch 1, row 4, column 23");
    assert_null(strstr(wrong.text, "head "));
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(wrong_places_are_named),
        CLAIM(merged_outputs_have_rows_and_columns_only),
    };
    return cmocka_run_group_tests_name("locate", claims, NULL, release);
}
