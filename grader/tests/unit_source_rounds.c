// unit_source_rounds.c: what goes wrong from one round of a loop to the next: source_kept.c, source_rescaled.c,
// source_running.c, source_anew.c, source_lost.c and source_zeroed.c of grader/source.
#include "hint_text.h"

#include <stdio.h>
#include <string.h>

static void what_is_kept_is_scaled_once(void **state) {
    (void)state;
    const char *says = "multiplies q[d] by scale in each round of the loop of line 4, which sets it nowhere";
    expect(lab_hint_of_rescaled,
           "for (int j = 0; j < n; j += 8) {\n        for (int d = 0; d < D; d++) q[d] *= scale;\n    }", says);
    expect(lab_hint_of_rescaled,
           "for (int j = 0; j < n; j += 8) {\n        for (int d = 0; d < D; d++) q[d] = q[d] * scale;\n    }", says);
    expect(lab_hint_of_rescaled,
           "for (int j = 0; j < n; j += 8) {\n        for (int d = 0; d < D; d++) q[d] = k[d];\n"
           "        for (int d = 0; d < D; d++) q[d] *= scale;\n    }",
           NULL);
    expect(lab_hint_of_rescaled, "for (int d = 0; d < D; d++) q[d] *= scale;", NULL);
    expect(lab_hint_of_rescaled,
           "for (int i = 0; i < n; i++) {\n    for (int d = 0; d < D; d++) *cell(C, i, d) *= scale;\n    }", NULL);
    expect(lab_hint_of_rescaled,
           "for (int j = 0; j < n; j += 8) {\n        a = expf(old - m);\n"
           "        for (int d = 0; d < D; d++) q[d] *= a;\n    }",
           NULL);
}

static void what_was_before_a_loop_is_rescaled_once(void **state) {
    (void)state;
    expect(
        lab_hint_of_rescaling,
        "const float a = expf(m - top);\n    for (int j = 0; j < n; j++) {\n        const float e = expf(s[j] - top);\n"
        "        l = l * a + e;\n    }",
        "line 7 multiplies l by a in each round of the loop of line 5, and a is made before the loop");
    expect(lab_hint_of_rescaling,
           "const float a = expf(m - top);\n    for (int d = 0; d < n; d++) o[d] = o[d] * a + v[d];", NULL);
    expect(lab_hint_of_rescaling,
           "float a = expf(m - top);\n    for (int j = 0; j < n; j++) {\n        a = expf(m - s[j]);\n"
           "        l = l * a + s[j];\n    }",
           NULL);
    expect(lab_hint_of_rescaling, "const float a = 0.5f;\n    for (int j = 0; j < n; j++) l = l * a + s[j];", NULL);
    expect(lab_hint_of_rescaling,
           "const float a = expf(m - top);\n    for (int k = 0; k < n; k++) {\n        const int d = t + 32 * k;\n"
           "        o[d] = o[d] * a + v[d];\n    }",
           NULL);
}

static void exponentials_wait_for_the_maximum(void **state) {
    (void)state;
    const char *says = "the exponentials are stored with the largest so far, as line 5 still raises m in the same loop";
    expect(lab_hint_of_running,
           "for (int c = 0; c < n; c++) {\n        m = fmaxf(m, s[c]);\n        o[c] = expf(s[c] - m);\n    }", says);
    expect(lab_hint_of_running,
           "for (int c = 0; c < n; c++) {\n        if (s[c] > m) m = s[c];\n        const float w = expf(s[c] - m);\n"
           "        l += w;\n        o[c] = w;\n    }",
           says);
    expect(lab_hint_of_running,
           "for (int c = 0; c < n; c++) m = fmaxf(m, s[c]);\n    for (int c = 0; c < n; c++) o[c] = expf(s[c] - m);",
           NULL);
    expect(lab_hint_of_running,
           "for (int c = 0; c < n; c++) {\n        m = fmaxf(m, s[c]);\n        o[c] = expf(s[c] - m);\n"
           "        l += o[c];\n    }",
           says);
    expect(lab_hint_of_running,
           "for (int c = 0; c < n; c++) {\n        m = fmaxf(m, s[c]);\n        o[c] = expf(s[c] - m);\n"
           "        l *= expf(old - m);\n        l += o[c];\n    }",
           NULL);
    expect(lab_hint_of_running,
           "for (int r = 0; r < n; r++) {\n        float a = 0, top = s[r];\n        top = fmaxf(top, s[r + 1]);\n"
           "        o[r] = expf(a - top);\n    }",
           NULL);
    expect(lab_hint_of_running,
           "for (int c = 0; c < n; c++) {\n        m = fmaxf(m, s[c]);\n        p[c] = expf(s[c] - m);\n"
           "        l += p[c] * v[c];\n    }",
           NULL);
    static const char each[] = "for (int r = 0; r < n; r++) {\n        %s\n        for (int c = 0; c < 8; c++) m = "
                               "fmaxf(m, s[8 * r + c]);\n        o[r] = expf(s[r] - m);\n    }",
                      *const begun[] = {"m = -INFINITY;", "m = s[8 * r];", "if (r == 0) m = s[0];", "e = m;"};
    for (int i = 0; i < 4; i++) {  // of each row its own, declared before the loop
        char body[300];
        snprintf(body, sizeof body, each, begun[i]);
        expect(lab_hint_of_running, body, i < 2 ? NULL : "with the largest so far, as line 6 still raises m");
    }
}

static void what_belongs_to_a_round_is_made_in_each(void **state) {
    (void)state;
    expect(lab_hint_of_anew,
           "for (int c = 0; c < n; c++) {\n        for (int d = 0; d < 8; d++) l += s[d] * v[c * 8 + d];\n"
           "        o[c] = l;\n    }",
           "line 6 stores l for each c, and l goes on from round to round of the loop of line 4: set it to 0");
    expect(lab_hint_of_anew,
           "for (int c = 0; c < n; c++) {\n        float dot = 0;\n        for (int d = 0; d < 8; d++) dot += s[d];\n"
           "        o[c] = dot;\n    }",
           NULL);
    expect(lab_hint_of_anew,
           "for (int c = 0; c < n; c++) {\n        l = 0;\n        for (int d = 0; d < 8; d++) l += s[d];\n        "
           "o[c] = l;\n    }",
           NULL);
    expect(
        lab_hint_of_anew,
        "float a[2] = {0, 0};\n    for (int z = 0; z < n; z++) {\n        for (int d = 0; d < 8; d++) a[1] += s[d];\n"
        "        o[z] = a[1];\n    }",
        "line 7 stores a for each z, and a goes on from round to round of the loop of line 5");
    expect(lab_hint_of_anew,
           "float a[2];\n    for (int z = 0; z < n; z++) {\n        clear(a);\n"
           "        for (int d = 0; d < 8; d++) a[1] += s[d];\n        o[z] = a[1];\n    }",
           NULL);
    expect(lab_hint_of_anew,
           "for (int c = 0; c < n; c++)\n        for (int d = 0; d < 8; d++) l += s[d];\n    o[0] = l;", NULL);
    expect(
        lab_hint_of_anew, "float keep = expf(s[0] - e);\n    for (int r = 0; r < n; r++) o[r] = keep * s[r];",
        "line 4: keep is made of s[0], the first one's, and the loop of line 5 uses it for every r. Make it of s[r]");
    expect(lab_hint_of_anew, "float keep = s[0];\n    for (int r = 1; r < n; r++) join(keep, l, s[r]);",
           NULL);  // it may be a reference
    expect(lab_hint_of_anew, "float top = fmaxf(s[1], s[0]);\n    for (int w = 0; w < 2; w++) l += expf(s[w] - top);",
           NULL);
    expect(lab_hint_of_anew, "float top = fmaxf(s[0], s[1]);\n    for (int w = 0; w < 2; w++) l += expf(s[w] - top);",
           NULL);
    expect(lab_hint_of_anew, "for (int r = 1; r < n; r++) m = fmaxf(m, s[r]);", NULL);
    static const char from_query_to_query[] =
        "float *a = s + n;\n    for (int d = 0; d < 8; d++) a[d] = 0.0f;\n"
        "    for (int i = 0; i < n; i++) {\n        const int row = i * 8;\n"
        "        for (int j = %s; j < n; j++)\n            for (int d = 0; d < 8; d++) a[d] += s[j] * v[d];\n"
        "        for (int d = 0; d < 8; d++) o[row + d] = %s;\n        z = n;\n    }";
    char text[600];
    snprintf(text, sizeof text, from_query_to_query, "0", "a[d] / l");
    expect(lab_hint_of_anew, text,
           "line 10 stores a for each i, and a goes on from round to round of the loop of line 6: set it to 0 in each "
           "round, before the loop of line 8");
    snprintf(text, sizeof text, from_query_to_query, "z", "a[d]");
    expect(lab_hint_of_anew, text, "and begin there with the first one, not where the round before ended");
    snprintf(text, sizeof text, from_query_to_query, "0", "b[d]");
    expect(lab_hint_of_anew, text, NULL);
    expect(lab_hint_of_anew, "float keep = expf(s[0] - e);\n    for (int r = 0; r < n; r++) o[r] = keep * v[r];", NULL);
}

static void a_part_that_is_joined_as_it_is_is_seen(void **state) {
    (void)state;
    expect(lab_hint_of_joining,
           "const float m = fmaxf(a->m, b->m);\n    const float f = expf(a->m - m);\n    a->l = f * a->l + b->l;",
           "line 6 adds what b has as it is, and it counts from b->m: where the maximum of both (line 4) is larger");
    expect(lab_hint_of_joining,
           "float m = fmaxf(a.m, b.m), f = __expf(b.m - m);\n    for (d) a.o[d] = b.o[d] * f + a.o[d];",
           "line 5 adds what a has as it is");
    expect(lab_hint_of_joining,
           "float m = fmaxf(a.m, b.m), f = expf(a.m - m), g = expf(b.m - m);\n    a.l = f * a.l + b.l * g;", NULL);
    expect(lab_hint_of_joining, "float m = fmaxf(a.m, b.m), f = expf(a.m - m);\n    a.l = f * a.l + b.l * g;", NULL);
    expect(lab_hint_of_joining, "float m = fmaxf(a.m, t), f = expf(a.m - m);\n    a.l = f * a.l + sum;", NULL);
}

static void what_is_stored_before_it_is_added_is_seen(void **state) {
    (void)state;
    const char *says = "line 5 stores acc before line 6 adds to it, in each round of the loop of line 4, and nothing";
    expect(
        lab_hint_of_storing_early,
        "for (int s = 0; s < n; s++) {\n        o[t * w] = acc[i];\n        for (int x = 0; x < 8; x++) acc[i] += a[x] "
        "* b[x];\n    }",
        says);
    expect(lab_hint_of_storing_early, "for (int s = 0; s < n; s++) {\n        o[s] = acc;\n        acc += a[s];\n    }",
           NULL);  // sums so far
    expect(lab_hint_of_storing_early,
           "for (int s = 0; s < n; s++) {\n        o[t] = acc;\n        acc += a[s];\n    }\n    o[t] = acc;", NULL);
    expect(lab_hint_of_storing_early,  // a reduction: what is added is read from there
           "for (int s = 16; s > 0; s--) {\n        o[t] = acc;\n        acc += o[t ^ s];\n    }", NULL);
    expect(lab_hint_of_storing_early,
           "for (int s = 0; s < n; s++) {\n        acc = 0;\n        o[t] = acc;\n        acc += a[s];\n    }", NULL);
}

static void no_round_stores_over_the_one_before(void **state) {
    (void)state;
    const char *says = "line 7 stores o[t] in each round of the loop of line 4, over what the round before has stored";
    expect(lab_hint_of_losing,
           "for (int k = 0; k < n; k++) {\n        float dot = 0;\n        dot += s[k];\n        o[t] = dot;\n    }",
           says);
    expect(lab_hint_of_losing,
           "for (int k = 0; k < n; k++)\n        for (int c = 0; c < 8; c++) {\n            const float x = s[k];\n"
           "            o[c] = x;\n        }",
           "line 7 stores o[c] in each round of the loop of line 4");
    expect(lab_hint_of_losing,
           "for (int k = 0; k < n; k += 8)\n        for (int d = 0; d < D; d++) {\n            float x = 0;\n"
           "            for (int c = k; c < k + 8; c++) x += v.data[c];\n            o.data[t * o.step + d] = x;\n     "
           "   }",
           "line 8 stores o.data[t * o.step + d] in each round of the loop of line 4");
    expect(lab_hint_of_losing,
           "for (int k = 0; k < n; k++)\n        for (int c = 0; c < 8; c++) o[c] = s[k] * v[k * 8 + c];",
           "the last round's alone is left. Add up, with +=");
    expect(lab_hint_of_losing,
           "for (int z = 0; z < n; z += 8) {\n        float dot = 0;\n        for (int k = z; k < z + 8; k++) dot += "
           "s[k] * v[k];\n        o[t] = dot;\n    }",
           "the last round's alone is left. Add up: each round has a piece of one sum, which begins with 0");
    expect(lab_hint_of_losing,
           "for (int z = 0; z < n; z += 8) {\n        for (int k = z; k < z + 8; k++) a.x += s[k] * v[k];\n"
           "        if (t > 0) o[0] = a.x;\n        if (t > 1) o[1] = a.y;\n    }",
           "line 6 stores o[0] in each round of the loop of line 4, over what the round before has stored: the last "
           "round's alone is left. Add up: each round has a piece");
    expect(lab_hint_of_losing,
           "for (int z = 0; z < n; z += 8) {\n        for (int k = z; k < z + 8; k++) a.x += s[k] * v[k];\n"
           "        if (z > 0) o[0] = a.x;\n    }",
           NULL);
    expect(lab_hint_of_losing, "for (int k = 0; k < n; k++) o[t] = s[k * 8] * fix;",
           "Add up, or let k be a part of the index");
    expect(
        lab_hint_of_losing,
        "__shared__ float a[64];\n    for (int k = 0; k < n; k++) {\n        a[t] = s[k];\n        l += v[t];\n    }",
        NULL);
    expect(lab_hint_of_losing, "__shared__ float a[64];\n    for (int k = 0; k < n; k++) a[t] = s[k];\n    l = a[t];",
           "line 5 stores a[t] in each round of the loop of line 5");
    expect(lab_hint_of_losing, "for (int k = 0; k < n; k++) {\n        o.at[t] = s[k];\n        l += o.at[t];\n    }",
           NULL);
    expect(lab_hint_of_losing, "for (int k = 0; k < n; k++) o[t * n + k] = s[k];", NULL);
    expect(lab_hint_of_losing, "for (int k = 0; k < n; k++) o[t] += s[k];", NULL);
    expect(lab_hint_of_losing, "for (int k = 0; k < n; k++) {\n        o[t] = s[k];\n        l += o[t];\n    }", NULL);
    expect(lab_hint_of_losing,
           "for (int k = 0; k < n; k++) {\n        tile.k[t] = s[k];\n        add(&l, tile);\n    }", NULL);
    expect(lab_hint_of_losing, "for (int k = 0; k < n; k++)\n        if (s[k] > m) o[t] = s[k];", NULL);
    expect(lab_hint_of_losing, "for (int k = 0; k < n; k++) o[t] = e;", NULL);
    expect(lab_hint_of_losing, "for (int k = 0; k < n; k++) o[at++] = s[k];", NULL);
    expect(lab_hint_of_losing, "for (int k = 0; k < n; k++) {\n        o[at] = s[k];\n        at++;\n    }", NULL);
    expect(lab_hint_of_losing, "for (int k = 0; k < n; k++) {\n        o[at] = s[k];\n        at += 8;\n    }", NULL);
}

// What each round sets to 0 again is lost, if no round reads it and it is the same in each.
static void a_sum_over_rounds_begins_once(void **state) {
    (void)state;
    static const char in_rounds[] = "for (int z = 0; z < n; z += 8) {\n        for (int r = 0; r < n; r++) {\n"
                                    "            float *a = %s;\n            %s\n"
                                    "            for (int k = z; k < z + 8; k++) a[0] += s[k] * v[k];\n%s"
                                    "        }\n    }";
    char text[600];
    const char *says = "sets a to 0 in each round of the loop of line 4, which adds to it and reads it nowhere";
    snprintf(text, sizeof text, in_rounds, "o + r", "a[0] = 0.0f;", "");
    expect(lab_hint_of_zeroing, text, says);
    snprintf(text, sizeof text, in_rounds, "&o[r]", "memset(a, 0, sizeof *a);", "");
    expect(lab_hint_of_zeroing, text, says);
    snprintf(text, sizeof text, in_rounds, "o + r", "if (z == 0) a[0] = 0;", "");
    expect(lab_hint_of_zeroing, text, NULL);
    snprintf(text, sizeof text, in_rounds, "o + z", "a[0] = 0;", "");
    expect(lab_hint_of_zeroing, text, NULL);
    snprintf(text, sizeof text, in_rounds, "o + r", "a[0] = 0;", "            v[r] = a[0];\n");
    expect(lab_hint_of_zeroing, text, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_kept_is_scaled_once),
        cmocka_unit_test(what_was_before_a_loop_is_rescaled_once),
        cmocka_unit_test(exponentials_wait_for_the_maximum),
        cmocka_unit_test(what_belongs_to_a_round_is_made_in_each),
        cmocka_unit_test(a_part_that_is_joined_as_it_is_is_seen),
        cmocka_unit_test(what_is_stored_before_it_is_added_is_seen),
        cmocka_unit_test(no_round_stores_over_the_one_before),
        cmocka_unit_test(a_sum_over_rounds_begins_once),
    };
    return cmocka_run_group_tests_name("source_rounds", tests, NULL, NULL);
}
