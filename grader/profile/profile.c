// profile.c: what a CUDA task's kernels cost: as compiled, and as the GPU's counters see them run.
//
//     profile TASK SOURCE.cu [--json FILE]
//
// Run from the lab's root. LAB_BUILD (default build) holds target; LAB_NCU is another ncu than the one that is found;
// LAB_PROFILE_LOGS is an existing folder in which ncu's logs stay. Lines of the JSON file are elements of task.profile
// in results.json, or, once at most, {"profile_note": why there is less}.
// Exit status: 0; 1 the file does not compile, or a call fails; 2 wrong usage, or the JSON file cannot be written.
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "build.h"
#include "claims_text.h"
#include "process.h"
#include "ptxas.h"
#include "show.h"
#include "tool.h"
#include "run_ncu.h"

static struct {
    const lab_task *task;
    const char *source;
    FILE *json;
    char folder[256], stage[300];
    lab_kernel compiled[LAB_MAX_KERNELS];
    int n_compiled;
    int noted, unwritten;
} run;

static void note(const char *text) {
    lab_print_wrapped(text, 2, 0, 0);
    if (!run.noted++) run.unwritten |= !lab_write_note(run.json, text);
}

static void instead(const char *why) {
    char text[640];
    snprintf(text, sizeof text,
             "%s. What there is without counters: the time (make %s bench on a GPU) and the bytes that each tensor "
             "moves, counted (make %s bench BACKEND=simt).",
             why, run.task->id, run.task->id);
    note(text);
}

// Uses the flags of every stage: the reported kernels are those that are tested, timed, and run below.
static int compile(void) {
    static char log[LAB_LOG_KEPT], message[1024];
    char arch[32];
    const lab_build_options options = {.lab = ".", .source = run.source, .output = run.stage, .seconds = 120};
    setenv("LAB_BACKEND", "cuda", 1);
    setenv("NVCC_APPEND_FLAGS", "-Xptxas -v", 1);
    const lab_verdict v = lab_build(run.task, &options, message, sizeof message, log, sizeof log);
    unsetenv("NVCC_APPEND_FLAGS");
    if (v != LAB_PASSED) {
        printf("  %s: %s\n", lab_verdict_name(v), message);
        return 0;
    }
    run.n_compiled = lab_ptxas_parse(log, run.compiled, arch, sizeof arch);
    lab_show_compiled(run.compiled, run.n_compiled, arch);
    run.unwritten |= !lab_write_kernels(run.json, NULL, run.compiled, run.n_compiled);
    return 1;
}

// The compiler knows of spills and the counters do not: the rows of one kernel are joined.
static void add_spills(lab_kernel *kernels, int n) {
    for (int i = 0; i < n; i++) {
        const lab_kernel *k = lab_kernel_find(run.compiled, run.n_compiled, kernels[i].name);
        if (k) kernels[i].value[LAB_SPILL_BYTES] = k->value[LAB_SPILL_BYTES];
    }
}

static int run_points(const lab_ncu_options *options) {
    static lab_kernel kernels[LAB_MAX_KERNELS];
    char why[512], text[640];
    int failed = 0, n;
    for (int i = 0; i < lab_n_experiments; i++) {
        const lab_experiment *point = &lab_experiments[i];
        if (point->method != LAB_PROFILED || strcmp(point->task, run.task->id)) continue;
        const lab_ncu_end end = lab_run_ncu(options, point, kernels, &n, why, sizeof why);
        if (end == LAB_NCU_DENIED) {
            instead(
                "ncu has no permission to read the GPU's counters (ERR_NVGPUCTRPERM). An administrator gives it: "
                "the line `options nvidia NVreg_RestrictProfilingToAdminUsers=0` in /etc/modprobe.d/ and a restart; "
                "for a container --cap-add=SYS_ADMIN");
            return failed;
        }
        if (end == LAB_NCU_FAILED) {
            snprintf(text, sizeof text, "%s: %s", point->name, why);
            note(text);
            failed = 1;
            continue;
        }
        add_spills(kernels, n);
        lab_show_counted(point, kernels, n);
        run.unwritten |= !lab_write_kernels(run.json, point, kernels, n);
    }
    return failed;
}

static int count_if_possible(void) {
    char ncu[512], target[512];
    const char *build = getenv("LAB_BUILD"), *asked = getenv("LAB_NCU");
    snprintf(target, sizeof target, "%s/bin/target", build ? build : "build");
    if (!lab_has_experiments(run.task->id, LAB_PROFILED))
        note("Its kernels run between those of other tasks: profile tasks 4 and 5, and bench this one.");
    else if (!(asked && *asked) && !lab_has_gpu())
        instead("No GPU here, so nothing to profile on");
    else if (!lab_tool_find("ncu", "LAB_NCU", ncu, sizeof ncu))
        instead("No ncu here: it comes with the CUDA toolkit, as the package nsight-compute");
    else if (access(target, X_OK))
        instead("No build/bin/target: make profile builds it");
    else
        return run_points(&(lab_ncu_options){ncu, target, run.stage, run.folder});
    return 0;
}

static void clean_up(const char *kept) {
    unlink(run.stage);
    if (kept) return;
    for (int i = 0; i < lab_n_experiments; i++) {
        char log[4200];
        if (lab_experiments[i].method != LAB_PROFILED) continue;
        snprintf(log, sizeof log, "%s/%s-%d.ncu", run.folder, lab_experiments[i].task, i);
        unlink(log);
    }
    rmdir(run.folder);
}

static int profile(void) {
    const char *kept = getenv("LAB_PROFILE_LOGS"), *temporary = getenv("TMPDIR");
    char nvcc[512];
    printf("%s  %s\n", run.task->id, run.task->title);
    if (!lab_tool_find("nvcc", "LAB_NVCC", nvcc, sizeof nvcc)) {
        instead("No nvcc here, and only it knows registers and spills");
        return 0;
    }
    snprintf(run.folder, sizeof run.folder, "%.200s", kept ? kept : temporary ? temporary : "/tmp");
    if (!kept) strcat(run.folder, "/lab-profile-XXXXXX");
    if (!kept && !mkdtemp(run.folder)) {
        perror(run.folder);
        return 2;
    }
    snprintf(run.stage, sizeof run.stage, "%s/%s.so", run.folder, run.task->id);
    const int failed = !compile() || count_if_possible();
    clean_up(kept);
    return failed;
}

int main(int argc, char **argv) {
    const int has_json = argc == 5 && strcmp(argv[3], "--json") == 0;
    run.task = argc > 1 ? lab_task_find(argv[1]) : NULL;
    if (!run.task || !(argc == 3 || has_json)) {
        fprintf(stderr, "usage: profile TASK SOURCE.cu [--json FILE]\n");
        return 2;
    }
    if (has_json && !(run.json = fopen(argv[4], "w"))) {
        perror(argv[4]);
        return 2;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    run.source = argv[2];
    if (run.task->language != LAB_CUDA) {
        printf("  SKIP     %s is C: profile is for the CUDA tasks\n", run.task->id);
        return 0;
    }
    const int status = profile();
    if (run.json && fclose(run.json)) run.unwritten = 1;
    if (run.unwritten) fprintf(stderr, "profile: cannot write %s\n", argv[4]);
    return run.unwritten ? 2 : status;
}
