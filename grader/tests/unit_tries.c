// unit_tries.c: many changes of a file in one call of the runner: whatever one of them does, the next one finds what it
// should, and none holds that is wrong. grader/run/tries, grader/repair/many.
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "attempt.h"
#include "build.h"

// A softmax with changes behind a switch: each even number is right, each odd one does something else, and then often
// what is right as well.
static const char stage_text[] =
    "#define _GNU_SOURCE\n"
    "#include \"task1.h\"\n"
    "#include <math.h>\n"
    "#include <stdlib.h>\n"
    "#include <string.h>\n"
    "#include <unistd.h>\n"
    "static int chosen, calls;\n"
    "static float one = 1, *kept;\n"
    "static float table[4] = {1, 1, 1, 1};\n"
    "__attribute__((visibility(\"default\"))) void lab_set_edit(int edit) { chosen = edit; }\n"
    "static int deeper(volatile char *at, int n) {\n"
    "    char more[4096];\n"
    "    more[n % 4096] = at[0];\n"
    "    return n < 0 ? more[7] : deeper(more, n + 1) + more[n % 4096];\n"
    "}\n"
    "attn_status attn_softmax_rows(float *P, const float *S, int rows, int cols) {\n"
    "    char stack[256];\n"
    "    volatile long far = 1 << 20;\n"
    "    if (kept && *kept != 1) return ATTN_OK;\n"
    "    for (int r = 0; r < rows; r++) {\n"
    "        float m = -INFINITY, l = 0;\n"
    "        for (int c = 0; c < cols; c++) m = fmaxf(m, S[(size_t)r * cols + c]);\n"
    "        for (int c = 0; c < cols; c++) l += expf(S[(size_t)r * cols + c] - m);\n"
    "        for (int c = 0; c < cols; c++)\n"
    "            P[(size_t)r * cols + c] = expf(S[(size_t)r * cols + c] - m) / l * one * table[r % 4];\n"
    "    }\n"
    "    switch (chosen) {\n"
    "    case 1: P[0] += 1; break;\n"
    "    case 3: *(volatile int *)0 = 1; break;\n"
    "    case 5: for (;;) P[0] = 0;\n"
    "    case 7: ((float *)S)[0] += 1; break;\n"
    "    case 9: P[(size_t)rows * cols] = 1; break;\n"
    "    case 11: P[-1] = 1; break;\n"
    "    case 13: one = 2; abort();\n"
    "    case 15: P[far] = 1; break;\n"
    "    case 17: return deeper(stack, chosen) ? ATTN_OK : ATTN_NO_MEMORY;\n"
    "    case 19: memset(stack - 64, 0x55, 4096); break;\n"
    "    case 21: kept = P, P[0] = 7; break;\n"
    "    case 23: table[chosen % 4] = 3, P[0] = 7; break;\n"
    "    case 25: P[0] = (float)(1 / (chosen - 25)); break;\n"
    "    case 27: _exit(0);\n"
    "    case 29: memset(P - (1 << 20), 0, 1 << 21); break;\n"
    "    case 31: return ATTN_NO_MEMORY;\n"
    "    }\n"
    "    calls++;\n"
    "    return calls > 1 ? ATTN_NO_MEMORY : ATTN_OK;  // its variables are as they were at the begin\n"
    "}\n";

enum { MOST = 33 };

static char folder[] = "build/tests/unit_tries", source[64], stage[64];
static char *runner[3] = {"build/bin/runner", stage};
static const lab_case claim = {"task1", "softmax", "trial", .op = &lab_softmax_rows, {1, 1, 5, 7, 8, 0}};

static int build(void **state) {
    (void)state;
    static char message[1024];
    mkdir("build/tests", 0777), mkdir(folder, 0777);
    snprintf(source, sizeof source, "%s/all.c", folder), snprintf(stage, sizeof stage, "%s/all.so", folder);
    FILE *f = fopen(source, "w");
    if (!f || fputs(stage_text, f) < 0 || fclose(f)) return 1;
    const lab_build_options options = {
        .lab = ".", .source = source, .output = stage, .seconds = 60, .plain = 1, .edits = 1, .any_symbol = 1};
    if (lab_build(lab_task_find("task1"), &options, message, sizeof message, NULL, 0) != LAB_PASSED)
        return fprintf(stderr, "%s\n", message), 1;
    lab_attempts_begin(60);
    return 0;
}

static lab_attempts attempts_of(void) {
    lab_attempts a = {.budget = 60};
    a.options =
        (lab_stage_options){.runner = runner, .stage = stage, .arena_bytes = 8 << 20, .load_seconds = 5, .threads = 1};
    return a;
}

static void try_these(const int ids[], int n, char holds[]) {
    lab_attempts a = attempts_of();
    lab_prepared *p = lab_prepare(&claim, 1);
    assert_non_null(p);
    if (!lab_attempt_many(&a, p, ids, n, 20000, holds)) fail_msg("nothing was tried");
    // Another call, in the same runner: of the pages between the sets all may be touched.
    if (a.stage.alive && !lab_attempt(&a, p, 2, 1))
        fail_msg("what is right does not hold behind change %d", ids[n - 1]);
    lab_attempts_close(&a);
    lab_prepared_free(p);
}

static void what_is_wrong_does_not_hold_and_what_is_right_does_behind_it(void **state) {
    (void)state;
    for (int wrong = 1; wrong < MOST; wrong += 2) {
        const int ids[] = {2, wrong, 4, wrong, wrong, 6};
        char holds[6];
        try_these(ids, 6, holds);
        for (int i = 0; i < 6; i++)
            if ((holds[i] == 1) != (ids[i] % 2 == 0)) fail_msg("change %d of %d: holds %d", ids[i], wrong, holds[i]);
    }
}

static void all_of_them_side_by_side(void **state) {
    (void)state;
    enum { TIMES = 150 };
    static int ids[TIMES];
    static char holds[TIMES];
    for (int i = 0; i < TIMES; i++) ids[i] = i % 27;  // those that end the runner stand behind
    try_these(ids, TIMES, holds);
    for (int i = 0; i < TIMES; i++)
        if ((holds[i] == 1) != (ids[i] % 2 == 0)) fail_msg("change %d at %d: holds %d", ids[i], i, holds[i]);
}

static void one_without_end_is_known_as_late(void **state) {
    (void)state;
    const int ids[] = {5, 2, 3};
    char holds[3];
    try_these(ids, 3, holds);
    assert_int_equal(holds[0], LAB_LATE), assert_int_equal(holds[1], 1), assert_int_equal(holds[2], 0);
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(what_is_wrong_does_not_hold_and_what_is_right_does_behind_it),
        CLAIM(all_of_them_side_by_side),
        CLAIM(one_without_end_is_known_as_late),
    };
    return cmocka_run_group_tests(claims, build, NULL);
}
