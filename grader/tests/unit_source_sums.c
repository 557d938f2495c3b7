// unit_source_sums.c: sums of exponentials that nothing brings to a new maximum, and sums that are divided in each round, by
// the text alone: source_unscaled.c, source_averaged.c and source_lasting.c of grader/run.
#include "hint_text.h"

static void sums_follow_the_maximum(void **state) {
    (void)state;
    const char *says = "line 6 adds exponentials, or sums of them, to l, and line 5 raises m in the same loop: what "
                       "was added before belongs "
                       "to the smaller maximum";
    expect(lab_hint_of_unscaled,
           "for (int c = 0; c < n; c++) {\n        m = fmaxf(m, s[c]);\n        l += expf(s[c] - m);\n    }", says);
    expect(lab_hint_of_unscaled,
           "for (int c = 0; c < n; c++) {\n        if (s[c] > m) m = s[c];\n        l = l + expf(s[c] - m);\n    }",
           says);
    expect(lab_hint_of_unscaled,
           "for (int c = 0; c < n; c++) {\n        const float x = fmaxf(m, s[c]), p = expf(s[c] - x);\n"
           "        m = x;\n        l *= expf(m - x);\n        fix = fmaf(p, v[c], fix);\n    }",
           "line 8 adds exponentials, or sums of them, to fix, and line 5 raises m");
    expect(lab_hint_of_unscaled,
           "for (int j = 0; j < n; j += 8) {\n        float x = m, sum = 0;\n"
           "        for (int c = 0; c < 8; c++) x = s[j + c] > x ? s[j + c] : x;\n"
           "        for (int c = 0; c < 8; c++) sum += expf(s[j + c] - x);\n        l += sum;\n        m = x;\n    }",
           "line 8 adds exponentials, or sums of them, to l, and line 6 raises m in the same loop");
    expect(
        lab_hint_of_unscaled,
        "for (int j = 0; j < n; j += 8) {\n        float *p = x.s, top = fmaxf(s[j], s[j + 1]);\n        load(x.k);\n"
        "        x.l[t] += expf(s[j] - top);\n    }",
        "line 7 adds exponentials to x.l[t], and line 5 makes top anew in each round: the sums of two rounds belong to "
        "two maxima");
    expect(lab_hint_of_unscaled,
           "for (int j = 0; j < n; j++) {\n        m = fmaxf(m, s[j]);\n"
           "        for (int d = 0; d < 8; d++) out[d] += expf(s[j] - m) * v[d];\n    }",
           "line 6 adds exponentials, or sums of them, to out[d], and line 5 raises m in the same loop");
    expect(lab_hint_of_unscaled,
           "const float a = 0;\n}\nfloat factor(float from, float to) { return from - to; }\nvoid g(row z) {\n"
           "    for (int k = 16; k > 0; k /= 2) {\n        const float x = __shfl_xor_sync(~0u, z.m, k);\n"
           "        const float m = fmaxf(z.m, x), a = factor(z.m, m);\n        z.l += __shfl_xor_sync(~0u, z.l, k);\n"
           "        z.m = m;\n    }",
           "line 11 adds exponentials, or sums of them, to z.l, and line 10 raises z.m in the same loop");
    expect_of(lab_hint_of_unscaled, LAB_HINT_BESIDE,
              "}\nvoid g(row *r, float s) {\n    r->m = fmaxf(r->m, s);\n    r->l += expf(s - r->m);\n}\nvoid h(row "
              "*z, const float *s, int n) {\n    for (int j = 0; j < n; j++) g<true>(z, s[j]);",
              "line 7 adds exponentials, or sums of them, to r->l, and line 6 raises r->m in the same function");
}

static void sums_that_are_brought_along_are_right(void **state) {
    (void)state;
    static const char *const right[] = {
        "for (int c = 0; c < n; c++) {\n        const float x = fmaxf(m, s[c]);\n        l *= expf(m - x);\n        m "
        "= x;\n"
        "        l += expf(s[c] - m);\n    }",
        "for (int c = 0; c < n; c++) m = fmaxf(m, s[c]);\n    for (int c = 0; c < n; c++) l += expf(s[c] - m);",
        "for (int r = 0; r < n; r++) {\n        float m = e, l = 0;\n        m = fmaxf(m, s[r]);\n        l += "
        "expf(s[r] - m);\n"
        "        o[r] = l;\n    }",
        "for (int j = 0; j < n; j += 8) {\n        float top = fmaxf(s[j], s[j + 1]);\n        load(x.l);\n"
        "        x.l[t] += expf(s[j] - top);\n    }",
        "for (int j = 0; j < n; j += 8) {\n        float top = fmaxf(s[j], s[j + 1]), x = expf(s[j] - top);\n"
        "        l = l * expf(m - top) + x;\n    }",
        "}\nvoid g(row *r, const float *s) {\n    float top = fmaxf(s[0], s[1]);\n    r->l += expf(s[0] - top);",
        "for (int r = 0; r < n; r++) {\n        a[r] = fmaxf(a[r], s[r]);\n        b[r] += expf(s[r] - a[r]);\n    }",
        "for (int c = 0; c < n; c++) {\n        m = fmaxf(m, s[c]);\n        bring(&l, m);\n        l += expf(s[c] - "
        "m);\n    }",
        "for (int k = 0; k < 2; k++) {\n        if (k == 0) m = fmaxf(m, e); else l += expf(e - m);\n    }",
        "for (int r = 0; r < n; r++) {\n        softmax z;\n        z.m = fmaxf(z.m, s[r]);\n        z.l += expf(s[r] "
        "- z.m);\n    }",
        "}\nvoid g(row *r, float s) {\n    r->m = fmaxf(r->m, s);\n    r->l += expf(s - r->m);\n}\n"
        "void h(row *z, const float *s, int n) {\n    for (int j = 0; j < n; j++) g(&z[j], s[j]);",
        "}\nvoid g(row *r, float s) {\n    r->m = fmaxf(r->m, s);\n    r->l += expf(s - r->m);\n}\n"
        "void h(row *all, const float *s, int n) {\n    for (int j = 0; j < n; j++) {\n        row *z = all + j;\n"
        "        g(z, s[j]);\n    }",
        "}\nvoid g(row *r, float s) {\n    r->m = fmaxf(r->m, s);\n    r->l += expf(s - r->m);\n}\n"
        "void h(const float *s, int n) {\n    for (int j = 0; j < n; j++) {\n        row z = first;\n        g(&z, "
        "s[j]);\n"
        "    }",
        "for (int k = 16; k > 0; k /= 2) {\n        const float x = fmaxf(m, __shfl_xor_sync(~0u, m, k));\n"
        "        l = l * expf(m - x) + __shfl_xor_sync(~0u, l, k);\n        m = x;\n    }",
        "for (int k = 16; k > 0; k /= 2) l += __shfl_xor_sync(~0u, l, k);\n    m = fmaxf(m, l);",
        "for (int r = 0; r < n; r++) {\n        const int row = 8 * r;\n        float top = fmaxf(s[r], e);\n"
        "        b[row] += expf(s[r] - top);\n    }",
        "for (int r = 0; r < n; r++) {\n        row *z = all + r;\n        z->m = fmaxf(z->m, s[r]);\n"
        "        z->l += expf(s[r] - z->m);\n    }",
        "}\nvoid g(float s) {\n    float m = s, l = 0;\n    m = fmaxf(m, s);\n    l += expf(s - m);"};
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) expect(lab_hint_of_unscaled, right[i], NULL);
}

static void a_sum_is_divided_once(void **state) {
    (void)state;
    const char *says =
        "line 6 divides fix by l in each round, and what it held already is not multiplied by the l of the "
        "round before";
    expect(
        lab_hint_of_averaging,
        "for (int c = 0; c < n; c++) {\n        l = l * e + s[c];\n        fix = (fix * e + s[c] * v[c]) / l;\n    }",
        says);
    expect(lab_hint_of_averaging, "for (int c = 0; c < n; c++) {\n        l += s[c];\n        fix /= l;\n    }", says);
    expect(lab_hint_of_averaging,
           "for (int c = 0; c < n; c++) {\n        l += s[c];\n        fix += s[c] * v[c] / l;\n    }",
           "line 6 adds to fix what is divided by l, which is not complete yet");
    expect(lab_hint_of_averaging,
           "for (int c = 0; c < n; c++) r[c].o += v[c] / r[c].l;\n}\nvoid g(row *r) {\n    float l = all(r->l);\n"
           "    out = r->o / l;",
           "line 4 divides by r[c].l what it adds to r[c].o, and line 8 divides by it once more");
    expect(lab_hint_of_averaging,
           "}\nvoid g(row *r, float p, float v) {\n    r->l += p;\n    r->o = (r->o + p * v) / r->l;\n}\nvoid h(row "
           "*z) {\n    for (int j = 0; j < 8; j++) g(z, p[j], 1);",
           "line 7 divides r->o by r->l in each round");
}

static void what_is_divided_behind_the_last_round_is_right(void **state) {
    (void)state;
    static const char *const right[] = {
        "for (int c = 0; c < n; c++) {\n        l += s[c];\n        fix += s[c] * v[c];\n    }\n    fix /= l;",
        "for (int c = 0; c < n; c++) {\n        const float x = l;\n        l = l * e + s[c];\n"
        "        fix = (fix * x * e + s[c] * v[c]) / l;\n    }",
        "for (int c = 0; c < n; c++) {\n        l += s[c];\n        fix += (v[c] - fix) * s[c] / l;\n    }",
        "for (int r = 0; r < n; r++) {\n        float l = 0, x = 0;\n        for (int c = 0; c < n; c++) l += s[c], x "
        "+= v[c];\n"
        "        x /= l;\n        o[r] = x;\n    }",
        "for (int c = 0; c < n; c++) l += s[c];\n    for (int c = 0; c < n; c++) fix += s[c] * v[c] / l;",
        "}\nvoid g(row *r, const float *p) {\n    for (int c = 0; c < 8; c++) r->l += p[c], r->o += p[c];\n    r->o /= "
        "r->l;",
        "for (int r = 0; r < n; r++) {\n        row *z = all + r;\n        for (int c = 0; c < 8; c++) z->l += s[c];\n"
        "        z->o /= z->l;\n    }",
        "for (int c = 0; c < n; c++) fix += v[c] / l;\n}\nvoid g(row *r) {\n    out = r->o / r->l;"};
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) expect(lab_hint_of_averaging, right[i], NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_follow_the_maximum),
        cmocka_unit_test(sums_that_are_brought_along_are_right),
        cmocka_unit_test(a_sum_is_divided_once),
        cmocka_unit_test(what_is_divided_behind_the_last_round_is_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
