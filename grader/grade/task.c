// task.c: one task of a submission: compile -> test -> measure -> count -> profile -> score.
#define _GNU_SOURCE
#include "task.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "run_demo.h"
#include "backend.h"
#include "build.h"
#include "run_traffic.h"
#include "experiments.h"
#include "profiling.h"
#include "rubric.h"
#include "impossible_times.h"
#include "tool.h"

const char *lab_backend_of(const lab_grading *g) {
    for (int i = 0; i < g->n_tasks; i++)
        if (g->tasks[i]->language == LAB_CUDA) return lab_backend();
    return "cpu";
}

// A pipeline is built from the submission's own kernels: compiles those that are not among the tasks to be graded.
static void offer_kernels(const grading *s, const lab_task *pipeline) {
    for (int i = 0; pipeline->parts[i]; i++) {
        const lab_task *t = lab_task_find(pipeline->parts[i]);
        char source[4600], stage[4600], message[256];
        snprintf(source, sizeof source, "%s/%s/%s", s->work, t->folder, t->file);
        snprintf(stage, sizeof stage, "%s/%s.so", s->work, t->id);
        const lab_build_options options = {.lab = s->g->lab, .source = source, .output = stage, .seconds = 60};
        if (access(stage, R_OK) && s->submission.task[t - lab_tasks].verdict == LAB_PASSED)
            lab_build(t, &options, message, sizeof message, NULL, 0);
        setenv(i ? "LAB_TASK5" : "LAB_TASK4", stage, 1);
    }
}

static int run_tests(const grading *s, const lab_task *t, char *source, char *stage, char *results) {
    char program[4200], runner[4200], seed[32], probe[4600], part[2][4600];
    snprintf(program, sizeof program, "%s/bin/claims", s->g->build);
    lab_runner_of(t, s->g->build, runner, sizeof runner);
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)s->g->seed);
    snprintf(probe, sizeof probe, "%s/%s.probe.so", s->work, t->id);
    for (int i = 0; i < 2; i++) snprintf(part[i], sizeof part[i], "%s/%s.so", s->work, t->parts[i] ? t->parts[i] : "");
    offer_kernels(s, t);
    setenv("LAB_BUILD", s->g->build, 1);
    unsetenv("LAB_SEED");  // /proc would show it to a stage
    const lab_build_options options = {.lab = s->g->lab, .source = source, .output = probe, .seconds = 60};
    lab_build_probe(t, options);
    char *const argv[] = {program,     (char *)t->id, "--stage",   stage,
                          "--runner",  runner,        "--probe",   probe,
                          "--source",  source,        "--part",    part[0],
                          "--part",    part[1],       "--build",   (char *)s->g->build,
                          "--results", results,       "--timeout", (char *)s->g->timeout,
                          "--seed-fd", "3",           NULL};
    const int status = lab_tool_with_seed(argv, s->log, s->g->seed);
    setenv("LAB_SEED", seed, 1);  // for bench, count and demo, which wipe it
    return status;
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
        if (criterion && !lab_rubric_requires(rubric, task, criterion)) continue;
        if (v && strcmp(v, "PASSED")) return v;
    }
    return json_array_size(cases) ? "PASSED" : "GRADER_ERROR";
}

// A CUDA task without a GPU: its time would say nothing.
static int on_cpu(const lab_task *t) { return t->language == LAB_CUDA && strcmp(lab_backend(), "simt") == 0; }

static int timed(const lab_task *t) {
    return !on_cpu(t) && lab_has_experiments(t->id, t->language == LAB_CUDA ? LAB_ON_GPU : LAB_ON_HOST);
}

// What grading a task has brought to light.
typedef struct {
    char source[4600], stage[4600], message[1024];
    const char *verdict;
    json_t *cases, *timings, *counts, *demo;
} findings;

static void test(const grading *s, const lab_task *t, findings *f) {
    char results[4600];
    snprintf(results, sizeof results, "%s/%s.cases", s->work, t->id);
    s->g->progress(s->submission.name, "testing");
    const int status = run_tests(s, t, f->source, f->stage, results);
    json_decref(f->cases);
    f->cases = lab_read_lines(results);
    lab_take_notes(results, f->message, sizeof f->message);
    f->verdict = status == 0 || status == 1 ? task_verdict(s->g->rubric, t->id, f->cases) : "GRADER_ERROR";
    if (!lab_has_demo(t->id)) return;
    s->g->progress(s->submission.name, "running the demo");
    f->demo = lab_run_demo(s->g, f->stage, s->work, s->log);
}

// Speed counts only where the answers are right.
static void measure(const grading *s, const lab_task *t, findings *f) {
    char path[4600];
    if (!s->g->bench || strcmp(f->verdict, "PASSED")) return;
    if (timed(t)) {
        snprintf(path, sizeof path, "%s/%s.timings", s->work, t->id);
        s->g->progress(s->submission.name, "measuring");
        run_bench(s, t, f->source, f->stage, path);
        json_decref(f->timings);
        f->timings = lab_read_lines(path);
        lab_mark_impossible_times(f->timings, lab_backend_of(s->g), s->machine, s->g->build, s->g->out);
    }
    if (lab_has_experiments(t->id, LAB_COUNTED)) {
        s->g->progress(s->submission.name, "counting");
        json_decref(f->counts);
        f->counts = lab_count_traffic(s->g, t, f->source, s->work, s->log);
    }
}

static void profile(const grading *s, const lab_task *t, const findings *f, json_t *task) {
    if (!s->g->bench || on_cpu(t) || !lab_has_profile(t) || strcmp(f->verdict, "PASSED")) return;
    s->g->progress(s->submission.name, "profiling");
    flock(s->g->lock, LOCK_EX);
    lab_profile(s->g, t, f->source, s->work, s->log, task);
    flock(s->g->lock, LOCK_SH);
}

static json_t *describe(const grading *s, const lab_task *t, findings *f) {
    double score, max_score, bonus;
    const lab_evidence evidence = {f->cases, f->timings, on_cpu(t) ? f->counts : NULL, s->g->bench, f->demo};
    json_t *criteria = lab_rubric_score(s->g->rubric, t->id, &evidence, &score, &max_score, &bonus);
    json_t *found = lab_take_findings(f->counts, f->message, sizeof f->message);
    json_t *task = json_pack("{s:s, s:s, s:s, s:f, s:f, s:o, s:o, s:o, s:o}", "id", t->id, "title", t->title, "verdict",
                             f->verdict, "score", score, "max_score", max_score, "criteria", criteria, "cases",
                             f->cases, "timings", f->timings, "counts", f->counts);
    if (task && f->demo) json_object_set_new(task, "demo", f->demo);
    if (task && json_array_size(found)) json_object_set(task, "findings", found);
    json_decref(found);
    if (task && *f->message) json_object_set_new(task, "message", json_string_nocheck(f->message));
    return task;
}

json_t *lab_grade_task(const grading *s, const lab_task *t) {
    const int at = (int)(t - lab_tasks);
    findings f = {.cases = json_array(), .timings = json_array(), .counts = json_array()};
    lab_verdict v = s->submission.task[at].verdict;
    const char *notes = v == LAB_PASSED ? "" : s->submission.notes;
    snprintf(f.message, sizeof f.message, "%s%s%s", s->submission.task[at].message, *notes ? "; " : "", notes);
    snprintf(f.source, sizeof f.source, "%s/%s/%s", s->work, t->folder, t->file);
    snprintf(f.stage, sizeof f.stage, "%s/%s.so", s->work, t->id);
    if (v == LAB_PASSED) {
        const lab_build_options options = {.lab = s->g->lab, .source = f.source, .output = f.stage, .seconds = 60};
        s->g->progress(s->submission.name, "compiling");
        v = lab_build(t, &options, f.message, sizeof f.message, NULL, 0);
    }
    f.verdict = lab_verdict_name(v);
    if (v == LAB_PASSED) {
        test(s, t, &f);
        measure(s, t, &f);
    }
    json_t *task = describe(s, t, &f);
    if (task) profile(s, t, &f, task);
    return task;
}
