// timed.h: a stage that is made of a few lines, timed as grade_all times one, on the host and on a device.
#ifndef LAB_TESTS_TIMED_H
#define LAB_TESTS_TIMED_H

#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "build.h"
#include "time_device.h"
#include "time_host.h"

static inline const char *build_folder(void) { return getenv("LAB_BUILD") ? getenv("LAB_BUILD") : "build"; }

// Attention by the definition, one thread a query; WRONG is added to an element of the n-th call. A head may redefine
// KEY(x), as which a number of K is used; MAXIMUM, which is taken off each score.
#define AS_IT_IS "#ifndef KEY\n#define KEY(x) (x)\n#endif\n#ifndef MAXIMUM\n#define MAXIMUM top\n#endif\n"
__attribute__((unused)) static const char kernel[] = AS_IT_IS
    "static __global__ void row(float *O, const float *Q, const float *K, const float *V, attn_shape s, float wrong) "
    "{\n"
    "    const int D = s.head_dim, i = threadIdx.x, h = blockIdx.x;\n"
    "    float sum = 0, top = -INFINITY, o[64] = {0}, score[64];\n"
    "    for (int j = 0; j < s.seq_kv; j++) {\n"
    "        float x = 0;\n"
    "        for (int d = 0; d < D; d++) x += Q[(h * s.seq_q + i) * D + d] * KEY(K[(h * s.seq_kv + j) * D + d]);\n"
    "        score[j] = x / sqrtf((float)D), top = fmaxf(top, score[j]);\n"
    "    }\n"
    "    for (int j = 0; j < s.seq_kv; j++) {\n"
    "        const float x = expf(score[j] - (MAXIMUM));\n"
    "        sum += x;\n"
    "        for (int d = 0; d < D; d++) o[d] += x * V[(h * s.seq_kv + j) * D + d];\n"
    "    }\n"
    "    for (int d = 0; d < D; d++) O[(h * s.seq_q + i) * D + d] = o[d] / sum + wrong;\n"
    "}\n"
    "#define COMPUTE(c) row<<<s.batch * s.heads, s.seq_q, 0, stream>>>(c.O, c.Q, c.K, c.V, s, WRONG)\n"
    "ATTN_API attn_status attn_flash(float *O, const float *Q, const float *K, const float *V, attn_shape s,\n"
    "                                cudaStream_t stream) {\n"
    "    static int calls;\n"
    "    static struct call { float *O; const float *Q, *K, *V; } all[64], *last = NULL;\n"
    "    struct call *const now = all + calls++ % 64;\n"
    "    *now = {O, Q, K, V};\n"
    "    CALL\n"
    "    last = now;\n"
    "    return calls < 0 || last == NULL ? ATTN_BAD_SHAPE : ATTN_OK;\n"
    "}\n";

// The same on the host.
__attribute__((unused)) static const char loop[] = AS_IT_IS
    "attn_status attn_tiled(float *O, const float *Q, const float *K, const float *V, attn_shape s, attn_tiles t) {\n"
    "    static int calls;\n"
    "    const int D = s.head_dim;\n"
    "    (void)t, calls++;\n"
    "    for (int r = 0; r < s.batch * s.heads * s.seq_q; r++) {\n"
    "        const int h = r / s.seq_q;\n"
    "        float sum = 0, top = -INFINITY, o[64] = {0}, score[64];\n"
    "        for (int j = 0; j < s.seq_kv; j++) {\n"
    "            float x = 0;\n"
    "            for (int d = 0; d < D; d++) x += Q[r * D + d] * KEY(K[(h * s.seq_kv + j) * D + d]);\n"
    "            score[j] = x / sqrtf((float)D), top = fmaxf(top, score[j]);\n"
    "        }\n"
    "        for (int j = 0; j < s.seq_kv; j++) {\n"
    "            const float x = expf(score[j] - (MAXIMUM));\n"
    "            sum += x;\n"
    "            for (int d = 0; d < D; d++) o[d] += x * V[(h * s.seq_kv + j) * D + d];\n"
    "        }\n"
    "        for (int d = 0; d < D && !SKIPS; d++) O[r * D + d] = o[d] / sum + WRONG;\n"
    "    }\n"
    "    return ATTN_OK;\n"
    "}\n";

static inline char *stage_of(const char *task, const char *name, const char *head, const char *source) {
    char path[256], message[1024];
    char *stage = malloc(256);
    assert_non_null(stage);
    snprintf(path, sizeof path, "%s/tests/stages", build_folder());
    mkdir("build/tests", 0777), mkdir(path, 0777);
    snprintf(path, sizeof path, "build/tests/stages/%s.%s", name, strcmp(task, "task3") ? "cu" : "c");
    snprintf(stage, 256, "build/tests/stages/%s.so", name);
    FILE *f = fopen(path, "w");
    assert_true(f && fprintf(f, "#include <math.h>\n#include \"%s.h\"\n%s\n%s", task, head, source) > 0 && !fclose(f));
    const lab_build_options options = {.lab = ".", .source = path, .output = stage, .seconds = 60};
    if (lab_build(lab_task_find(task), &options, message, sizeof message, NULL, 0) != LAB_PASSED)
        fail_msg("%s", message);
    return stage;
}

// Times the stage beside the null stage; c[1] is the stage's.
static inline lab_timing time_stage(const char *runner, char *stage, const lab_op *by, const lab_experiment *e) {
    static lab_contender c[2];
    static char command[256], null[256];
    lab_timing t[2];
    snprintf(command, sizeof command, "%s/bin/%s", build_folder(), runner);
    snprintf(null, sizeof null, "%s/baselines/null.so", build_folder());
    for (int i = 0; i < 2; i++) {
        c[i] = (lab_contender){.name = i ? "yours" : "null",
                               .stage = i ? stage : null,
                               .threads = 1,
                               .arena_bytes = 64 << 20,
                               .device_bytes = 2 << 20,
                               .load_seconds = 30};
        c[i].runner[0] = command, c[i].runner[1] = (char *)c[i].stage;
        c[i].is = lab_null_implementation;
    }
    c[1].is.does[0].what = &lab_sdpa, c[1].is.does[0].by = by, c[1].is.file = NULL;
    if (e->method == LAB_ON_HOST) {
        assert_true(lab_host_start(&c[0]));
        lab_time_host(&c[0], 1, e, 0, 5, &t[0]);
        assert_int_equal(t[0].verdict, LAB_PASSED);
        t[1] = (lab_timing){.verdict = LAB_LOAD_ERROR};
        if (lab_host_start(&c[1])) lab_time_host(&c[1], 1, e, t[0].median_s, 5, &t[1]);
    } else {
        lab_device_point p = lab_device_point_of(c, 2, e);
        if (!lab_time_nothing(&c[0], &p, 5, &t[0])) fail_msg("%s", t[0].why);
        lab_time_device(&c[1], 1, &p, 5, &t[1]);
    }
    for (int i = 0; i < 2; i++) lab_contender_stop(&c[i]);
    free(stage);
    return t[1];
}

static inline lab_timing on_host(const char *name, const char *head) {
    const lab_experiment e = {.name = name, .method = LAB_ON_HOST, .op = &lab_sdpa, .shape = {1, 2, 24, 24, 16, 0}};
    return time_stage("runner", stage_of("task3", name, head, loop), &lab_tiled, &e);
}

static inline lab_timing on_device(const char *name, const char *head) {
    const lab_experiment e = {
        .name = name, .series = "seq", .method = LAB_ON_GPU, .op = &lab_sdpa, .shape = {1, 2, 24, 24, 16, 0}};
    return time_stage("runner_simt", stage_of("task4", name, head, kernel), &lab_flash, &e);
}

static inline void expect(lab_timing t, lab_verdict verdict, int least, int most) {
    if (t.verdict != verdict) fail_msg("%s: %s", lab_verdict_name(t.verdict), t.why);
    assert_in_range(t.rounds, least, most);
    assert_true(!t.rounds == !(t.median_s > 0));
}

// Keys, and nothing else, are rounded to the ten bits of TF32 and of half precision: still within 1e-3.
#define ROUNDED(qualifiers)                                                                                            \
    qualifiers " float key(float x) {\n"                                                                               \
               "    union { float x; unsigned bits; } u;\n"                                                            \
               "    u.x = x, u.bits = (u.bits + 0x1000u) & ~0x1fffu;\n"                                                \
               "    return u.x;\n"                                                                                     \
               "}\n#define KEY(x) key(x)\n"

static inline void inexact(lab_timing t) {
    expect(t, LAB_WRONG_ANSWER, 0, 0);
    if (!strstr(t.why, "less exact than float32")) fail_msg("\"%s\"", t.why);
}

// What the environment of these suites holds.
static inline void timed_environment(void) {
    setenv("LAB_BACKEND", "simt", 1);
    setenv("SIMT_GUARD", "0", 1);  // the guard changes the protection of all memory around every launch
    unsetenv("LAB_CHECKED");
}

#endif
