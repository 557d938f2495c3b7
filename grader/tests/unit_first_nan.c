// unit_first_nan.c: the first number of a call that is NaN, and why; the line that makes the outputs (grader/values: first_nan,
// output_line).
#include "unit.h"

#include <math.h>
#include <string.h>

#include "first_nan.h"
#include "output_line.h"

static const char source[] = "m = fmaxf(top, s[c]);\n"
                             "const float old = l, f = expf(top - m), e = exp2f(s[c] - m);\n"
                             "o[d] = acc[d] * inv;\n"
                             "return sum / l;\n";

static lab_line line[] = {{.line = 1, .function = "f", .name = "m"},      {.line = 2, .function = "f", .name = "f"},
                          {.line = 2, .function = "f", .name = "e"},      {.line = 3, .function = "f", .name = "o[d]"},
                          {.line = 4, .function = "f", .name = "return"}, {.line = 9, .function = "f", .name = "top"},
                          {.line = 9, .function = "f", .name = "inv"},    {.line = 9, .function = "f", .name = "l"},
                          {.line = 9, .function = "g", .name = "l"}};
enum { M = 1, F, E, O, RETURN, TOP, INV, L, OTHER_L };
static const lab_lines lines = {.line = line, .n = sizeof line / sizeof *line};

static const char *why(const lab_told *list, int n) {
    static char text[500];
    const int is_known = lab_first_nan(&lines, list, n, source, text, sizeof text);
    assert_int_equal(is_known, *text != 0);
    return text;
}

static void two_that_are_infinite_are_named(void **state) {
    (void)state;
    const lab_told both[] = {{TOP, 0, -INFINITY}, {TOP, 1, 3}, {M, 0, -INFINITY}, {F, 0, NAN}, {E, 0, NAN}};
    assert_string_equal(why(both, 5),
                        "line 2, in f: f = expf(top - m) is the first number of the call that is NaN: top "
                        "and m are both -INFINITY there, and their difference is no number: what has no "
                        "keys has the weight 0");
    assert_string_equal(why(both, 3), "");
}

// An element that was told last may be another one.
static void of_an_element_it_is_said_where_it_would_be(void **state) {
    (void)state;
    const lab_told one[] = {{M, 0, INFINITY}, {F, 0, 0}, {E, 0, NAN}};
    assert_string_equal(why(one, 3),
                        "line 2, in f: e = exp2f(s[c] - m) is the first number of the call that is NaN: m is "
                        "INFINITY there, and where s[c] is, too, their difference is no number");
}

static void a_divisor_and_a_factor_are_named(void **state) {
    (void)state;
    const lab_told divided[] = {{L, 0, 0}, {OTHER_L, 0, 1}, {RETURN, 0, NAN}},
                   times[] = {{INV, 0, INFINITY}, {O, 0, NAN}};
    assert_string_equal(why(divided, 3),
                        "line 4, in f: sum / l is the first number of the call that is NaN: l is 0 there, "
                        "and 0 / 0 is no number");
    assert_string_equal(why(times, 2),
                        "line 3, in f: o[d] = acc[d] * inv is the first number of the call that is NaN: inv "
                        "is infinite there, and what is 0 times that is no number");
}

static void what_nothing_explains_may_have_been_read(void **state) {
    (void)state;
    const lab_told finite[] = {{TOP, 0, 1}, {M, 0, -INFINITY}, {F, 0, NAN}}, other[] = {{L, 1, 0}, {RETURN, 0, NAN}};
    assert_string_equal(why(finite, 3), "");
    assert_string_equal(why(other, 2), "");  // another thread's
}

static void a_line_stores_what_the_call_leaves(void **state) {
    (void)state;
    float some[] = {1, 2}, all[] = {1, 2, 3}, more[] = {0, 1, 2, 3}, output[] = {3, INFINITY, 1, 2};
    lab_line of[] = {
        {.line = 1, .value = some, .n = 2}, {.line = 2, .value = more, .n = 4}, {.line = 3, .value = all, .n = 3}};
    const lab_lines three = {.line = of, .n = 3};
    assert_ptr_equal(lab_output_line(&three, output, 4), &of[2]);
    output[0] = 4;
    assert_null(lab_output_line(&three, output, 4));
    assert_null(lab_output_line(&three, &output[1], 1));  // nothing of it is finite
}

int main(void) {
    const struct CMUnitTest claims[] = {
        cmocka_unit_test(two_that_are_infinite_are_named),
        cmocka_unit_test(of_an_element_it_is_said_where_it_would_be),
        cmocka_unit_test(a_divisor_and_a_factor_are_named),
        cmocka_unit_test(what_nothing_explains_may_have_been_read),
        cmocka_unit_test(a_line_stores_what_the_call_leaves),
    };
    return cmocka_run_group_tests(claims, NULL, NULL);
}
