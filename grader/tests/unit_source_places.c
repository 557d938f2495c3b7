// unit_source_places.c: the lines in which a known mistake can be: source_places.c and source_kinds.c of grader/source.
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "ops.h"
#include "source_hints.h"

// A kernel that has L as P, and what launches it with this in place of L.
#define BY_LARGEST                                                                                                     \
    "line 3 looks for the largest of the exponentials, and line 4 divides by it: a row is divided by the sum of its "  \
    "exponentials, and the largest of its scores is subtracted before they are taken"
#define COMBINE(line, with)                                                                                            \
    "void k(float *O, const float *lse, int n) {\n  const float *P = lse + blockIdx.x * n;\n  " line                   \
    "\n  float a = expf(s - m);\n}\nvoid parts() {\n  x = m + logf(l);\n}\n"                                           \
    "int attn_combine(float *O, const float *part_O, const float *L, int n) {\n  k<<<n, 32, 0, stream>>>(O, " with     \
    ", n);\n}\n"

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
        {scale, "f() {\n  for (int u = 0; u < 4; u++) sum[u] /= sqrtf((float)k);\n}\n", "the root is taken in line 2"},
        {scale, "f() {\n  float &s = S[j];\n  s = hides ? 0 : s * rsqrtf(d);\n}\n", "the root is taken in line 3"},
        {"matches scores times 5.66: scale by 1/sqrt(D)", "f() {\n}\n", "no line of the file takes a square root"},
        {"matches a sum that does not reach all: shuffles downwards", "f() {\n  x += __shfl_down_sync(m, x, 1);\n}\n",
         "threads hand numbers on in line 2"},
        {"matches a row sum whose parts count from a maximum of their own: exp(its own maximum - the row's)",
         "part join(part a, part b) {\n  return {fmaxf(a.mx, b.mx), a.sum + b.sum};\n}\nf() {\n  p = expf(s - m);\n}\n",
         "the file takes the larger of two maxima in line 2"},
        {"matches a row sum whose parts count from a maximum of their own: exp(its own maximum - the row's)",
         "f() {\n  m = fmaxf(m, s[c]);\n  top[t] = fmaxf(top[t], top[t + w]);\n  sum[t] += sum[t + w];\n  p = "
         "expf(s);\n}\n",
         "the file takes the larger of two maxima in line 3"},
        {"matches a row sum whose parts count from a maximum of their own: exp(its own maximum - the row's)",
         "f() {\n  m = fmaxf(a->m, b->m), l = a->l * expf(a->m - m) + b->l;\n}\n",
         "the file takes exponentials in line 2"},
        {"matches the maximum of the first tile of keys that is kept for all later ones: exp overflows",
         "f() {\n  if (!j) m = fmaxf(m, s[c]);\n  p = expf(s - m);\n}\n", "the file looks for a maximum in line 2"},
        {"matches O that is not rescaled by exp(m_old - m_new)",
         "f() {\n  a = expf(m - n);\n\n  p = __expf(s - n);\n}\n", "the file takes exponentials in lines 2 and 4"},
        {"matches attn_sdpa of Q, V, V in place of Q, K, V: by what it is given",
         "int attn_sdpa(float *O, float *Q, float *K, float *V, shape s);\nf() {\n  attn_sdpa(o, q, kv, kv, s);\n}\n",
         "line 3 gives attn_sdpa kv for K and for V: what is stored there last is taken for both. Each needs memory of "
         "its own"},
        {"matches attn_sdpa of Q, Q, V in place of Q, K, V: by what it is given",
         "f() {\n  attn_sdpa(t, part(0), part(0), part(2), s);\n}\n",
         "line 2 gives attn_sdpa part(0) for Q and for K: what is stored there last is taken for both. Each needs "
         "memory of its own"},
        {"matches attn_sdpa of Q, V, V in place of Q, K, V: by what it is given",
         "f() {\n  attn_sdpa(o, q, k, v, s);\n}\n", NULL},
        {"matches l that is not rescaled", "f() {\n  x = sqrtf(d);\n}\n", NULL},
        {"matches O and l that are rescaled after",
         "f() {\n  m = mx[r];\n  m = fmaxf(m, s[c]);\n  al[r] = expf(mx[r] - m);\n  p = expf(s[c] - m);\n"
         "  l = (l + p) * al[r];\n  mx[r] = m;\n  o[d] = x * al[r];\n}\n",
         "line 4 makes al of two maxima, and it is used in lines 6 and 8"},
        {"matches O and l that are rescaled after",
         "float rel(float a, float b) {\n  return a > -INFINITY ? expf(a - b) : 0;\n}\nf() {\n"
         "  const float n = fmaxf(p->m, s), a = rel(p->m, n), e = expf(s - n);\n  p->l = (p->l + e) * a;\n  p->m = "
         "n;\n}\n",
         "line 5 makes a of two maxima, and it is used in line 6"},
        {"matches L_s = log(l) - m: it is m + log(l), of the split's own keys",
         "f() {\n  a = expf(m - n);\n  L[s] = l > 0 ? logf(l) - m : -INFINITY;\n}\n",
         "the file takes logarithms in line 3"},
        {"matches L_s = log(l): it is m + log(l), of the split's own keys", COMBINE("float x = expf(P[s]);", "L"),
         "the file takes logarithms in line 7; exp(L_s) is taken as it is in line 3, and overflows where L_s is m + "
         "log(l) of large scores: take off the largest L_s first"},
        {"matches L_s = log(l): it is m + log(l), of the split's own keys", COMBINE("float x = expf(P[s] - top);", "L"),
         "the file takes logarithms in line 7"},
        {"matches parts that are weighted by L_s itself: the weight is exp(L_s - max)",
         COMBINE("w += P[s] > -INFINITY ? P[s] : 0;", "L"), "what joins the splits reads L_s in line 3"},
        {"matches parts that are weighted by L_s itself: the weight is exp(L_s - max)",
         COMBINE("w += P[s] > -INFINITY ? P[s] : 0;", "O"), NULL},
        {"matches L_s = m: it is m + log(l), of the split's own keys", "f() {\n  L[s] = m;\n}\n", NULL},
        {"matches 2^x in place of e^x: exp2f", "f() {\n  a = expf(m - n);\n  p = exp2f(s - n);\n}\n",
         "the file takes powers of 2 in line 3"},
        {"matches 1 + x in place of exp(x), which it is near",
         "static float e(float x) {\n  return 1 + x;\n}\nfloat dot(float *a, int n) {\n}\nfloat s = half(float x) {\n",
         "the file has a function of one float in line 1"},
        {"matches a missing final division by the row sum l",
         "f() {\n  int n = (a + b - 1) / b;\n  const float r = 1.0f / l;\n  o[c] = x / l;\n}\n",
         "the file divides in lines 3 and 4"},
        {"matches a missing final division by the row sum l",
         "f() {\n  l += expf(s[c]);\n  top = fmaxf(top, expf(s[c]) / l);\n  p[c] = expf(s[c]) / l / top;\n}\n",
         BY_LARGEST},
        {"matches a missing final division by the row sum l",
         "f() {\n  p[c] = expf(s[c]);\n  if (p[c] > most) most = p[c];\n  p[c] /= most;\n}\n", BY_LARGEST},
        {"matches a missing final division by the row sum l",
         "f() {\n  top = fmaxf(top, s[c]);\n  p[c] = expf(s[c] - top);\n  o[c] = p[c] / l;\n}\n",
         "the file divides in line 4"},
        {"matches l and O that begin anew where the row maximum grows: what was there is multiplied by exp(m_old - "
         "m_new)",
         "f() {\n  if (top > m) l = 0;\n  l += expf(s[c] - m);\n}\n", NULL},
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
         "float top(float *x) {\n  if (*x > t) t = *x;\n}\nf() {\n  t = top(S);\n}\ng() {\n  if (!i) t = "
         "top(s);\n}\n",
         "lines 5 and 8 call top, which looks for a maximum in line 2"},
        {"matches a whole softmax of each tile, added to the rescaled O",
         "f() {\n  l[r] = 0;\n  for (;;) {\n    l[r] = 0.0f;\n    add(o, V, s[j] / l[r], n);\n  }\n}\n",
         "line 5 divides by l, which line 4 sets to 0"},
        {"matches a whole softmax of each tile, added to the rescaled O",
         "f(st) {\n  st->sum = 0;\n  for (c = 0; c < n; c++) a[c] += s[c] / st->sum * V[c];\n}\n",
         "line 3 divides by st->sum, which line 2 sets to 0"},
        {"matches a division by the number of columns, or keys: divide by the sum of the row's exponentials",
         "f() {\n  p = expf(s - m);\n  scale(q, x / root, n);\n  scale(o, 1.0f / seen, n);\n}\n",
         "the file divides in line 4"},
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
        {"matches scores that lie in other places of their tile: a thread",
         "f() {\n  i = i0 + ty * MR + a, j = j0 + tx * MC + b;\n  s = causal && j > i + shift ? x : s;\n}\n",
         "for the mask in line 3, line 2 makes query i and line 2 key j: do the lines of the scores, of the maximum, "
         "of "
         "the sum and of what is stored take them of the same threads?"},
        {"matches a mask applied after the exponentials are summed: scores of hidden keys",
         "f() {\n  if (causal) n = i;\n  p = expf(s - m);\n}\n", "the file takes exponentials in line 3"},
        {"matches queries that are shared out by two rules: block b of n takes",
         "f() {\n  i0 = blockIdx.x * BR;\n  head = blockIdx.y + blockIdx.z * gridDim.y;\n  i = blockIdx.x + w * "
         "gridDim.x;\n}\n",
         "blocks take numbers in turn in line 4"},
        {"matches a division by one sum over all rows: each row is divided by the sum of its own exponentials",
         "f() {\n  p = expf(s);\n}\ng() {\n  attn_softmax_rows(P, S, n, n);\n}\n", NULL},
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
        {"attn_softmax_rows is wrong: exp overflows where scores are large",
         "f() {\n  hi = S[0];\n  l += expf(S[i] - hi);\n  l *= expf(hi);\n  P[i] = expf(S[i]) / l;\n}\n",
         "in lines 4 and 5 an exponential is taken of hi and of S[i]: nothing has been subtracted from it"},
        {"attn_softmax_rows is wrong: exp overflows where scores are large",
         "f() {\n  x = S[i] - hi;\n  S[i] -= hi;\n  p = expf(x) + expf(S[i]);\n}\n",
         "the file takes exponentials in line 4"},
        {"matches all weight for the largest score: each has its share, exp(s - m) / l",
         "f() {\n  p = expf(s - m);\n  float top = w[0] > w[1] ? w[0] : w[1];\n  if (w[k] > w[best]) best = k;\n}\n",
         "the file keeps the place of what is larger in line 4"},
        {"matches all weight for the largest score: each has its share, exp(s - m) / l",
         "f() {\n  p = expf(s - m);\n}\n", NULL},
        {"matches a division by the square root of the sum of p * p, a length, with p = exp(s - m)",
         "f() {\n  p = expf(s - m);\n  z = sqrtf(z);\n  scale = 1 / sqrtf((float)D);\n}\n",
         "a root is taken in line 3"},
        {"a guess, which fits 3 of the 4 claims, as in sequences_of_different_lengths: a cache that is read as [B, S]",
         "f() {\n  n = lengths[b];\n}\n", NULL},
        {"matches sums that are rescaled nowhere: where a thread's maximum grows its sum is multiplied by exp(m_old)",
         "f() {\n  m = fmaxf(a, b);\n  p = expf(s - m);\n}\n", "the file looks for a maximum in line 2"},
        {"is split once more, not merged: the formulas of X and Y are exchanged",
         "int attn_split_heads(float *Y) {\n  g();\n}\nint attn_merge_heads(float *X) {\n  return "
         "attn_split_heads(X);\n}\n"
         "int attn_mha(float *Y) {\n  attn_split_heads(Y);\n  attn_merge_heads(Y);\n}\n",
         "line 5, in attn_merge_heads, calls attn_split_heads"},
        {"is split once more, not merged: the formulas of X and Y are exchanged",
         "int attn_split_heads(float *Y) {\n  g();\n}\nint attn_merge_heads(float *X) {\n  g();\n}\n", NULL},
        {"matches a division by one sum over all rows of a head: the softmax goes along rows",
         "f() {\n  p = expf(s);\n  attn_softmax_rows(G, G, 1, n);\n}\n", "the file calls a softmax in line 3"},
        {"a guess, which fits 3 of the 4 claims: a division by l + 0.01: divide by l",
         "f() {\n  *o++ = x[d] / (l + 1e-2f);\n}\n", "the file divides in line 2"},
        {"matches masked scores of -10: exp(-10) still counts", "f() {\n  x = -100;\n  if (causal) s = -10.f;\n}\n",
         "this number stands in line 3"},
        {"matches an output that is not written: O is 0 there, so no block returns before it has stored",
         "f() {\n  if (slot >= c.max_seq) return;\n  if (begin >= end) return;\n  if (d >= D) return;\n}\n",
         "a block leaves in line 3"},
        {"matches a cache that is taken for a ring", "f() {\n  b = n % 8;\n  slot = len % c.max_seq;\n}\n",
         "a slot is taken % max_seq in line 3"},
        {"matches a division by an l that is not the row's: each warp has its own (or its own m and l)",
         "f() {\n  x += __shfl_xor_sync(m, x, 1);\n}\n", "threads hand numbers on in line 2"},
        {"matches right numbers in other places of a tile: row 4 x + y holds",
         "f() {\n  x[u] = a[4 * y + u][l];\n  s[c] = f(a[c]);\n  if (j < n) C[i * n + j] = acc[u];\n}\n",
         "elements go from one array to another, as they are, in lines 2 and 4"},
        {"matches a mask that hides S[j * seq_q + i], as if each key had a row: of a head",
         "f() {\n  float m = -INFINITY;\n  if (causal) go(s);\n  row[i] = j > i ? -INFINITY : row[i];\n  if (i > j) "
         "*p = -INFINITY;\n}\n",
         "the file hides scores in lines 4 and 5"},
        {"matches a mask that hides places c >= seq_kv % 32 in every tile",
         "f() {\n  m[r] = -INFINITY, l[r] = 0.0f;\n  mx[r] = -INFINITY;\n  sum[r] = 0;\n  s[c] = -INFINITY;\n  float "
         "sum = 0;\n}\n",
         "the file hides scores in line 5"},
        {"matches a mask that hides S[j * seq_q + i], as if each key had a row: of a head",
         "f() {\n  float m = -INFINITY;\n  y = f(-INFINITY);\n  if (causal) go(s);\n}\n",
         "the file asks whether it is causal in line 4"},
        {"matches a mask applied after the softmax: masked scores are still in the row sum",
         "int attn_softmax_batched(p) {\n  soft<<<1, 1>>>(p);\n}\nint attn_naive(s) {\n  scale<<<1, 1>>>(s);\n"
         "  attn_softmax_batched(s);\n  if (bad()) return 1;\n  if (causal) {\n    hide<4><<<1, 1>>>(s);\n  }\n"
         "  attn_gemm_nn(s);\n}\n",
         "line 9 launches hide, behind the softmax of line 6"},
        {"matches a mask applied after the softmax: masked scores are still in the row sum",
         "void hide(float *p) {\n  p[0] = 0;\n}\nint attn_sdpa(float *O) {\n  attn_softmax_rows(p, s);\n  if (causal) "
         "hide(p);\n}\n",
         "line 6 calls hide, behind the softmax of line 5"},
        {"matches a mask applied after the softmax: masked scores are still in the row sum",
         "int attn_sdpa(float *O) {\n  attn_softmax_rows(p, s);\n  for (j = n; causal && j < m; j++) p[j] = 0.0f;\n}\n",
         "line 3 sets weights, behind the softmax of line 2"},
        {"matches a mask applied after the softmax: masked scores are still in the row sum",
         "int attn_naive(s) {\n  if (causal) hide<<<1, 1>>>(s);\n  attn_softmax_batched(s);\n  attn_gemm_nn(s);\n"
         "  last<<<1, 1>>>(s);\n}\n",
         "the file asks whether it is causal in line 2"},
        {"a guess: the mask", "  if (causal) x;\n", NULL},
        {"matches a division by 1 / (sum of exp(s - m)), or a multiplication by the sum: divide by it",
         "f() {\n  p = expf(s - m);\n}\n", NULL},
        {"matches each tile's P V divided by the l so far: add it as it is, and divide O once",
         "f() {\n  int n = count[b] / parts;\n  const float p = w->s[c] / w->l[r];\n}\n", "the file divides in line 3"},
        {"matches A taken as [k, m]: it is stored [m, k], and row i begins at i * k",
         "template <bool T>\nvoid k(float *C, const float *A, const float *B) {\n  const float *a = A + b * m * k;\n"
         "  sum += a[l * m + i] * B[l];\n}\nint run(float *c, const float *x, const float *y, int n) {\n"
         "  k<true><<<n, dim3(8, 8)>>>(c, x, y);\n}\nint attn_gemm_nt(float *C, const float *A, const float *B) {\n"
         "  return run(C, A, B, 1);\n}\n",
         "A is read in lines 3 and 4"},
        {"matches A B^T in place of A B: B is stored [k, n] here",
         "void k(const float *A, const float *B) {\n  const View a = {A, k}, b = {B, n};\n  t[y] = a(y, x);\n"
         "  u[y] = b(y, x);\n}\nint attn_gemm_nt(float *C, const float *A, const float *B) {\n  C[0] = B[1];\n}\n"
         "int attn_gemm_nn(float *C, const float *A, const float *B) {\n  k<<<1, 1>>>(A, B);\n}\n",
         "B is read in lines 2 and 4"},
        {"matches A B^T in place of A B: B is stored [k, n] here",
         "int attn_gemm_nn(float *C, const float *A, const float *B) {\n  library(C, A, B);\n}\n", NULL},
        {scale, "f() {\n  s[j] = dot * powf(D, -0.5f);\n}\n", "the root is taken in line 2"},
        {"matches hidden keys that are in l and not in O: their scores become -INFINITY before the row sum",
         "f() {\n  add(s);\n  if (sh.causal) cut(s);\n}\n", "the file asks whether it is causal in line 3"},
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

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(the_lines_in_which_a_cause_can_be_are_named),
    };
    return cmocka_run_group_tests(claims, NULL, NULL);
}
