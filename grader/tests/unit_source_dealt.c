// unit_source_dealt.c: a row for each thread, of which it takes some columns alone (grader/source/source_dealt.c).
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "source_hints.h"

typedef struct {
    const char *lines, *says;
} row;

static void ask(const char *form, const char *lines, const char *says) {
    char text[1500], said[500] = "";
    snprintf(text, sizeof text, form, lines);
    const int found = lab_hint_of_dealing(text, 1, 99, said, sizeof said);
    if (!found != !says) fail_msg("%s: %s", lines, said);
    if (found) assert_int_equal(found, LAB_HINT_CAUSE);
    if (found) assert_says(said, says);
    assert_false(lab_hint_of_dealing(text, 1, 2, said, sizeof said));
}

static void columns_that_nobody_takes_are_seen(void **state) {
    (void)state;
    static const row rows[] = {
        {"for (int d = w; d < D; d += half) o[w][d] += o[w + half][d];",
         "line 7: each thread has a row of o of its own, by w, and takes only columns w, w + half, ... of it: "
         "nobody takes the others."},
        {"for (int d = w; d < D; d += T) o[w * D + d] = 0;", "of o of its own, by w, and takes only columns w, w"},
        {"for (int r = w; r < n; r += T)\n  for (int d = w; d < D; d += T) o[r][d] = 0;",
         "line 8: each thread has a row of o of its own, by r, and takes only columns w, w + T, ... of it"},
        {"for (int r = i + w; r < n; r += T)\n  for (int d = lane; d < D; d += 32) o[(size_t)r * D + d] = 0;",
         "by r, and takes only columns lane, lane + 32, ... of it: nobody"},
        {"const int r = blockIdx.x * T + threadIdx.x;\n  for (int d = w; d < D; d += T) o[r * D + d] = 0;",
         "line 8: each thread has a row of o of its own, by r, and takes only columns w, w + T, ... of it"},
        {"float *k = K + (size_t)w * D;\n  for (int d = lane; d < D; d += 32) s += k[d];",
         "line 8: each thread has a row of k of its own, by w, and takes only columns lane, lane + 32, ... of it"},
        {"float *k = K + (i + w) * D;\n  for (int d = w; d < D; d += T) s += k[d];",
         "a row of k of its own, by w, and"},
        {"float *k = K + (i + w) * D;\n  for (int d = 0; d < D; d++) s += k[d];", NULL},
        {"float *k = K + (i + warp) * D;\n  for (int d = lane; d < D; d += 32) s += k[d];", NULL},
        {"for (int s = w; s < n; s += T) x += l[s];\n  for (int d = w; d < D; d += T)\n"
         "    for (int s = 0; s < n; s++) x += o[s * D + d];",
         NULL},
        {"for (int i = w; i < n; i += T) x += l[i];\n  for (int d = w; d < D; d += T) x += o[i * D + d];", NULL},
        {"if (D > 1) {\n  const int i = w;\n  }\n  for (int d = w; d < D; d += T) x += o[i * D + d];", NULL},
        {"float *k = K + i * D;\n  for (int d = w; d < D; d += T) s += k[d];", NULL},
        {"const int r = i * W + warp;\n  for (int d = lane; d < D; d += 32) o[r * D + d] = 0;", NULL},
        {"const int r = i * T + ty;\n  for (int d = w; d < D; d += T) o[r * D + d] = 0;", NULL},
        {"for (int d = w; d < D; d++) o[w][d] = 0;", NULL},  // the rest of its row
        {"for (int d = 0; d < D; d += 4) o[w][d] = 0;", NULL},
        {"for (int d = lane; d < D; d += 32) o[warp][d] = 0;", NULL},
        {"for (int d = w; d < D; d += T) o[i][d] = 0;", NULL},
        {"for (int d = w; d < D; d += T) o[i * D + d] = x[w];", NULL},
        {"for (int r = warp; r < n; r += W)\n  for (int d = lane; d < D; d += 32) o[r][d] = 0;", NULL},
        {"for (int r = w; r < n; r++)\n  for (int d = w; d < D; d += T) o[r][d] = 0;", NULL},  // the last ones of all
        {"for (int r = ty; r < n; r += T)\n  for (int d = w; d < D; d += T) o[r][d] = 0;", NULL},
        {"const float w = l[i];\n  for (int d = w; d < D; d += T) o[w][d] = 0;", NULL},
        {"for (", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        ask("__device__ float f(float x) {\n  return x;\n}\n__global__ void g(float *x, int D, int half, int i) {\n"
            "  const int lane = threadIdx.x %% 32, warp = threadIdx.x / 32, ty = threadIdx.y;\n"
            "  const int w = threadIdx.x;\n  %s\n}\n",
            rows[i].lines, rows[i].says);
}

static void columns_of_a_row_in_a_function_are_seen(void **state) {
    (void)state;
    static const row rows[] = {
        {"for (int j = begin + threadIdx.x; j < end; j += T) s = scale * dot(q, K + (size_t)j * D, lane, D);",
         "line 20 gives each thread a j of its own, and dot takes only some columns of row j, from lane on (line 3)"},
        {"for (int j = threadIdx.x; j < end; j += T) s = one(q, K + j * D, lane, D);", "line 20"},
        {"for (int j = t; j < end; j += T) s = dot(q, K + j * D, lane, D);", "line 20"},
        {"for (int j = begin + warp; j < end; j += W) s = all_of(dot(q, K + j * D, lane, D));", NULL},
        {"for (int j = begin + warp; j < end; j += W) s = dot(q, K + j * D, lane, D);", NULL},
        {"for (int j = begin + threadIdx.x; j < end; j += T) s = all_of(dot(q, K + j * D, lane, D));", NULL},
        {"for (int j = threadIdx.x; j < end; j += T) s = whole(q, K + j * D, lane, D);", NULL},
        {"for (int j = threadIdx.x; j < end; j += T) s = dot(q, K + i * D, lane, D);", NULL},
        {"for (int j = threadIdx.x; j < end; j += T) s = dot(q, K + j * D, 0, D);", NULL},
        {"for (int j = threadIdx.x; j < end; j++) s = dot(q, K + j * D, lane, D);", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        ask("float dot(const float *q, const float *k, int lane, int D) {\n  for (int t = 0; t < 4; t++) {\n"
            "    const int d = lane + t * 32;\n    if (d < D) sum += q[t] * k[d];\n  }\n  return sum;\n}\n"
            "float one(const float *q, const float *k, int lane, int D) {\n  return q[0] * k[lane + 32];\n}\n"
            "float whole(const float *q, const float *k, int lane, int D) {\n"
            "  for (int d = 0; d < D; d++) sum += q[d] * k[d] + t[lane];\n  return sum;\n}\n"
            "float all_of(float x) {\n  return x + __shfl_xor_sync(~0, x, 1);\n}\n__global__ void g(float *K) {\n"
            "  const int t = threadIdx.x, lane = t %% 32, warp = t / 32;\n  %s\n}\n",
            rows[i].lines, rows[i].says);
}

// source_counted.c
static void a_token_that_is_counted_before_anybody_asks_for_room_is_seen(void **state) {
    (void)state;
    static const struct {
        const char *count, *append, *says;
    } files[] = {
        {"lengths[b] += 1;", "store(K, slot);\n  count(lengths);",
         "line 6 counts the new token, and no line before it asks"},
        {"if (b < batch) lengths[b]++;", "if (slot >= max_seq) return;\n  count<<<n, 1>>>(lengths);", NULL},
        {"lengths[b] += 1;", "if (slot >= max_seq) return;\n  count(lengths);", NULL},
        {"lengths[b] = lengths[b] + 1;", "count(lengths);\n  if (lengths[b] > max_seq) return;",
         "line 5 counts the new token"},
        {"if (lengths[b] < max_seq) lengths[b] += 1;", "count(lengths);", NULL},
        {"lengths[b] += 2;", "count(lengths);", NULL},
        {"const int old = lengths[b];", "count(lengths);", NULL},
        {"atomicAdd(&lengths[b], 1);", "for (int h = 0; h < H; h++) store(K, h);\n  count(lengths);", "line 6 counts"},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char text[600], said[400] = "";
        snprintf(text, sizeof text,
                 "void count(int *lengths) {\n  %s\n}\n__global__ void append(int *lengths) {\n  %s\n}\nint "
                 "attn_cache_append() {\n}\n",
                 files[i].count, files[i].append);
        const int found = lab_hint_of_counting(text, 1, 99, said, sizeof said);
        if (!found != !files[i].says) fail_msg("%s %s: %s", files[i].count, files[i].append, said);
        if (found) assert_says(said, files[i].says);
    }
    char said[400];
    static const char kernel[] =
        "__global__ void count(int *lengths) {\n  if (b < s.batch) lengths[b]++;\n}\nint attn_%s\n";
    for (int other = 0; other < 2; other++) {
        char text[300];
        snprintf(text, sizeof text, kernel, other ? "layer_run() {\n}" : "cache_append() {\n}");
        assert_int_equal(lab_hint_of_counting(text, 1, 99, said, sizeof said), other ? LAB_HINT_NONE : LAB_HINT_CAUSE);
    }
}

// source_few_dims.c
static void a_loop_over_too_few_dims_is_seen(void **state) {
    (void)state;
    static const struct {
        const char *lines, *says;
    } files[] = {
        {"for (int e = 0; e < CM; e++) {\n    const int d = tx + EDGE * e;\n    if (d >= D) continue;\n    o[e] += "
         "x;\n  }",
         "line 4: this loop has 2 dims for each thread, 16 apart: dims from 32 on are nobody's, and head_dim goes up "
         "to "
         "128. It wants 8 rounds"},
        {"for (int e = 0; e < 2; e++)\n    if (lane + e * 32 < s.head_dim) o[e] = x;",
         "2 dims for each thread, 32 apart"},
        {"for (int e = 0; e < 4; e++)\n    if (lane + e * 32 < s.head_dim) o[e] = x;", NULL},
        {"for (int e = 0; e < CM; e++) {\n    const int j = tx + EDGE * e;\n    if (j >= n) continue;\n    o[e] += "
         "x;\n  }",
         NULL},
        {"for (int e = 0; e < CM; e++) {\n    const int d = d0 + tx + EDGE * e;\n    if (d >= D) continue;\n    o[e] = "
         "x;\n  }",
         NULL},
        {"for (int e = 0; e < n; e++)\n    if (lane + e * 32 < D) o[e] = x;", NULL},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char text[600], said[400] = "";
        snprintf(text, sizeof text,
                 "#define EDGE 16\n#define CM (32 / EDGE)\nvoid attn_flash(int n, int D) {\n  %s\n}\n", files[i].lines);
        const int found = lab_hint_of_few_dims(text, 1, 99, said, sizeof said);
        assert_hint(found, said, files[i].says, files[i].lines);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        CLAIM(columns_that_nobody_takes_are_seen), CLAIM(columns_of_a_row_in_a_function_are_seen),
        CLAIM(a_loop_over_too_few_dims_is_seen), CLAIM(a_token_that_is_counted_before_anybody_asks_for_room_is_seen)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
