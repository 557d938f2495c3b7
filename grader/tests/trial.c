// trial.c: builds stages under build/tests/stages and runs them.
#define _GNU_SOURCE
#include "unit.h"

#include "trial.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "build.h"
#include "crash.h"

const lab_case trial_case = {"task1", "attention", "trial", .op = &lab_sdpa, {2, 2, 5, 7, 8, 0}};

// A folder a suite: suites run side by side, each also in the sandbox. Chosen once: the first build sets LAB_SANDBOX.
static const char *folder(void) {
    static char name[128];
    if (*name) return name;
    mkdir("build/tests", 0777), mkdir("build/tests/stages", 0777);
    snprintf(name, sizeof name, "build/tests/stages/%s%s", program_invocation_short_name,
             getenv("LAB_SANDBOX") ? ".sandbox" : "");
    mkdir(name, 0777);
    return name;
}

// Attention in a few lines, for stages that do their work and something else.
static const char support[] =
    "#include \"task1.h\"\n"
    "#include <math.h>\n"
    "#define _ __attribute__((unused))\n"
    "static _ void compute(float *O, const float *Q, const float *K, const float *V, attn_shape s) {\n"
    "    const int D = s.head_dim, n = s.seq_kv, rows = s.batch * s.heads * s.seq_q;\n"
    "    for (int r = 0; r < rows; r++) {\n"
    "        const float *k = K + (long)r / s.seq_q * n * D, *v = V + (long)r / s.seq_q * n * D;\n"
    "        double sum = 0, o[128] = {0};\n"
    "        for (int j = 0; j < n; j++) {\n"
    "            double x = 0;\n"
    "            for (int d = 0; d < D; d++) x += (double)Q[(long)r * D + d] * k[(long)j * D + d];\n"
    "            sum += x = exp(x / sqrt(D));\n"
    "            for (int d = 0; d < D; d++) o[d] += x * v[(long)j * D + d];\n"
    "        }\n"
    "        for (int d = 0; d < D; d++) O[(long)r * D + d] = (float)(o[d] / sum);\n"
    "    }\n"
    "}\n"
    "#define right() compute(O, Q, K, V, shape)\n"
    "#define elements ((long)shape.batch * shape.heads * shape.seq_q * shape.head_dim)\n";

static void write_file(const char *path, const char *a, const char *b, const char *c, const char *d) {
    FILE *f = fopen(path, "w");
    if (!f || fprintf(f, "%s%s%s%s", a, b, c, d) < 0 || fclose(f))
        fail_msg("cannot write %s: run from the lab's root", path);
}

const char *trial_build(const trial_source *source) {
    static char path[256], stage[256], message[1024];
    snprintf(path, sizeof path, "%s/support.h", folder());
    write_file(path, support, "", "", "");
    snprintf(path, sizeof path, "%s/%s.c", folder(), source->name);
    snprintf(stage, sizeof stage, "%s/%s.so", folder(), source->name);
    // The includes, what comes before, the head of the function, its body: lines 1 and 2, 3, 4, 5.
    char start[2048];
    snprintf(start, sizeof start, "#define _GNU_SOURCE\n#include \"support.h\"\n%s\n",
             source->before ? source->before : "");
    write_file(path, start,
               "attn_status attn_sdpa(float *O, const float *Q, const float *K, const float *V, attn_shape shape) {\n",
               source->body, "\nreturn ATTN_OK;\n}\n");
    const lab_build_options options = {
        .lab = ".", .source = path, .output = stage, .seconds = 60, .quick = 2, .any_symbol = 1};
    const int sandboxed = lab_sandbox_wanted();
    lab_sandbox_want(0);  // which would not show support.h to the compiler
    if (lab_build(lab_task_find("task1"), &options, message, sizeof message, NULL, 0) != LAB_PASSED)
        fail_msg("%s: %s", source->name, message);
    lab_sandbox_want(sandboxed);
    return stage;
}

static lab_verdict open_in(char *program, lab_stage *stage, const char *path, char *why, size_t size) {
    static char *runner[3];  // a stage keeps it
    runner[0] = program, runner[1] = (char *)path;
    const lab_stage_options options = {.runner = runner,
                                       .stage = path,
                                       .arena_bytes = lab_layout_of(trial_case.op, trial_case.shape, 1).bytes,
                                       .load_seconds = TRIAL_SECONDS};
    return lab_stage_open(stage, &options, why, size);
}

lab_verdict trial_open(lab_stage *stage, const char *path, char *why, size_t size) {
    return open_in("build/bin/runner", stage, path, why, size);
}

lab_stage trial_run_guarded(const trial_source *source) {
    static lab_stage stage;
    lab_result r = {0};
    r.verdict = open_in("build/bin/guarded_runner", &stage, trial_build(source), r.diagnosis, sizeof r.diagnosis);
    if (r.verdict == LAB_PASSED) lab_judge(&stage, &trial_case, 1, TRIAL_SECONDS, &r);
    if (r.nan) lab_crash_locate_nan(r.nan, stage.options.stage, stage.memory, sizeof stage.memory);
    lab_stage_close(&stage);
    return stage;
}

lab_result trial_run_built(const char *path, const char **log) {
    static lab_stage stage;
    lab_result r = {0};
    r.verdict = trial_open(&stage, path, r.diagnosis, sizeof r.diagnosis);
    if (r.verdict == LAB_PASSED) lab_judge(&stage, &trial_case, 1, TRIAL_SECONDS, &r);
    lab_stage_close(&stage);
    if (log) *log = stage.process.text;
    return r;
}

lab_result trial_run(const trial_source *source, const char **log) { return trial_run_built(trial_build(source), log); }

void trial_next_passes(void) {
    static const trial_source good = {"good", NULL, "right();"};
    static char path[256];
    if (!*path) strcpy(path, trial_build(&good));
    const lab_result r = trial_run_built(path, NULL);
    if (r.verdict != LAB_PASSED) fail_msg("the next case: %s, %s", lab_verdict_name(r.verdict), r.diagnosis);
}
