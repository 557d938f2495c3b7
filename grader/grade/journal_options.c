// journal_options.c: a run that goes on has the options that it began with, but for those that are given anew.
#define _GNU_SOURCE
#include "journal_options.h"

#include <stdlib.h>
#include <string.h>

#include "journal_lines.h"

void lab_options_recall(lab_arguments *all, const json_t *o, const char *given) {
    lab_grading *g = &all->grading;
    const char *backend = lab_text_of(o, "backend"), *timeout = lab_text_of(o, "timeout");
    size_t i;
    json_t *name;
    if (!given['t'] || all->n_regrade) {
        g->n_tasks = 0;
        json_array_foreach(json_object_get(o, "tasks"), i, name) {
            const lab_task *t = json_is_string(name) ? lab_task_find(json_string_value(name)) : NULL;
            if (t && g->n_tasks < LAB_MAX_TASKS) g->tasks[g->n_tasks++] = t;
        }
    }
    if (!given['k'] && *backend) setenv("LAB_BACKEND", backend, 1);
    if (!given['T'] && *timeout) g->timeout = strdup(timeout);
    if (!given['d']) g->deadline = json_number_value(json_object_get(o, "deadline"));
    if (!given['b']) g->bench = json_is_true(json_object_get(o, "bench"));
    if (!given['p']) g->plots = json_is_true(json_object_get(o, "plots"));
    if (!given['f'] && !given['S']) g->full = json_is_true(json_object_get(o, "full"));
    if (!given['u']) all->unsafe = json_is_true(json_object_get(o, "unsafe"));
    if (!given['j'] && json_integer_value(json_object_get(o, "jobs")) > 0)
        all->jobs = (int)json_integer_value(json_object_get(o, "jobs"));
}

json_t *lab_options_for_journal(const lab_arguments *all) {
    const lab_grading *g = &all->grading;
    const char *backend = getenv("LAB_BACKEND");
    json_t *tasks = json_array();
    for (int i = 0; i < g->n_tasks; i++) json_array_append_new(tasks, json_string(g->tasks[i]->id));
    return json_pack("{s:o, s:s, s:s, s:f, s:b, s:b, s:b, s:b, s:i}", "tasks", tasks, "backend", backend ? backend : "",
                     "timeout", g->timeout, "deadline", g->deadline, "bench", g->bench, "plots", g->plots, "full",
                     g->full, "unsafe", all->unsafe, "jobs", all->jobs);
}
