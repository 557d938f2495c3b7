// unit_tries.c: many changes of a file in one call of the runner: whatever one of them does, the next one finds what it
// should, and none holds that is wrong. grader/run/tries, grader/run/runner, grader/repair/many.
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
    "#include <link.h>\n"
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
    "static int spoil(struct dl_phdr_info *info, size_t size, void *unused) {  // the runner's own variables\n"
    "    for (int i = 0; i < info->dlpi_phnum; i++) {\n"
    "        const ElfW(Phdr) *p = &info->dlpi_phdr[i];\n"
    "        if (p->p_type != PT_LOAD || !(p->p_flags & PF_W)) continue;\n"
    "        memset((char *)info->dlpi_addr + p->p_vaddr + p->p_filesz, 1, p->p_memsz - p->p_filesz);\n"
    "    }\n"
    "    return 1;\n"
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
    "    case 33: return (attn_status)-1;\n"
    "    case 35: return (attn_status)-2;\n"
    "    case 37: return (attn_status)-5;\n"
    "    case 39: dl_iterate_phdr(spoil, NULL), abort();\n"
    "    }\n"
    "    calls++;\n"
    "    return calls > 1 ? ATTN_NO_MEMORY : ATTN_OK;  // its variables are as they were at the begin\n"
    "}\n";

// The same on a device: as it is (0) it is wrong. Number 17 is never called, as it says that it is not met.
static const char device_text[] =
    "#include \"task2.h\"\n"
    "#include <unistd.h>\n"
    "static int chosen;\n"
    "extern \"C\" __attribute__((visibility(\"default\"))) void lab_set_edit(int edit) { chosen = edit; }\n"
    "extern \"C\" __attribute__((visibility(\"default\"))) int lab_edit_idle(int edit) { return edit == 17; }\n"
    "__global__ void rows_of(float *P, const float *S, int cols, int change) {\n"
    "    const float *s = S + (size_t)blockIdx.x * cols;\n"
    "    float *p = P + (size_t)blockIdx.x * cols, m = -INFINITY, l = 0;\n"
    "    for (int c = 0; c < cols; c++) m = fmaxf(m, s[c]);\n"
    "    for (int c = 0; c < cols; c++) l += expf(s[c] - m);\n"
    "    for (int c = 0; c < cols; c++) p[c] = expf(s[c] - m) / l;\n"
    "    if (change == 0) p[0] += 1;\n"
    "    if (change == 1) p[cols - 1] += 1;\n"
    "    if (change == 3) *(volatile int *)8 = 1;\n"
    "    if (change == 5) ((float *)s)[0] = 1;\n"
    "    if (change == 7) p[(size_t)gridDim.x * cols] = 1;\n"
    "    if (change == 9) for (volatile int i = 0; i < 1; ) p[0] = 0;\n"
    "}\n"
    "extern \"C\" attn_status attn_softmax_batched(float *P, const float *S, int rows, int cols, cudaStream_t) {\n"
    "    if (chosen == 11) for (volatile int i = 0; i < 1; ) chosen = 11;\n"
    "    if (chosen == 13) _exit(0);\n"
    "    if (chosen == 15) return ATTN_NO_MEMORY;\n"
    "    if (chosen == 19) return (attn_status)-1;  // which says of a change that it waits\n"
    "    if (chosen == 21) return (attn_status)-2;\n"
    "    rows_of<<<rows, chosen == 23 ? 4096 : 1>>>(P, S, cols, chosen);  // an error that nobody clears\n"
    "    return cudaPeekAtLastError() == cudaSuccess ? ATTN_OK : ATTN_CUDA_ERROR;\n"
    "}\n";

// As it is (0) it spoils the memory of its process, and what is called next in it crashes.
static const char spoils_text[] =
    "#include \"task1.h\"\n"
    "#include <math.h>\n"
    "#include <stdlib.h>\n"
    "static int chosen, spoilt;\n"
    "__attribute__((visibility(\"default\"))) void lab_set_edit(int edit) { chosen = edit; }\n"
    "attn_status attn_softmax_rows(float *P, const float *S, int rows, int cols) {\n"
    "    if (spoilt) abort();\n"
    "    for (int r = 0; r < rows; r++, P += cols, S += cols) {\n"
    "        float m = -INFINITY, l = 0;\n"
    "        for (int c = 0; c < cols; c++) m = fmaxf(m, S[c]);\n"
    "        for (int c = 0; c < cols; c++) l += expf(S[c] - m);\n"
    "        for (int c = 0; c < cols; c++) P[c] = expf(S[c] - m) / l + !chosen;\n"
    "    }\n"
    "    spoilt = !chosen;\n"
    "    return ATTN_OK;\n"
    "}\n";

enum { MOST = 41 };

static char folder[] = "build/tests/unit_tries", source[64], stage[64], on_device[64], spoils[64];
static char *runner[3] = {"build/bin/runner", stage}, *device_runner[3] = {"build/bin/runner_simt", on_device};
static const lab_case claim = {"task1", "softmax", "trial", .op = &lab_softmax_rows, {1, 1, 5, 7, 8, 0}};

static const lab_case device_claim = {"task2", "softmax", "trial", .op = &lab_softmax_batched, {1, 1, 5, 7, 8, 0}};

static int build_one(const char *task, const char *name, const char *text, const char *output) {
    static char message[1024];
    snprintf(source, sizeof source, "%s/%s", folder, name);
    FILE *f = fopen(source, "w");
    if (!f || fputs(text, f) < 0 || fclose(f)) return 1;
    const lab_build_options options = {
        .lab = ".", .source = source, .output = output, .seconds = 60, .plain = 1, .edits = 1, .any_symbol = 1};
    if (lab_build(lab_task_find(task), &options, message, sizeof message, NULL, 0) != LAB_PASSED)
        return fprintf(stderr, "%s\n", message), 1;
    return 0;
}

static int build(void **state) {
    (void)state;
    mkdir("build/tests", 0777), mkdir(folder, 0777);
    snprintf(stage, sizeof stage, "%s/all.so", folder), snprintf(spoils, sizeof spoils, "%s/spoils.so", folder),
        snprintf(on_device, sizeof on_device, "%s/device.so", folder);
    setenv("LAB_BACKEND", "simt", 1);
    lab_attempts_begin(120);
    return build_one("task1", "all.c", stage_text, stage) || build_one("task1", "spoils.c", spoils_text, spoils) ||
           build_one("task2", "device.cu", device_text, on_device);
}

static lab_attempts attempts_of(void) {
    lab_attempts a = {.budget = 60};
    a.options =
        (lab_stage_options){.runner = runner, .stage = stage, .arena_bytes = 8 << 20, .load_seconds = 5, .threads = 1};
    return a;
}

// Both are at work at once: each has a half of what is many.
static void second_runner_has_calls(const lab_attempts *a, int n) {
    enum { FEW = 63 };
    if (n > FEW ? !a->beside || !a->beside->calls : a->beside != NULL) fail_msg("%d changes: another runner?", n);
}

static void try_these(const int ids[], int n, char holds[]) {
    lab_attempts a = attempts_of();
    lab_prepared *p = lab_prepare(&claim, 1);
    assert_non_null(p);
    if (!lab_attempt_many(&a, p, ids, n, 20000, holds)) fail_msg("nothing was tried");
    // Another call, in the same runner: of the pages between the sets all may be touched.
    if (a.stage.alive && !lab_attempt(&a, p, 2, 1))
        fail_msg("what is right does not hold behind change %d", ids[n - 1]);
    second_runner_has_calls(&a, n);
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

// In dozens, and each of them several times: what one does is not held against the next one.
static void on_a_device_each_finds_what_it_should(void **state) {
    (void)state;
    enum { TIMES = 120 };
    static int ids[TIMES];
    static char holds[TIMES];
    lab_attempts a = {.budget = 60, .device = 1};
    a.options =
        (lab_stage_options){.runner = device_runner, .stage = on_device, .arena_bytes = 4 << 20, .load_seconds = 5};
    lab_prepared *p = lab_prepare(&device_claim, 1);
    assert_non_null(p);
    const double limit = lab_attempt_limit(&a, p);
    assert_true(limit > 0);
    for (int i = 0; i < TIMES; i++) ids[i] = i % 5 ? 2 + 2 * i : 2 * (i / 5 % 12) + 1;
    if (!lab_attempt_many(&a, p, ids, TIMES, 1e6 * limit, holds)) fail_msg("nothing was tried");
    for (int i = 0; i < TIMES; i++) {
        const int late = ids[i] == 9 || ids[i] == 11, ended = ids[i] == 13;
        const int want = ids[i] % 2 == 0 ? 1 : late ? LAB_LATE : ended ? LAB_ENDED : 0;
        if (holds[i] != want) fail_msg("change %d at %d: holds %d", ids[i], i, holds[i]);
    }
    second_runner_has_calls(&a, TIMES);
    lab_attempts_close(&a);
    lab_prepared_free(p);
}

// The file as it is says how long a call may take.
static void what_the_file_spoils_is_not_held_against_the_first_change(void **state) {
    (void)state;
    char *const spoiling[3] = {"build/bin/runner", spoils};
    lab_attempts a = attempts_of();
    a.options.runner = spoiling, a.options.stage = spoils;
    lab_prepared *p = lab_prepare(&claim, 1);
    assert_non_null(p);
    const double limit = lab_attempt_limit(&a, p);
    assert_true(limit > 0 && a.stage.alive);
    assert_true(lab_attempt(&a, p, 2, limit));
    lab_attempts_close(&a);
    lab_prepared_free(p);
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(what_is_wrong_does_not_hold_and_what_is_right_does_behind_it),
        CLAIM(all_of_them_side_by_side),
        CLAIM(one_without_end_is_known_as_late),
        CLAIM(on_a_device_each_finds_what_it_should),
        CLAIM(what_the_file_spoils_is_not_held_against_the_first_change),
    };
    return cmocka_run_group_tests(claims, build, NULL);
}
