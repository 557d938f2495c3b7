// unit_source_late.c: by the text alone, sums that are rescaled behind what the round has added, sums that lack one of a
// float4's components, and two rules by which one array is filled: source_late.c, source_components.c and source_pairs.c
// of grader/source.
#include "hint_text.h"

static void what_is_rescaled_too_late_is_seen(void **state) {
    (void)state;
    const char *says = "line 9 rescales l too late: behind line 8, which has added this round's terms";
    static const char loop[] = "for (int j = 0; j < n; j += 8) {\n        const float was = m;\n"
                               "        m = fmaxf(m, peak(s + j));\n        %s\n        %s\n        %s\n"
                               "        l += expf(s[j] - m);\n        %s\n    }";
    static const char *const order[][4] = {
        {"", "", "", ""},
        {"l *= expf(was - m);", "", "", ""},                          // before
        {"", "", "", "m = fmaxf(m, s[j + 8]), l *= expf(was - m);"},  // with the maximum of the next round
        {"float l = 0;", "", "", "l *= expf(was - m);"},              // of this round alone
        {"", "", "", "l *= e;"}};
    char text[600];
    expect(lab_hint_of_late,
           "for (int j = 0; j < n; j += 8) {\n        const float was = m;\n        m = fmaxf(m, peak(s + j));\n"
           "        const float by = expf(was - m);\n        l += expf(s[j] - m);\n        l = l * by;\n    }",
           says);
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        snprintf(text, sizeof text, loop, order[i][0], order[i][1], order[i][2], order[i][3]);
        expect(lab_hint_of_late, text, NULL);
    }
    expect(lab_hint_of_late,
           "}\nvoid rescale(row *r, float was) {\n    const float by = expf(was - r->m);\n    r->l *= by;\n"
           "    for (int e = 0; e < 8; e++) r->o[e] *= by;\n}\nvoid add(row *r, float s, float v) {\n"
           "    const float p = expf(s - r->m);\n    r->l += p;\n    for (int e = 0; e < 8; e++) r->o[e] += p * v;\n}\n"
           "void g(row *r, float *s) {\n    for (int j = 0; j < 9; j++) {\n        float was = r->m;\n"
           "        r->m = fmaxf(was, s[j]);\n        add(r, s[j], 1);\n        rescale(r, was);\n    }",
           "line 7 (called in line 20) rescales l and o too late: behind line 12 (called in line 19)");
}

static void a_component_that_no_line_takes_is_seen(void **state) {
    (void)state;
    expect(lab_hint_of_components,
           "const float4 a = q4[t];\n    float4 b[2];\n    l += a.x * b[t].x + a.y * b[t].y + a.z * b[t].z;",
           "line 6 adds up three of the four components of a, a float4, and no line takes a.w");
    expect(lab_hint_of_components,
           "const float4 a = q4[t], b = k4[t];\n    l += a.x * b.x + a.w * b.w;\n    l += a.y * b.y + a.z * b.z;",
           NULL);
    expect(lab_hint_of_components, "const float4 a = q4[t];\n    l += a.x + a.y + a.z;\n    l += a.w;",
           NULL);  // in another line
    expect(lab_hint_of_components, "float4 a, b;\n    l += a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.z;", NULL);
    expect(lab_hint_of_components, "const float3 a = q3[t];\n    l += a.x + a.y + a.z;", NULL);
    expect(lab_hint_of_components, "float4 x;\n    l += threadIdx.x + threadIdx.y + threadIdx.z;", NULL);
}

static void places_that_two_lines_do_not_share_are_seen(void **state) {
    (void)state;
    static const char *const pairs[][2] = {{"t] = m;", "HALF + t] = l;"}, {"t] = m;", "t + 128] = l;"}},
                             *const right[][2] = {{"2 * t] = m;", "2 * t + 1] = l;"},
                                                  {"t] += a[HALF + t];", "t] = 0;"},  // a tree over all of them
                                                  {"u] = m;", "HALF + t] = l;"},
                                                  {"t] = a[2 * u];", "HALF + t] = l + a[HALF + u];"}};  // two uses
    char text[300];
    for (int i = 0; i < 2; i++) {
        snprintf(text, sizeof text, "a[2 * t] = m;\n    a[2 * t + 1] = l;\n    a[%s\n    a[%s", pairs[i][0],
                 pairs[i][1]);
        expect(lab_hint_of_pairs, text,
               "line 4 has two numbers side by side, a[2*t] and a[2*t+1], and line 7 half an array apart, a[t] and a[");
    }
    expect(lab_hint_of_pairs,
           "__shared__ float b[2 * 64];\n    b[2 * t] = m;\n    b[2 * t + 1] = l;\n    m = b[t] + b[64 + t];\n    b[t] "
           "= m;\n"
           "    b[64 + t] = l;",
           "line 5 has two numbers side by side");
    for (int i = 0; i < 4; i++) {
        snprintf(text, sizeof text, "a[2 * t] = m;\n    a[2 * t + 1] = l;\n    a[%s\n    a[%s", right[i][0],
                 right[i][1]);
        expect(lab_hint_of_pairs, text, NULL);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_rescaled_too_late_is_seen),
        cmocka_unit_test(a_component_that_no_line_takes_is_seen),
        cmocka_unit_test(places_that_two_lines_do_not_share_are_seen),
    };
    return cmocka_run_group_tests_name("source_late", tests, NULL, NULL);
}
