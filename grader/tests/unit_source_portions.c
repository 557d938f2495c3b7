// unit_source_portions.c: parts of a row that are rounded up and that nothing keeps below its end: source_portions.c. Parts that
// are rounded down, and nobody has the rest: source_uneven.c.
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "source_hints.h"

typedef struct {
    const char *share, *first, *loop, *says;
} row;

static void a_part_that_goes_beyond_the_row_is_seen(void **state) {
    (void)state;
    static const char share[] = "const int share = (cols + LANES - 1) / LANES;",
                      first[] = "const int first = me * share, last = first + share;",
                      loop[] = "for (int c = first; c < last; c++) sum += s[c];",
                      says[] = "line 2: share is rounded up, so that the parts of the last threads go beyond cols, and "
                               "the loop of line 4 goes through them: it ends at the smaller of first + share and cols";
    static const row rows[] = {
        {share, first, loop, says},
        {"int share = (cols - 1) / LANES + 1;", first, loop, says},
        {share, "int first = share * threadIdx.x;", "for (int c = first; c < first + share; ++c) { m = max(m, s[c]); }",
         says},
        {"const int share = cols / LANES;", first, loop, NULL},
        {share, "const int first = me * share, last = min(first + share, cols);", loop, NULL},
        {share, "int first = me * share, last = first + share; if (last > cols) last = cols;", loop, NULL},
        {share, first, "for (int c = first; c < last && c < cols; c++) sum += s[c];", NULL},
        {share, first, "for (int c = first; c < last; c++) if (c < cols) sum += s[c];", NULL},
        {share, first, "for (int c = first; c < last; c++) sum += score(c);", NULL},
        {share, "const int first = me * LANES, last = first + share;", loop, NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[600], said[400] = "";
        snprintf(text, sizeof text, "void f(float *s, int cols) {\n  %s\n  %s\n  %s\n}\n", rows[i].share, rows[i].first,
                 rows[i].loop);
        const int found = lab_hint_of_portions(text, 1, 99, said, sizeof said);
        assert_hint(found, said, rows[i].says, text);
        assert_false(lab_hint_of_portions(text, 6, 99, said, sizeof said));
    }
}

static void a_rest_that_nobody_has_is_seen(void **state) {
    (void)state;
    static const char share[] = "const int share = cols / LANES;",
                      first[] = "const int first = me * share, last = first + share;",
                      loop[] = "for (int c = first; c < last; c++) sum += s[c];",
                      says[] = "line 2: share is rounded down, so the parts that the loop of line 4 goes through, "
                               "share each, leave the last cols % LANES to nobody. Round it up, (cols + LANES - 1) / "
                               "LANES, and end each part at cols at the latest";
    static const row rows[] = {
        {share, first, loop, says},
        {share, first, "for (int c = first; c < last; c++) P[row * cols + c] = expf(s[row * cols + c] - m);", says},
        {"int share = cols / blockDim.x;", "", "for (int c = share * me; c < share * (me + 1); c++) m += s[c];",
         "leave the last cols % blockDim.x to nobody"},
        {"int share = cache.max_seq / 8;", "", "for (int j = w * share; j < w * share + share; j++) m += s[j];",
         "leave the last cache.max_seq % 8 to nobody"},
        {share, "float *x = s + me * share;", "for (int i = 0; i < share; i++) m += s[me * share + i];", says},
        {share, first, "for (int i = 0; i < share; i++) m += s[first + i];", says},
        {"const int share = (cols + LANES - 1) / LANES;", first, loop, NULL},
        {"const int share = head_dim / LANES;", first, loop, NULL},
        {"const int share = BLOCK_N / LANES;", first, loop, NULL},
        {share, "const int first = me * share, last = me == LANES - 1 ? cols : first + share;", loop, NULL},
        {share, "int first = me * share, last = first + share; if (me == LANES - 1) last = cols;", loop, NULL},
        {share, first,
         "for (int c = first; c < last; c++) sum += s[c]; if (me < cols % LANES) sum += s[cols - 1 - me];", NULL},
        {share, first,
         "for (int c = first; c < last; c++) sum += s[c]; for (int c = share * LANES + me; c < cols; c += LANES) m++;",
         NULL},
        {share, "const int first = me * LANES, last = first + share;", loop, NULL},
        {share, "r.begin = me * share, r.end = r.begin + share;", "return r;", "leave the last cols % LANES to nobody"},
        {share, "begin = share * me;", "end = (me + 1) * share;", "the parts that begin by line 3, share each"},
        {share, "int begin = me * share, end = begin + share;", "if (end > cols) end = cols; return end;", "parts"},
        {"long cols = all[me / 4]; int share = (int)(cols / LANES);", first, loop, says},
        {"long cols = n / 4; int share = (int)(cols / LANES);", first, loop, NULL},
        {"int share = int(cols / LANES);", first, "for (int c = first; c < last; c++, s++) sum += *s;", says},
        {"int share = static_cast<int>(cols / LANES);", first, "for (int c = first; c < last; c++, s += D) sum += *s;",
         says},
        {share, "int begin = me * share, end = begin + share;", "if (end > n) end = n; return end;", NULL},
        {share, "int begin = me * share, end = begin + share;", "return min(end, n);", NULL},
        {share, "r.begin = me * share, r.end = me == LANES - 1 ? cols : r.begin + share;", "return r;", NULL},
        {share, "r.begin = me * share + min(me, cols % LANES), r.end = r.begin + share;", "return r;", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[600], said[400] = "";
        snprintf(text, sizeof text, "void f(float *s, int cols) {\n  %s\n  %s\n  %s\n}\n", rows[i].share, rows[i].first,
                 rows[i].loop);
        const int found = lab_hint_of_uneven(text, 1, 99, said, sizeof said);
        assert_hint(found, said, rows[i].says, text);
    }
}

static void a_tree_of_halves_that_loses_a_part_is_seen(void **state) {
    (void)state;
    static const struct {
        const char *head, *says;
    } rows[] = {
        {"for (int half = WARPS / 2; half > 0; half /= 2)",
         "line 3: the parts are joined by halves, of WARPS: 6 -> 3 -> 1. Of 3 the last meets no other, and is lost. "
         "Halve rounded up, (n + 1) / 2, and add where there is another one, or take a power of 2"},
        {"for (int h = 24 >> 1; h; h >>= 1)", "of 24: 24 -> 12 -> 6 -> 3 -> 1. Of 3 the last"},
        {"for (int h = ODD / 2; h; h /= 2)", "of ODD: 5 -> 2. Of 5 the last"},
        {"for (int h = 32 / 2; h; h /= 2)", NULL},
        {"for (int h = n / 2; h; h /= 2)", NULL},
        {"for (int h = WARPS / 2; h; h--)", NULL},
        {"for (int h = WARPS / 3; h; h /= 2)", NULL},
        {"for (int h = (WARPS + 1) / 2; h; h /= 2)", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[400], said[400] = "";
        snprintf(text, sizeof text, "#define WARPS 6\nenum { ODD = 5 };\nvoid f(int n) {  %s s[w] += s[w + h]; }\n",
                 rows[i].head);
        const int found = lab_hint_of_halving(text, 1, 99, said, sizeof said);
        assert_hint(found, said, rows[i].says, text);
    }
}

static void rows_as_long_as_whole_tiles_are_seen(void **state) {
    (void)state;
    static const char report[] = "access out of bounds: global C[20511]; write thread (31,0,0) naive.cu:4 in flush",
                      says[] =
                          "line 2 rounds n up to whole tiles, and line 4 takes that for the length of a row of C: a "
                          "row has n numbers, and the next one begins right behind them";
    static const struct {
        const char *length, *store, *report, *says;
    } rows[] = {{"const int line = (n + WIDE - 1) / WIDE * WIDE;", "C[(row + i) * line + col] = sum;", report, says},
                {"int line = (n + 31) / 32 * 32;", "C[(size_t)row * line + col] = sum;", report, says},
                {"int line = (n + 31) / 32 * 32;", "C[(size_t)row * n + col] = sum;", report, NULL},
                {"int line = (n + 31) / 32;", "C[(size_t)row * line + col] = sum;", report, NULL},
                {"int line = (n + 30) / 32 * 32;", "C[(size_t)row * line + col] = sum;", report, NULL},
                {"int line = (n + 31) / 32 * 32;", "C[(size_t)row * line + col] = sum;",
                 "data race: shared tile; naive.cu:4", NULL}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[400], said[300] = "";
        snprintf(text, sizeof text, "void flush(float *C, int n, int row) {\n  %s\n  if (col < n)\n    %s\n}\n",
                 rows[i].length, rows[i].store);
        const int found = lab_hint_of_padding(text, rows[i].report, said, sizeof said);
        assert_hint(found, said, rows[i].says, text);
    }
}

static void rows_of_whole_fours_are_seen(void **state) {
    (void)state;
    static const char race[] = "data race: global P[97]; write thread (0,0,0) naive.cu:12 in k; write another block's "
                               "thread (24,0,0) naive.cu:6 in f",
                      says[] = "line 4 rounds cols up to whole groups of 4, and line 5 takes that for the length of a "
                               "row of P: a row has cols numbers, and the next one begins right behind them";
    static const struct {
        const char *length, *row, *says;
    } rows[] = {{"int n = (cols + 3) / 4;", "float4 *p = (float4 *)P + (size_t)row * n;", says},
                {"int n = CEIL_DIV(cols, 4);", "auto *p = reinterpret_cast<float4 *>(P) + n * row;", says},
                {"int n = up(cols, 4);", "float4 *p = (float4 *)P + row * n;", says},
                {"int n = half(cols, 4);", "float4 *p = (float4 *)P + row * n;", NULL},
                {"int n = cols / 4;", "float4 *p = (float4 *)P + row * n;", NULL},
                {"int n = (cols + 3) / 4;", "float4 *p = (float4 *)(P + row * cols);", NULL},
                {"int n = (cols + 3) / 4;", "float *p = P + row * n;", NULL}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[600], said[300] = "";
        snprintf(text, sizeof text,
                 "#define CEIL_DIV(a, b) (((a) + (b)-1) / (b))\nint up(int a, int b) { return (a + b - 1) / b; }\n"
                 "void f(float *P, int row, int cols) {\n  %s\n  %s\n  p[i] = v;\n}\n",
                 rows[i].length, rows[i].row);
        const int found = lab_hint_of_padding(text, race, said, sizeof said);
        assert_hint(found, said, rows[i].says, text);
    }
}

int main(void) {
    const struct CMUnitTest claims[] = {
        cmocka_unit_test(a_part_that_goes_beyond_the_row_is_seen),
        cmocka_unit_test(a_rest_that_nobody_has_is_seen),
        cmocka_unit_test(a_tree_of_halves_that_loses_a_part_is_seen),
        cmocka_unit_test(rows_as_long_as_whole_tiles_are_seen),
        cmocka_unit_test(rows_of_whole_fours_are_seen),
    };
    return cmocka_run_group_tests_name("source_portions", claims, NULL, NULL);
}
