// unit_source_infinity.c: what is hidden by a product with INFINITY: source_infinity.c of grader/run.
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "source_hints.h"

static void a_product_of_infinity_and_a_truth_value_is_seen(void **state) {
    (void)state;
    static const struct {
        const char *body, *says;
    } rows[] = {
        {"const bool masked = j > n;\n    s[j] += masked * -INFINITY;", "line 3 multiplies INFINITY by masked:"},
        {"s[j] += (j > n) * -INFINITY;", "line 2 multiplies INFINITY by (j > n):"},
        {"s[j] -= INFINITY * (j > n || t->n < j);", "line 2 multiplies INFINITY by (j > n || t->n < j):"},
        {"const int hide = j > n;\n    s[j] = s[j] + hide * (-INFINITY);", "line 3 multiplies INFINITY by hide:"},
        {"float gone = !seen(j);\n    s[j] += -INFINITY * gone;", "0 * INFINITY, which is NaN, not 0: hide by `if`"},
        {"bool hide = j > n;\n    if (hide) s[j] = -INFINITY;", NULL},
        {"s[j] = j > n ? -INFINITY : s[j] * (j > 0);", NULL},
        {"const float sign = 2 * n;\n    s[j] = sign * -INFINITY;", NULL},  // no truth value
        {"s[j] = t->n * -INFINITY;", NULL},
        {"s[j] = f(j > n) * -INFINITY;", NULL},
        {"s[j] = (j > n ? 1 : 2) * -INFINITY;", NULL},
        {"float m = -INFINITY, *p = &m;\n    m = fmaxf(m, -INFINITY) * (j > n);", NULL},
        {"s[j] = INFINITY *", NULL},
        {"INFINITY", NULL},
        {"* INFINITY", NULL},
        {") * INFINITY", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[400], said[400] = "";
        snprintf(text, sizeof text, "void f(float *s, int j, int n) {\n    %s\n}\n", rows[i].body);
        const int found = lab_hint_of_infinity(text, 1, 99, said, sizeof said);
        if (!found != !rows[i].says) fail_msg("%zu: %s", i, said);
        if (found) assert_int_equal(found, LAB_HINT_CAUSE);
        if (found) assert_says(said, rows[i].says);
        assert_false(lab_hint_of_infinity(text, 1, 1, said, sizeof said));
    }
}

static void a_read_beside_a_truth_value_is_seen(void **state) {
    (void)state;
    static const char stray[] =
        "access out of bounds: global B[9702]; kernel f, launched at naive.cu:9, block (0,0,2); "
        "read thread (0,0,0) naive.cu:3 in f",
                      says[] = "line 3 multiplies M[...] by (r < rows && c < n): it is read all the same";
    static const struct {
        const char *body, *report, *says;
    } rows[] = {
        {"return (r < rows && c < n) * M[(size_t)r * n + c];", stray, says},
        {"x[c] = M[r * n + s[c]] * (r < rows && c < n);", stray, says},
        {"x += (float)(r < rows && c < n) *\n        M[r * n + c];", stray, says},
        {"for (int i = 0; i < 4; i++) x += in * M[r * n + c];", stray, "line 3 multiplies M[...] by in:"},
        {"x += r < rows && c < n ? M[r * n + c] : 0;", stray, NULL},
        {"x += fix * M[r * n + c];", stray, NULL},  // a parameter behind one that is a truth value
        {"x += n * M[r * n + c];", stray, NULL},
        {"x += (r + c) * M[r * n + c];", stray, NULL},
        {"M[r * n + c] = x * (c < n);", stray, NULL},
        {"x += M[c * (r < n)];", stray, NULL},
        {"return (r < rows && c < n) * M[r * n + c];", "access out of bounds: global C[7]; write thread naive.cu:3",
         NULL},
        {"return (r < rows && c < n) * M[r * n + c];", "access out of bounds: global C[7]; read thread naive.cu:2",
         NULL},
        {"return (r < rows && c < n) * M[r * n + c];", "data race: global C[7]; read thread naive.cu:3", NULL},
        {"* [", stray, NULL},
        {"M] * (c < n)", stray, NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[400], said[400] = "";
        snprintf(text, sizeof text,
                 "float f(const float *M, int r, int c, int n, bool causal, float fix) {\n    const bool in = r < "
                 "rows;\n    %s\n}\n",
                 rows[i].body);
        const int found = lab_hint_of_factor(text, rows[i].report, said, sizeof said);
        if (!found != !rows[i].says) fail_msg("%zu: %s", i, said);
        if (found) assert_says(said, rows[i].says);
        if (found) assert_int_equal(lab_hint_of_report(text, rows[i].report, 0, said, sizeof said), LAB_HINT_FIRST);
    }
}

int main(void) {
    const struct CMUnitTest claims[] = {CLAIM(a_product_of_infinity_and_a_truth_value_is_seen),
                                        CLAIM(a_read_beside_a_truth_value_is_seen)};
    return cmocka_run_group_tests_name("source_infinity", claims, NULL, NULL);
}
