// unit_source_overlaid.c: parts of one piece of memory that begin at the same place, and rows of one array with two
// lengths: source_overlaid.c and source_strides.c of grader/run.
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "source_hints.h"

static const char head[] = "#define BR 32\nstatic const int BC = 32, WIDE = 64;\n"
                           "struct tiles { float *q, *k, *v; };\n"
                           "static void cut(tiles *t, float *room, const float *given, int pitch) {\n";

static void expect(const char *body, const char *says) {
    char text[1000], said[400] = "";
    snprintf(text, sizeof text, "%s    %s\n}\n", head, body);
    const int found = lab_hint_of_overlaying(text, 1, 99, said, sizeof said);
    if (found != (says ? LAB_HINT_CAUSE : LAB_HINT_NONE)) fail_msg("%s: %s", body, found ? said : "nothing");
    if (found) assert_says(said, says);
}

static void two_parts_at_one_place_are_named(void **state) {
    (void)state;
    expect("t.q = room;\n    t.k = room;", "t.q (line 5) and t.k (line 6) begin at the same place");
    expect("t.q = room, t.k = t.q + BR * pitch, t.v = t.q + BC * pitch;",
           "t.k (line 5) and t.v (line 5) begin at the same place");
    expect("float *a = room + BR, *b = room + BR;", "a (line 5) and b (line 5) begin at the same place");
}

static void one_memory_for_two_of_a_list_is_named(void **state) {
    (void)state;
    expect("float *qkv[3] = {a, b, a};\n    run(o, qkv[0], qkv[1], qkv[2]);",
           "qkv[0] and qkv[2] are the same memory, a (line 5): what is written to one of them is lost in the other");
    expect("float *qkv[] = {a, a + n, a + n};\n    run(o, qkv[0], qkv[1], qkv[2]);",
           "qkv[1] and qkv[2] are the same memory, a+n (line 5)");
    expect("float *qkv[3] = {a, b, a};\n    run(o, qkv[0], qkv[1]);\n    run(qkv[2]);", NULL);
    expect("const float *in[3] = {a, b, a};\n    run(o, in[0], in[1], in[2]);", NULL);
    expect("float *qkv[3] = {a, b, c};\n    run(o, qkv[0], qkv[1], qkv[2]);", NULL);
}

static void parts_one_behind_the_other_are_not(void **state) {
    (void)state;
    expect("t.q = room, t.k = t.q + BR * pitch, t.v = t.k + BC * pitch;", NULL);
    expect("t.q = room, t.k = t.q + BR * pitch, t.v = t.q + WIDE * pitch;", NULL);
    expect("t.q = room;\n    room += BR;\n    t.k = room;", NULL);
    expect("t.q = room; room++; t.k = room;", NULL);
    expect("t.q = malloc(8), t.k = malloc(8);", NULL);
    expect("float *a = new float[BR], *b = new float[BR];", NULL);
    expect("t.q = NULL, t.k = NULL;\n    t.q = 0, t.k = 0;", NULL);
}

static void what_is_read_alone_and_other_scopes_are_not(void **state) {
    (void)state;
    expect("const float *a = given + BR, *b = given + BR;", NULL);
    expect("if (pitch) {\n        float *a = room;\n    }\n    float *b = room;", NULL);
    expect("int a = pitch, b = pitch;", NULL);
    expect("float *all = room;\n    float *q = room;\n    if (!all) return;\n    q[0] = 0;\n    free(all);", NULL);
    expect("float *all = room;\n    float *q = room;\n    q[0] = all[0];\n    free(all);",
           "all (line 5) and q (line 6)");
}

static void rows_of_one_array_have_one_length(void **state) {
    (void)state;
    static const char head_of[] = "static float f(mat m, tile *t, int i, int j) {\n    const int side = m.rows;\n";
    static const struct {
        const char *body, *says;
    } rows[] = {
        {"g(m.p[i * m.cols + j]);\n    return m.p[i * m.rows + j];",
         "line 3 takes the rows of p for cols numbers long, and line 4 for rows"},
        {"g(m.p[i * m.cols + j]);\n    g(m.p[(i + 1) * m.cols + j]);\n    return m.p[(size_t)i * side + j];",
         "line 5 takes the rows of p for rows numbers long, and line 4 for cols"},
        {"g(t->s[i * t->n + j]);\n    return m.s[i * m.n + j];", NULL},
        {"g(m.p[i * m.cols + j]);\n    return m.q[i * m.rows + j];", NULL},
        {"g(p[i * m.cols + j]);\n    return p[i * m.rows + j];", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[500], said[400] = "";
        snprintf(text, sizeof text, "%s    %s\n}\n", head_of, rows[i].body);
        const int found = lab_hint_of_strides(text, 1, 99, said, sizeof said);
        if (found != (rows[i].says != NULL)) fail_msg("%zu: %s", i, found ? said : "nothing");
        if (found && i < 2) assert_says(said, rows[i].says);
    }
}

static void a_length_that_another_function_calls_otherwise_is_no_other_one(void **state) {
    (void)state;
    static const struct {
        const char *first, *second, *says;
    } rows[] = {
        {"int D, int n", "const int D = a.head_dim", NULL},
        {"int width, int D", "const int d = a.head_dim", NULL},
        {"int D, int n", "const int n = a.seq", "line 3 takes the rows of o for D numbers long"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[600], said[400] = "";
        snprintf(text, sizeof text,
                 "static void finish(float *O, work w, %s, int i) {\n    O[i] = 0;\n    O[i] = w.o[i * D + 1]%s;\n}\n"
                 "static void tile(work w, shape a, int i) {\n    %s;\n    w.o[i * %s + 1] = 0;\n}\n",
                 rows[i].first, i == 2 ? " + w.o[i * n + 2]" : "", rows[i].second,
                 i == 1   ? "d"
                 : i == 2 ? "n"
                          : "D");
        const int found = lab_hint_of_strides(text, 1, 99, said, sizeof said);
        if (found != (rows[i].says != NULL)) fail_msg("%zu: %s", i, found ? said : "nothing");
        if (found) assert_says(said, rows[i].says);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_parts_at_one_place_are_named),
        cmocka_unit_test(one_memory_for_two_of_a_list_is_named),
        cmocka_unit_test(parts_one_behind_the_other_are_not),
        cmocka_unit_test(what_is_read_alone_and_other_scopes_are_not),
        cmocka_unit_test(rows_of_one_array_have_one_length),
        cmocka_unit_test(a_length_that_another_function_calls_otherwise_is_no_other_one),
    };
    return cmocka_run_group_tests_name("source_overlaid", tests, NULL, NULL);
}
