// unit_subtracted.c: of a softmax, the line whose exponentials are more than 1 where a column has the largest score that its m
// does not know (grader/values/subtracted.c). The student's file is answered here.
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mixed.h"

enum { ROWS = 3, COLS = 10 };

static int known;  // how many columns m is the largest of; 0: it is always 0.05
static lab_told told[2 * ROWS * COLS];

static int answer(lab_teller *teller, const lab_trial *t, const lab_told **list) {
    int n = 0;
    for (int r = 0; r < ROWS; r++) {
        const float *s = t->in[1] + r * COLS;
        float m = known ? s[0] : 0.05f;
        for (int c = 1; c < known; c++) m = fmaxf(m, s[c]);
        for (int c = 0; c < COLS; c++) {
            told[n++] = (lab_told){1, -1, s[c]};
            told[n++] = (lab_told){2, -1, expf(s[c] - m)};
        }
    }
    *list = told;
    return teller ? n : -1;
}

#define lab_lines_again answer
#define lab_subtracted_look subtracted_look
void subtracted_look(lab_teller *teller, const lab_trial *t, const lab_lines *lines, void *seen);
#include "subtracted.c"

static const char *look(int columns) {
    static const lab_case c = {.claim = "a_claim", .op = &lab_softmax_batched, .shape = {1, 1, ROWS, COLS, 8, 0}};
    static float s[ROWS * COLS];
    static lab_line line[] = {{.line = 7, .function = "f", .name = "x"}, {.line = 9, .function = "f", .name = "p[c]"}};
    static char text[LAB_MIXED_SIZE];
    lab_trial t = {.c = &c, .op = c.op, .n = {ROWS * COLS, ROWS * COLS}, .in = {NULL, s}};
    const lab_lines lines = {.line = line, .n = 2};
    known = columns;
    subtracted_look((lab_teller *)&known, &t, &lines, text);
    return text;
}

static void a_maximum_that_lacks_columns_is_named(void **state) {
    (void)state;
    assert_string_equal(
        look(4), "line 9, in f: p[c], which is exp(s - m), is more than 1 as soon as the largest score of its row "
                 "stands in columns 4 .. 9: the m that is subtracted there is that of columns 0 .. 3 alone");
    assert_non_null(
        strstr(look(0), "in columns 0 .. 9: the m that is subtracted there is not the largest of that row"));
}

static void a_maximum_of_all_columns_is_right(void **state) {
    (void)state;
    assert_string_equal(look(COLS), "");
}

int main(void) {
    const struct CMUnitTest claims[] = {
        cmocka_unit_test(a_maximum_that_lacks_columns_is_named),
        cmocka_unit_test(a_maximum_of_all_columns_is_right),
    };
    return cmocka_run_group_tests(claims, NULL, NULL);
}
