// unit_source_unsigned.c: unsigned numbers that are asked whether they are below 0: source_unsigned.c of grader/run.
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "source_hints.h"

typedef struct {
    const char *body, *says;
} row;

static void each_says(const row *rows, size_t n) {
    for (size_t i = 0; i < n; i++) {
        char text[600], said[400] = "";
        snprintf(text, sizeof text,
                 "int k;\n\nint f(float *s, const int *past, size_t n, int j, long w, attn_shape shape) {\n    %s\n}\n",
                 rows[i].body);
        const int found = lab_hint_of_unsigned(text, 1, 99, said, sizeof said);
        if (!found != !rows[i].says) fail_msg("%zu, %s: %s", i, rows[i].body, said);
        if (found) assert_says(said, rows[i].says);
        assert_false(lab_hint_of_unsigned(text, 1, 3, said, sizeof said));
    }
}
#define EACH_SAYS(...) each_says((row[]){__VA_ARGS__}, sizeof((row[]){__VA_ARGS__}) / sizeof(row))

static void a_difference_that_is_kept_unsigned_is_seen(void **state) {
    (void)state;
    EACH_SAYS(
        {"const size_t left = j - past[0] - 1;\n    if (left < 0) return 1;",
         "line 5: left is a size_t, which is never below 0: a difference below 0 wraps round to a huge number. "
         "Compare sums in place of it, a + b > c for c - a - b < 0, or take an int"},
        {"unsigned a = 1, b = j - 2;\n    return a || b < 0;", "line 5: b is unsigned, which is never below 0:"},
        {"const unsigned long d = n - j;\n    if (j > 0 && d >= 0) s[d] = 0;", NULL},  // the other one tells
        {"const unsigned long d = n - j;\n    if (d >= 0) s[d] = 0;", "line 5: d is unsigned, which is never below 0"},
        {"uint32_t d = n;\n    d -= j;\n    if (d < 0) return 1;", "line 6: d is a uint32_t, which is never"},
        {"const int left = n - j;\n    if (left < 0) return 1;", NULL},
        {"const size_t left = n > j ? n - j : 0;\n    if (left < 0) return 1;", NULL},
        {"if (n < 0) return 1;", NULL},  // idle, and no mistake
        {"for (size_t d = n - 1; d > 3; d--) s[d] = 0;\n    int d = j - 4;\n    if (d < 0) return 1;", NULL},
        {"for (size_t k = 0; k < n; k++) {\n        size_t j = k - 1;\n    }\n    if (j < 0) return 1;", NULL},
        {"size_t *p = q - 1;\n    if (p < 0) return 1;", NULL},
        {"const size_t left = n - j;\n    if (left < 0.5f) return left <= 0;", NULL});
}

static void an_unsigned_difference_is_seen(void **state) {
    (void)state;
    EACH_SAYS(
        {"if (n - j < 0) return 1;", "line 4: n - j is never below 0, as n is a size_t: a difference below 0"},
        {"if (j > 0 && shape.seq_kv - (j + n) < 0) return 1;", "shape.seq_kv - (j + n) is never below 0, as n is"},
        {"if (past[n] - n < 0) return 1;", "line 4: past[n] - n is never below 0, as n is a size_t"},
        {"if (threadIdx.x - j < 0) return 1;", "as threadIdx.x is unsigned: a difference below 0 wraps"},
        {"return j - n >= 0 ? 1 : 2;", "line 4: j - n is never below 0, as n is a size_t"},
        {"if (past[n] - j < 0) return 1;", NULL},            // an index
        {"if ((int)n - j < 0) return 1;", NULL},             // made signed
        {"if (s[n] - n < 0) return 1;", NULL},               // a float
        {"if (threadIdx.x - w < 0) return 1;", NULL},        // long holds both
        {"if (t.scale - n < 0) return 1;", NULL},            // who knows
        {"if (f(n) - n < 0) return 1;", NULL},               //
        {"if (j - 1 < 0) return 1;", NULL},                  //
        {"if (n - j < 0.5f) return 1;", NULL},               //
        {"if (n + j < 0) return 1;", NULL},                  //
        {"k<<<n - j, 0>>>(s);\n    s[n - j] <<= 0;", NULL},  //
        {"if (n - j <", NULL}, {"n - j < 0", NULL}, {"< 0)", NULL}, {"(n - j >= 0", NULL}, {"s[n - j < 0)", NULL});
}

static void a_loop_down_to_0_is_seen(void **state) {
    (void)state;
    EACH_SAYS(
        {"for (size_t i = n - 1; i >= 0; i--) s[i] = 0;",
         "line 4: i is a size_t, which is always >= 0: behind 0 it wraps round to a huge number, and the loop goes "
         "on. Take an int"},
        {"unsigned i = n;\n    while (i >= 0) s[i--] = 0;", "line 5: i is unsigned, which is always >= 0"},
        {"for (size_t i = n - 1; i >= 0 && i < n; i--) s[i] = 0;", NULL},  // a huge number ends it
        {"for (size_t i = n; i-- > 0;) s[i] = 0;", NULL}, {"for (int i = j; i >= 0; i--) s[i] = 0;", NULL},
        {"for (size_t i = 0; i < n; i++)\n        for (int i = j; i >= 0; i--) s[i] = 0;", NULL});
}

static void a_float_that_is_handed_over_as_a_whole_number_is_seen(void **state) {
    (void)state;
    static const struct {
        const char *text, *says;
    } rows[] = {
        {"void f(float *p, int sum) {\n  p[0] /= sum;\n}\nvoid g(float *p) {\n  const float l = 2;\n  f(p, l);\n}\n",
         "line 1: f() takes sum as a whole number, and line 6 hands over l, a float"},
        {"void f(const int sum) {\n  x /= sum;\n}\nvoid g(float *p) {\n  f(p[3]);\n}\n",
         "line 5 hands over p[3], a float"},
        {"static int f(float *p) {\n  float m = p[0];\n  return m;\n}\n",
         "line 1: f() gives back a whole number, and line 3 returns m, a float"},
        {"void f(float *p, float sum) {\n  p[0] /= sum;\n}\nvoid g(float *p) {\n  float l = 2;\n  f(p, l);\n}\n", NULL},
        {"void f(float *p, int n) {\n  p[n] = 0;\n}\nvoid g(float *p) {\n  float l = 2;\n  f(p, l);\n}\n", NULL},
        {"float two_to(int n) {\n  return as_float((n + 127) << 23);\n}\nvoid g() {\n  float n = y;\n  f = "
         "two_to(n);\n}\n",
         NULL},
        {"void f(int n) {\n  x *= n;\n}\nvoid g(float x) {\n  float n = rintf(x);\n  f(n);\n}\n", NULL},
        {"void f(int n) {\n  x *= n;\n}\nvoid g(int l) {\n  f(l);\n}\n", NULL},
        {"static float f(float *p) {\n  float m = p[0];\n  return m;\n}\n", NULL},
        {"static int f(float *p) {\n  int m = p[0] > 0;\n  return m;\n}\n", NULL},
        {"int", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char said[400] = "";
        const int found = lab_hint_of_cutting(rows[i].text, 1, 1 << 20, said, sizeof said);
        if (!found != !rows[i].says) fail_msg("%zu: %s", i, said);
        if (found) assert_says(said, rows[i].says);
    }
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(a_difference_that_is_kept_unsigned_is_seen),
        CLAIM(an_unsigned_difference_is_seen),
        CLAIM(a_loop_down_to_0_is_seen),
        CLAIM(a_float_that_is_handed_over_as_a_whole_number_is_seen),
    };
    return cmocka_run_group_tests_name("source_unsigned", claims, NULL, NULL);
}
