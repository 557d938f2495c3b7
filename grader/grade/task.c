// task.c: one task of a submission: compile -> test -> measure -> count -> profile -> score.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backend.h"
#include "build.h"
#include "experiments.h"
#include "grade.h"
#include "inputs.h"
#include "lock.h"
#include "reuse.h"
#include "rubric.h"
#include "scored.h"
#include "tool.h"

enum { COMPILE_SECONDS = 60 };

// What grading a task has brought to light.
typedef struct {
    char source[4600], stage[4600], message[1024];
    char unlooked[1024];  // why nobody has looked for races
    const char *verdict;
    json_t *cases, *timings, *counts, *demo;
} findings;

static void paths_of(const lab_graded *s, const lab_task *t, char source[4600], char stage[4600]) {
    snprintf(source, 4600, "%s/%s/%s", s->work, t->folder, t->file);
    snprintf(stage, 4600, "%s/%s.so", s->work, t->id);
}

static lab_verdict compile(const lab_task *t, const char *source, const char *stage, char *message, size_t size) {
    const lab_build_options options = {.lab = ".", .source = source, .output = stage, .seconds = COMPILE_SECONDS};
    return lab_build(t, &options, message, size, NULL, 0);
}

uint64_t lab_seed_of(const lab_graded *s, const lab_task *t) { return lab_key(s->seed, t->id, 0, 0); }

void lab_add_words(const lab_graded *s, const lab_task *t, char *argv[LAB_WORDS], char part[2][4600]) {
    char source[4600], message[256];
    while (*argv) argv++;
    for (int i = 0; i < 2 && t->parts[i]; i++) {
        const lab_task *of = lab_task_find(t->parts[i]);
        paths_of(s, of, source, part[i]);
        if (access(part[i], R_OK) && s->submission.task[of - lab_tasks].verdict == LAB_PASSED)
            compile(of, source, part[i], message, sizeof message);  // it is not one of the tasks to be graded
        *argv++ = "--part", *argv++ = part[i];
    }
    *argv++ = "--seed-fd", *argv++ = "3";
}

static int on_gpu(const lab_task *t) { return t->language == LAB_CUDA && lab_backend()->on_gpu; }

static int run_claims(const lab_graded *s, const lab_task *t, findings *f, char *results) {
    char runner[4200], probe[4600], part[2][4600];
    lab_runner_of(t, "build", runner, sizeof runner);
    snprintf(probe, sizeof probe, "%s/%s.probe.so", s->work, t->id);
    const lab_build_options options = {.lab = ".", .source = f->source, .output = probe, .seconds = COMPILE_SECONDS};
    lab_build_probe(t, options);
    char *argv[LAB_WORDS] = {"build/bin/claims", (char *)t->id,
                             "--stage",          f->stage,
                             "--runner",         runner,
                             "--probe",          probe,
                             "--source",         f->source,
                             "--results",        results,
                             "--timeout",        (char *)s->g->timeout};
    lab_add_words(s, t, argv, part);
    // All is compiled. What runs on all processors would be in the way of a GPU's clock, too.
    lab_lock(on_gpu(t) || t->language == LAB_C_OPENMP ? LAB_ON_THE_GPU : LAB_BESIDE_OTHERS);
    return lab_tool_with_seed(argv, s->log, lab_seed_of(s, t));
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
static int on_cpu(const lab_task *t) { return t->language == LAB_CUDA && !lab_backend()->on_gpu; }

// Where no time carries points (tasks 1 and 6) a class does not wait for a quiet machine.
static int timed(const lab_graded *s, const lab_task *t) {
    const lab_method method = t->language == LAB_CUDA ? LAB_ON_GPU : LAB_ON_HOST;
    return !on_cpu(t) && lab_has_experiments(t->id, method) && (s->g->full || lab_is_scored(t->id, NULL, NULL));
}

int lab_times_the_host(const lab_graded *s, const lab_task *t) {
    return s->g->bench && t->language != LAB_CUDA && timed(s, t);
}

// What is said of a claim when all have been tried.
static void take_words(json_t *cases, const char *name, json_t *words) {
    size_t i;
    json_t *c;
    json_array_foreach(cases, i, c) {
        const char *own = json_string_value(json_object_get(c, "name"));
        if (own && words && strcmp(own, name) == 0) json_object_set(c, "diagnosis", words);
    }
}

// Of the lines of RESULTS: claims, later words for some of them, and remarks of the tests, which go to the message.
static void take_claims(const char *results, findings *f) {
    json_t *lines = lab_read_lines(results), *line;
    size_t i;
    json_array_foreach(lines, i, line) {
        const char *note = json_string_value(json_object_get(line, "note"));
        const char *told = json_string_value(json_object_get(line, "told"));
        const size_t used = strlen(f->message);
        if (told)
            take_words(f->cases, told, json_object_get(line, "diagnosis"));
        else if (note)
            snprintf(f->message + used, sizeof f->message - used, "%s%s", used ? "; " : "", note);
        else if (json_object_get(line, "name"))
            json_array_append(f->cases, line);
    }
    json_decref(lines);
}

static void test(const lab_graded *s, const lab_task *t, findings *f) {
    char results[4600];
    snprintf(results, sizeof results, "%s/%s.cases", s->work, t->id);
    s->g->progress(s->submission.name, "testing");
    const pid_t beside = on_gpu(t) ? lab_look_beside(s, t, f->source) : 0;
    const int status = run_claims(s, t, f, results);
    take_claims(results, f);
    if (status != 0 && status != 1) lab_add_untried(s, t, f->cases);
    if (lab_has_demo(t)) {
        s->g->progress(s->submission.name, "running the demo");
        f->demo = lab_run_demo(s, t, f->stage);
    }
    lab_lock(LAB_BESIDE_OTHERS);
    if (t->language == LAB_CUDA) {
        s->g->progress(s->submission.name, "looking for races");
        lab_judge_checked(s, t, f->source, beside, f->cases, f->unlooked, sizeof f->unlooked);
    }
    f->verdict = status == 0 || status == 1 ? task_verdict(s->g->rubric, t->id, f->cases) : "GRADER_ERROR";
}

// anew: the baselines, too, whatever is kept of them.
static void run_clock(const lab_graded *s, const lab_task *t, findings *f, int anew) {
    char path[4600], kept[4600], part[2][4600];
    snprintf(path, sizeof path, "%s/%s.timings", s->work, t->id);
    snprintf(kept, sizeof kept, "%s/.baselines", s->g->out);
    char *argv[LAB_WORDS] = {"build/bin/bench", (char *)t->id, f->stage, "--json", path, "--kept", kept},
         **more = &argv[7];
    if (s->g->full)
        *more++ = "--source", *more++ = f->source;
    else
        *more++ = "--scored";
    if (anew) *more = "--anew";
    lab_add_words(s, t, argv, part);
    s->g->progress(s->submission.name, "measuring");
    lab_lock(t->language == LAB_CUDA ? LAB_TIME_THE_GPU : LAB_TIME_THE_HOST);
    lab_tool_with_seed(argv, s->log, lab_seed_of(s, t));
    lab_lock(LAB_BESIDE_OTHERS);
    json_decref(f->timings);
    f->timings = lab_read_lines(path);
    lab_mark_impossible_times(s, f->timings);
}

// The points that these timings leave open.
static double missing_points(const lab_graded *s, const lab_task *t, const findings *f) {
    double score, most, bonus;
    const lab_evidence evidence = {f->cases, f->timings, NULL, 1, NULL};
    json_decref(lab_rubric_score(s->g->rubric, t->id, &evidence, &score, &most, &bonus));
    return most - score;
}

// A process on the processor may have a bad place all its life: on a virtual machine one in 40 took four times as long as
// the others, in each round. So who does not get all points is timed a second time, and the better one counts.
static void time_twice(const lab_graded *s, const lab_task *t, findings *f) {
    const double missing = missing_points(s, t, f);
    json_t *const before = json_incref(f->timings);
    if (missing > 0) run_clock(s, t, f, 0);
    const int better = missing_points(s, t, f) < missing;
    json_decref(better ? before : f->timings);
    if (!better) f->timings = before;
}

// What the lab has measured wrongly is measured again, once.
static void take_times(const lab_graded *s, const lab_task *t, findings *f) {
    run_clock(s, t, f, 0);
    if (lab_baseline_is_impossible(f->timings)) run_clock(s, t, f, 1);
    if (t->language != LAB_CUDA && !s->g->full) time_twice(s, t, f);
    lab_excuse_points(f->timings);
}

// Speed counts only where the answers are right.
static void measure(const lab_graded *s, const lab_task *t, findings *f) {
    if (!s->g->bench || strcmp(f->verdict, "PASSED")) return;
    if (timed(s, t)) take_times(s, t, f);
    if (lab_has_experiments(t->id, LAB_COUNTED) && (s->g->full || on_cpu(t))) {
        s->g->progress(s->submission.name, "counting");
        json_decref(f->counts);
        f->counts = lab_count_traffic(s, t, f->source);
    }
}

static void profile(const lab_graded *s, const lab_task *t, const findings *f, json_t *task) {
    if (!s->g->bench || !s->g->full || on_cpu(t) || !lab_has_profile(t) || strcmp(f->verdict, "PASSED")) return;
    s->g->progress(s->submission.name, "profiling");
    lab_lock(LAB_TIME_THE_GPU);
    lab_profile(s, t, f->source, task);
    lab_lock(LAB_BESIDE_OTHERS);
}

static json_t *describe(const lab_graded *s, const lab_task *t, findings *f) {
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
    if (task && *f->unlooked) json_object_set_new(task, "unlooked", json_string_nocheck(f->unlooked));
    return task;
}

// What is not done when the submission's time is over is not the student's fault, nor his gain.
static int is_late(const lab_graded *s, findings *f, const char *what) {
    const size_t used = strlen(f->message);
    if (!lab_deadline_passed()) return 0;
    snprintf(f->message + used, sizeof f->message - used, "%s%s: the %.0f s for this submission are over (--deadline)",
             used ? "; " : "", what, s->g->deadline);
    f->verdict = lab_verdict_name(LAB_GRADER_ERROR);
    return 1;
}

static json_t *judge(const lab_graded *s, const lab_task *t) {
    const int at = (int)(t - lab_tasks);
    findings f = {.cases = json_array(), .timings = json_array(), .counts = json_array()};
    lab_verdict v = s->submission.task[at].verdict;
    const char *notes = v == LAB_PASSED ? "" : s->submission.notes;
    snprintf(f.message, sizeof f.message, "%s%s%s", s->submission.task[at].message, *notes ? "; " : "", notes);
    paths_of(s, t, f.source, f.stage);
    if (v == LAB_PASSED && is_late(s, &f, "not run")) return describe(s, t, &f);
    if (v == LAB_PASSED) {
        s->g->progress(s->submission.name, "compiling");
        v = compile(t, f.source, f.stage, f.message, sizeof f.message);
    }
    f.verdict = lab_verdict_name(v);
    if (v == LAB_PASSED) {
        test(s, t, &f);
        measure(s, t, &f);
        is_late(s, &f, "not finished");
    }
    json_t *task = describe(s, t, &f);
    if (task) profile(s, t, &f, task);
    return task;
}

json_t *lab_grade_task(const lab_graded *s, const lab_task *t, int wait) {
    lab_reuse text;
    json_t *task = lab_reuse_find(s, t, wait, &text);
    if (task || text.busy) return task;
    task = judge(s, t);
    lab_reuse_keep(s, t, &text, task);
    return task;
}
