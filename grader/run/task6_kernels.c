// task6_kernels.c: tries the student's kernels before they are built into a pipeline.
#include "task6_kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backend.h"
#include "judge.h"

// The claims that are tried: what a pipeline will ask of the kernels.
static const struct {
    const char *task, *claim;
} tried[] = {
    {"task4", "ragged_last_key_tile_is_not_padded"}, {"task4", "causal_mask_hides_later_keys"},
    {"task5", "append_writes_the_next_slot"},        {"task5", "sequences_of_different_lengths"},
    {"split", "your_own_number_of_splits"},
};

static void reference(const char *build, const char *task, char *path, size_t size) {
    snprintf(path, size, "%s/stage/grader+solutions/%s%s.so", build, task, lab_backend()->variant);
    if (access(path, R_OK)) snprintf(path, size, "%s/model/fallback_%s.so", build, lab_backend()->flavour);
}

void lab_kernels_reference(lab_kernels *k, const char *build) {
    memset(k, 0, sizeof *k);
    snprintf(k->driver, sizeof k->driver, "%s/model/model_%s.so", build, lab_backend()->flavour);
    reference(build, "task4", k->flash, sizeof k->flash);
    reference(build, "task5", k->decode, sizeof k->decode);
    k->split = strstr(k->decode, "/model/fallback_") == NULL;
}

// 1 if the claims that are tried under `name` hold for the stage; otherwise 0, and why says it in a few words.
static int holds(const char *name, const char *path, const char *build, unsigned long long seed, char *why,
                 size_t size) {
    static lab_stage stage;
    const char *task = strcmp(name, "split") ? name : "task5";
    char runner[512];
    int right = 1;
    lab_runner_of(lab_task_find(task), build, runner, sizeof runner);
    char *command[] = {runner, (char *)path, NULL};
    const lab_stage_options options = {.runner = command, .stage = path, .arena_bytes = 16 << 20, .load_seconds = 30};
    if (lab_stage_open(&stage, &options, why, size) != LAB_PASSED) right = 0;
    for (size_t i = 0; i < sizeof tried / sizeof *tried && right; i++) {
        static lab_result r;
        lab_case c;
        r = (lab_result){.verdict = LAB_GRADER_ERROR};
        if (strcmp(tried[i].task, name)) continue;
        if (lab_case_find(task, tried[i].claim, seed, &c)) lab_judge(&stage, &c, seed, 10, &r);
        right = r.verdict == LAB_PASSED;
        if (!right) snprintf(why, size, "%.60s: %.120s", tried[i].claim, lab_verdict_name(r.verdict));
        if (*r.todo) snprintf(why, size, "TODO %s is open", r.todo);
    }
    lab_stage_close(&stage);
    return right;
}

static void choose(const char *task, const char *own, const char *build, unsigned long long seed, char *path,
                   size_t size, char *note, size_t note_size) {
    char why[200] = "it is not there, or does not compile";
    if (own && strcmp(own, path) == 0) return;  // the lab's own, under test
    if (own && *own && access(own, R_OK) == 0 && holds(task, own, build, seed, why, sizeof why))
        snprintf(path, size, "%s", own);
    else
        snprintf(note, note_size, "the lab's kernels stand in for %s (%s)", task, why);
}

void lab_kernels_choose(lab_kernels *k, const char *build, const char *const own[2], unsigned long long seed) {
    lab_kernels_reference(k, build);
    choose("task4", own[0], build, seed, k->flash, sizeof k->flash, k->note[0], sizeof k->note[0]);
    choose("task5", own[1], build, seed, k->decode, sizeof k->decode, k->note[1], sizeof k->note[1]);
    char why[200];
    k->split = holds("split", k->decode, build, seed, why, sizeof why);
}

void lab_kernels_command(const lab_kernels *k, const char *runner, const char *stage, const char *model,
                         char *command[8]) {
    const char *const words[8] = {runner, stage, k->driver, k->flash, k->decode, model, k->split ? NULL : "unsplit",
                                  NULL};
    for (int i = 0; i < 8; i++) command[i] = (char *)words[i];
}
