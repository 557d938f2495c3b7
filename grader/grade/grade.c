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

#include "rubric.h"
#include "score.h"
#include "tool.h"

static json_t *assemble(const lab_graded *s) {
    json_t *tasks = json_array();
    char now[32];
    for (int i = 0; i < s->g->n_tasks; i++) {
        json_t *task = lab_grade_task(s, s->g->tasks[i]);
        char line[320];
        snprintf(line, sizeof line, "%s %s %g/%g%s", s->g->tasks[i]->id,
                 json_string_value(json_object_get(task, "verdict")), json_number_value(json_object_get(task, "score")),
                 json_number_value(json_object_get(task, "max_score")),
                 json_object_get(task, "same_text") ? ", the same text as before" : "");
        s->g->progress(s->submission.name, line);
        json_array_append_new(tasks, task);
    }
    json_t *result =
        json_pack("{s:i, s:o, s:s, s:s, s:s, s:O, s:o, s:b}", "schema", 1, "submission",
                  json_string(s->submission.name) ? json_string(s->submission.name) : json_string(s->submission.folder),
                  "created", lab_date(now), "lab_commit", lab_commit(), "backend", lab_backend_of(s->g), "machine",
                  s->machine, "tasks", tasks, "sandboxed", s->g->sandboxed);
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
    lab_graded *s = calloc(1, sizeof *s);
    char target[4096];
    int ok = 0;
    lab_deadline_in(g->deadline);
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
        ok = lab_write_outputs(*result, target, g->plots, s->log, why, size) && !is_unfinished(*result, why, size);
    }
    nftw(s->work, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    json_decref(s->machine);
    free(s);
    return ok;
}
