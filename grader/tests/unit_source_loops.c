// unit_source_loops.c: loops, and what a thread has for itself, that are wrong whatever the numbers are: source_nested.c,
// source_kept.c, source_alone.c, source_fours.c and source_shares.c of grader/run.
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "source_hints.h"

typedef int hint(const char *text, int from, int to, char *sentence, size_t size);

static const char head[] =
    "static __global__ void f(float *o, const float *s, const float *v, int n, float e, float fix) {\n"
    "    const int t = threadIdx.x;\n    float l = 0, m = s[0];\n";

static void expect(hint *of, const char *body, const char *says) {
    char text[1000], said[500] = "";
    snprintf(text, sizeof text, "%s    %s\n}\n", head, body);
    const int found = of(text, 1, 99, said, sizeof said);
    if (found != (says ? LAB_HINT_CAUSE : LAB_HINT_NONE)) fail_msg("%s: %s", body, found ? said : "nothing");
    if (found) assert_says(said, says);
}

static void what_does_not_depend_on_the_round_is_added_once(void **state) {
    (void)state;
    expect(lab_hint_of_nesting,
           "for (int d = 0; d < n; d++) {\n        l = fix * l + e;\n        o[d] += e * v[d];\n    }",
           "line 5 adds to l in each round of the loop of line 4, and nothing of what it adds depends on d");
    expect(lab_hint_of_nesting,
           "for (int x = 0; x < n; x++) {\n        const int d = t + 32 * x;\n        const float w = expf(e - m);\n"
           "        l += w;\n        if (d < n) o[d] += w * v[d];\n    }",
           "line 7 adds to l in each round of the loop of line 4, and nothing of what it adds depends on x");
    expect(lab_hint_of_nesting, "for (int d = 0; d < n; d++) {\n        l += s[d];\n        o[d] = l;\n    }", NULL);
    expect(lab_hint_of_nesting,
           "for (int d = 0; d < n; d++) {\n        const float p = s[d];\n        l += p;\n        o[d] = p;\n    }",
           NULL);
    expect(lab_hint_of_nesting, "for (int d = 0; d < n; d++) {\n        if (d == 0) l += e;\n        o[d] = e;\n    }",
           NULL);
    expect(lab_hint_of_nesting, "for (int d = 0; d < n; d++) {\n        l += 1.5f;\n        o[d] = l;\n    }", NULL);
    expect(lab_hint_of_nesting, "for (int d = 0; d < n; d++) {\n        l += next(e);\n        o[d] = l;\n    }", NULL);
    expect(lab_hint_of_nesting, "for (int d = 0; d < n; d++) {\n        t += n;\n        o[d] = e;\n    }", NULL);
    expect(lab_hint_of_nesting,
           "const float *k = v;\n    for (int d = 0; d < n; d++) {\n        o[d] = *k;\n        k += n;\n    }", NULL);
    expect(lab_hint_of_nesting, "for (int i = 0; i < 4; i++) {\n        l = l * l + e;\n    }", NULL);
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

static void what_one_thread_has_found_is_handed_on(void **state) {
    (void)state;
    const char *says = "one thread alone sets m, of which each thread has its own";
    expect(lab_hint_of_one_thread,
           "if (t == 0)\n        for (int c = 0; c < n; c++) m = fmaxf(m, s[c]);\n    o[t] = expf(s[t] - m);", says);
    expect(lab_hint_of_one_thread, "if (threadIdx.x == 0) { m = e; }\n    o[t] = m;", says);
    expect(lab_hint_of_one_thread, "if (t == 0) m = e;\n    m = __shfl_sync(~0u, m, 0);\n    o[t] = m;", NULL);
    expect(lab_hint_of_one_thread, "if (t == 0) m = e;\n    o[t] = fix + __shfl_sync(~0u, m, 0);", NULL);
    expect(lab_hint_of_one_thread, "if (t == 0) m = e;\n    if (t == 0) o[t] = m;", NULL);
    expect(lab_hint_of_one_thread, "if (t == 0) m = e; else m = fix;\n    o[t] = m;", NULL);
    expect(lab_hint_of_one_thread, "if (n == 0) m = e;\n    o[t] = m;", NULL);
    expect(lab_hint_of_one_thread, "__shared__ float all;\n    if (t == 0) all = e;\n    o[t] = all;", NULL);
    expect(lab_hint_of_one_thread, "if (t == 0) o[0] = m;\n    o[t + 1] = m;", NULL);
    expect(lab_hint_of_one_thread, "if (t == 0) {\n        float x = e;\n        o[0] = x;\n    }\n    o[t + 1] = m;",
           NULL);
}

static void pieces_of_n_numbers_begin_n_apart(void **state) {
    (void)state;
    const char *says = "the pieces of neighbouring threads overlap: the one of thread n has share numbers";
    expect(lab_hint_of_pieces, "for (int j = t; j < t + share; j++) l += s[j];", says);
    expect(lab_hint_of_pieces, "for (int j = t * share; j < t * share + share; j++) l += s[j];", NULL);
    expect(lab_hint_of_pieces, "for (int j = n; j < n + share; j++) l += s[j];", NULL);
    expect(lab_hint_of_pieces, "for (int j = t; j < t + 1; j++) l += s[j];", NULL);
    expect(lab_hint_of_pieces, "for (int j = t; j < n; j += 32) l += s[j];", NULL);
}

static void float4s_are_counted_in_fours(void **state) {
    (void)state;
    const char *says = "takes float4 number d, and d goes up by 4 a round";
    expect(lab_hint_of_fours, "for (int d = 0; d < n; d += 4) l += ((const float4 *)s)[d].x;", says);
    expect(lab_hint_of_fours, "for (int d = 0; d < n; d += 4) l += reinterpret_cast<const float4 *>(s)[d].x;", says);
    expect(lab_hint_of_fours, "const float4 *s4 = (const float4 *)s;\n    for (int d = 0; d < n; d += 4) l += s4[d].x;",
           says);
    expect(lab_hint_of_fours, "for (int d = 0; d < n; d += 4) l += ((const float4 *)s)[d / 4].x;", NULL);
    expect(lab_hint_of_fours, "for (int d = 0; d < n; d++) l += ((const float4 *)s)[d].x;", NULL);
    expect(lab_hint_of_fours, "for (int d = 0; d < n; d += 4) l += s[d] + *(const float4 *)(s + d);", NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_does_not_depend_on_the_round_is_added_once),
        cmocka_unit_test(a_loop_that_is_not_begun_again_is_named),
        cmocka_unit_test(what_one_thread_has_found_is_handed_on),
        cmocka_unit_test(pieces_of_n_numbers_begin_n_apart),
        cmocka_unit_test(float4s_are_counted_in_fours),
    };
    return cmocka_run_group_tests_name("source_loops", tests, NULL, NULL);
}
