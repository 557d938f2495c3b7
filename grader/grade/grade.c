// grade.c: collect -> compile -> test -> measure -> score, task by task; then results.json, Results.md and plots.
#define _GNU_SOURCE
#include "grade.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "answering.h"
#include "backend.h"
#include "build.h"
#include "counting.h"
#include "experiments.h"
#include "gpu_experiments.h"
#include "outputs.h"
#include "profiling.h"
#include "rubric.h"
#include "submission.h"
#include "suspects.h"
#include "tool.h"
#include "traffic.h"

typedef struct {
    const lab_grading *g;
    lab_submission submission;
    json_t *machine;  // g->machine, or a copy with ceilings raised
    char work[4200];  // scratch, removed at the end
    char log[4200];
} grading;

// ---- one task

// A pipeline is built from the submission's own kernels, where it has them: LAB_TASK4 and LAB_TASK5 (kernels.h).
static void offer_kernels(const grading *s) {
    for (int i = 0; i < lab_n_tasks; i++) {
        const lab_task *t = &lab_tasks[i];
        const char *variable = strcmp(t->id, "task4") == 0   ? "LAB_TASK4"
                               : strcmp(t->id, "task5") == 0 ? "LAB_TASK5"
                                                             : NULL;
        char source[4600], stage[4600], message[256];
        if (!variable) continue;
        snprintf(source, sizeof source, "%s/%s/%s", s->work, t->folder, t->file);
        snprintf(stage, sizeof stage, "%s/%s.so", s->work, t->id);
        const lab_build_options options = {.lab = s->g->lab, .source = source, .output = stage, .seconds = 60};
        if (access(stage, R_OK) && s->submission.task[i].verdict == LAB_PASSED)  // not one of the tasks to be graded
            lab_build(t, &options, message, sizeof message, NULL, 0);
        setenv(variable, stage, 1);
    }
}

static int run_tests(const grading *s, const lab_task *t, const char *stage, const char *results) {
    char program[4200], runner[4200], seed[32];
    snprintf(program, sizeof program, "%s/bin/test_%s", s->g->build, t->id);
    lab_runner_of(t, s->g->build, runner, sizeof runner);
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)s->g->seed);
    if (strcmp(t->id, "task6") == 0) offer_kernels(s);
    setenv("LAB_BUILD", s->g->build, 1);
    setenv("LAB_STAGE", stage, 1);
    setenv("LAB_RUNNER", runner, 1);
    setenv("LAB_SEED", seed, 1);
    setenv("LAB_RESULTS", results, 1);
    char *const argv[] = {program, NULL};
    return lab_tool(argv, s->log, NULL);
}

static int run_bench(const grading *s, const lab_task *t, char *source, char *stage, char *results) {
    char program[4200];
    snprintf(program, sizeof program, "%s/bin/bench", s->g->build);
    char *const argv[] = {program, (char *)t->id, stage,   "--source",
                          source,  "--json",      results, NULL};  // LAB_SEED as before
    flock(s->g->lock, LOCK_EX);                                    // nothing else runs while the clock does
    const int status = lab_tool(argv, s->log, NULL);
    flock(s->g->lock, LOCK_SH);
    return status;
}

// A task's verdict: PASSED if all cases are; otherwise that of the first case that is not.
static const char *task_verdict(const json_t *rubric, const char *task, const json_t *cases) {
    size_t i;
    json_t *c;
    json_array_foreach(cases, i, c) {
        const char *v = json_string_value(json_object_get(c, "verdict"));
        const char *criterion = json_string_value(json_object_get(c, "criterion"));
        if (criterion && lab_rubric_is_bonus(rubric, task, criterion)) continue;
        if (v && strcmp(v, "PASSED")) return v;
    }
    return json_array_size(cases) ? "PASSED" : "GRADER_ERROR";
}

// A CUDA task without a GPU: its time would say nothing.
static int on_cpu(const lab_task *t) { return t->language == LAB_CUDA && strcmp(lab_backend(), "simt") == 0; }

static int timed(const lab_task *t) {
    return t->language == LAB_CUDA ? !on_cpu(t) && lab_has_gpu_experiments(t->id) : lab_has_experiments(t->id);
}

static const char *backend_of(const lab_grading *g) {
    for (int i = 0; i < g->n_tasks; i++)
        if (g->tasks[i]->language == LAB_CUDA) return lab_backend();
    return "cpu";
}

static json_t *grade_task(const grading *s, const lab_task *t) {
    const int at = (int)(t - lab_tasks);
    char source[4600], stage[4600], results[4600], timings_path[4600], message[1024];
    lab_verdict v = s->submission.task[at].verdict;
    json_t *cases = json_array(), *timings = json_array(), *counts = json_array(), *demo = NULL;
    const char *notes = v == LAB_PASSED ? "" : s->submission.notes;
    snprintf(message, sizeof message, "%s%s%s", s->submission.task[at].message, *notes ? "; " : "", notes);
    snprintf(source, sizeof source, "%s/%s/%s", s->work, t->folder, t->file);
    snprintf(stage, sizeof stage, "%s/%s.so", s->work, t->id);
    snprintf(results, sizeof results, "%s/%s.cases", s->work, t->id);
    snprintf(timings_path, sizeof timings_path, "%s/%s.timings", s->work, t->id);
    if (v == LAB_PASSED) {
        const lab_build_options options = {.lab = s->g->lab, .source = source, .output = stage, .seconds = 60};
        s->g->progress(s->submission.name, "compiling");
        v = lab_build(t, &options, message, sizeof message, NULL, 0);
    }
    const char *verdict = lab_verdict_name(v);
    if (v == LAB_PASSED) {
        s->g->progress(s->submission.name, "testing");
        const int status = run_tests(s, t, stage, results);
        json_decref(cases);
        cases = lab_read_lines(results);
        lab_take_notes(results, message, sizeof message);
        verdict = status == 0 || status == 1 ? task_verdict(s->g->rubric, t->id, cases) : "GRADER_ERROR";
        if (lab_has_demo(t->id)) {
            s->g->progress(s->submission.name, "running the demo");
            demo = lab_run_demo(s->g, stage, s->work, s->log);
        }
        if (s->g->bench && timed(t) && strcmp(verdict, "PASSED") == 0) {
            s->g->progress(s->submission.name, "measuring");
            run_bench(s, t, source, stage, timings_path);
            json_decref(timings);
            timings = lab_read_lines(timings_path);
            lab_mark_suspects(timings, backend_of(s->g), s->machine, s->g->build, s->g->out);
        }
        if (s->g->bench && lab_has_traffic(t->id) && strcmp(verdict, "PASSED") == 0) {
            s->g->progress(s->submission.name, "counting");
            json_decref(counts);
            counts = lab_count_traffic(s->g, t, source, s->work, s->log);
        }
    }
    double score, max_score, bonus;
    const lab_evidence evidence = {cases, timings, on_cpu(t) ? counts : NULL, s->g->bench, demo};
    json_t *criteria = lab_rubric_score(s->g->rubric, t->id, &evidence, &score, &max_score, &bonus);
    lab_take_findings(counts, message, sizeof message);
    json_t *task = json_pack("{s:s, s:s, s:s, s:f, s:f, s:o, s:o, s:o, s:o}", "id", t->id, "title", t->title, "verdict",
                             verdict, "score", score, "max_score", max_score, "criteria", criteria, "cases", cases,
                             "timings", timings, "counts", counts);
    if (s->g->bench && timed(t) && t->language == LAB_CUDA && strcmp(verdict, "PASSED") == 0) {
        s->g->progress(s->submission.name, "profiling");
        flock(s->g->lock, LOCK_EX);
        lab_profile(s->g, t, source, s->work, s->log, task);
        flock(s->g->lock, LOCK_SH);
    }
    if (task && demo) json_object_set_new(task, "demo", demo);
    if (task && *message) json_object_set_new(task, "message", json_string_nocheck(message));
    return task;
}

// ---- the submission

static void iso_now(char text[32]) {
    const time_t now = time(NULL);
    strftime(text, 32, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
}

static const char *lab_commit(void) {
    static char commit[64] = "";
    if (*commit) return commit;
    FILE *f = popen("git rev-parse --short HEAD 2>/dev/null", "r");
    if (f && fgets(commit, sizeof commit, f)) commit[strcspn(commit, "\n")] = 0;
    if (f) pclose(f);
    if (!*commit) strcpy(commit, "unknown");
    return commit;
}

static double bonus_of(const json_t *rubric, const json_t *tasks) {
    double bonus = 0;
    size_t i, k;
    json_t *task, *c;
    json_array_foreach(tasks, i, task) {
        json_array_foreach(json_object_get(task, "criteria"), k, c) {
            if (lab_rubric_is_bonus(rubric, json_string_value(json_object_get(task, "id")),
                                    json_string_value(json_object_get(c, "name"))))
                bonus += json_number_value(json_object_get(c, "points"));
        }
    }
    return bonus;
}

static json_t *assemble(const grading *s) {
    json_t *tasks = json_array();
    double score = 0, max_score = 0;
    char created[32];
    for (int i = 0; i < s->g->n_tasks; i++) {
        json_t *task = grade_task(s, s->g->tasks[i]);
        char line[320];
        snprintf(line, sizeof line, "%s %s %g/%g", s->g->tasks[i]->id,
                 json_string_value(json_object_get(task, "verdict")), json_number_value(json_object_get(task, "score")),
                 json_number_value(json_object_get(task, "max_score")));
        s->g->progress(s->submission.name, line);
        score += json_number_value(json_object_get(task, "score"));
        max_score += json_number_value(json_object_get(task, "max_score"));
        json_array_append_new(tasks, task);
    }
    iso_now(created);
    json_t *result =
        json_pack("{s:i, s:o, s:s, s:s, s:s, s:O, s:f, s:f, s:f, s:o}", "schema", 1, "submission",
                  json_string(s->submission.name) ? json_string(s->submission.name) : json_string(s->submission.folder),
                  "created", created, "lab_commit", lab_commit(), "backend", backend_of(s->g), "machine", s->machine,
                  "score", score, "max_score", max_score, "bonus", bonus_of(s->g->rubric, tasks), "tasks", tasks);
    return result;
}

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *ftw) {
    (void)st, (void)type, (void)ftw;
    return remove(path);
}

// What an earlier run, interrupted or not, left of this submission.
static void forget(const char *work, const char *folder) {
    static const char *const old[] = {"results.json", "Results.md", "log.txt"};
    char path[4400];
    nftw(work, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    for (size_t i = 0; i < sizeof old / sizeof *old; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, old[i]);
        unlink(path);
    }
}

// A task that the grader itself failed on: its score means nothing, and --resume grades it again.
static int is_unfinished(const json_t *result, char *why, size_t size) {
    size_t i;
    json_t *task;
    json_array_foreach(json_object_get(result, "tasks"), i, task) {
        const char *message = json_string_value(json_object_get(task, "message"));
        if (strcmp(json_string_value(json_object_get(task, "verdict")), "GRADER_ERROR")) continue;
        snprintf(why, size, "%s: %s", json_string_value(json_object_get(task, "id")),
                 message ? message : "see log.txt");
        return 1;
    }
    return 0;
}

int lab_grade(const lab_grading *g, const char *path, const char *folder, json_t **result, char *why, size_t size) {
    grading *s = calloc(1, sizeof *s);
    char target[4096];
    int ok = 0;
    *result = NULL;
    s->g = g;
    s->machine = json_deep_copy(g->machine);
    lab_submission_name(path, &s->submission);
    snprintf(target, sizeof target, "%s/%s", g->out, folder);
    snprintf(s->work, sizeof s->work, "%s/.work", target);
    snprintf(s->log, sizeof s->log, "%s/log.txt", target);
    if (mkdir(target, 0777) == 0 || errno == EEXIST) forget(s->work, target);
    if (mkdir(s->work, 0777))
        snprintf(why, size, "cannot write to %s: %s", target, strerror(errno));
    else if (!lab_submission_collect(path, s->work, &s->submission))
        snprintf(why, size, "%s", s->submission.error);
    else {
        *result = assemble(s);
        ok = lab_write_outputs(*result, target, g->build, g->plots, s->log, why, size) &&
             !is_unfinished(*result, why, size);
    }
    nftw(s->work, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    json_decref(s->machine);
    free(s);
    return ok;
}
