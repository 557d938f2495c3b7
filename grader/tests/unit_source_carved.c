// unit_source_carved.c: shared memory that is cut into tiles, of which one has longer rows than it has room for:
// source_carved.c of grader/run.
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "source_hints.h"

typedef struct {
    const char *cut, *use, *says;
} row;

static void ask(const char *form, const row *r) {
    char text[1500], said[600] = "";
    snprintf(text, sizeof text, form, r->cut, r->use);
    const int found = lab_hint_of_carving(text, 1, 99, said, sizeof said);
    if (!found != !r->says) fail_msg("%s %s: %s", r->cut, r->use, said);
    if (!found) return;
    assert_int_equal(found, LAB_HINT_CAUSE);
    assert_says(said, r->says);
    assert_false(lab_hint_of_carving(text, 1, 2, said, sizeof said));
}

static void rows_that_run_into_the_next_tile_are_seen(void **state) {
    (void)state;
    static const char form[] = "__global__ void f() {\n  extern __shared__ float m[];\n  const int pitch = D + 1;\n"
                               "  float *k = m, %s;\n  %s\n}\n",
                      cut[] = "*v = k + BC * D",
                      says[] = "line 4: v begins BC * D floats behind k, and line 5 takes the rows of k for D + 1 "
                               "floats long: its last ones lie in v. Give it BC * (D + 1) floats";
    static const row rows[] = {
        {cut, "k[c * (D + 1) + d] = 0;", says},
        {cut, "x += k[c * pitch + d];", says},
        {cut, "load(k, K, n, D, D + 1);", says},
        {cut, "load(k, K, n, pitch);", says},
        {cut, "const float *row = k + c * (D + 1);", says},
        {cut, "const float *row = k + (c * 32 + t) * pitch;", says},
        {cut, "const float *row = k + c * D;", NULL},
        {"*v = k + BC * s.D", "k[c * (s.D + 1) + d] = 0;", "line 4: v begins BC * s.D floats behind k"},
        {cut, "k[c * D + d] = 0;", NULL},
        {cut, "k[c * (D + 2) + d] = 0;", NULL},
        {cut, "k[c * (E + 1) + d] = 0;", NULL},
        {cut, "v[c * (D + 1) + d] = 0;", NULL},
        {cut, "v[c * (D + 1) + d] = k[c];", NULL},
        {cut, "load(k, K, n, D);", NULL},
        {cut, "s.k[c * (D + 1) + d] = 0;", NULL},
        {"*v = k + BC * (D + 1)", "k[c * (D + 1) + d] = 0;", NULL},
        {"*v = k + BC * pitch", "k[c * pitch + d] = 0;", NULL},
        {"*v = k + 2 * BC * D", "k[c * (D + 1) + d] = 0;", NULL},
        {"*v = m + 64", "k[c * (D + 1) + d] = 0;", NULL},
        {"*v = k + BC * D;\n  float *s = v + BC * D", "k[c * (D + 1) + d] = v[c * (D + 1)];",
         ", here and in the bytes of the launch. The same of v, behind which s begins (line 5)"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) ask(form, &rows[i]);
}

static void rows_that_a_function_makes_longer_are_seen(void **state) {
    (void)state;
    static const char *const made[] = {"static int pitch(int n) { return n + 1; }", "#define pitch(n) ((n) + 1)",
                                       "static int pitch(int n) { return n; }"};
    static const char cut[] = "*v = k + BC * D";
    static const row rows[] = {
        {cut, "const float *row = k + (u * 32 + lane) * pitch(D);", "the rows of k for D + 1 floats long"},
        {cut, "x += k[c * pitch(D) + d];", "the rows of k for D + 1 floats long"},
        {cut, "x += k[c * pitch(E) + d];", NULL},
        {"*v = k + BC * pitch(D)", "x += k[c * pitch(D) + d];", NULL},
        {"*v = k + c * D", "x += k[c * pitch(D) + d];", NULL},  // a row, and no tile
    };
    for (int m = 0; m < 3; m++)
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            char form[500];
            snprintf(form, sizeof form,
                     "%s\n__global__ void f() {\n  extern __shared__ float m[];\n  float *k = m, %%s;\n  %%s\n}\n",
                     made[m]);
            ask(form, &(row){rows[i].cut, rows[i].use, m < 2 ? rows[i].says : NULL});
        }
}

static void tiles_in_a_struct_are_seen_in_other_functions(void **state) {
    (void)state;
    static const char form[] = "struct cut { int q, k, v; };\ncut parts(int D) {\n  cut at;\n  %s;\n  return at;\n}\n"
                               "__global__ void f() {\n  extern __shared__ float m[];\n  %s\n}\n";
    static const row rows[] = {
        {"at.v = at.k + BC * D", "load(m + at.k, K, n, D, D + 1);", "line 4: at.v begins BC * D floats behind at.k"},
        {"at.v = at.k + BC * D", "all.k[c * (D + 1)] = 0;", "and line 9 takes the rows of at.k for D + 1 floats long"},
        {"at.v = at.k + BC * D", "load(m + at.v, V, n, D, D + 1);", NULL},
        {"at.v = at.k + BC * D", "k[c * (D + 1)] = 0;", NULL},
        {"at.v = at.k + BC * (D + 1)", "load(m + at.k, K, n, D, D + 1);", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) ask(form, &rows[i]);
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(rows_that_run_into_the_next_tile_are_seen),
        CLAIM(rows_that_a_function_makes_longer_are_seen),
        CLAIM(tiles_in_a_struct_are_seen_in_other_functions),
    };
    return cmocka_run_group_tests_name("source_carved", claims, NULL, NULL);
}
