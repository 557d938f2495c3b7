// unit_source_steps.c: loops that begin at a thread's number: source_steps.c of grader/run.
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "source_hints.h"

// Each loop stands in a kernel whose other loop goes on by L.
static void a_loop_that_goes_on_by_another_number_is_seen(void **state) {
    (void)state;
    static const struct {
        const char *loop, *says;
    } rows[] = {
        {"for (int c = t; c < n; c++) s[c] = 0;",
         "line 8: the loop begins at t, the thread's number, and goes on by 1:"},
        {"for (int c = t; c < n; c++) s[c] = 0;", "It goes on by L, as that of line 2 does. No barrier helps"},
        {"for (int c = t; c < n; c += L) s[c] = 0;", NULL},
        {"for (int c = t; c < t + 4; c++) s[c] = 0;", NULL},      // its own four
        {"for (int c = t; c < n; c++) s[t * n + c] = 0;", NULL},  // its own row
        {"for (int c = k; c < n; c++) s[c] = 0;", NULL},          // no thread's number
        {"for (int c = four; c < n; c++) s[c] = 0;", NULL},
        {"for (int h = warp; h < n; h += 32) s[h] = 0;",
         "line 8: the loop begins at the warp's number, warp, and goes on by 32, the threads of one warp:"},
        {"for (int h = threadIdx.x / 32; h < n; h += 32) s[h] = 0;", "It goes on by the number of warps, NT / 32"},
        {"for (int h = warp; h < n; h += NT / 32) s[h] = 0;", NULL},
        {"for (int h = threadIdx.x % 32; h < n; h += 32) s[h] = 0;", NULL},
        {"for (int h = warp; h < n; h += 32) s[h] = 1024;", NULL},  // there may be 32 warps
        {"for (", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[900], said[400] = "";
        snprintf(text, sizeof text,
                 "__device__ void f(float *s, int n, int t) {\n    for (int c = t; c < n; c += L) s[c] = 1;\n}\n"
                 "__global__ void g(float *s, int n, int k) {\n"
                 "    const int t = threadIdx.x, warp = threadIdx.x >> 5, four = threadIdx.x * 4;\n    f(s, n, t);\n"
                 "    for (int c = four; c < n; c += L) s[c] = 1;\n    %s\n}\n\nvoid h() {\n    g<<<dim3(1, 2), "
                 "NT>>>(s, n, k);\n}\n",
                 rows[i].loop);
        const lab_hint found = (lab_hint)lab_hint_of_steps(text, 1, 1 << 20, said, sizeof said);
        if (!found != !rows[i].says) fail_msg("%zu: %s", i, said);
        if (found) assert_says(said, rows[i].says);
        assert_false(lab_hint_of_steps(text, 1, 7, said, sizeof said));
        static const char race[] =
            "data race: shared s[3]; kernel g, launched at f.cu:12; read thread (1,0,0) f.cu:8 in g";
        if (found) assert_int_equal(found, LAB_HINT_ALONE);  // no change is a cure beside it
        const lab_hint of_race = strstr(said, "No barrier helps") ? LAB_HINT_FIRST : LAB_HINT_BESIDE;
        assert_int_equal(lab_hint_of_race(text, race, said, sizeof said), found ? of_race : LAB_HINT_NONE);
        assert_false(lab_hint_of_race(text, "data race: shared s[3]; read thread (1,0,0) f.cu:9", said, sizeof said));
        assert_false(lab_hint_of_race(text, "data race: shared s[3]; write thread (1,0,0) f.cu:7", said, sizeof said));
    }
}

// The parameter of a function has the number that its call hands on.
static void a_thread_s_number_is_followed_into_a_function(void **state) {
    (void)state;
    static const char text[] =
        "__device__ void f(float *s, int n, int t) {\n    for (int c = t; c < n; c++) s[c] = 1;\n"
        "    for (int c = t; c < n; c += L) s[c] = 1;\n}\n"
        "__global__ void g(float *s, int n) {\n    const int i = threadIdx.x;\n    f(s, n, %s);\n}\n";
    char file[400], said[400];
    snprintf(file, sizeof file, text, "i");
    assert_true(lab_hint_of_steps(file, 1, 99, said, sizeof said));
    snprintf(file, sizeof file, text, "n");
    assert_false(lab_hint_of_steps(file, 1, 99, said, sizeof said));
}

static void a_loop_that_goes_on_by_several_blocks_is_seen(void **state) {
    (void)state;
    static const struct {
        const char *loop, *says;
    } rows[] = {
        {"for (int x = threadIdx.x; x < n; x += 4 * NT) { s[r * 9 + x % 8] = k[x]; }",
         "line 2: the loop begins at threadIdx.x, the thread's number, and goes on by 4*NT, and a block has NT "
         "threads: of "
         "each 4*NT elements the first NT alone are done. It goes on by NT"},
        {"for (int x = threadIdx.x; x < n; x += NT * 2) s[x] = 0;", "of each NT*2 elements"},
        {"for (int x = threadIdx.x; x < n; x += NT) s[x] = 0;", NULL},
        {"for (int x = threadIdx.x; x < n; x += 4 * L) s[x] = 0;", NULL},
        {"for (int x = 4 * threadIdx.x; x < n; x += 4 * NT) s[x] = 0;", NULL},
        {"for (int x = threadIdx.x; x < n; x += 2 * NT) s[x] = 0, s[x + NT] = 0;", NULL},
        {"for (int x = threadIdx.x; x < n; x += 2 * NT) for (int j = 0; j < 2; j++) s[j * NT + x] = 0;", NULL},
        {"for (int x = threadIdx.x; x < n; x += 4 * NT) s[x] = threadIdx.y;", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[600], said[400] = "";
        snprintf(
            text, sizeof text,
            "__device__ void f(float *s, const float *k, int n) {\n    %s\n}\nvoid h() {\n    g<<<grid, NT>>>(s);\n}\n",
            rows[i].loop);
        const int found = lab_hint_of_steps(text, 1, 1 << 20, said, sizeof said);
        if (!found != !rows[i].says) fail_msg("%zu: %s", i, said);
        if (found) assert_says(said, rows[i].says);
    }
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(a_loop_that_goes_on_by_another_number_is_seen),
        CLAIM(a_thread_s_number_is_followed_into_a_function),
        CLAIM(a_loop_that_goes_on_by_several_blocks_is_seen),
    };
    return cmocka_run_group_tests(claims, NULL, NULL);
}
