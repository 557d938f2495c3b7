// unit_source_loops.c: loops that are wrong whatever the numbers are: source_nested.c, source_every.c, source_kept.c,
// source_endless.c, source_rest.c, source_rescaled.c, source_running.c, source_anew.c and source_lost.c of grader/source;
// and right files, of which no such hint says anything.
#include "hint_text.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "todo.h"

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
    expect(lab_hint_of_nesting, "for (int d = 0; d < n; d++) {\n        l += s[d];\n        o[d] = l;\n    }", NULL);
    expect(lab_hint_of_nesting,
           "for (int d = 0; d < n; d++) {\n        const float p = s[d];\n        l += p;\n        o[d] = p;\n    }",
           NULL);
    expect(lab_hint_of_nesting, "for (int d = 0; d < n; d++) {\n        if (d == 0) l += e;\n        o[d] = e;\n    }",
           NULL);
    expect(lab_hint_of_nesting, "for (int d = 0; d < n; d++) {\n        l += 1.5f;\n        o[d] = l;\n    }", NULL);
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
    char said[400];
    static const char of_template[] = "template <int BM, int STEP>\nvoid f(float *o) {\n"
                                      "    for (int i = 0; i + STEP <= BM; i += STEP) o[i] = 0;\n}\n";
    assert_int_equal(lab_hint_of_rest(of_template, 1, 99, said, sizeof said), LAB_HINT_NONE);
    assert_int_equal(lab_hint_of_rest(of_template + strlen("template <int BM, int STEP>\n"), 1, 99, said, sizeof said),
                     LAB_HINT_CAUSE);
}

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
    expect(lab_hint_of_anew, "float top = fmaxf(s[0], s[1]);\n    for (int w = 0; w < 2; w++) l += expf(s[w] - top);",
           NULL);
    expect(lab_hint_of_anew, "for (int r = 1; r < n; r++) m = fmaxf(m, s[r]);", NULL);
    expect(lab_hint_of_anew, "float keep = expf(s[0] - e);\n    for (int r = 0; r < n; r++) o[r] = keep * v[r];", NULL);
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

// own_bits.c has such a loop on purpose.
static void nothing_is_said_of_files_that_are_right(void **state) {
    (void)state;
    static hint *const hints[] = {
        lab_hint_of_nesting,    lab_hint_of_keeping,  lab_hint_of_one_thread, lab_hint_of_pieces,
        lab_hint_of_fours,      lab_hint_of_rest,     lab_hint_of_running,    lab_hint_of_anew,
        lab_hint_of_losing,     lab_hint_of_strides,  lab_hint_of_overlaying, lab_hint_of_unread,
        lab_hint_of_barriers,   lab_hint_of_endless,  lab_hint_of_unscaled,   lab_hint_of_averaging,
        lab_hint_of_same_place, lab_hint_of_shuffles, lab_hint_of_dividing,   lab_hint_of_handing,
        lab_hint_of_every,      lab_hint_of_portions, lab_hint_of_rescaled,   lab_hint_of_rescaling};
    static const char *const files[] = {"grader/solutions/task*/*.c*", "grader/ladder/*/*/*.c*",
                                        "grader/tests/repair/*.c*"};
    int n = 0;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        glob_t found;
        if (glob(files[i], 0, NULL, &found)) continue;
        for (size_t k = 0; k < found.gl_pathc; k++, n++) {
            char *text = lab_todo_read(found.gl_pathv[k]), said[500];
            assert_non_null(text);
            for (size_t h = 0; h < sizeof hints / sizeof *hints; h++)
                if (!strstr(found.gl_pathv[k], "own_bits") && hints[h](text, 1, 1 << 20, said, sizeof said))
                    fail_msg("%s: %s", found.gl_pathv[k], said);
            free(text);
        }
        globfree(&found);
    }
    assert_true(n >= 30);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_does_not_depend_on_the_round_is_added_once),
        cmocka_unit_test(what_adds_to_all_rows_is_called_once),
        cmocka_unit_test(a_loop_that_nothing_ends_is_named),
        cmocka_unit_test(a_loop_that_is_not_begun_again_is_named),
        cmocka_unit_test(what_is_left_of_whole_groups_is_done_by_somebody),
        cmocka_unit_test(a_number_of_groups_is_rounded_up),
        cmocka_unit_test(what_is_kept_is_scaled_once),
        cmocka_unit_test(what_was_before_a_loop_is_rescaled_once),
        cmocka_unit_test(exponentials_wait_for_the_maximum),
        cmocka_unit_test(what_belongs_to_a_round_is_made_in_each),
        cmocka_unit_test(no_round_stores_over_the_one_before),
        cmocka_unit_test(nothing_is_said_of_files_that_are_right),
    };
    return cmocka_run_group_tests_name("source_loops", tests, NULL, NULL);
}
