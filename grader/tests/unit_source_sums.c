// unit_source_sums.c: sums of exponentials that nothing brings to a new maximum, and sums that are divided in each round, by
// the text alone: source_unscaled.c, source_averaged.c, source_divided.c and source_lasting.c of grader/run.
#include "hint_text.h"
#include "source_members.h"

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
           "for (int c = 0; c < n; c++) {\n        m = fmaxf(m, s[c]);\n        fix += expf(s[c] - m) / n * (v[c] - "
           "fix);\n    }",
           NULL);  // an average
    expect(lab_hint_of_unscaled,
           "for (int j = 0; j < n; j++) {\n        m = fmaxf(m, s[j]);\n        l += expf(s[j] - m) * expf(m);\n    }",
           NULL);  // exp(s), which belongs to no maximum
    expect(
        lab_hint_of_unscaled,
        "for (int j = 0; j < n; j++) {\n        m = fmaxf(m, s[j]);\n        l += expf(s[j] - m);\n"
        "        for (int d = 0; d < 8; d++) {\n            float y = o[d];\n            y += expf(s[j] - m) * v[d];\n"
        "            o[d] = y;\n        }\n    }",
        "line 6 adds exponentials, or sums of them, to l, and line 10 to o[d], and line 5 raises m in the same loop");
    expect(lab_hint_of_unscaled,
           "for (int j = 0; j < n; j++) {\n        float big = m[r];\n        big = fmaxf(big, s[j]);\n"
           "        const int r = j % 8;\n        m[r] = big;\n        l[t] += expf(s[j] - big);\n    }",
           NULL);  // the maximum is no round's own
    expect(lab_hint_of_unscaled,
           "const float a = 0;\n}\nfloat factor(float from, float to) { return from - to; }\nvoid g(row z) {\n"
           "    for (int k = 16; k > 0; k /= 2) {\n        const float x = __shfl_xor_sync(~0u, z.m, k);\n"
           "        const float m = fmaxf(z.m, x), a = factor(z.m, m);\n        z.l += __shfl_xor_sync(~0u, z.l, k);\n"
           "        z.m = m;\n    }",
           "line 11 adds exponentials, or sums of them, to z.l, and line 10 raises z.m in the same loop");
    expect(
        lab_hint_of_unscaled,
        "for (int t = 0; t < n; t++)\n        for (int r = 0; r < 8; r++) {\n            const float was = z[r].m;\n"
        "            z[r].m = fmaxf(was, peak(s));\n            const float p = expf(s - z[r].m), by = expf(was - "
        "z[r].m);\n            z[r].l = z[r].l * by + total(p);\n            for (int k = 0; k < 32; k++) {\n"
        "                const float w = __shfl_sync(~0u, p, k);\n                for (int c = 0; c < 4; c++) "
        "x[r][c] += w * v[c];\n            }\n        }",
        "line 12 adds exponentials, or sums of them, to x[r][c], and line 7 raises z[r].m in the same loop: what was "
        "added before belongs to the smaller maximum. Multiply what it holds so far by by, before the loop of line 10, "
        "as line 9 does with "
        "z[r].l");
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
        "for (int t = 0; t < n; t++) {\n        const float was = z[r].m;\n        z[r].m = fmaxf(was, peak(s));\n"
        "        for (int c = 0; c < 4; c++) x[c] *= expf(was - z[r].m);\n        x[c] += expf(s - z[r].m) * v[c];\n"
        "    }",
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

#define AVERAGE                                                                                                        \
    "for (int c = 0; c < n; c++) {\n        l = l * e + s[c];\n        const float share = s[c] / l;\n"                \
    "        fix = fix * (1.f - share) + v[c] * share;\n    }\n"
#define CALLED                                                                                                         \
    "}\nvoid g(row *r, float p, float v) {\n    r->l = r->l * 2 + p;\n    const float share = p / r->l;\n"             \
    "    r->o = (1 - share) * r->o + share * v;\n}\nvoid h(row *z) {\n    for (int j = 0; j < 8; j++) g(z, p[j], "     \
    "1);\n}\n"

static void an_average_is_not_divided_again(void **state) {
    (void)state;
    const char *says = "line 7 keeps fix an average: it is divided by l in each round. Line 9 divides it once more. "
                       "Add up undivided in line 7, or do not divide at the end";
    static const char *const again[] = {
        AVERAGE "    o[t] = fix / l;", AVERAGE "    o[t] = l > 0 ? fix * (1.f / l) : 0;", AVERAGE "    fix /= l;",
        "for (int c = 0; c < n; c++) {\n        const float x = l;\n        l = l * e + s[c];\n"
        "        fix = (fix * x * e + s[c] * v[c]) / l;\n    }\n    o[t] = fix / l;",
        "for (int c = 0; c < n; c++) {\n        l += s[c];\n\n        fix += (v[c] - fix) * (s[c] / l);\n    }\n"
        "    o[t] = fix / l;"};
    for (size_t i = 0; i < sizeof again / sizeof *again; i++) expect(lab_hint_of_dividing, again[i], says);
    expect(lab_hint_of_dividing,
           "for (int c = 0; c < n; c++) {\n        const float x = l * e + s[c];\n"
           "        fix = fix * (e * l / x) + v[c] * (s[c] / x), l = x;\n    }\n    o[t] = fix / l;",
           "line 6 keeps fix an average: it is divided by x in each round. Line 8 divides it");
    expect(lab_hint_of_dividing, AVERAGE "    const float x = 1 / l;\n    o[t] = fix * x;", "Line 10 divides it");
    expect(lab_hint_of_dividing, AVERAGE "    const float x = m + logf(l);\n    o[t] = x * fix / l;",
           "Line 10 divides");
    expect(lab_hint_of_dividing, AVERAGE "    const float x = 1 / l;\n    fix *= x;", "Line 10 divides it");
    expect(lab_hint_of_dividing,
           AVERAGE "    a[t] = fix, b[t] = l;\n    float x = 0, y = 0;\n    for (int w = 0; w < 4; w++) {\n"
                   "        y += e * b[w];\n        x += e * a[w];\n    }\n    o[t] = x / y;",
           "Line 15 divides it once more, and line 13 joins parts of it like sums. Weigh each part "
           "by its l, too, where they are joined; or add up undivided in line 7, and rescale");
    expect(lab_hint_of_dividing, CALLED "void k(row *z, float *out) {\n    const float l = z->l;\n    *out = z->o / l;",
           "line 8 keeps r->o an average: it is divided by r->l in each round. Line 15 divides");
}

#define EIGHT "a=b;a=b;a=b;a=b;a=b;a=b;a=b;a=b;"

static void an_average_may_be_weighed(void **state) {
    (void)state;
    static const char *const right[] = {
        AVERAGE "    o[t] = fix;\n    o[n + t] = m + logf(l);",
        AVERAGE "    a[t] = fix, b[t] = l;\n    float x = 0, y = 0;\n    for (int w = 0; w < 4; w++) {\n"
                "        y += e * b[w];\n        x += e * b[w] * a[w];\n    }\n    o[t] = x / y;",
        AVERAGE "    a[t] = fix, b[t] = l;\n    float x = 0, y = 0;\n    for (int w = 0; w < 4; w++) {\n"
                "        const float k = e * b[w];\n        y += k;\n        x += a[w] * k;\n    }\n    o[t] = x / y;",
        AVERAGE "    o[t] = fix;\n}\nvoid k() {\n    float l = 2, fix = 1;\n    fix = fix / l;",
        "for (int c = 0; c < n; c++) {\n        l = l * e + s[c];\n        fix = fix * e + v[c] * s[c];\n    }\n"
        "    o[t] = fix / l;",
        "for (int c = 0; c < n; c++) {\n        l = l * e + s[c];\n        fix = fix * (1 - e) + v[c] * e;\n    }\n"
        "    o[t] = fix / l;",
        CALLED "void k(row *z, float *out) {\n    const float l = z->l;\n    *out = z->o;\n    out[1] = 1 / l;",
        "for (int c = 0; c < n; c++) {\n        l = l * e + s[c];\n        const float share = s[c] / l;\n"
        "        fix = fix * e + v[c] * share;\n    }\n    o[t] = fix / l;",
        AVERAGE "    o[t] = fix / l;\n" EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT EIGHT,  // nobody reads so many
        AVERAGE AVERAGE "    o[t] = fix;",                                                // in two loops
        CALLED "void k(row *r, float p) {\n    r->l += p;\n    const float a = p / r->l;\n    r->o += (1 - r->o) * a;",
        CALLED "void k(float *l, float *o, float *out) {\n    *out = o[0] / l[0];",
        CALLED "void k(float l, float o, float *out) {\n    *out = o / l;"};
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) expect(lab_hint_of_dividing, right[i], NULL);
}

// A struct with these functions, and a loop of f that calls on x, or on an element of it.
static void in_struct(hint *of, const char *functions, const char *call, const char *says) {
    char text[1000], said[500] = "";
    snprintf(
        text, sizeof text,
        "struct row {\n    float m = -INFINITY, l = 0, o = 0;\n    %s\n};\n\nvoid f(const float *s, const float *v) "
        "{\n    row x, all[8];\n    for (int j = 0; j < 8; j++) %s;\n}\n",
        functions, call);
    lab_outdent(text);
    const int found = of(text, 1, 99, said, sizeof said);
    assert_hint(found, said, says, text);
}

#define ADD(formula) "void add(float p, float v) {\n        l = l * 2 + p;\n        " formula "\n    }"

static void what_a_member_function_does_is_read(void **state) {
    (void)state;
    const char *says = "line 5 divides o by l in each round, and what it held already is not multiplied by the l";
    in_struct(lab_hint_of_averaging, ADD("o = (o * 2 + p * v) / l;"), "x.add(s[j], v[j])", says);
    in_struct(lab_hint_of_averaging, ADD("o = (o * 2 + p * v) / l;"), "all[3].add(s[j], v[j])", says);
    in_struct(lab_hint_of_averaging, ADD("o = (o * 2 + p * v) / l;"), "all[j].add(s[j], v[j])", NULL);
    in_struct(lab_hint_of_averaging, ADD("o = o * 2 + p * v;"), "x.add(s[j], v[j])", NULL);
    in_struct(lab_hint_of_averaging, ADD("float z = 0;\n        z = (z * 2 + p * v) / l;"), "x.add(s[j], v[j])", NULL);
    in_struct(lab_hint_of_unread, ADD("o += p;"), "x.add(s[j], v[j])", "add is given v (line 3) and does not read it");
    in_struct(lab_hint_of_unread, "row(float a, float b) : m(a), l(b) {}", "x = row(s[j], v[j])", NULL);
}

static void a_maximum_asked_of_neighbours_is_seen(void **state) {
    (void)state;
    static const struct {
        const char *line, *says;
    } rows[] = {
        {"for (int c = 1; c < n; c++) m = s[c] > s[c - 1] ? s[c] : m;",
         "line 2 compares s[c] with its neighbour, s[c - 1], and keeps it in m: that is the last one which is larger "
         "than the one beside it, and not the largest. Compare s[c] with m, from the first one on"},
        {"for (int c = 0; c < n - 1; c++) if (row[c] > row[c+1]) top = row[c];",
         "with its neighbour, row[c+1], and keeps it in top"},
        {"for (int c = 1; c < n; c++) m = s[c] > m ? s[c] : m;", NULL},
        {"for (int c = 1; c < n; c++) m = s[c] > s[0] ? s[c] : m;", NULL},
        {"for (int c = 1; c < n; c++) m = s[c] > t[c - 1] ? s[c] : m;", NULL},
        {"for (int c = 1; c < n; c++) n += s[c] > s[c - 1];", NULL},
        {"for (int c = 1; c < n; c++) if (s[c] > s[c - 1]) m[c] = s[c];", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[300], said[400] = "";
        snprintf(text, sizeof text, "float f(const float *s, int n, float m) {\n%s\nreturn m;\n}\n", rows[i].line);
        const int found = lab_hint_of_neighbour(text, 1, 99, said, sizeof said);
        assert_hint(found, said, rows[i].says, text);
    }
}

static void all_numbers_of_a_row_are_set_to_0(void **state) {
    (void)state;
    const char *says = "sets n numbers of a to 0, one for each row, and its rows have D numbers each (line 4 asks for "
                       "so many): it is n * D";
    expect(lab_hint_of_cleared,
           "float *a = malloc(sizeof(float) * Br * D);\n    memset(a, 0, sizeof(float) * n);\n    a[t * D] = e;", says);
    expect(lab_hint_of_cleared,
           "w->a = (float *)malloc((size_t)Br * D * sizeof(float));\n    memset(w->a, 0, n * sizeof(float));\n"
           "    float *own = w->a + (size_t)t * D;",
           says);
    expect(lab_hint_of_cleared,
           "float *a = malloc(sizeof(float) * Br * D);\n    memset(a, 0, sizeof(float) * n * D);\n    a[t * D] = e;",
           NULL);
    expect(
        lab_hint_of_cleared,
        "float *a = malloc(sizeof(float) * Br * D);\n    memset(a + t * D, 0, sizeof(float) * D);\n    a[t * D] = e;",
        NULL);
    expect(lab_hint_of_cleared,
           "w->a = malloc(sizeof(float) * Br * D);\n    float *a = w->a + t * D;\n    memset(a, 0, sizeof(float) * D);",
           NULL);
    expect(lab_hint_of_cleared,
           "float *a = malloc(sizeof(float) * n);\n    memset(a, 0, sizeof(float) * n);\n    a[t] = e;", NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_member_function_does_is_read),
        cmocka_unit_test(sums_follow_the_maximum),
        cmocka_unit_test(sums_that_are_brought_along_are_right),
        cmocka_unit_test(a_sum_is_divided_once),
        cmocka_unit_test(what_is_divided_behind_the_last_round_is_right),
        cmocka_unit_test(a_maximum_asked_of_neighbours_is_seen),
        cmocka_unit_test(an_average_is_not_divided_again),
        cmocka_unit_test(an_average_may_be_weighed),
        cmocka_unit_test(all_numbers_of_a_row_are_set_to_0),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
