// unit_source_grid.c: a grid that does not fit its kernel, a loop that ends at other places for other threads, a count
// that nobody reads: source_grid.c, source_leaving.c and source_unread.c of grader/run.
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "source_hints.h"

static void expect(int found, const char *said, const char *says, size_t row) {
    if (found != (says != NULL)) fail_msg("%zu: %s", row, found ? said : "nothing");
    if (found) assert_says(said, says);
    assert_true(!found || !strstr(said, "; "));
}

static void a_side_of_1_whose_index_is_read_is_seen(void **state) {
    (void)state;
    static const struct {
        const char *body, *launch, *says;
    } rows[] = {
        {"p[blockIdx.y] = 0;", "k<<<dim3(n, 1), 64>>>(p);",
         "line 6 launches k with 1 block in y, so that blockIdx.y, which line 2 reads, is always 0:"},
        {"p[blockIdx.y] = 0;", "k<<<64, NT, 0, stream>>>(p);", "line 6 launches k with 1 block in y"},
        {"p[blockIdx.z] = 0;", "k<<<dim3(n, m), 64>>>(p);", "line 6 launches k with 1 block in z"},
        {"p[threadIdx.y] = 0;", "k<<<dim3(n, m), dim3(32)>>>(p);", "line 6 launches k with 1 thread in y"},
        {"p[blockIdx.y] = 0;", "k<8><<<dim3(f(n, 2), 1), 64>>>(p);", "line 6 launches k with 1 block in y"},
        {"p[blockIdx.y] = 0;", "k<<<dim3(n, 2), 64>>>(p);", NULL},
        {"p[blockIdx.y] = 0;", "k<<<grid, 64>>>(p);", NULL},  // which may be a dim3
        {"p[blockIdx.x] = 0;", "k<<<dim3(n, 1), 64>>>(p);", NULL},
        {"for (y = blockIdx.y; y < n; y += gridDim.y) p[y] = 0;", "k<<<dim3(n, 1), 64>>>(p);", NULL},
        {"p[blockIdx.y] = 0;", "k<<<dim3(n, 1), 64>>>(p), k<<<dim3(n, 2), 64>>>(p);", NULL},
        {"p[blockIdx.y] = 0;", "k<<<dim3(n, 1), 64", NULL},
        {"p[blockIdx.y] = 0;", "<<<1, 2>>>();", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[500], said[500] = "";
        snprintf(text, sizeof text,
                 "__global__ void k(float *p) {\n    %s\n}\n\nvoid go(float *p, int n) {\n    %s\n}\n", rows[i].body,
                 rows[i].launch);
        expect(lab_hint_of_grid(text, 1, 99, said, sizeof said), said, rows[i].says, i);
        assert_false(lab_hint_of_grid(text, 1, 5, said, sizeof said));
    }
}

static void as_many_blocks_as_a_row_is_long_are_seen(void **state) {
    (void)state;
    static const struct {
        const char *body, *launch, *says;
    } rows[] = {
        {"p += (size_t)blockIdx.x * w;", "k<<<cols, 64>>>(p, cols);",
         "line 7 launches cols blocks, and line 3 takes blockIdx.x for a row of w elements: it needs rows blocks"},
        {"const int r = blockIdx.x; p += r * w;", "k<<<cols, 64>>>(p, cols);", "line 7 launches cols blocks"},
        {"p += (size_t)blockIdx.x * w;", "k<<<rows, 64>>>(p, cols);", NULL},
        {"p += (size_t)blockIdx.x * 64;", "k<<<cols, 64>>>(p, cols);", NULL},
        {"const int r = blockIdx.x * 8; p += r * w;", "k<<<cols, 64>>>(p, cols);", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[500], said[500] = "";
        snprintf(text, sizeof text,
                 "__global__ void __launch_bounds__(64) k(float *p,\n    int w) {\n    %s\n}\n\nvoid go(float *p, int "
                 "rows, int cols) {\n    %s\n}\n",
                 rows[i].body, rows[i].launch);
        expect(lab_hint_of_grid(text, 1, 99, said, sizeof said), said, rows[i].says, i);
    }
}

static void a_shape_whose_batch_or_heads_nobody_reads_is_seen(void **state) {
    (void)state;
    static const struct {
        const char *declared, *body, *says;
    } rows[] = {
        {"attn_status attn_merge", "const int H = s.heads;\n    for (int h = 0; h < H; h++) X[h] = Y[h];",
         "attn_merge (line 3) never reads s.batch: it does one sequence and no other"},
        {"attn_status attn_merge", "const int B = s.batch, H = s.heads;\n    for (int h = 0; h < H; h++) X[h] = Y[h];",
         "never reads s.batch"},
        {"attn_status attn_merge", "for (int b = 0; b < s.batch; b++) X[b] = Y[b];",
         "never reads s.heads: it does one head and no other. A loop over all heads is missing"},
        {"attn_status attn_merge", "const int B = s.batch;\n    for (int n = 0; n < B * s.heads; n++) X[n] = Y[n];",
         NULL},
        {"attn_status attn_merge", "for (int h = 0; h < s.heads; h++) X[h] = Y[h];\n    others(X, Y, s);", NULL},
        {"attn_status attn_merge", "others(X, Y, s);", NULL},
        {"attn_status attn_merge", "const int rows = s.seq_q;\n    s.batch = 1;\n    others(X, Y, s);",
         "line 6, in attn_merge, sets s.batch = 1 before anything has read it: from there on there is one sequence and "
         "no other. Leave it as it was given, and where all rows are counted, take batch times as many (line 5 has"},
        {"attn_status attn_merge", "attn_shape one = s;\n    one.batch = 1;\n    others(X, Y, one);",
         "line 6, in attn_merge, sets one.batch = 1 before"},
        {"attn_status attn_merge", "s.heads = 1;\n    others(X, Y, s);", "there is one head and no other"},
        {"attn_status attn_merge", "const int B = s.batch;\n    s.batch = 1;\n    others(X, Y, s);", NULL},
        {"attn_status attn_merge", "others(X, Y, s);\n    s.batch = 1;\n    others(X, Y, s);", NULL},
        {"attn_status attn_merge",
         "attn_shape one = s;\n    one.batch = 1;\n    for (int b = 0; b < s.batch; b++) others(X, Y, one);", NULL},
        {"attn_status attn_merge", "attn_shape one = s;\n    one.batch = s.heads;\n    others(X, Y, one);", NULL},
        {"attn_status attn_merge", "X[0] = Y[0];\n    ATTN_TODO(\"1.5\", s.seq_q);", NULL},
        {"static attn_status merge", "for (int h = 0; h < s.heads; h++) X[h] = Y[h];", NULL},  // of one sequence
        {"attn_status merge", "for (int h = 0; h < s.heads; h++) X[h] = Y[h];", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[500], said[500] = "";
        snprintf(text, sizeof text,
                 "static int f(int x) { return x; }\n\n%s(float *X, const float *Y,\n    attn_shape s) "
                 "{\n    %s\n    return ATTN_OK;\n}\n",
                 rows[i].declared, rows[i].body);
        expect(lab_hint_of_axes(text, 1, 99, said, sizeof said), said, rows[i].says, i);
        assert_int_equal(lab_hint_of_axes(text, 5, 6, said, sizeof said), rows[i].says != NULL);
        assert_false(lab_hint_of_axes(text, 1, 2, said, sizeof said));
    }
}

static void a_loop_that_some_threads_leave_before_others_is_named(void **state) {
    (void)state;
    static const struct {
        const char *stop, *says;
    } rows[] = {
        {"row + 1",
         "the loop of line 4 ends at stop, which line 3 makes of the thread's own number: some threads leave"},
        {"n", NULL},
        {"blockIdx.x + n", NULL},
        {"threadIdx.x < n ? 1 : 2", "and the barrier in line 5 waits for all"},
        {"n + 2 * warp.meta_group_rank()", "the loop of line 4 ends at stop"},
        {"n + grid.block_rank()", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[500], said[500] = "";
        snprintf(
            text, sizeof text,
            "__global__ void k(float *p, int n) {\n    const int w = threadIdx.x >> 5, row = n + w;\n    int stop = "
            "%s;\n    for (int k = 0; k < stop; k += 8) {\n        __syncthreads();\n    }\n}\n",
            rows[i].stop);
        static const char report[] = "__syncthreads() in divergent code; kernel k, launched at f.cu:9, block (0,0,0); "
                                     "exited thread (0,0,0); waits thread (32,0,0) f.cu:5 in k";
        expect(lab_hint_of_bound(text, report, said, sizeof said), said, rows[i].says, i);
        assert_false(lab_hint_of_bound(text, "data race; waits thread (32,0,0) f.cu:5", said, sizeof said));
    }
}

static void threads_that_leave_a_loop_with_a_barrier_are_named(void **state) {
    (void)state;
    static const struct {
        const char *loop, *leave, *says;
    } rows[] = {
        {"for (int k = n; k > 0; k /= 2)", "if (t >= k) break;", "line 4 sends some threads out of the loop (break)"},
        {"while (n > 0)", "if (t >= n) break;",
         "line 4 sends some threads out of the loop (break), and the barrier in"},
        {"for (int k = 0; k < n; k++)", "if (threadIdx.x > k) continue;", "line 4 sends some threads into the next"},
        {"for (int k = 0; k < n; k++)", "if (t > k) return;", "out of the loop (return), and the barrier in line 5"},
        {"for (int k = 0; k < n; k++)", "if (k > n) break;", NULL},  // all of the block
        {"for (int k = 0; k < n; k++)", "p[t] = k;", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[500], said[500] = "";
        snprintf(text, sizeof text,
                 "__device__ void f(float *p, int n) {\n    const int t = threadIdx.x;\n    %s {\n        %s\n"
                 "        __syncthreads();\n    }\n    __syncthreads();\n}\n",
                 rows[i].loop, rows[i].leave);
        static const char report[] = "__syncthreads() in divergent code; kernel k, launched at f.cu:9, block (0,0,0); "
                                     "waits thread (0,0,0) f.cu:5 in f; waits thread (32,0,0) f.cu:7 in f";
        expect(lab_hint_of_exit(text, report, said, sizeof said), said, rows[i].says, i);
        assert_false(lab_hint_of_exit(text, "data race; waits thread (32,0,0) f.cu:5", said, sizeof said));
    }
}

static void a_count_that_nobody_reads_is_named(void **state) {
    (void)state;
    static const struct {
        const char *body, *says;
    } rows[] = {
        {"for (int c = 0; c < l; c++) p[c] /= l;",
         "line 1 declares cols, and no line reads it, while the loop of line 2 ends at l, which is no count"},
        {"for (int c = 0; c < n; c++) p[c] /= l;", "f is given cols (line 1) and does not read it: does an index, a "
                                                   "condition, a call or the end of a loop lack it?"},
        {"for (int c = 0; c < cols; c++) p[c] /= l;", NULL},
        {"(void)cols;\n    for (int c = 0; c < l; c++) p[c] /= l;", NULL},
        {"p[threadIdx.x] /= l;", "f is given cols (line 1) and does not read it: does an index, a condition, a call or "
                                 "the end of a loop lack it?"},
    };
    char said[500];
    assert_true(lab_hint_of_unread("static float f(float *p, const float *s) {\n    return s[0];\n}\n", 1, 99, said,
                                   sizeof said));
    assert_says(said, "f is given p (line 1), which it may write to, and does neither that nor read it");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[500], said[500] = "";
        snprintf(text, sizeof text,
                 "__global__ void __launch_bounds__(32) f(float *p, int, float l, int cols) {\n    %s\n}\n",
                 rows[i].body);
        expect(lab_hint_of_unread(text, 1, 99, said, sizeof said), said, rows[i].says, i);
    }
    // Nor what an open TODO has not read yet.
    static const char of_macro[] = "#define LOAD \\\n    s[0] = %s[0];\nvoid f(float *s, const float *A) {\n%s}\n";
    static const char *const reads[][2] = {{"A", "    LOAD\n"}, {"B", "    LOAD\n"}, {"A", "    s[1] = 0;\n"}};
    for (int i = 0; i < 3; i++) {
        char text[200];
        snprintf(text, sizeof text, of_macro, reads[i][0], reads[i][1]);
        assert_int_equal(lab_hint_of_unread(text, 1, 99, said, sizeof said), i > 0);
    }
    assert_false(lab_hint_of_unread("static int f(int n) {\n    return ATTN_TODO(1, 9);\n}\n", 1, 99, NULL, 0));
    // What the contract gives to a stage need not be read. Of two functions each is looked at.
    assert_false(lab_hint_of_unread("void attn_f(int Br) {\n    g();\n}\n", 1, 99, said, sizeof said));
    static const char two[] =
        "static void f(int n[2], float (*g)(int)) {\n    n[0] = 1;\n}\n\nstatic void h(float *p,\n"
        "              const shape s) {\n    *p = 1;\n}\n";
    assert_true(lab_hint_of_unread(two, 1, 99, said, sizeof said));
    assert_says(said, "h is given s (line 6) and does not read it");
    assert_false(lab_hint_of_unread(two, 1, 3, said, sizeof said));
}

static void a_length_that_is_handed_on_is_named_where_it_is(void **state) {
    (void)state;
    static const char cause[] = "matches lengths[b] that counts padding",
                      text[] = "void put(int *p, int b, int n) {\n    p[b] = n;\n}\n\n__global__ void set(int "
                               "*lengths, int b, int n) { lengths[b] = n; }\n\n"
                               "void go(int *p, int S, int n) {\n    put(p, 0, n);\n    set<<<1, 1>>>(p, 0, S);\n}\n";
    char said[200] = "";
    assert_true(lab_place_of_cause(text, cause, said, sizeof said));
    assert_string_equal(said, "line 5 sets a length to its n, for which line 9 hands on S");
}

static void a_length_that_each_head_adds_to_is_named(void **state) {
    (void)state;
    static const char cause[] =
        "matches lengths[0] = 35 when decode is called: it is 34; append alone changes it, by 1 a "
        "token: does each head add 1, or is append called twice? (line 9)";
    char said[300] = "";
    assert_true(lab_place_of_cause(
        "void set(int *lengths, int n) {\n  for (; b < n; b += 32) lengths[b] = n;\n}\nvoid push(int *lengths) {\n"
        "  lengths[0] = slot + 1;\n}\n",
        cause, said, sizeof said));
    assert_says(said, "each head adds 1, in line 5, and a sequence has one length for all of them: one block of it");
    assert_false(lab_place_of_cause("void push(int *lengths) {\n  lengths[0]++;\n}\nvoid go() {\n  f->append();\n}\n",
                                    cause, said, sizeof said));
}

static void rows_that_no_thread_takes_are_named(void **state) {
    (void)state;
    static const char cause[] = "matches what a missing 1/sqrt(D) gives: scale the scores before the softmax (in the "
                                "rows that are wrong, and not in all), which are those from 64 on: who has them?",
                      form[] = "#define T %s\n__global__ void mask(float *s, int n, float x) {\n"
                               "    int i = %s;\n    if (i >= n) return;\n    %s;\n}\n\n"
                               "void go(float *s, int n) {\n    mask<<<8, T>>>(s, n, 1 / sqrtf(8));\n}\n";
    static const struct {
        const char *threads, *row, *body, *says;
    } rows[] = {
        {"64", "threadIdx.x", "s[i] *= x",
         "line 9 launches mask with 64 threads, and each takes one row, i = threadIdx.x in line 3: those from 64 "
         "on are nobody's. A loop takes them all, i += blockDim.x"},
        {"128", "threadIdx.x", "s[i] *= x", "the root is taken in"},
        {"64", "threadIdx.x + 64 * blockIdx.x", "s[i] *= x", "the root is taken in"},
        {"64", "threadIdx.x", "do s[i] *= x, i += T; while (i < n)", "the root is taken in"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[500], said[400] = "";
        snprintf(text, sizeof text, form, rows[i].threads, rows[i].row, rows[i].body);
        assert_true(lab_place_of_cause(text, cause, said, sizeof said));
        assert_says(said, rows[i].says);
    }
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(a_side_of_1_whose_index_is_read_is_seen),
        CLAIM(as_many_blocks_as_a_row_is_long_are_seen),
        CLAIM(a_shape_whose_batch_or_heads_nobody_reads_is_seen),
        CLAIM(a_loop_that_some_threads_leave_before_others_is_named),
        CLAIM(threads_that_leave_a_loop_with_a_barrier_are_named),
        CLAIM(a_count_that_nobody_reads_is_named),
        CLAIM(a_length_that_is_handed_on_is_named_where_it_is),
        CLAIM(rows_that_no_thread_takes_are_named),
        CLAIM(a_length_that_each_head_adds_to_is_named),
    };
    return cmocka_run_group_tests(claims, NULL, NULL);
}
