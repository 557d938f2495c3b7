// unit_source_shares.c: a loop that all threads walk whole, a directive that OpenMP does not know, a launch without
// shared memory, and which part of a cache a report means: source_shares.c, source_pragmas.c, source_launch.c,
// cache_words.c, source_types.c, source_shadow.c, source_idle.c and source_reads.c of grader/source.
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "cache_words.h"
#include "ops.h"
#include "source_hints.h"

static void a_loop_that_all_threads_walk_whole_is_seen(void **state) {
    (void)state;
    static const struct {
        int seen;
        const char *loop;
    } rows[] = {
        {1, "for (int n = threadIdx.x; n < size * D; n++) {"},
        {1, "for (r = threadIdx.y ; r < rows; r += 1)"},
        {1, "for (int n=threadIdx.x; n<size; ++n)"},
        {0, "for (int n = threadIdx.x; n < size * D; n += THREADS) {"},
        {0, "for (int n = threadIdx.x; n < size; n += 1 + x)"},
        {0, "for (int n = threadIdx.x * 4; n < 4 * threadIdx.x + 4; n++)"},
        {0, "for (int n = 0; n < size; n++)"},
        {0, "for (int n = threadIdx.x; n < size; m++)"},
        {0, "before(int n = threadIdx.x; n < size; n++)"},
        {0, "forward(int n = threadIdx.x; n < size; n++)"},
        {0, "for (;;)"},
        {0, "for"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[200], sentence[400] = "";
        snprintf(text, sizeof text, "void f() {\n    int n;\n    %s x(n);\n}\n", rows[i].loop);
        if (lab_hint_of_shares(text, sentence, sizeof sentence) != rows[i].seen) fail_msg("%s", rows[i].loop);
        if (rows[i].seen) assert_says(sentence, "the loop of line 3");
    }
}

static void a_directive_that_openmp_does_not_know_is_named(void **state) {
    (void)state;
    char sentence[200] = "";
    assert_true(lab_hint_of_pragmas("int x;\n#pragma omp paralel for\n", sentence, sizeof sentence));
    assert_string_equal(sentence, "OpenMP knows no `paralel`, so the compiler leaves line 2 out");
    static const char *const right[] = {"#pragma omp parallel for\n",
                                        "#pragma omp parallel\n#pragma omp for schedule(dynamic)\n",
                                        "#pragma omp  simd reduction(+ : sum)\n",
                                        "#pragma GCC unroll 8\n",
                                        "#pragma omp atomic write\n",
                                        ""};
    for (size_t i = 0; i < sizeof right / sizeof *right; i++)
        if (lab_hint_of_pragmas(right[i], sentence, sizeof sentence)) fail_msg("%s", right[i]);
}

static void a_loop_that_is_shared_without_a_region_is_named(void **state) {
    (void)state;
    char sentence[300] = "";
    assert_true(lab_hint_of_pragmas("int x;\n{\n#pragma omp for schedule(dynamic)\n", sentence, sizeof sentence));
    assert_says(sentence,
                "line 3: `omp for` shares the loop among the threads of a parallel region, and there is none");
    assert_false(lab_hint_of_pragmas("#pragma omp simd\nfor (;;) x;\n", sentence, sizeof sentence));
}

static void a_launch_without_shared_memory_is_named(void **state) {
    (void)state;
    static const struct {
        int seen;
        const char *kernel, *launch;
    } rows[] = {
        {1, "extern __shared__ float s[];", "f<<<grid, 128>>>(x)"},
        {1, "extern __shared__ float s[];", "f<<<dim3(a, b), 128, 0 , stream>>>(x)"},
        {0, "extern __shared__ float s[];", "f<<<dim3(a, b), 128, bytes, stream>>>(x)"},
        {0, "__shared__ float s[8];", "f<<<grid, 128>>>(x)"},
        {0, "extern __shared__ float s[];", "f(grid, 128)"},
    };
    static const char report[] = "host pointer in a kernel; kernel f, launched at f.cu:3, block (0,0,0)";
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[300], sentence[400] = "";
        snprintf(text, sizeof text, "%s\n\n%s;\n", rows[i].kernel, rows[i].launch);
        if (lab_hint_of_launch(text, report, sentence, sizeof sentence) != rows[i].seen) fail_msg("%s", rows[i].launch);
        if (rows[i].seen) assert_says(sentence, "line 3 launches the kernel with no dynamic shared memory");
        assert_false(lab_hint_of_launch(text, "data race: x; launched at f.cu:3", sentence, sizeof sentence));
    }
}

static void a_part_of_the_cache_has_its_own_name(void **state) {
    (void)state;
    const lab_case append = {.op = &lab_cache_append, .shape = {1, 2, 1, 16, 64, 0}};  // 2048 floats of K, as many of V
    const lab_case decode = {.op = &lab_decode, .shape = append.shape};
    static const char *const rows[][2] = {
        {"data race: global the cache[4096]; at f.cu:3", "data race: lengths[0]; at f.cu:3"},
        {"global the cache[2047]", "global K_cache[2047]"},
        {"global the cache[2050]", "global V_cache[2]"},
        {"global the cache[4097]", "global the cache[4097]"},  // behind its end
        {"global the cache before", "global the cache before"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[200];
        snprintf(text, sizeof text, "%s", rows[i][0]);
        lab_name_part_of_cache(&append, text, sizeof text);
        assert_string_equal(text, rows[i][1]);
        snprintf(text, sizeof text, "%s", rows[i][0]);
        lab_name_part_of_cache(&decode, text, sizeof text);
        assert_string_equal(text, rows[i][0]);
    }
}

static void a_fraction_in_a_whole_number_is_seen(void **state) {
    (void)state;
    static const struct {
        const char *text, *says;
    } rows[] = {
        {"f() {\n  int root = sqrt((float)d);\n}\n", "line 2: root is declared as int, and gets what sqrt() gives:"},
        {"f() {\n  int sum = 0, n;\n  for (;;) sum += expf(x);\n}\n",
         "declared as int, and gets what expf() gives in line 3"},
        {"f() {\n  size_t m;\n  m = rsqrtf(x);\n}\n", "m is declared as size_t"},
        {"f() {\n  int n = (int)sqrtf(x);\n}\n", NULL},
        {"f(const float *A) {\n  int a = A[r * s + k];\n}\n", "line 2: a is declared as int, and gets an element of"},
        {"f(const int *A, float *B) {\n  int a = A[k];\n}\n", NULL},
        {"f(float *p, float l) {\n  const int sum = l;\n}\n", "line 2: sum is declared as int, and gets l, a float:"},
        {"f(P *p, float s) {\n  const int m = fmaxf(p->m, s), l = 1;\n}\n",
         "line 2: m is declared as int, and gets what fmaxf() gives, a float:"},
        {"f(int a, int b) {\n  int m = fmaxf(a, b);\n}\n", NULL},
        {"f() {\n  float x = 0;\n  int a = x;\n}\n", "line 3: a is declared as int, and gets x, a float:"},
        {"f(float *p, int l) {\n  const int sum = l;\n}\n", NULL},
        {"f(const float *p) {\n  int a = p == q;\n}\n", NULL},
        {"f(float x) {\n  int a = x;\n  p[a] = 0;\n}\n", NULL},
        {"f() {\n  { float x; }\n  int x = 1;\n  int a = x;\n}\n", NULL},
        {"f() {\n  { float x; }\n  int x[2];\n}\n\ng(int x) {\n  int a = x;\n}\n", NULL},
        {"f(float *B, const int *A) {\n  int a = A[k];\n}\n", NULL},
        {"f() {\n  float m[N], s[N];\n  int a = s[0];\n}\n", "line 3: a is declared as int, and gets an element of"},
        {"f(float *m, int *s) {\n  int a = s[0];\n}\n", NULL},
        {"float sum(float x) {\n}\nf() {\n  int l = sum(x);\n}\n",
         "line 4: l is declared as int, and gets sum(), a float:"},
        {"float sum(float x) {\n}\nf() {\n  int l = sum<Op>(x, 1);\n}\n", "gets sum(), a float:"},
        {"int sum(float x) {\n}\nf() {\n  int l = sum(x);\n}\n", NULL},
        {"float at(int r) {\n}\nf() {\n  const int b = m.at(r);\n}\n",
         "line 4: b is declared as int, and gets at(), a float:"},
        {"float at(int r) {\n}\nf() {\n  int b = m.rows;\n}\n", NULL},
        {"float sum(float x) {\n}\nf() {\n  int l = sum(x) > 0;\n}\n", NULL},
        {"f(float *p, const float *q) {\n  int sum = 0;\n  for (;;) sum += p[c] * q[c];\n}\n",
         "declared as int, and gets floats in line 3"},
        {"f(float *p, const float *q) {\n  int sum = 0;\n  for (;;) sum += p[c] * q[(size_t)c * (n + 1)];\n}\n",
         "declared as int, and gets floats in line 3"},
        {"f(float *p) {\n  int n = 0;\n  for (;;) n += (p[c] > 0);\n}\n", NULL},
        {"f(int *p, float *q) {\n  int sum = 0;\n  for (;;) sum += p[c];\n}\n", NULL},
        {"f(float *p) {\n  int n = 0;\n  for (;;) n += p[c] > 0;\n}\n", NULL},
        {"f(const float *A) {\n  int a = (int)A[k];\n}\n", NULL},
        {"f(const float *A) {\n  int a = A[k] > 0;\n}\n", NULL},
        {"f() {\n  int b = 1 + sqrtf(n);\n  for (j = 0; j < n; j += b) x;\n}\n", NULL},
        {"f() {\n  int n = sqrtf(x);\n  a[j + n] = 0;\n}\n", NULL},
        {"f() {\n  int n = sqrtf(x);\n  a[j] = n * x;\n}\n", "n is declared as int"},
        {"f() {\n  int n = ceilf(sqrtf(x));\n}\n", NULL},
        {"f(float y) {\n  int n = y;\n  float r = y - n;\n  u.bits = (n + 127) << 23;\n}\n", NULL},
        {"f(float y) {\n  int n = y;\n  float r = y - n;\n  return ldexpf(r, n);\n}\n", NULL},
        {"f(float y) {\n  int n = y;\n  g<<<1, n>>>(y - n);\n}\n", "n is declared as int, and gets y, a float"},
        {"f() {\n  int l = 0;\n  const float e = g(x);\n  l += e;\n}\n",
         "l is declared as int, and gets floats in line 4"},
        {"f() {\n  int l = 0;\n  const int e = g(x);\n  l += e;\n}\n", NULL},
        {"f() {\n  int k = sqrtf(x) > 2;\n}\n", NULL},
        {"f() {\n  for (int d = 0; d < n; d++) x;\n  float d = sqrtf(x);\n}\n", NULL},
        {"f() {\n  for(int d = 0; d < n; d++) x;\n  float d = sqrtf(x);\n}\n", NULL},
        {"f() {\n  if (x) {\n    int d = 0;\n  }\n  float d = 0;\n  d = sqrtf(x);\n}\n", NULL},
        {"f() {\n  for (;;) {\n    int d = 0;\n    d = sqrtf(x);\n  }\n}\n", "gets what sqrtf() gives"},
        {"f() {\n  int d;\n  o.d = sqrtf(x);\n}\n", NULL},
        {"f() {\n  int d;\n}\n\ng(float d) {\n  d = sqrtf(x);\n}\n", NULL},
        {"int sqrt_of(int x) {\n  return sqrt(x);\n}\n", NULL},
        {"int", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char said[400] = "";
        const int found = lab_hint_of_types(rows[i].text, 1, 1 << 20, said, sizeof said);
        if ((found != 0) != (rows[i].says != NULL)) fail_msg("%zu: %s", i, said);
        if (found) assert_says(said, rows[i].says);
    }
}

static void what_the_text_proves_is_seen(void **state) {
    (void)state;
    typedef int hint(const char *text, int from, int to, char *sentence, size_t size);
    static const struct {
        hint *of;
        const char *text, *says;
    } rows[] = {
        {lab_hint_of_shadow, "f() {\n  float m = 0;\n  for (;;) {\n    float m = fmaxf(m, x);\n  }\n}\n",
         "line 4 declares another m, whose value is made of itself, before it has one: the m of line 2 stays"},
        {lab_hint_of_shadow, "f(float *m, float l) {\n  if (a) {\n    const float l = x, k = l;\n    use(k);\n  }\n}\n",
         NULL},
        {lab_hint_of_shadow, "f(float *m, float l) {\n  if (a) {\n    float k = 1, l = k + x;\n    k = 2;\n  }\n}\n",
         "line 3 declares another l, which nobody reads: the l of line 1 stays"},
        {lab_hint_of_shadow, "f() {\n  {\n    float m = 0;\n  }\n  {\n    float m = g(p->m, m());\n  }\n}\n", NULL},
        {lab_hint_of_shadow,
         "f() {\n  float m = 0;\n  for (;;) {\n    float m = 0;\n    for (;;) m += x;\n  }\n  y = m;\n}\n",
         "line 4 declares another m, which ends with its block and nobody reads: the m of line 2 stays as it was. "
         "Leave the line out"},
        {lab_hint_of_shadow, "f() {\n  float m = 1;\n  {\n    float m = 0;\n    m += x, m = max(m, 2);\n  }\n}\n",
         NULL},
        {lab_hint_of_shadow, "f() {\n  float m = 0;\n  {\n    float m = 0;\n    for (;;) p[0] += m += x;\n  }\n}\n",
         NULL},
        {lab_hint_of_shadow, "f(float *p) {\n  {\n    float *p = malloc(sizeof *p);\n  }\n}\n", NULL},
        {lab_hint_of_shadow, "f(int m) {\n}\ng() {\n  int m = 1;\n  {\n    int n = m;\n  }\n}\n", NULL},
        {lab_hint_of_shadow, "float m = m", NULL},
        {lab_hint_of_idle, "f() {\n  m[i] = top;\n  float l;\n  a = expf(m[i] - top);\n}\n",
         "line 4: expf(m[i] - top) is always 1, as line 2 has set m[i] before."},
        {lab_hint_of_idle, "f() {\n  p->m = fmaxf(p->m, s);\n  a = weight(p->m, p->m);\n}\n",
         "line 3: weight(p->m, p->m) is always 1, as line 2 has set p->m before."},
        {lab_hint_of_idle, "f() {\n  m = top;\n  top = x;\n  a = expf(m - top);\n}\n", NULL},
        {lab_hint_of_idle, "f() {\n  m = top;\n  raise(&m);\n  a = expf(m - top);\n}\n", NULL},
        {lab_hint_of_idle, "f() {\n  if (x) {\n    m = top;\n  }\n  a = expf(m - top);\n}\n", NULL},
        {lab_hint_of_idle, "f() {\n  if (s[c] > m) {\n    m = s[c];\n    l = l * g(m) + expf(s[c] - m);\n  }\n}\n",
         NULL},
        {lab_hint_of_idle, "f() {\n  if (s > m) {\n    m = s;\n    l *= expf(m - s);\n  }\n}\n",
         "line 4: expf(m - s) is always 1, as line 3 has set m before."},
        {lab_hint_of_idle,
         "f() {\n  int lane = threadIdx.x % 32;\n  if (lane == 0) n = 1, m[r] = top;\n  for (c = 0; c < 4; c++) l += "
         "g(c);\n"
         "  const float a = expf(m[r] - top);\n}\n",
         "line 5: expf(m[r] - top) is always 1, as line 3 has set m[r] before."},
        {lab_hint_of_idle,
         "f() {\n  if (threadIdx.x == 0) {\n    m[r] = top;\n  }\n  for (e = 0; e < 4; e++) o[e] *= expf(m[r] - "
         "top);\n}\n",
         "line 5: expf(m[r] - top) is always 1, as line 3 has set m[r] before."},
        {lab_hint_of_idle, "f() {\n  m = fmaxf(m, x);\n  a = exp2f((m - fmaxf(m, x)) * LOG2E);\n}\n",
         "line 3: exp2f((m - fmaxf(m, x)) * LOG2E) is always 1, as line 2 has set m before."},
        {lab_hint_of_idle, "f() {\n  m = fmaxf(m, x);\n  const float old = m;\n  a = expf(old - m);\n}\n",
         "line 4: expf(old - m) is always 1, as line 3 has set old before."},
        {lab_hint_of_idle, "f() {\n  const float old = m;\n  for (;;) m = fmaxf(m, x);\n  a = expf(old - m);\n}\n",
         NULL},
        {lab_hint_of_idle, "f() {\n  float m = -INFINITY, l = 0;\n  m = fmaxf(m, s[t]);\n  l += expf(s[t] - m);\n}\n",
         "line 4: s[t] - m is always 0, and its exponential 1, as line 3 makes m the larger of -INFINITY and s[t]"},
        {lab_hint_of_idle,
         "f() {\n  float m = -INFINITY;\n  m = fmaxf(m, s[t]);\n  m = row_max(m);\n  l += expf(s[t] - m);\n}\n", NULL},
        {lab_hint_of_idle,
         "f() {\n  float m = -INFINITY;\n  for (;;) {\n    m = fmaxf(m, s[t]);\n    l += expf(s[t] - m);\n  }\n}\n",
         NULL},
        {lab_hint_of_idle, "f() {\n  float m = a[t];\n  m = fmaxf(m, s[t]);\n  l += expf(s[t] - m);\n}\n", NULL},
        {lab_hint_of_idle, "f() {\n  m[r] = top;\n  m[r + 1] = x;\n  a = expf(m[r] - top);\n}\n", NULL},
        {lab_hint_of_idle, "f() {\n  m[r] = top;\n  *(m + r) = x;\n  a = expf(m[r] - top);\n}\n", NULL},
        {lab_hint_of_idle, "f() {\n  old = m[r];\n  for (;;) *mine = fmaxf(*mine, x);\n  a = expf(old - m[r]);\n}\n",
         NULL},
        {lab_hint_of_idle, "f() {\n  m[r] = top;\n  l = x\n * (y == 1);\n  a = expf(m[r] - top);\n}\n",
         "line 5: expf(m[r] - top) is always 1"},
        {lab_hint_of_idle, "f() {\n  m[r] = top;\n  raise(m, top);\n  a = expf(m[r] - top);\n}\n", NULL},
        {lab_hint_of_idle, "f() {\n  m[r] = top;\n  r++;\n  a = expf(m[r] - top);\n}\n", NULL},
        {lab_hint_of_idle, "f() {\n  for (c = 0; c < 4; c++) m[r] = top;\n  a = expf(m[r] - top);\n}\n", NULL},
        {lab_hint_of_idle, "f() {\n  if (c == 0) m[r] = top;\n  a = expf(m[r] - top);\n}\n", NULL},
        {lab_hint_of_idle, "f() {\n  m = x;\n  for (; i < n; i++) l += expf(m - x), x = s[i];\n}\n", NULL},
        {lab_hint_of_idle, "f() {\n  m = s + 1;\n  a = expf(m - s);\n}\n", NULL},
        {lab_hint_of_idle, "f() {\n  fmaxf(m, s[c]);\n}\n", "line 2: what fmaxf(m, s[c]) gives goes nowhere"},
        {lab_hint_of_idle, "f() {\n  m = fmaxf(m, x), l = max(1, 2);\n  return expf(x);\n}\n", NULL},
        {lab_hint_of_idle, "f() {\n  for (;;) w->m[r] = w->m[r];\n}\n", "line 2 sets w->m[r] to itself"},
        {lab_hint_of_idle, "f() {\n  m[r] = m[r] + 1;\n  m[r] = m[r + 1];\n  if (m == m) x += x;\n}\n", NULL},
        {lab_hint_of_idle, "f() {\n  expf(", NULL},
        {lab_hint_of_idle, "f() {\n  for (c = 1; c < n; c++)\n    fmaxf(m, s[c]);\n  if (g(x)) max(1, 2);\n}\n",
         "line 3: what fmaxf(m, s[c]) gives goes nowhere"},
        {lab_hint_of_idle, "f() {\n  if (a)\n    b = 1;\n  else\n    max(a, b);\n}\n", "line 5: what max(a, b) gives"},
        {lab_hint_of_idle, "f() {\n  x = (float)\n    expf(y);\n  g(x) expf(y);\n}\n", NULL},
        {lab_hint_of_rounds, "f() {\n  for (w = 1; w < n; w *= 2) {\n    x += g(x, w);\n    return x;\n  }\n}\n",
         "line 2: the loop ends in its first round, as return in line 4 stands in its body"},
        {lab_hint_of_rounds, "f() {\n  for (;;) {\n    if (x) continue;\n    return x;\n  }\n}\n", NULL},
        {lab_hint_of_rounds, "f() {\n  for (i = 0; i < n; i++) {\n    if (x[i]) return i;\n  }\n  return 0;\n}\n",
         NULL},
        {lab_hint_of_rounds, "f() {\n  for (i = 0; i < n; i++) {\n    if (x[i])\n      return i;\n  }\n}\n", NULL},
        {lab_hint_of_rounds, "f() {\n  for (i = 0; i < n; i++) {\n    { x = 1; }\n  }\n}\nfor", NULL},
        {lab_hint_of_reading, "f() {\n  x = s[r, c];\n}\n", "line 2: s[r, c] is s[c] in C"},
        {lab_hint_of_reading, "f() {\n  x = s[g(r, c)];\n  auto [a, b] = p;\n  l = [a, b] { };\n}\n", NULL},
        {lab_hint_of_reading, "f() {\n  l =+ e;\n}\n", "line 2: = +e sets, and does not add"},
        {lab_hint_of_reading, "f() {\n  m = +INFINITY, n = +1, k += +x;\n  a = ++x, b <= +x;\n}\n", NULL},
        {lab_hint_of_reading, "f() {\n  __syncthreads;\n}\n", "line 2: __syncthreads without () is a name"},
        {lab_hint_of_reading, "f() {\n  if (s.causal = 1) x = 2;\n}\n",
         "line 2: this sets s.causal to 1: = in place of =="},
        {lab_hint_of_reading, "f() {\n  while (m=-INFINITY) x = 2;\n}\n", "line 2: this sets m to -INFINITY"},
        {lab_hint_of_reading,
         "f() {\n  if (a == 1 || (b = 2) > 1 || c <= 1) x = 1;\n  if ((a = 1)) x = 1;\n  while (p = next) x = 1;\n"
         "  if (f(a = 1)) x = 1;\n  if (m >= 1) x = 1;\n  if (int d = e) x = 1;\n}\n",
         NULL},
        {lab_hint_of_reading, "f() {\n  __syncthreads();\n}\ns[", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char said[400] = "";
        const int found = rows[i].of(rows[i].text, 1, 1 << 20, said, sizeof said);
        if ((found != 0) != (rows[i].says != NULL)) fail_msg("%zu: %s", i, said);
        if (found) assert_says(said, rows[i].says);
    }
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(a_loop_that_all_threads_walk_whole_is_seen),
        CLAIM(a_directive_that_openmp_does_not_know_is_named),
        CLAIM(a_loop_that_is_shared_without_a_region_is_named),
        CLAIM(a_launch_without_shared_memory_is_named),
        CLAIM(a_part_of_the_cache_has_its_own_name),
        CLAIM(a_fraction_in_a_whole_number_is_seen),
        CLAIM(what_the_text_proves_is_seen),
    };
    return cmocka_run_group_tests(claims, NULL, NULL);
}
