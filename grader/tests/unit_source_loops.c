// unit_source_loops.c: loops that are wrong whatever the numbers are: source_nested.c, source_every.c, source_kept.c,
// source_endless.c, source_freed.c and source_rest.c of grader/source. (unit_source_rounds: what goes from round to round.)
#include "hint_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void what_does_not_depend_on_the_round_is_added_once(void **state) {
    (void)state;
    expect(lab_hint_of_nesting,
           "for (int d = 0; d < n; d++) {\n        l = fix * l + e;\n        o[d] += e * v[d];\n    }",
           "line 5 adds to l in each round of the loop of line 4, and nothing of what it adds depends on d");
    expect(lab_hint_of_nesting,
           "for (int x = 0; x < n; x++) {\n        const int d = t + 32 * x;\n        const float w = expf(e - m);\n"
           "        l += w;\n        if (d < n) o[d] += w * v[d];\n    }",
           "line 7 adds to l in each round of the loop of line 4, and nothing of what it adds depends on x");
    expect(lab_hint_of_nesting,
           "for (int d = 0; d < n; d++) {\n        const float now = fmaxf(p->m, s), fix = expf(p->m - now);\n"
           "        p->m = now;\n        p->l = fix * p->l + e;\n        o[d] = fix * o[d] + e * v[d];\n    }",
           "depends on d: line 6 sets p->m, too, so that line 5 reads the new one from the second round on, and not");
    expect(
        lab_hint_of_nesting,
        "for (int c = t; c < n; c += 8) {\n        s[c] = expf(s[c] - m);\n        l += s[t];\n    }",
        "line 6 adds to l in each round of the loop of line 4, and nothing of what it adds depends on c: is it to be "
        "s[c], this round's own, as in line 5?");
    expect(lab_hint_of_nesting,
           "for (int c = 0; c < n; c++) {\n        s[c] = expf(s[c] - m);\n        l += *s;\n    }",
           "depends on c: is it to be s[c], this round's own, as in line 5?");
    expect(lab_hint_of_nesting,
           "for (int c = t; c < n; c += 8) {\n        as[c] = expf(as[c] - m);\n        l += s[t];\n    }",
           "depends on c: it is added again and again");
    expect(lab_hint_of_nesting, "for (int d = 0; d < n; d++) {\n        l += s[d];\n        o[d] = l;\n    }", NULL);
    expect(lab_hint_of_nesting,
           "for (int d = 0; d < n; d++) {\n        const float p = s[d];\n        l += p;\n        o[d] = p;\n    }",
           NULL);
    expect(lab_hint_of_nesting,
           "int seen = 0;\n    for (int d = 0; d < n; d++) {\n        v[seen] = s[d];\n        l += v[seen++];\n    }",
           NULL);
    expect(lab_hint_of_nesting, "for (int d = 0; d < n; d++) {\n        if (d == 0) l += e;\n        o[d] = e;\n    }",
           NULL);
    expect(lab_hint_of_nesting, "for (int d = 0; d < n; d++) {\n        l += 1.5f;\n        o[d] = l;\n    }", NULL);
    expect(lab_hint_of_nesting,
           "for (int d = 0; d < n; d++) {\n        const float p = 1.0f;\n        l += p;\n        o[d] = p;\n    }",
           NULL);
    char said[400];
    static const char formula[] =
        "float next(float x, float m) { return expf(x - m); }\nvoid f(float *o) {\n    float l = 0;\n"
        "    for (int d = 0; d < n; d++) {\n        const float a = next(e, m);\n"
        "        l = l * a + 1.5f * a;\n        o[d] = a * o[d];\n    }\n}\n";
    char table[sizeof formula];
    snprintf(table, sizeof table, "%s", formula), memcpy(strstr(table, "float x,"), "float*x,", 8);
    assert_int_equal(lab_hint_of_nesting(formula, 1, 99, said, sizeof said), LAB_HINT_CAUSE);
    assert_int_equal(lab_hint_of_nesting(table, 1, 99, said, sizeof said), LAB_HINT_NONE);
    expect(lab_hint_of_nesting, "for (int d = 0; d < n; d++) {\n        l += next(e);\n        o[d] = l;\n    }", NULL);
    expect(lab_hint_of_nesting, "for (int d = 0; d < n; d++) {\n        t += n;\n        o[d] = e;\n    }", NULL);
    expect(lab_hint_of_nesting,
           "for (int d = 0; d < n; d++) {\n        pair part;\n        part.x = s[d];\n        l += part;\n    }",
           NULL);
    expect(lab_hint_of_nesting,
           "const float *k = v;\n    for (int d = 0; d < n; d++) {\n        o[d] = *k;\n        k += n;\n    }", NULL);
    expect(lab_hint_of_nesting, "for (int i = 0; i < 4; i++) {\n        l = l * l + e;\n    }", NULL);
}

static void what_adds_to_all_rows_is_called_once(void **state) {
    (void)state;
    static const char file[] = "static void add_all(row *r, const float *s) {\n"
                               "    for (int a = 0; a < 4; a++) r[a].o += s[a];\n"
                               "}\n"
                               "void f(row *rows, const float *s) {\n"
                               "    for (int a = 0; a < 4; a++) {\n"
                               "        rescale(&rows[a], s);\n"
                               "        add_all(rows, s);\n"
                               "    }\n"
                               "}\n";
    char said[500], other[sizeof file];
    assert_int_equal(lab_hint_of_every(file, 1, 100, said, sizeof said), LAB_HINT_CAUSE);
    assert_says(said, "line 7 hands all of rows to add_all");
    strcpy(other, file);
    memcpy(strstr(other, "o +="), "o  =", 4);  // the last round counts
    assert_false(lab_hint_of_every(other, 1, 100, said, sizeof said));
    strcpy(other, file);
    memcpy(strstr(other, "rows[a]"), "rows[4]", 7);
    assert_false(lab_hint_of_every(other, 1, 100, said, sizeof said));
    strcpy(other, file);
    memcpy(strstr(other, "(rows, s)"), "(rows, a)", 9);
    assert_false(lab_hint_of_every(other, 1, 100, said, sizeof said));
}

static void a_loop_that_nothing_ends_is_named(void **state) {
    (void)state;
    expect(lab_hint_of_endless, "for (int i = 0; i < n; i++)\n        for (int d = 0; d < n; i++) l += s[d];",
           "line 5: this loop does not end: nothing in it changes d, which its condition asks, and the loop counts i");
    expect(lab_hint_of_endless, "for (int d = 0; d < n;) l += s[d];",
           "nothing in it changes d, which its condition asks");
    expect(lab_hint_of_endless, "int d = n;\n    while (d > 0) l += s[d];", "line 5: this loop does not end");
    expect(lab_hint_of_endless, "int d = n;\n    while (d--) l += s[d];", NULL);
    expect(lab_hint_of_endless, "int d = 0;\n    while (d < n) l += s[d++];", NULL);
    expect(lab_hint_of_endless, "for (int d = 0; d < n;) {\n        if (s[d] > e) break;\n    }", NULL);
    expect(lab_hint_of_endless, "for (int d = 0; d < n;) next(&d);", NULL);
    expect(lab_hint_of_endless, "for (int d = 0; d < n;) next(d);", NULL);
    expect(lab_hint_of_endless, "for (int w = 1; w < n;) e += __shfl_xor_sync(0xffffffff, e, w);",
           "nothing in it changes w, which its condition asks");
    expect(lab_hint_of_endless, "for (int w = 1; w < n;) e = fmaxf(e, w);", "nothing in it changes w");
    expect(lab_hint_of_endless, "for (int w = 1; w < n;) e += __shfl_xor_sync(0xffffffff, e, next(w));", NULL);
    expect(lab_hint_of_endless, "for (int d = 0; d < n;) STEP(2)", NULL);
    expect(lab_hint_of_endless, "for (int d = 0; s[d] < e;) l++;", NULL);
    expect(lab_hint_of_endless, "for (;;) l++;", NULL);
}

static void a_loop_that_is_not_begun_again_is_named(void **state) {
    (void)state;
    const char *says = "from the second round of the loop of line 5 on this loop does nothing, as j stays where";
    expect(lab_hint_of_keeping,
           "int j = 1;\n    for (int i = 0; i < n; i++)\n        while (j < n) o[i * n + j++] = 0;", says);
    expect(lab_hint_of_keeping,
           "int j = 1;\n    for (int i = 0; i < n; i++) {\n        for (; j < n; j++) o[i * n + j] = 0;\n    }", says);
    expect(lab_hint_of_keeping,
           "for (int i = 0; i < n; i++) {\n        int j = 0;\n        while (j < n) o[i * n + j++] = 0;\n    }", NULL);
    expect(lab_hint_of_keeping,
           "int j = 0;\n    for (int i = 0; i < n; i++) {\n        while (j < n) j++;\n        j = 0;\n    }", NULL);
    expect(lab_hint_of_keeping, "int j = 0;\n    for (int i = 0; i < n; i++)\n        while (j < i) o[j++] = 0;", NULL);
    expect(lab_hint_of_keeping,
           "int j = 0, k = 2;\n    for (int i = 0; i < n; i++, k += 2)\n        while (j < k) j++;", NULL);
    expect(lab_hint_of_keeping, "for (int j = 0; j < n;)\n        while (j < n) o[j++] = 0;", NULL);
    expect(lab_hint_of_keeping,
           "int j = 0;\n    for (int i = 0; i < n; i++)\n        for (; j < n; j++)\n            if (s[j] > e) break;",
           NULL);
}

static void what_is_left_of_whole_groups_is_done_by_somebody(void **state) {
    (void)state;
    const char *says = "the loop does whole groups of 4 alone, and no line does the last n % 4";
    expect(lab_hint_of_rest, "for (int c = 0; c + 4 <= n; c += 4) o[c] = s[c];", says);
    expect(lab_hint_of_rest, "for (int c = 0; c + 3 < n; c += 4) o[c] = s[c];", says);
    expect(lab_hint_of_rest, "for (int c = 0; c < n / 4 * 4; c += 4) o[c] = s[c];", says);
    expect(lab_hint_of_rest,
           "int c = 0;\n    for (c = 0; c + 4 <= n; c += 4) o[c] = s[c];\n    for (; c < n; c++) o[c] = 0;", NULL);
    expect(lab_hint_of_rest, "for (int c = 0; c + 4 <= n; c += 4) o[c] = s[c];\n    if (n % 4) rest(o, n);", NULL);
    expect(lab_hint_of_rest, "for (int d = 0; d + 4 <= D; d += 4) o[d] = s[d];", NULL);
    expect(lab_hint_of_rest, "const int BC = 64;\n    for (int c = 0; c + 4 <= BC; c += 4) o[c] = s[c];", NULL);
    expect(lab_hint_of_rest, "for (int c = 0; c < n; c += 4) o[c] = s[c];", NULL);
    says = "up to 3 are left over behind the groups of 4, and if does one of them. It is while, or a for loop";
    expect(lab_hint_of_rest,
           "int c = 0;\n    for (; c + 3 < n; c += 4) {\n        o[c] = s[c];\n    }\n    if (c < n) o[c] = s[c];",
           says);
    expect(lab_hint_of_rest, "int c;\n    for (c = 0; c + 4 <= n; c += 4) o[c] = s[c];\n    if (c < n) o[c] = s[c];",
           says);
    expect(lab_hint_of_rest, "int c = 0;\n    for (; c + 1 < n; c += 2) o[c] = s[c];\n    if (c < n) o[c] = s[c];",
           NULL);
    expect(lab_hint_of_rest,
           "int c = 0;\n    for (; c + 3 < n; c += 4) o[c] = s[c];\n    for (; c < n; c++) o[c] = s[c];", NULL);
    expect(lab_hint_of_rest, "int c = 0;\n    for (; c + 3 < n; c += 4) o[c] = s[c];\n    if (t < n) o[c] = s[c];",
           NULL);
}

static void a_number_of_groups_is_rounded_up(void **state) {
    (void)state;
    const char *says =
        "line 4: parts is rounded down, so the loop of line 5 does whole groups of 16 alone, and no line "
        "does the last n % 16. Round it up: (n + 16 - 1) / 16, and ask in the last one where n ends";
    static const char *const loop = "for (int p = 0; p < parts; p++) {\n        const int c = p * 16;\n"
                                    "        o[c] = s[c];\n    }";
    static const char *const right[] = {"const int parts = (n + 15) / 16;\n    %s",
                                        "const int parts = n / 16;\n    %s\n    if (n %% 16) o[n] = 0;",
                                        "const int parts = n / 16;\n    %s\n    for (int c = 0; c < n; c++) o[c] = 0;",
                                        "const int parts = n / 16 + (t < n - 3);\n    %s",
                                        "const int parts = blockDim.x / 16;\n    %s",
                                        "const int D = n;\n    const int parts = D / 16;\n    %s",
                                        "const int parts = MOST_PARTS / 16;\n    %s"};
    char body[400];
    snprintf(body, sizeof body, "const int parts = n / 16;\n    %s", loop), expect(lab_hint_of_rest, body, says);
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
        snprintf(body, sizeof body, right[i], loop);
        expect(lab_hint_of_rest, body, NULL);
    }
    expect(lab_hint_of_rest, "const int parts = n / 16;\n    for (int p = 0; p < parts; p++) o[p] = s[p];", NULL);
    says = "line 4: n / 4 is rounded down, so whole groups of 4 alone are done, and no line does the last n % 4";
    expect(lab_hint_of_rest,
           "for (int g = 0; g < n / 4; g++) {\n        const int c = 4 * g;\n        o[c] = s[c];\n    }", says);
    says = "line 5: n / 4 is rounded down, so whole groups of 4 alone are done, and no line does the last n % 4";
    expect(lab_hint_of_rest, "const int four = n / 4;\n    for (int c = 0; c < 4 * four; c++) o[c] = s[c];", says);
    expect(lab_hint_of_rest, "const int four = n / 2;\n    for (int c = 0; c < 4 * four; c++) o[c] = s[c];", NULL);
    expect(lab_hint_of_rest, "for (int g = 0; g < n / 4; g++) o[g] = s[g];", NULL);
    expect(lab_hint_of_rest,
           "for (int g = 0; g < n / 4; g++) o[4 * g] = s[4 * g];\n    for (int c = n / 4 * 4; c < n; c++) o[c] = s[c];",
           NULL);
    expect(lab_hint_of_rest, "for (int g = 0; g < D / 4; g++) o[4 * g] = s[4 * g];", NULL);
    char said[400];
    static const char of_template[] = "template <int BM, int STEP>\nvoid f(float *o) {\n"
                                      "    for (int i = 0; i + STEP <= BM; i += STEP) o[i] = 0;\n}\n";
    assert_int_equal(lab_hint_of_rest(of_template, 1, 99, said, sizeof said), LAB_HINT_NONE);
    assert_int_equal(lab_hint_of_rest(of_template + strlen("template <int BM, int STEP>\n"), 1, 99, said, sizeof said),
                     LAB_HINT_CAUSE);
}

static void memory_is_given_back_behind_the_loop(void **state) {
    (void)state;
    const char *says =
        "line 7: p is given back in each round of the loop of line 5, and line 4 asks for it once, before "
        "that loop: the next round works in memory that is gone. free(p) belongs behind the loop";
    static const char form[] =
        "float *p = malloc(n);\n    for (int c = 0; c < n; c++) {\n        p[c] = s[c];\n%s    }%s";
    char body[300];
    snprintf(body, sizeof body, form, "        free(p);\n", ""), expect(lab_hint_of_freeing, body, says);
    snprintf(body, sizeof body, form, "", "\n    free(p);"), expect(lab_hint_of_freeing, body, NULL);
    snprintf(body, sizeof body, form, "        if (!o) {\n            free(p);\n            return;\n        }\n", "");
    expect(lab_hint_of_freeing, body, NULL);
    snprintf(body, sizeof body, form, "        free(p);\n        p = malloc(n);\n", "");
    expect(lab_hint_of_freeing, body, NULL);
    expect(
        lab_hint_of_freeing,
        "for (int c = 0; c < n; c++) {\n        float *p = malloc(n);\n        o[c] = p[0];\n        free(p);\n    }",
        NULL);
    says = "line 6: p is given back in each round of the loop of line 5";
    expect(
        lab_hint_of_freeing,
        "float *p = malloc(n);\n    for (int c = 0; c < n; c++) {\n        for (int r = 0; r < n; r++) { o[c] = p[r]; "
        "free(p); }\n    }",
        says);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_does_not_depend_on_the_round_is_added_once),
        cmocka_unit_test(what_adds_to_all_rows_is_called_once),
        cmocka_unit_test(a_loop_that_nothing_ends_is_named),
        cmocka_unit_test(a_loop_that_is_not_begun_again_is_named),
        cmocka_unit_test(what_is_left_of_whole_groups_is_done_by_somebody),
        cmocka_unit_test(a_number_of_groups_is_rounded_up),
        cmocka_unit_test(memory_is_given_back_behind_the_loop),
    };
    return cmocka_run_group_tests_name("source_loops", tests, NULL, NULL);
}
