// unit_source_blocks.c: a race between two blocks: who stores the same, and who counts while others read:
// source_blocks.c; or who compares a place in the tile with the matrix: source_limits.c. Within a block: groups of
// threads, or warps, at one place, source_groups.c.
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "source_hints.h"

#define TWO_WRITES                                                                                                     \
    "data race: global O[16]; kernel f, launched at f.cu:20, block (0,0,1); write thread (16,0,0) f.cu:7 in f; write " \
    "another block's thread (16,0,0) f.cu:7 in f"

// A kernel in which `place` says where line 7 stores.
static void expect(const char *place, const char *report, const char *says) {
    char text[600], said[500] = "";
    snprintf(text, sizeof text,
             "__global__ void f(float *O, const float *V, int n, int D) {\n    const int d = threadIdx.x;\n"
             "    const int row = blockIdx.y;\n    const int j0 = blockIdx.z * BC;\n    float o = 0;\n"
             "    for (int j = j0; j < n; j++) o += V[j * D + d];\n    O[%s] = o;\n}\n",
             place);
    assert_int_equal(lab_hint_of_blocks(text, report, said, sizeof said), says != NULL);
    if (says) assert_says(said, says);
}

static void blocks_that_store_the_same_are_named(void **state) {
    (void)state;
    expect("row * D + d", TWO_WRITES,
           "line 7 stores O at places that do not depend on blockIdx.z, of which line 4 makes j0");
    expect("j0 * D + d", TWO_WRITES, "do not depend on blockIdx.y, of which line 3 makes row");
    expect("(row + j0) * D + d", TWO_WRITES, NULL);
    expect("row * D + d", "data race: global O[16]; write thread (16,0,0) f.cu:7 in f; read thread (1,0,0) f.cu:6",
           NULL);
}

static void a_length_is_counted_when_all_have_read_it(void **state) {
    (void)state;
    static const char text[] =
        "__global__ void put(float *K, int *lengths, int H) {\n    const int b = blockIdx.x / H;\n"
        "    const int n = lengths[b];\n    K[n] = 1;\n    if (blockIdx.x %% H == 0) lengths[b] = n + 1;\n"
        "}\n";
    char said[500];
    assert_true(lab_hint_of_blocks(text,
                                   "data race: global lengths; kernel put; read thread (0,0,0) f.cu:3 in put; write "
                                   "another block's thread (0,0,0) f.cu:5 in put",
                                   said, sizeof said));
    assert_says(said,
                "line 5 counts lengths[b] while blocks of the same sequence may still have to read it, in line 3");
    assert_false(lab_hint_of_blocks(
        text, "data race: global lengths; read thread (0,0,0) f.cu:3; write thread (1,0,0) f.cu:5", said, sizeof said));
}

static void a_place_in_the_tile_is_not_compared_with_the_matrix(void **state) {
    (void)state;
    static const char text[] =
        "__global__ void f(float *C, const float *A, int m, int n) {\n    __shared__ float a[16];\n"
        "    const int i0 = blockIdx.y * SIDE, t = threadIdx.x;\n"
        "    for (int k0 = 0; k0 < n; k0 += 16) {\n        const int i = t; a[t] = t < n && i0 + i < m ? A[i0 * n + k0 "
        "+ t] "
        ": 0;\n"
        "        if (e >= n) a[t] = 0;\n    }\n    const int i = i0 + t / 4, j = t % 4;\n"
        "    if (t / 4 < m && j < n) C[i * n + j] = a[t];\n    if (i < m) C[i * n] = 0;\n}\n";
    char said[500];
    assert_int_equal(lab_hint_of_report(text,
                                        "data race: global C[80]; kernel f; write thread (0,0,0) f.cu:9 in f; write "
                                        "another block's thread (31,0,0) f.cu:9 in f",
                                        0, said, sizeof said),
                     LAB_HINT_FIRST);
    assert_says(said, "line 9 compares t / 4 with m: that is the place within the tile, and m belongs to the whole "
                      "matrix. Its place there is i0 + t / 4. Look at line 5, too");
    static const char *const others[] = {"access out of bounds: global C[80]; write thread (0,0,0) f.cu:10 in f",
                                         "data race: shared a[80]; write thread (0,0,0) f.cu:9 in f",
                                         "access out of bounds: global A[80]; read thread (0,0,0) f.cu:6 in f"};
    for (int i = 0; i < 3; i++) assert_false(lab_hint_of_limits(text, others[i], said, sizeof said));
}

// Four teams of a warp store at the warp's place.
static void expect_teams(const char *team, const char *place, const char *threads, const char *says) {
    char text[700], report[200], said[600] = "";
    snprintf(text, sizeof text,
             "#define TEAM 8\n__global__ void f(float *O) {\n    __shared__ float all[64], most[16];\n"
             "    const int t = threadIdx.x, warp = t / 32, me = t %% TEAM, team = %s;\n"
             "    const float x = O[t];\n    if (me == 0) most[warp] = x;\n    all[%s] = x;\n    __syncthreads();\n"
             "    for (int i = 0; i < 4; i++) O[t] += all[i];\n}\n",
             team, place);
    snprintf(report, sizeof report,
             "data race: shared all[5]; kernel f; write thread (5,0,0) f.cu:7 in f; write thread (%s) f.cu:7 in f",
             threads);
    assert_int_equal(lab_hint_of_groups(text, report, said, sizeof said), says != NULL);
    if (says) assert_string_equal(said, says);
}

static void groups_that_store_at_the_place_of_their_warp_are_named(void **state) {
    (void)state;
    static const char says[] =
        "line 7: threads 5 and 29 store in one element of all: team (line 4) is 0 in the one and 3 in the other, and "
        "does not stand in [...]. Each team has numbers of its own: give it a place of its own, [team], in line 6, "
        "too, and let what joins them (line 9) go over all of these. Or join them first, and let one team store";
    expect_teams("t / TEAM", "warp * TEAM + me", "29,0,0", says);
    expect_teams("threadIdx.x >> 3", "warp * TEAM + me", "29,0,0", says);
    expect_teams("t / TEAM", "team * TEAM + me", "29,0,0", NULL);
    expect_teams("t / TEAM", "warp * TEAM + me", "6,0,0", NULL);   // of one team
    expect_teams("t / TEAM", "warp * TEAM + me", "29,1,0", NULL);  // a block of two dimensions
    expect_teams("O[t] / 8", "warp * TEAM + me", "29,0,0", NULL);  // nobody knows
}

// Each warp has a row, and all of them store it at one place: no barrier helps. In a block of two dimensions y is the warp.
static void expect_in_both(int flat, const char *made, const char *before, const char *place, const char *says) {
    char text[700], report[300], said[600] = "";
    snprintf(report, sizeof report,
             "data race: shared p[1]; kernel f; write thread (%s,0) f.cu:7 in f; read thread (1,0,0) f.cu:9 in f; The "
             "two threads are in different warps, and no __syncthreads() lies between the two accesses.",
             flat ? "32,0" : "0,1");
    snprintf(text, sizeof text,
             "#define N 32\n__global__ void f(float *O, const float *s) {\n    extern __shared__ float base[];\n"
             "    const int %s;\n    %s\n    %s\n"
             "        p[%s] = expf(s[tid]);\n    __syncwarp();\n    O[tid] = p[N - 1 - lane];\n}\n",
             flat ? "tid = threadIdx.x, lane = tid % N, warp = tid / N"
                  : "lane = threadIdx.x, warp = threadIdx.y, tid = warp * N + lane",
             made, before, place);
    assert_true(lab_hint_of_warps(text, report, said, sizeof said));
    assert_says(said, says ? says : "__syncwarp() holds up the threads of one warp alone, and lines 7 and 9 meet");
}

static void expect_warps(const char *made, const char *before, const char *place, const char *says) {
    for (int flat = 0; flat < 2; flat++) expect_in_both(flat, made, before, place, says);
}

static void warps_that_store_at_one_place_are_named(void **state) {
    (void)state;
    static const char says[] =
        "line 7: p (line 5) is the same for all warps, and each of them stores its own numbers at p[c]: one warp "
        "overwrites what another one still reads, and no barrier helps. Give each warp a part of its own: its number "
        "times the length of a part further";
    static const char walk[] = "for (int c = lane; c < N; c += N)";
    expect_warps("float *p = base + N;", walk, "c", says);
    expect_warps("__shared__ float p[N];", walk, "c", says);
    expect_warps("float *p = base + warp * N;", walk, "c", NULL);
    expect_in_both(1, "float *p = base + threadIdx.x / 32 * N;", walk, "c", NULL);
    expect_in_both(0, "float *p = base + threadIdx.y * N;", walk, "c", NULL);
    expect_warps("float *p = base + N;", "for (int c = tid; c < N; c += 4 * N)", "c", NULL);
    expect_warps("float *p = base + N;", "if (warp == 0)", "lane", NULL);
    expect_warps("float *p = base + N;", "if (tid < 32)", "lane", NULL);
    expect_warps("float *p = base + N;", walk, "warp * N + c", NULL);
    expect_warps("float *p = base + N; const int row = warp + 4, n = s[0];", "if (row < n)", "lane",
                 "line 7: p (line 5) is the same for all warps");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_that_store_the_same_are_named),
        cmocka_unit_test(groups_that_store_at_the_place_of_their_warp_are_named),
        cmocka_unit_test(warps_that_store_at_one_place_are_named),
        cmocka_unit_test(a_place_in_the_tile_is_not_compared_with_the_matrix),
        cmocka_unit_test(a_length_is_counted_when_all_have_read_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
