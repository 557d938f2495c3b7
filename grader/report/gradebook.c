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
    json_t *root;  // NULL: could not be read
    char error[512];
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

static void put_row(FILE *out, const entry *e) {
    lab_csv_put(out, e->name);
    if (e->root)
        fprintf(out, ",%.10g,%.10g,%.10g", lab_num(e->root, "score"), lab_num(e->root, "max_score"),
                lab_num(e->root, "bonus"));
    else
        fputs(",,,", out);
    for (int i = 0; i < lab_n_tasks; i++) {
        const json_t *task = lab_task_in(e->root, lab_tasks[i].id);
        if (task)
            fprintf(out, ",%.10g,%s", lab_num(task, "score"), lab_str(task, "verdict"));
        else
            fputs(e->root ? ",," : ",,GRADER_ERROR", out);
    }
    fputs(e->root ? ",GRADED\r\n" : ",GRADER_ERROR\r\n", out);
}

int lab_report_gradebook(int argc, char **argv) {
    const int n = argc - 1;
    int failed = 0;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    entry *entries = calloc((size_t)n, sizeof *entries);
    if (!out || !entries) abort();
    for (int i = 0; i < n; i++) {
        entry *e = &entries[i];
        e->path = argv[1 + i];
        e->root = lab_results_load(e->path, e->error, sizeof e->error);
        e->name = e->root ? strdup(lab_str(e->root, "submission")) : folder_name(e->path);
    }
    qsort(entries, (size_t)n, sizeof *entries, by_name);
    fputs("submission,score,max_score,bonus", out);
    for (int i = 0; i < lab_n_tasks; i++) fprintf(out, ",%s_score,%s_verdict", lab_tasks[i].id, lab_tasks[i].id);
    fputs(",status\r\n", out);
    for (int i = 0; i < n; i++) {
        put_row(out, &entries[i]);
        if (!entries[i].root) failed = fprintf(stderr, "report: %s\n", entries[i].error);
        json_decref(entries[i].root);
        free(entries[i].name);
    }
    fclose(out);
    const int good = lab_write_file(argv[0], text, size);
    free(text), free(entries);
    return failed || !good;
}
