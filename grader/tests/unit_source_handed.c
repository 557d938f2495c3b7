// unit_source_handed.c: rows that a function stores, and its caller reads, with another length (grader/source/source_handed.c).
#include <stdio.h>
#include <string.h>

#include "source_hints.h"
#include "unit.h"

// What a function is told of rows, how long it takes them for, what it is told in a call, and how the caller reads them.
static int found_in(const char *parameter, const char *length, const char *argument, const char *read, char *said,
                    size_t size) {
    char text[900];
    snprintf(text, sizeof text,
             "enum { NR = 8, SAME = 8 };\n"
             "static void block(float *S, const float *q%s) {\n"
             "    for (int r = 0; r < 4; r++)\n"
             "        for (int c = 0; c < NR; c++) S[r * %s + c] = q[c];\n"
             "}\n"
             "void tile(float *mem, const float *q, int n, int BC) {\n"
             "    float *S = mem, *l = S + (size_t)n * BC;\n"
             "    for (int r = 0; r < n; r += 4) block(S + r * BC + 4, q%s);\n"
             "    for (int r = 0; r < n; r++) {\n"
             "        float *s = %s;\n"
             "        l[r] += s[0];\n"
             "    }\n"
             "}\n",
             parameter, length, argument, read);
    return lab_hint_of_handing(text, 1, 99, said, size);
}

static void rows_that_lie_otherwise_than_they_are_read_are_named(void **state) {
    (void)state;
    char said[400] = "";
    assert_true(found_in("", "NR", "", "S + r * BC", said, sizeof said));
    assert_non_null(
        strstr(said, "line 4, in block, stores rows of S NR numbers apart, and line 10 reads them BC apart"));
    assert_true(found_in(", int ld", "ld", ", n", "S + (size_t)r * BC", said, sizeof said));
    assert_non_null(strstr(said, "stores rows of S n numbers apart, and line 10 reads them BC apart"));
}

static void rows_of_one_length_are_not(void **state) {
    (void)state;
    char said[400] = "";
    static const char *const right[][4] = {{", int ld", "ld", ", BC", "S + r * BC"},     // it is told
                                           {"", "BC", "", "S + r * BC"},                 // a constant of both
                                           {"", "NR", "", "S + n * BC"},                 // what lies behind it
                                           {"", "NR", "", "q + r * BC"},                 // another array
                                           {"", "NR", "", "S + r * NR"},                 // as it was stored
                                           {", int ld", "width", ", n", "S + r * BC"}};  // made in the function
    for (size_t i = 0; i < sizeof right / sizeof *right; i++)
        if (found_in(right[i][0], right[i][1], right[i][2], right[i][3], said, sizeof said))
            fail_msg("%zu: %s", i, said);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_that_lie_otherwise_than_they_are_read_are_named),
        cmocka_unit_test(rows_of_one_length_are_not),
    };
    return cmocka_run_group_tests_name("source_handed", tests, NULL, NULL);
}
