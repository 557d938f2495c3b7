// gradebook.c: many results.json -> one CSV file (RFC 4180), a row a submission, sorted by name.
//
// A result that cannot be read becomes a row that says GRADER_ERROR with an empty score: never a zero.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csv.h"
#include "files.h"
#include "results.h"
#include "tasks.h"
#include "verbs.h"

typedef struct {
    const char *path;
    char *name;    // the submission; of an unreadable result the folder it lies in
    char *row;     // its line, without the name: results are read one after the other, and a class is large
    char *folder;  // of DIR: two of one name differ in it
} entry;

// DIR/NAME/results.json is the result of NAME.
static char *folder_name(const char *path) {
    const char *end = strrchr(path, '/'), *start = end;
    while (start && start > path && start[-1] != '/') start--;
    return start == end ? strdup(path) : strndup(start, (size_t)(end - start));
}

static int by_name(const void *a, const void *b) {
    const entry *x = a, *y = b;
    const int order = strcmp(x->name, y->name);
    return order ? order : strcmp(x->path, y->path);
}

// What people added (grade_all's manual.csv and late.csv), and the sum of it all.
static void put_manual(FILE *out, const json_t *root) {
    const json_t *manual = json_object_get(root, "manual");
    char *comments = NULL;
    size_t size, i;
    double points = 0;
    json_t *item;
    FILE *text = open_memstream(&comments, &size);
    if (!text) abort();
    json_array_foreach(json_object_get(manual, "items"), i, item) {
        points += json_number_value(json_object_get(item, "points"));
        if (*lab_str(item, "comment"))
            fprintf(text, "%s%s: %s", ftell(text) ? "; " : "", lab_str(item, "item"), lab_str(item, "comment"));
    }
    fclose(text);
    if (manual)
        fprintf(out, ",%.10g,%.10g,%.10g,%.10g,", points, lab_num(manual, "late_days"), lab_num(manual, "penalty"),
                lab_num(manual, "total"));
    else
        fprintf(out, root ? ",,,,%.10g," : ",,,,,", lab_num(root, "score") + lab_num(root, "bonus"));
    lab_csv_put(out, comments);
    free(comments);
}

static char *row_of(const json_t *root, const char *folder) {
    char *row = NULL;
    size_t size;
    FILE *out = open_memstream(&row, &size);
    if (!out) abort();
    if (root)
        fprintf(out, ",%.10g,%.10g,%.10g", lab_num(root, "score"), lab_num(root, "max_score"), lab_num(root, "bonus"));
    else
        fputs(",,,", out);
    for (int i = 0; i < lab_n_tasks; i++) {
        const json_t *task = lab_task_in(root, lab_tasks[i].id);
        if (task)
            fprintf(out, ",%.10g,%s", lab_num(task, "score"), lab_str(task, "verdict"));
        else
            fputs(root ? ",," : ",,GRADER_ERROR", out);
    }
    fputs(root ? ",GRADED" : ",GRADER_ERROR", out);
    put_manual(out, root);
    fputc(',', out);
    lab_csv_put(out, folder);
    fputs("\r\n", out);
    fclose(out);
    return row;
}

// Returns 0 after saying why the result cannot be read.
static int read_entry(entry *e, const char *path) {
    char error[512];
    json_t *root = lab_results_load(path, error, sizeof error);
    *e = (entry){.path = path, .folder = folder_name(path)};
    e->name = strdup(root ? lab_str(root, "submission") : e->folder);
    e->row = row_of(root, e->folder);
    if (!root) fprintf(stderr, "report: %s\n", error);
    json_decref(root);
    return root != NULL;
}

int lab_report_gradebook(int argc, char **argv) {
    const int n = argc - 1;
    int failed = 0;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    entry *entries = calloc((size_t)n, sizeof *entries);
    if (!out || !entries) abort();
    for (int i = 0; i < n; i++) failed |= !read_entry(&entries[i], argv[1 + i]);
    qsort(entries, (size_t)n, sizeof *entries, by_name);
    fputs("submission,score,max_score,bonus", out);
    for (int i = 0; i < lab_n_tasks; i++) fprintf(out, ",%s_score,%s_verdict", lab_tasks[i].id, lab_tasks[i].id);
    fputs(",status,manual,late_days,penalty,total,comments,folder\r\n", out);
    for (int i = 0; i < n; i++) {
        lab_csv_put(out, entries[i].name);
        fputs(entries[i].row, out);
        free(entries[i].name), free(entries[i].row), free(entries[i].folder);
    }
    fclose(out);
    const int good = lab_write_file(argv[0], text, size);
    free(text), free(entries);
    return failed || !good;
}
