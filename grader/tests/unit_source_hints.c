// unit_source_hints.c: what the lines say that a report of checked mode names. grader/source/source_hints.c.
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "source_hints.h"

static const char source[] = "__global__ void kernel(float *O, int n) {\n"
                             "    if (threadIdx.x >= n) return;\n"
                             "    v[threadIdx.x] = O[threadIdx.x];\n"
                             "    __syncthreads();\n"
                             "    p[threadIdx.x] = 0;\n"
                             "    O[0] = v[1];\n"
                             "}\n"
                             "static void launch(void) {\n"
                             "    static const int warps = 4;\n"
                             "    kernel<<<1, 32>>>(0, 1);\n"
                             "}\n";

#define AT(first, second)                                                                                              \
    "kernel kernel, launched at f.cu:10, block (0,0,0); write thread (0,0,0) f.cu:" #first " in kernel; read thread "  \
    "(1,0,0) f.cu:" #second " in kernel"

static char sentence[640];

static void parts_of_shared_memory_that_overlap_are_asked_about(void **state) {
    (void)state;
    assert_int_equal(lab_hint_of_report(source, "data race: shared mem[7]; " AT(3, 5), 0, sentence, sizeof sentence),
                     LAB_HINT_FIRST);
    assert_says(sentence, "lines 3 (v) and 5 (p)");
    assert_false(lab_hint_of_report(source, "data race: shared mem[7]; " AT(3, 6), 0, sentence, sizeof sentence));
    assert_false(lab_hint_of_report(source, "data race: global O[7]; " AT(3, 5), 0, sentence, sizeof sentence));
}

static void what_a_kernel_is_handed_is_no_part_of_shared_memory(void **state) {
    (void)state;
    static const char file[] = "__global__ void kernel(float *O, const float *src, int n) {\n"
                               "    const float *row = src + n;\n"
                               "    if (threadIdx.x == 0) m = buf[0];\n"
                               "    O[0] = src[1] - m;\n"
                               "    O[1] = row[1] - m;\n"
                               "    O[2] = p[1] * row[2];\n"
                               "}\n";
    assert_false(lab_hint_of_report(file, "data race: shared buf[0]; " AT(3, 4), 0, sentence, sizeof sentence));
    assert_false(lab_hint_of_report(file, "data race: shared buf[0]; " AT(3, 5), 0, sentence, sizeof sentence));
    assert_true(lab_hint_of_report(file, "data race: shared buf[0]; " AT(3, 6), 0, sentence, sizeof sentence));
    assert_says(sentence, "lines 3 (buf) and 6 (p)");
    assert_false(lab_hint_of_report(file, "data race: shared m; " AT(3, 6), 0, sentence, sizeof sentence));
}

static void parts_with_a_barrier_between_may_overlap(void **state) {
    (void)state;
    static const char carved[] = "__global__ void kernel(float *O) {\n"
                                 "    float *v = mem, *p = v + D;\n"
                                 "    p[threadIdx.x] = 0;\n"
                                 "    __syncwarp();\n"
                                 "    O[0] = p[0] * v[1];\n"
                                 "}\n";
    assert_int_equal(lab_hint_of_report(carved, "data race: shared mem[7]; " AT(3, 5), 0, sentence, sizeof sentence),
                     LAB_HINT_FIRST);
    assert_says(sentence, "overlap (line 2: *p = v + D)");
    char open[sizeof carved];
    strcpy(open, carved);
    memcpy(strstr(open, "__syncwarp"), "no_barrier", 10);
    assert_false(lab_hint_of_report(open, "data race: shared mem[7]; " AT(3, 5), 0, sentence, sizeof sentence));
}

static void rows_of_two_lengths_are_named(void **state) {
    (void)state;
    char file[] = "__global__ void kernel(float *O) {\n"
                  "    S[tx * BC + y] = 0;\n"
                  "    O[0] = S[tx * (BC + 1) + y];\n"
                  "}\n";
    static const char report[] = "data race: shared S[7]; " AT(2, 3);
    assert_int_equal(lab_hint_of_report(file, report, 0, sentence, sizeof sentence), LAB_HINT_FIRST);
    assert_says(sentence, "rows of S overlap: in line 2 they are BC long, in line 3 (BC + 1)");
    memcpy(strstr(file, "BC + y"), "D  + y", 6);
    memcpy(strstr(file, "(BC + 1)"), "D       ", 8);
    assert_false(lab_hint_of_rows(file, report, sentence, sizeof sentence));
}

static void rows_of_a_tile_that_is_turned_are_as_long_as_it_has_keys(void **state) {
    (void)state;
    static const char report[] = "data race: shared s[7]; write thread (29,0,0) f.cu:4 in stage; "
                                 "write thread (30,0,0) f.cu:4 in stage";
    char file[] = "__device__ void stage(float *dst, const float *src, int count, int D, int pitch) {\n"
                  "    for (int e = threadIdx.x; e < count * D; e += 128) {\n"
                  "        const int row = e / D, col = e - row * D;\n"
                  "        dst[col * pitch + row] = src[e];\n    }\n}\n"
                  "__global__ void kernel(const float *K, int D) {\n    const int pitch = D  + 1;\n"
                  "    stage(s, K, BC, D, pitch);\n}\n";
    assert_int_equal(lab_hint_of_report(file, report, 0, sentence, sizeof sentence), LAB_HINT_FIRST);
    assert_says(sentence,
                "a row holds as many numbers as row counts, and pitch, by line 9, is D+1, the length of a row");
    memcpy(strstr(file, "D  + 1"), "BC + 1", 6);
    assert_false(lab_hint_of_transposing(file, report, sentence, sizeof sentence));
    memcpy(strstr(file, "BC + 1"), "D  + 1", 6);
    memcpy(strstr(file, "[col * pitch + row]"), "[row * pitch + col]", 19);
    assert_false(lab_hint_of_transposing(file, report, sentence, sizeof sentence));
}

static void two_writes_of_an_element_are_rows_that_overlap(void **state) {
    (void)state;
    static const char report[] = "data race: shared s[7]; write thread (29,0,0) f.cu:3 in kernel; "
                                 "write thread (30,0,0) f.cu:5 in kernel";
    static const char same[] = "__global__ void kernel(float *O) {\n\n    s[1] = 0;\n\n    s[2] = 1;\n}\n";
    assert_int_equal(lab_hint_of_report(same, report, 0, sentence, sizeof sentence), LAB_HINT_FIRST);
    assert_says(sentence, "lines 3 and 5 write one element of shared memory");
    static const char parts[] = "data race: global workspace[9]; write thread (0,0,0) f.cu:3 in kernel; "
                                "write another block's thread (1,0,0) f.cu:5 in kernel";
    assert_int_equal(lab_hint_of_report(same, parts, 0, sentence, sizeof sentence), LAB_HINT_FIRST);
    assert_says(sentence, "lines 3 and 5 write one element of workspace, from two blocks: two parts of it overlap");
}

static void words_of_advice_are_no_access(void **state) {
    (void)state;
    static const char report[] = "data race: shared s[7]; write thread (29,0,0) f.cu:3 in kernel; read thread (30,0,0) "
                                 "f.cu:5 in kernel; What to do: let one thread write it, and read it behind a barrier";
    static const char same[] = "__global__ void kernel(float *O) {\n\n    s[1] = 0;\n\n    O[2] = s[1];\n}\n";
    assert_false(lab_hint_of_report(same, report, 0, sentence, sizeof sentence));
}

static const char beyond[] = "__device__ float sum(const float *V, int n) {\n"
                             "    return V[n];\n"
                             "}\n"
                             "__global__ void kernel(float *ws, const float *Vc) {\n"
                             "    float l = sum(Vc, 3);\n"
                             "    float *mine = ws + 8;\n"
                             "    mine[0] = l;\n"
                             "}\n";
static const char met[] = "data race: global workspace[7]; kernel kernel, launched at f.cu:10; write thread (0,0,0) "
                          "f.cu:7 in kernel; read another block's thread (64,0,0) f.cu:2 in kernel";

static void an_index_that_runs_into_another_array_is_no_race(void **state) {
    (void)state;
    assert_int_equal(lab_hint_of_report(beyond, met, 0, sentence, sizeof sentence), LAB_HINT_FIRST);
    assert_says(sentence, "line 2 reads V, and meets what line 7 writes to ws, another array");
    char handed[sizeof beyond];
    strcpy(handed, beyond);
    memcpy(strstr(handed, "sum(Vc"), "sum(ws", 6);  // the function reads what the kernel writes
    assert_false(lab_hint_of_report(handed, met, 0, sentence, sizeof sentence));
    strcpy(handed, beyond);
    memcpy(strstr(handed, "const float *V,"), "      float *V,", 15);
    assert_false(lab_hint_of_report(handed, met, 0, sentence, sizeof sentence));
}

static void what_several_threads_update_is_one_threads(void **state) {
    (void)state;
    static const char file[] = "__global__ void kernel(float *O) {\n\n    s(r, c) = dot;\n\n"
                               "    for (int d = 0; d < D; d++) out(r, d) += p * kv(c, d);\n"
                               "    s(r, c) = expf(s(r, c) - m);\n    x[t] += x[t + w];\n    y[t] = y[t] + p;\n"
                               "    o[t] = 0;\n    s(r, c) = 0;\n}\n";
    assert_int_equal(lab_hint_of_report(file, "data race: shared mem[7]; " AT(5, 5), 0, sentence, sizeof sentence),
                     LAB_HINT_FIRST);
    assert_says(sentence, "line 5 reads out(r, d), adds to it and stores it, and several threads do so");
    assert_true(lab_hint_of_updates(file, "data race: shared y[7]; " AT(8, 8), sentence, sizeof sentence));
    assert_false(lab_hint_of_updates(file, "data race: shared x[7]; " AT(7, 7), sentence, sizeof sentence));
    assert_false(lab_hint_of_updates(file, "data race: shared o[7]; " AT(9, 9), sentence, sizeof sentence));
    assert_true(lab_hint_of_updates(file, "data race: shared mem[7]; " AT(3, 6), sentence, sizeof sentence));
    assert_says(sentence, "line 6 makes s(r, c) anew of what line 3 has stored there, in another thread");
    assert_true(lab_hint_of_updates(file, "data race: shared mem[7]; " AT(6, 3), sentence, sizeof sentence));
    assert_says(sentence, "line 6 makes s(r, c) anew of what line 3");
    assert_false(lab_hint_of_updates(file, "data race: shared mem[7]; " AT(3, 10), sentence, sizeof sentence));
    assert_false(lab_hint_of_updates(file, "data race: shared mem[7]; " AT(3, 9), sentence, sizeof sentence));
}

static void a_kernel_of_another_task_is_not_blamed(void **state) {
    (void)state;
    const lab_task *const task = lab_task_find("task6");
    static const char report[] = "access outside of every device allocation: address 0x60 at decode.cu:99 in decode; "
                                 "launched at decode.cu:230";
    assert_true(lab_hint_of_part(report, task, "pipeline.cu", sentence, sizeof sentence));
    assert_says(sentence, "decode.cu:99 is in a kernel that pipeline.cu calls");
    assert_false(lab_hint_of_part(report, task, "decode.cu", sentence, sizeof sentence));
    static const char stands_in[] = "access outside of every device allocation: address 0x60, in kernel decode, called "
                                    "at pipeline.cu:47 in run_decode";
    assert_true(lab_hint_of_part(stands_in, task, "pipeline.cu", sentence, sizeof sentence));
    assert_says(sentence, "the kernel that pipeline.cu:47 calls is not to blame");
    static const char own[] = "access outside of every device allocation: address 0x60 at mine.cu:79 in store; "
                              "launched at mine.cu:90";
    assert_false(lab_hint_of_part(own, task, "mine.cu", sentence, sizeof sentence));
    assert_false(lab_hint_of_part(own, task, "pipeline.cu", sentence, sizeof sentence));
}

static void threads_that_leave_early_are_named(void **state) {
    (void)state;
    static const char report[] =
        "read of memory that was never written: shared v[1]; kernel kernel, launched at f.cu:10, "
        "block (0,0,0); read thread (0,0,0) f.cu:6 in kernel";
    assert_int_equal(lab_hint_of_report(source, report, 0, sentence, sizeof sentence), LAB_HINT_FIRST);
    assert_says(sentence, "line 2 sends away");
    assert_says(sentence, "__syncthreads() of line 4");
    char whole[sizeof source];
    strcpy(whole, source);
    memcpy(strstr(whole, "threadIdx.x >= n"), " blockIdx.x >= n", 16);  // all of a block, or none
    assert_int_equal(lab_hint_of_report(whole, report, 0, sentence, sizeof sentence), LAB_HINT_NONE);
    char stays[sizeof source];
    strcpy(stays, source);
    memcpy(strstr(stays, "return;"), "n = 0; ", 7);
    assert_false(lab_hint_of_report(stays, report, 0, sentence, sizeof sentence));
}

static void an_offset_far_away_is_no_pointer_of_the_host(void **state) {
    (void)state;
    static const char report[] =
        "host pointer in a kernel; kernel kernel, launched at f.cu:10; write thread (0,0,0) f.cu:3";
    assert_int_equal(lab_hint_of_report(source, report, 0, sentence, sizeof sentence), LAB_HINT_BESIDE);
    assert_says(sentence, "the offset in line 3");
    assert_false(lab_hint_of_report(source, report, 1, sentence, sizeof sentence));
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(parts_of_shared_memory_that_overlap_are_asked_about),
        CLAIM(what_a_kernel_is_handed_is_no_part_of_shared_memory),
        CLAIM(parts_with_a_barrier_between_may_overlap),
        CLAIM(two_writes_of_an_element_are_rows_that_overlap),
        CLAIM(rows_of_a_tile_that_is_turned_are_as_long_as_it_has_keys),
        CLAIM(words_of_advice_are_no_access),
        CLAIM(rows_of_two_lengths_are_named),
        CLAIM(what_several_threads_update_is_one_threads),
        CLAIM(an_index_that_runs_into_another_array_is_no_race),
        CLAIM(a_kernel_of_another_task_is_not_blamed),
        CLAIM(threads_that_leave_early_are_named),
        CLAIM(an_offset_far_away_is_no_pointer_of_the_host),
    };
    return cmocka_run_group_tests_name("source_hints", claims, NULL, NULL);
}
