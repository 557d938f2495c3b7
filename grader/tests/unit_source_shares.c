// unit_source_shares.c: a loop that all threads walk whole, a directive that OpenMP does not know, a launch without
// shared memory, which part of a cache a report means, and where a cause can be: source_shares.c, source_pragmas.c,
// source_launch.c, cache_words.c, source_places.c, source_types.c, source_shadow.c, source_idle.c and source_reads.c of
// grader/run.
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
    static const char *const right[] = {
        "#pragma omp parallel for\n", "#pragma omp for schedule(dynamic)\n", "#pragma omp  simd reduction(+ : sum)\n",
        "#pragma GCC unroll 8\n",     "#pragma omp atomic write\n",          ""};
    for (size_t i = 0; i < sizeof right / sizeof *right; i++)
        if (lab_hint_of_pragmas(right[i], sentence, sizeof sentence)) fail_msg("%s", right[i]);
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

static void the_lines_in_which_a_cause_can_be_are_named(void **state) {
    (void)state;
    static const char mask[] = "matches a mask aligned top-left: with seq_q < seq_kv query i",
                      scale[] = "matches a scale of 1/D: it is 1/sqrt(D), and once";
    static const struct {
        const char *cause, *text, *says;
    } rows[] = {
        {mask, "int f(int causal) {\n  if (causal && q > k) return ATTN_BAD_SHAPE;\n  if (causal && j > i) s = 0;\n}\n",
         "the file asks whether it is causal in line 3"},
        {mask, "  n = s.causal ? a : b;\n\n  if (s.causal) hide(b);\n",
         "the file asks whether it is causal in lines 1 and 3"},
        {mask, "f(causal);\n", NULL},
        {scale, "f() {\n  float r = 1 / sqrtf(d);\n  q *= r;\n  s = root;\n  s = s * r;\n}\ng() {\n  int r;\n}\n",
         "line 2 makes r of the root, and it is used in lines 3 and 5"},
        {scale, "f() {\n  a = x / sqrtf(d);\n  s = rsqrt(d);\n}\n", "the root is taken in lines 2 and 3"},
        {scale, "f() {\n  s[c] = x / sqrtf(d);\n}\n", "the root is taken in line 2"},
        {scale, "f() {\n  const float r = sqrtf(d);\n  s = x;\n}\n",
         "line 2 makes r of the root, and no line behind it reads it"},
        {scale, "f() {\n  float &s = S[j];\n  s = hides ? 0 : s * rsqrtf(d);\n}\n", "the root is taken in line 3"},
        {"matches scores times 5.66: scale by 1/sqrt(D)", "f() {\n}\n", "no line of the file takes a square root"},
        {"matches a sum that does not reach all: shuffles downwards", "f() {\n  x += __shfl_down_sync(m, x, 1);\n}\n",
         "threads hand numbers on in line 2"},
        {"matches O that is not rescaled by exp(m_old - m_new)",
         "f() {\n  a = expf(m - n);\n\n  p = __expf(s - n);\n}\n", "the file takes exponentials in lines 2 and 4"},
        {"matches l that is not rescaled", "f() {\n  x = sqrtf(d);\n}\n", NULL},
        {"matches L_s = log(l) - m: it is m + log(l), of the split's own keys",
         "f() {\n  a = expf(m - n);\n  L[s] = l > 0 ? logf(l) - m : -INFINITY;\n}\n",
         "the file takes logarithms in line 3"},
        {"matches L_s = m: it is m + log(l), of the split's own keys", "f() {\n  L[s] = m;\n}\n", NULL},
        {"matches 2^x in place of e^x: exp2f", "f() {\n  a = expf(m - n);\n  p = exp2f(s - n);\n}\n",
         "the file takes powers of 2 in line 3"},
        {"matches 1 + x in place of exp(x), which it is near",
         "static float e(float x) {\n  return 1 + x;\n}\nfloat dot(float *a, int n) {\n}\nfloat s = half(float x) {\n",
         "the file has a function of one float in line 1"},
        {"matches a missing final division by the row sum l",
         "f() {\n  int n = (a + b - 1) / b;\n  const float r = 1.0f / l;\n  o[c] = x / l;\n}\n",
         "the file divides in lines 3 and 4"},
        {"matches O that is divided by l after every tile",
         "f() {\n  s[t] = dot / root;\n  avg = (avg * fade + value * e) / total;\n  n = (a * b) / l;\n}\n",
         "the file divides in line 3"},
        {"matches a maximum that starts at 0", "f() {\n  m = fmaxf(m, s);\n}\n",
         "the file looks for a maximum in line 2"},
        {"matches one maximum for all rows of a matrix of scores",
         "float top(float *x) {\n  if (*x > t) t = *x;\n}\nf() {\n  for (j = n;;) row[j] = -INFINITY;\n  t = "
         "top(S);\n}\n",
         "line 6 calls top, which looks for a maximum in line 2"},
        {"matches one maximum for all rows of a matrix of scores",
         "f() {\n  s = j > i ? -INFINITY : s;\n  if (hides) s = -INFINITY;\n  for (j = n; j < m; j++) row[j] = "
         "-INFINITY;\n}\n",
         NULL},
        {"matches scores whose threads exchange query and key: where they",
         "f() {\n  const int r = ty, i = i0 + tx;\n  j = j0 + ty;\n  s = j >= n || (sh.causal && j > i + shift) ? x : "
         "s;\n}\n",
         "for the mask in line 4, line 2 makes query i and line 3 key j: do the lines of the scores, of the maximum, "
         "of "
         "the sum and of what is stored take them of the same threads?"},
        {"matches scores whose threads exchange query and key: where they",
         "f(int i) {\n  j = j0 + ty;\n  if (causal && j > i) s = 0;\n}\n", NULL},
        {"matches a division by one sum over all rows: each row is divided by the sum of its own exponentials",
         "f() {\n  p = expf(s);\n}\n", NULL},
        {"matches exponentials divided by the sum up to their own column",
         "f() {\n  e = expf(x[i] - m);\n  total += e;\n  out[i] = e / total;\n}\n", "the file divides in line 4"},
        {"matches a length of a dot product over max_seq", "f() {\n  m = fmaxf(m, lengths[b]);\n}\n", NULL},
        {"matches lengths[b] that does not grow", "f() {\n  n = lengths[b];\n}\n",
         "the file reads or sets a length in line 2"},
        {"attn_layer_forward did not refuse, with ATTN_BAD_SHAPE, a call that is neither",
         "f() {\n  if (x) return ATTN_BAD_SHAPE;\n}\n", "the file says ATTN_BAD_SHAPE in line 2"},
        {"attn_layer_forward did not refuse, with ATTN_CACHE_FULL, a new token",
         "f() {\n  all += past[b];\n  return all <= batch * max_seq;\n}\ng() {\n  return ATTN_CACHE_FULL;\n}\n",
         "the file asks for room in line 3"},
        {"attn_layer_forward did not refuse, with ATTN_CACHE_FULL, a new token",
         "g() {\n  return ATTN_CACHE_FULL;\n}\n", "the file says ATTN_CACHE_FULL in line 2"},
        {"attn_softmax_batched is wrong: exp overflows where scores are large", "f() {\n  p = expf(s);\n}\n",
         "the file takes exponentials in line 2"},
        {"a guess, which fits 3 of the 4 claims: a division by l + 0.01: divide by l",
         "f() {\n  *o++ = x[d] / (l + 1e-2f);\n}\n", "the file divides in line 2"},
        {"matches masked scores of -10: exp(-10) still counts", "f() {\n  x = -100;\n  if (causal) s = -10.f;\n}\n",
         "this number stands in line 3"},
        {"matches a cache that is taken for a ring", "f() {\n  b = n % 8;\n  slot = len % c.max_seq;\n}\n",
         "a slot is taken % max_seq in line 3"},
        {"matches a division by an l that is not the row's: each warp has its own (or its own m and l)",
         "f() {\n  x += __shfl_xor_sync(m, x, 1);\n}\n", "threads hand numbers on in line 2"},
        {"matches right numbers in other places of a tile: row 4 x + y holds",
         "f() {\n  x[u] = a[4 * y + u][l];\n  s[c] = f(a[c]);\n  if (j < n) C[i * n + j] = acc[u];\n}\n",
         "elements go from one array to another, as they are, in lines 2 and 4"},
        {"a guess: the mask", "  if (causal) x;\n", NULL},
        {"matches attn_sdpa with heads and seq exchanged: Q, K and V are [B, H, S, D]",
         "attn_status attn_sdpa(float *O) {\n}\nf() {\n  // attn_sdpa(o, q)\n  st = attn_sdpa(o, q);\n}\n",
         "the file calls attn_sdpa in line 5"},
        {"matches X split into heads first and projected then: project X, then split what that gives",
         "attn_status attn_split_heads(float *Y) {\n}\nf() {\n  attn_split_heads(t, X, s);\n  x();\n  "
         "attn_merge_heads(y, t);\n}\n",
         "the file splits or merges heads in lines 4 and 6"},
        {"matches O projected before it is merged: merge O, then project",
         "f() {\n  x();\n  attn_merge_heads(y, t);\n}\n", "the file splits or merges heads in line 3"},
        {"matches the heads projected by Wo first and merged then", "f() {\n  attn_merge_heads(y, t);\n}\n",
         "the file splits or merges heads in line 2"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char said[400] = "";
        const int found = lab_place_of_cause(rows[i].text, rows[i].cause, said, sizeof said);
        if (found != (rows[i].says != NULL) || (found && strcmp(said, rows[i].says))) fail_msg("%zu: %s", i, said);
    }
    char list[40];
    lab_lines_of_cause("f() {\n  float r = 1 / sqrtf(d);\n  q *= r;\n\n  s *= r;\n}\n", scale, list, sizeof list);
    assert_string_equal(list, "2,3,5");
    lab_lines_of_cause("  n = causal ? a : b;\n\n  if (causal) hide(b);\n", mask, list, sizeof list);
    assert_string_equal(list, "1,3");
    lab_lines_of_cause("f(causal);\n", mask, list, sizeof list);
    assert_string_equal(list, "");
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
        {"float sum(float x) {\n}\nf() {\n  int l = sum(x) > 0;\n}\n", NULL},
        {"f(float *p, const float *q) {\n  int sum = 0;\n  for (;;) sum += p[c] * q[c];\n}\n",
         "declared as int, and gets floats in line 3"},
        {"f(int *p, float *q) {\n  int sum = 0;\n  for (;;) sum += p[c];\n}\n", NULL},
        {"f(float *p) {\n  int n = 0;\n  for (;;) n += p[c] > 0;\n}\n", NULL},
        {"f(const float *A) {\n  int a = (int)A[k];\n}\n", NULL},
        {"f(const float *A) {\n  int a = A[k] > 0;\n}\n", NULL},
        {"f() {\n  int b = 1 + sqrtf(n);\n  for (j = 0; j < n; j += b) x;\n}\n", NULL},
        {"f() {\n  int n = sqrtf(x);\n  a[j + n] = 0;\n}\n", NULL},
        {"f() {\n  int n = sqrtf(x);\n  a[j] = n * x;\n}\n", "n is declared as int"},
        {"f() {\n  int n = ceilf(sqrtf(x));\n}\n", NULL},
        {"f() {\n  int k = sqrtf(x) > 2;\n}\n", NULL},
        {"f() {\n  for (int d = 0; d < n; d++) x;\n  float d = sqrtf(x);\n}\n", NULL},
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
        {lab_hint_of_idle, "f() {\n  fmaxf(m, s[c]);\n}\n", "line 2: what fmaxf(m, s[c]) gives goes nowhere"},
        {lab_hint_of_idle, "f() {\n  m = fmaxf(m, x), l = max(1, 2);\n  return expf(x);\n}\n", NULL},
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
        CLAIM(a_launch_without_shared_memory_is_named),
        CLAIM(a_part_of_the_cache_has_its_own_name),
        CLAIM(the_lines_in_which_a_cause_can_be_are_named),
        CLAIM(a_fraction_in_a_whole_number_is_seen),
        CLAIM(what_the_text_proves_is_seen),
    };
    return cmocka_run_group_tests(claims, NULL, NULL);
}
