// class_data.c: a class's results.json, one after the other, into what its page needs.
#define _GNU_SOURCE
#include "class.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "class_pairs.h"
#include "results.h"
#include "tasks.h"

char *lab_verdict_words(char text[40], lab_verdict v) {
    snprintf(text, 40, "%s", lab_verdict_name(v));
    for (char *c = text; *c; c++) *c = *c == '_' ? ' ' : (char)tolower(*c);
    return text;
}

static lab_verdict verdict_of(const json_t *o) {
    lab_verdict v = LAB_GRADER_ERROR;
    lab_verdict_parse(lab_str(o, "verdict"), &v);
    return v;
}

// ---- What to look at before points are given

// Points may have been gained in another way than by the task's.
static int is_odd(lab_verdict v) {
    static const char *const odd[] = {"TIMING_SUSPECT", "FORBIDDEN_SYMBOL", "HOST_COMPUTES"};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
        if (strcmp(lab_verdict_name(v), odd[i]) == 0) return 1;
    return 0;
}

// One line a task and verdict, of the first place where it was seen.
static void find(lab_student *s, const json_t *task, const json_t *where, const char *name, const char *text) {
    const lab_verdict v = verdict_of(where);
    json_t *one;
    size_t i;
    const int astray = v == LAB_MISSING && strstr(text, LAB_THERE_IS);  // of a submission, one line tells
    if (!is_odd(v) && v != LAB_GRADER_ERROR && !astray) return;
    json_array_foreach(s->found, i, one) {
        if ((astray || lab_is(one, "task", lab_str(task, "id"))) && lab_is(one, "what", lab_verdict_name(v))) return;
    }
    json_array_append_new(s->found, json_pack("{s:s, s:s, s:s, s:s}", "task", lab_str(task, "id"), "what",
                                              lab_verdict_name(v), "where", name, "text", text));
}

static void find_in_task(lab_student *s, const json_t *task) {
    json_t *o;
    size_t i;
    find(s, task, task, "", lab_str(task, "message"));
    json_array_foreach(json_object_get(task, "cases"), i, o) {
        find(s, task, o, lab_str(o, "name"), lab_str(o, "diagnosis"));
    }
    json_array_foreach(json_object_get(task, "timings"), i, o) {
        if (lab_is(o, "implementation", "yours")) find(s, task, o, lab_str(o, "case"), lab_str(o, "why"));
    }
}

// ---- Over the class

// The row of a list whose fields are as those of like; it is added where there is none.
static json_t *row_of(json_t *list, json_t *index, json_t *like, const char *more) {
    char *key = json_dumps(like, JSON_COMPACT);
    json_t *row = json_object_get(index, key);
    if (!row) {
        row = json_copy(like);
        json_object_set_new(row, more, strcmp(more, "dots") ? json_object() : json_array());
        json_array_append_new(list, row);
        json_object_set(index, key, row);
    }
    free(key);
    json_decref(like);
    return row;
}

static void count(json_t *row, const char *key) {
    json_object_set_new(row, key, json_integer(json_integer_value(json_object_get(row, key)) + 1));
}

static void add_claims(lab_class *all, json_t *index, const json_t *task) {
    json_t *o;
    size_t i;
    json_array_foreach(json_object_get(task, "cases"), i, o) {
        const lab_verdict v = verdict_of(o);
        if (v == LAB_MISSING || v == LAB_SKIPPED || v == LAB_GRADER_ERROR) continue;
        json_t *row = row_of(all->claims, index,
                             json_pack("{s:s, s:s, s:s}", "task", lab_str(task, "id"), "name", lab_str(o, "name"),
                                       "todo", lab_is(o, "criterion", "todo") ? lab_str(o, "todo") : ""),
                             "says");
        char words[40], cause[512];
        const char *says = lab_class_said(task, o, cause, sizeof cause);
        count(row, "tried");
        if (v == LAB_PASSED) continue;
        count(row, "failed");
        count(json_object_get(row, "says"), *says ? says : lab_verdict_words(words, v));
    }
}

static void add_dots(lab_class *all, json_t *index, const json_t *task, const char *student) {
    json_t *c;
    size_t i;
    json_array_foreach(json_object_get(task, "criteria"), i, c) {
        const double value = lab_num(c, "value"), from = lab_num(c, "from"), to = lab_num(c, "to");
        if (!(value > 0 && from > 0 && to > 0)) continue;
        json_t *row = row_of(all->ladders, index,
                             json_pack("{s:s, s:s, s:s, s:f, s:f}", "task", lab_str(task, "id"), "name",
                                       lab_str(c, "name"), "unit", lab_str(c, "unit"), "from", from, "to", to),
                             "dots");
        json_array_append_new(json_object_get(row, "dots"),
                              json_pack("{s:s, s:f}", "student", student, "value", value));
    }
}

// ---- Reading

static void remember(char **field, const char *text) {
    free(*field);
    *field = strdup(text);
}

// claims and ladders: where the rows of all->claims and all->ladders are found again.
static void read_student(lab_class *all, lab_student *s, json_t *claims, json_t *ladders) {
    char path[4400], error[512];
    snprintf(path, sizeof path, "%s/%s/results.json", all->folder, s->folder);
    json_t *root = lab_results_load(path, error, sizeof error);
    s->found = json_array();
    s->tasks = calloc((size_t)lab_n_tasks, sizeof *s->tasks);
    s->name = strdup(root ? lab_str(root, "submission") : s->folder);
    s->error = root ? NULL : strdup(error);
    if (!root) return;
    s->manual = json_incref(json_object_get(root, "manual"));
    all->by_hand |= s->manual != NULL;
    s->score = lab_num(root, "score"), s->max_score = lab_num(root, "max_score"), s->bonus = lab_num(root, "bonus");
    all->unsandboxed += json_is_false(json_object_get(root, "sandboxed"));
    for (int i = 0; i < lab_n_tasks; i++) {
        const json_t *task = lab_task_in(root, lab_tasks[i].id);
        if (!task) continue;
        s->tasks[i] = (lab_class_task){1, lab_num(task, "score"), lab_num(task, "max_score"), verdict_of(task)};
        all->max[i] = fmax(all->max[i], s->tasks[i].max_score);
        find_in_task(s, task);
        add_claims(all, claims, task), add_dots(all, ladders, task, s->name);
    }
    if (!all->created || strcmp(all->created, lab_str(root, "created")) < 0) {
        const json_t *machine = json_object_get(root, "machine");
        remember(&all->created, lab_str(root, "created")), remember(&all->lab_commit, lab_str(root, "lab_commit"));
        remember(&all->backend, lab_str(root, "backend"));
        remember(&all->machine, lab_str(machine, *lab_str(machine, "gpu") ? "gpu" : "cpu"));
    }
    json_decref(root);
}

static int by_name(const void *a, const void *b) {
    const lab_student *x = a, *y = b;
    const int order = strcasecmp(x->name, y->name);
    return order ? order : strcmp(x->folder, y->folder);
}

// A folder of DIR with a results.json in it. A link is not followed: DIR is written by the grader, which makes none.
static int is_result(const char *dir, const char *name) {
    char path[4400];
    struct stat st;
    snprintf(path, sizeof path, "%s/%s", dir, name);
    if (name[0] == '.' || lstat(path, &st) || !S_ISDIR(st.st_mode)) return 0;
    snprintf(path, sizeof path, "%s/%s/results.json", dir, name);
    return access(path, F_OK) == 0;
}

static int by_task(const void *a, const void *b) {
    const json_t *x = *(json_t *const *)a, *y = *(json_t *const *)b;
    const int order = strcmp(lab_str(x, "task"), lab_str(y, "task"));
    return order ? order : strcmp(lab_str(x, "name"), lab_str(y, "name"));
}

json_t *lab_sorted(json_t *list, int (*order)(const void *a, const void *b)) {
    const size_t n = json_array_size(list);
    json_t **rows = calloc(n + 1, sizeof *rows), *sorted = json_array();
    if (!rows) abort();
    for (size_t i = 0; i < n; i++) rows[i] = json_array_get(list, i);
    qsort(rows, n, sizeof *rows, order);
    for (size_t i = 0; i < n; i++) json_array_append(sorted, rows[i]);
    free(rows);
    json_decref(list);
    return sorted;
}

// A submission that could not be graded: its row in the gradebook is all there is of it.
static void add_ungraded(lab_class *all, const char *folder) {
    static const char why[] = "it has no result: grader/grade_all --regrade errors --out DIR tries again, and says why";
    lab_student *s = &all->students[all->n++];
    s->folder = strdup(folder), s->name = strdup(folder), s->error = strdup(why), s->no_pages = 1;
    s->found = json_array();
    s->tasks = calloc((size_t)lab_n_tasks, sizeof *s->tasks);
}

int lab_class_read(const char *folder, lab_class *all) {
    *all = (lab_class){.folder = folder, .claims = json_array(), .ladders = json_array()};
    struct dirent **names;
    const int n = scandir(folder, &names, NULL, alphasort);
    if (n < 0) return fprintf(stderr, "report: cannot read %s: %s\n", folder, strerror(errno)), 0;
    json_t *claims = json_object(), *ladders = json_object(), *ungraded = lab_ungraded_read(folder), *name;
    size_t k;
    all->max = calloc((size_t)lab_n_tasks, sizeof *all->max);
    all->students = calloc((size_t)n + json_array_size(ungraded) + 1, sizeof *all->students);
    if (!all->max || !all->students) abort();
    for (int i = 0; i < n; i++) {
        if (is_result(folder, names[i]->d_name)) {
            lab_student *s = &all->students[all->n++];
            s->folder = strdup(names[i]->d_name);
            read_student(all, s, claims, ladders);
        }
        free(names[i]);
    }
    free(names);
    json_array_foreach(ungraded, k, name) {
        if (!is_result(folder, json_string_value(name))) add_ungraded(all, json_string_value(name));
    }
    json_decref(claims), json_decref(ladders), json_decref(ungraded);
    qsort(all->students, (size_t)all->n, sizeof *all->students, by_name);
    all->ladders = lab_sorted(all->ladders, by_task);
    all->pairs = lab_pairs_read(folder);
    return 1;
}

void lab_class_free(lab_class *all) {
    for (int i = 0; i < all->n; i++) {
        lab_student *s = &all->students[i];
        free(s->folder), free(s->name), free(s->error), free(s->tasks);
        json_decref(s->found), json_decref(s->manual);
    }
    free(all->students), free(all->max);
    free(all->created), free(all->lab_commit), free(all->backend), free(all->machine);
    json_decref(all->claims), json_decref(all->ladders), json_decref(all->pairs);
}
