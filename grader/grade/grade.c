// grade.c: a submission: collect -> task by task (task.c) -> score -> results.json, Results.md and plots.
#define _GNU_SOURCE
#include "grade.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "inputs.h"
#include "journal.h"
#include "journal_lines.h"
#include "lock.h"
#include "rubric.h"
#include "score.h"
#include "tool.h"

// A finished task of an interrupted run is taken from its journal, with the points of today's rubric.
static json_t *task_of(const lab_graded *s, const lab_task *t, int wait) {
    json_t *task = lab_journal_find(s->folder, t);
    if (task) {
        lab_rescore_task(s->g->rubric, task, strcmp(lab_backend_of(s->g), "simt") == 0, s->g->bench);
        return task;
    }
    if (!(task = lab_grade_task(s, t, wait))) return NULL;
    if (!lab_is_unfinished(task, NULL, 0) && !lab_journal_task(s->folder, t, task))
        s->g->progress(s->submission.name, "the journal cannot be written");
    return task;
}

static void say(const lab_graded *s, const json_t *task) {
    char line[800];
    const char *message = lab_text_of(task, "message"), *there = strstr(message, LAB_THERE_IS);
    const char *end = there ? strstr(there + 1, "; ") : NULL;  // behind it stands what was passed over
    snprintf(line, sizeof line, "%s %s %g/%g%s%s%.*s", json_string_value(json_object_get(task, "id")),
             json_string_value(json_object_get(task, "verdict")), json_number_value(json_object_get(task, "score")),
             json_number_value(json_object_get(task, "max_score")),
             json_object_get(task, "same_text") ? ", the same text as before" : "", there ? ": " : "",
             there ? (int)(end ? end - message : 600) : 0, message);
    s->g->progress(s->submission.name, line);
}

// Left for the end, for meanwhile there is other work: what is timed on a machine that is emptied for it, and texts
// that another process judges just now.
static json_t *assemble(const lab_graded *s) {
    json_t *tasks = json_array(), *task;
    char now[32];
    for (int i = 0; i < s->g->n_tasks; i++) json_array_append_new(tasks, json_null());
    for (int turn = 0; turn < 3; turn++)
        for (int i = 0; i < s->g->n_tasks; i++) {
            const int later = turn == 0 && lab_lock_comes_together() && lab_times_the_host(s, s->g->tasks[i]);
            if (later || !json_is_null(json_array_get(tasks, i))) continue;
            if (!(task = task_of(s, s->g->tasks[i], turn == 2))) continue;
            say(s, task);
            json_array_set_new(tasks, i, task);
        }
    json_t *result =
        json_pack("{s:i, s:o, s:s, s:s, s:s, s:O, s:o, s:b}", "schema", 1, "submission",
                  json_string(s->submission.name) ? json_string(s->submission.name) : json_string(s->submission.folder),
                  "created", lab_date(now), "lab_commit", lab_commit(), "backend", lab_backend_of(s->g), "machine",
                  s->machine, "tasks", tasks, "sandboxed", s->g->sandboxed);
    if (*s->submission.nickname) json_object_set_new(result, "nickname", json_string(s->submission.nickname));
    lab_add_up(result, s->g->rubric);
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

static int is_grader_error(const json_t *o) {
    const char *verdict = json_string_value(json_object_get(o, "verdict"));
    return !verdict || strcmp(verdict, "GRADER_ERROR") == 0;
}

static void say_why(const json_t *task, const char *name, const json_t *what, char *why, size_t size) {
    const char *id = json_string_value(json_object_get(task, "id")), *text = json_string_value(what);
    if (why)
        snprintf(why, size, "%s: %s%s%s", id ? id : "a task", name, *name ? ": " : "", text ? text : "see log.txt");
}

int lab_is_unfinished(const json_t *task, char *why, size_t size) {
    size_t i;
    json_t *one;
    json_array_foreach(json_object_get(task, "cases"), i, one) {
        if (!is_grader_error(one)) continue;
        const char *name = json_string_value(json_object_get(one, "name"));
        say_why(task, name ? name : "", json_object_get(one, "diagnosis"), why, size);
        return 1;
    }
    json_array_foreach(json_object_get(task, "timings"), i, one) {
        if (!is_grader_error(one) || !strstr(lab_text_of(one, "why"), "no CUDA device")) continue;
        say_why(task, "measuring", json_object_get(one, "why"), why, size);  // the GPU has gone meanwhile
        return 1;
    }
    if (!is_grader_error(task)) return 0;
    say_why(task, "", json_object_get(task, "message"), why, size);
    return 1;
}

// Its score means nothing yet.
static int is_incomplete(const json_t *result, char *why, size_t size) {
    size_t i;
    json_t *task;
    json_array_foreach(json_object_get(result, "tasks"), i, task) {
        if (lab_is_unfinished(task, why, size)) return 1;
    }
    return 0;
}

int lab_grade(const lab_grading *g, const char *path, const char *folder, json_t **result, char *why, size_t size) {
    lab_graded *s = calloc(1, sizeof *s);
    char target[4096];
    int ok = 0;
    lab_deadline_in(g->deadline);
    *result = NULL;
    s->g = g, s->folder = folder;
    s->machine = json_deep_copy(g->machine);
    s->seed = lab_key(g->seed, folder, 0, 0);
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
        char from[4400], to[4400];
        snprintf(from, sizeof from, "%s/report.md", s->work), snprintf(to, sizeof to, "%s/report.md", target);
        if (rename(from, to)) unlink(to);  // none is handed in: an older one does not stay
        *result = assemble(s);
        ok = lab_write_outputs(*result, target, g->plots == LAB_PLOTS_AT_ONCE, s->log, why, size) &&
             !is_incomplete(*result, why, size);
    }
    if (ok) lab_journal_done(folder);
    nftw(s->work, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    json_decref(s->machine);
    free(s);
    return ok;
}
