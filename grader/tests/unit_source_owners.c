// unit_source_owners.c: which elements are a thread's own: source_whole.c and source_owners.c of grader/run.
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "source_hints.h"

typedef struct {
    const char *one, *other, *says;
} row;

typedef int hint(const char *text, int from, int to, char *sentence, size_t size);

static void ask(hint *of, const char *form, const row *r) {
    char text[1500], said[500] = "";
    snprintf(text, sizeof text, form, r->one, r->other);
    const int found = of(text, 1, 99, said, sizeof said);
    if (!found != !r->says) fail_msg("%s %s: %s", r->one, r->other, said);
    if (found) assert_int_equal(found, LAB_HINT_CAUSE);
    if (found) assert_says(said, r->says);
    assert_false(of(text, 1, 2, said, sizeof said));
}

static const char joined[] = "float all_of(float x) {\n  return __shfl_xor_sync(~0, x, 1);\n}\nfloat own(float x) {\n"
                             "  return x;\n}\n";

static void a_thread_that_adds_up_what_all_will_add_is_seen(void **state) {
    (void)state;
    static const char own[] = "for (int c = t; c < n; c += T) p[c] = expf(s[c]);",
                      all[] = "for (int k = 0; k < n; k++) l += p[k];",
                      says[] =
                          "line 10: each thread adds up all of p, also what others have just written in line 9, and "
                          "then the l of all threads are added, so that each term counts many times. A thread adds "
                          "its own share alone: c = t, t + T, ..., as in line 9",
                      by_one[] =
                          "line 10: one thread adds up all of p, which the others store in line 9, with no barrier";
    static const row rows[] = {
        {own, all, says},
        {own, "for (int k = 0; k < n; k++) { l += p[k]; }", says},
        {own, "for (int k = 0; k < n; k++) l += 2 * p[k];", says},
        {own, "for (int k = 0; k < n; k++) l += s[k];", NULL},
        {own, "for (int k = 0; k < m; k++) l += p[k];", NULL},
        {own, "for (int k = t; k < n; k += T) l += p[k];", NULL},
        {own, "__syncthreads(); for (int k = 0; k < n; k++) l += p[k];", NULL},
        {own, "if (t == 0) for (int k = 0; k < n; k++) l += p[k];", by_one},
        {own, "if (t < 1) for (int k = 0; k < n; k++) l += p[k];", NULL},
        {own, "__syncthreads(); if (t == 0) for (int k = 0; k < n; k++) l += p[k];", NULL},
        {own, "for (int k = 0; k < n; k++) l += p[k] * (k % T == t);", NULL},
        {own, "for (int k = 0; k < n; k++) l = fmaxf(l, p[k]);", NULL},
        {"for (int c = 0; c < n; c += T) p[c] = 1;", all, NULL},
        {"for (int c = t; c < n; c += T) x += p[c];", all, NULL},
    };
    static const char *const ends[] = {
        "  return l;\n}\nvoid g() {\n  x = all_of(f(p));\n}\n",
        "  return l;\n}\nvoid g() {\n  float k = f(p);\n  k = all_of(k);\n}\n",
        "  l = all_of(l);\n}\n",
        "  part[t] = l;\n}\n",
        "  atomicAdd(x, l);\n}\n",
    };
    static const char *const others[] = {"  return l;\n}\nvoid g() {\n  x = own(f(p));\n}\n",
                                         "  l = own(l);\n  y = all_of(x);\n}\n", "  x[0] = l;\n}\n", "  p = 0;\n}\n"};
    char form[1000];
    for (size_t e = 0; e < sizeof ends / sizeof *ends; e++) {
        snprintf(form, sizeof form, "%sfloat f(p) {\n  int t = threadIdx.x;\n  %%s\n  %%s\n%s", joined, ends[e]);
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) ask(lab_hint_of_whole, form, &rows[i]);
    }
    for (size_t e = 0; e < sizeof others / sizeof *others; e++) {
        snprintf(form, sizeof form, "%sfloat f(p) {\n  int t = threadIdx.x;\n  %%s\n  %%s\n%s", joined, others[e]);
        ask(lab_hint_of_whole, form, &(row){own, all, NULL});
    }
}

static void an_array_of_a_threads_own_is_all_its_own(void **state) {
    (void)state;
    static const char form[] = "void f(float *o, int n) {\n  int t = threadIdx.x;\n  %s\n  %s\n  o[t] = s[0];\n}\n";
    static const char fill[] = "float m = 0, s[KPL], l = 0;\n  for (int u = 0; u < KPL; u++) s[u] = o[u * 32 + t];";
    static const row rows[] = {
        {fill, "for (int u = t; u < KPL; u += 32) if (t > n) s[u] = -INFINITY;",
         "line 5 takes s[t], s[t + 32], ... alone, as if the threads shared s: it is an array of each thread's own "
         "(line "
         "3), and a thread goes through all of it, from 0 on in steps of 1"},
        {fill, "for (int u = threadIdx.x % 32; u < KPL; u += 32) s[u] *= 2;", "line 5 takes s[threadIdx.x%32], s["},
        {fill, "for (int u = 0; u < KPL; u++) s[u] = -INFINITY;", NULL},
        {fill, "for (int u = t; u < n; u += 32) s[u] = -INFINITY;", NULL},
        {fill, "for (int u = t; u < KPL; u += 32) l += s[u];", NULL},
        {fill, "for (int u = t; u < KPL; u += 32) o[u] = s[u];", NULL},
        {"float s[KPL];", "for (int u = t; u < KPL; u += 32) s[u] = o[u];", NULL},
        {"__shared__ float s[KPL];\n  for (int u = 0; u < KPL; u++) s[u] = o[u];",
         "for (int u = t; u < KPL; u += 32) s[u] = -INFINITY;", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) ask(lab_hint_of_own_array, form, &rows[i]);
    char text[900], whole[1000], said[500];
    snprintf(text, sizeof text, "%s%s", joined,
             "void f(float *s, int n) {\n  int t = threadIdx.x;\n  %s\n  for (int u = t; u < n; u += 32) p[u] = s[u];\n"
             "  for (int u = 0; u < n; u++) l += p[u];\n  l = all_of(l);\n}\n");
    for (int own = 0; own < 2; own++) {
        snprintf(whole, sizeof whole, text, own ? "float p[8];" : "__shared__ float p[8];");
        assert_int_equal(lab_hint_of_whole(whole, 1, 99, said, sizeof said), own ? LAB_HINT_NONE : LAB_HINT_CAUSE);
    }
}

static void two_rules_for_the_same_elements_are_seen(void **state) {
    (void)state;
    static const char form[] = "enum { L = 8, B = 32, N = B / L };\n"
                               "void one(float *s, int t) {\n  for (int b = 0; b < N; b++) %s = b;\n}\n"
                               "void two(float *s, int t) {\n  %s\n}\n"
                               "void f() {\n  const int t = threadIdx.x %% L;\n"
                               "  one(s, t);\n  for (;;) two(s, t);\n}\n";
    static const char stride[] = "for (int c = t; c < B; c += L) s[c] = 0;";
    static const row rows[] = {
        {"s[t * N + b]", stride,
         "line 3: thread t has the elements t * N + b of s, and in line 6 it has c = t, t + L, ...: what one thread "
         "writes there another one reads, with no barrier between. One rule for all lines: t + L * b, "
         "wherever t * N + b stands"},
        {"s[a * (B + 1) + t * N + b]", stride, "line 3: thread t has the elements t * N + b of s"},
        {"s[t + L * b]", stride, NULL},
        {"q[t * N + b]", stride, NULL},
        {"s[t * N + k]", stride, NULL},
        {"s[t * N + b]", "for (int c = t; c < D; c += L) s[c] = 0;", NULL},
        {"s[t * N + b]", "for (int c = t; c < B; c += D) s[c] = 0;", NULL},
        {"s[t * N + b]", "for (int c = t; c < B; c += L) q[c] = 0;", NULL},
        {"s[t * N + b]", "__syncwarp();", NULL},
        {"s[r * N + b]", stride, NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) ask(lab_hint_of_owners, form, &rows[i]);
    static const row calls[] = {
        {"one(s, t); two(s, t);", stride, "line 3: thread t has the elements t * N + b of s, and in line 6"},
        {"two(s, t); if (t) x(); else y(); one(s, t);", stride, "line 3: thread t has"},
        {"if (n) one(s, t); else two(s, t);", stride, NULL},
        {"if (n) { one(s, t); } else { y(); two(s, t); }", stride, NULL},
        {"\n#if n\n  one(s, t);\n#else\n  y();\n  two(s, t);\n#endif", stride, NULL},
        {"one(s, t); __syncwarp(); two(s, t);", stride, NULL},
        {"one(s, t);", stride, NULL},
    };
    static const char called[] = "enum { L = 8, B = 32, N = B / L };\n"
                                 "void one(float *s, int t) {\n  for (int b = 0; b < N; b++) s[t * N + b] = b;\n}\n"
                                 "void two(float *s, int t) {\n  %s\n}\n"
                                 "void f() {\n  const int t = threadIdx.x %% L;\n  %s\n}\n";
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        ask(lab_hint_of_owners, called, &(row){stride, calls[i].one, calls[i].says});
    static const char apart[] = "enum { L = 8, B = 32, N = B / L };\n"
                                "void f(float *s) {\n  const int t = threadIdx.x;\n"
                                "  for (int b = 0; b < N; b++) s[t * N + b] = b;\n  %s\n  %s\n}\n";
    ask(lab_hint_of_owners, apart,
        &(row){"", stride, "line 4: thread t has the elements t * N + b of s, and in line 6"});
    ask(lab_hint_of_owners, apart, &(row){"__syncthreads();", stride, NULL});
    static const char named[] = "enum { L = 8, B = 32, N = B / L };\n"
                                "void f(float *s) {\n  const int t = threadIdx.x;\n  const int first = %s;\n"
                                "  for (int b = 0; b < N; b++) s[a * (B + 1) + first + b] = b;\n  %s\n}\n";
    ask(lab_hint_of_owners, named,
        &(row){"t * N", stride,
               "line 5: thread t has the elements first + b of s, and in line 6 it has c = t, t + L, ...: what one "
               "thread writes there another one reads, with no barrier between. One rule for all lines: t + L * b, "
               "wherever first + b stands"});
    ask(lab_hint_of_owners, named, &(row){"t * N + 1", stride, NULL});
    ask(lab_hint_of_owners, named, &(row){"t * L", stride, NULL});
}

// The other half of the kernel: numbers that are a thread's own, and which of all they are.
static void the_other_half_of_the_same_rule_is_said_with_it(void **state) {
    (void)state;
    static const char form[] = "enum { L = 8, B = 32, N = B / L };\n"
                               "void one(float *s, int t) {\n  for (int b = 0; b < N; b++) s[t * N + b] = b;\n}\n"
                               "void two(float *s, int t) {\n  for (int c = t; c < B; c += L) s[c] = 0;\n}\n"
                               "void add(float *v, int t) {\n  %s\n}\n"
                               "void store(float *O, int t) {\n  %s\n}\n"
                               "void f() {\n  const int t = threadIdx.x %% L;\n"
                               "  one(s, t);\n  for (;;) two(s, t);\n}\n";
    static const char add[] = "for (int e = 0; e < D / L; e++) { int d = t * (D / L) + e; o[e] += v[d]; }",
                      store[] = "for (int e = 0; e < D / L; e++) { const int d = t + L * e; O[d] = o[e]; }",
                      half[] = "wherever t * N + b stands";
    static const struct {
        const char *add, *store, *d;  // NULL: nothing more is said
    } rows[] = {
        {add, store, "t + L * e"},
        {add, "for (int e = 0; e < D / L; e++) { const int d = t + e * L; O[d] = row->o[e]; }", "t + e * L"},
        {add, "for (int e = 0; e < D / L; e++) { int d = t * (D / L) + e; O[d] = o[e]; }", NULL},
        {add, "for (int e = 0; e < D / L; e++) { const int d = t + L * e; O[d] = q[e]; }", NULL},
        {add, "for (int e = 0; e < D / L; e++) { const int d = t + L * e + 1; O[d] = o[e]; }", NULL},
        {"for (int e = 0; e < D / L; e++) { int d = t * (D / L) + e + 1; o[e] += v[d]; }", store, NULL},
        {"for (int e = 0; e < D / L; e++) { int d = r * (D / L) + e; o[e] += v[d]; }", store, NULL},
        {store, store, NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[1500], said[600] = "", more[100] = "";
        snprintf(text, sizeof text, form, rows[i].add, rows[i].store);
        assert_int_equal(lab_hint_of_owners(text, 1, 99, said, sizeof said), LAB_HINT_CAUSE);
        const char *stands = strstr(said, half);
        if (rows[i].d)
            snprintf(more, sizeof more, ". So in line 9: d = %s, as in line 12, and not t * (D / L) + e", rows[i].d);
        if (!stands || strcmp(stands + strlen(half), more)) fail_msg("row %zu: %s", i, said);
    }
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(a_thread_that_adds_up_what_all_will_add_is_seen),
        CLAIM(an_array_of_a_threads_own_is_all_its_own),
        CLAIM(two_rules_for_the_same_elements_are_seen),
        CLAIM(the_other_half_of_the_same_rule_is_said_with_it),
    };
    return cmocka_run_group_tests_name("source_owners", claims, NULL, NULL);
}
