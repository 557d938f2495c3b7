// gradebook.c: many results.json -> one CSV file (RFC 4180), a row a submission, sorted by name.
//
//     gradebook OUT.csv RESULTS.json...
//
// A result that cannot be read becomes a row that says GRADER_ERROR with an empty score: never a zero.
// Exit status: 0 written, 1 written with such rows, or not writable, 2 wrong usage.
#include "results.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *path;
    char *name;    // the submission; of an unreadable result the folder it lies in
    json_t *root;  // NULL: could not be read
    char error[512];
} entry;

// DIR/NAME/results.json is the result of NAME.
static char *folder_name(const char *path) {
    const char *end = strrchr(path, '/');
    if (!end) {
        return strdup(path);
    }
    const char *start = end;
    while (start > path && start[-1] != '/') {
        start--;
    }
    return start == end ? strdup(path) : strndup(start, (size_t)(end - start));
}

static void read_entry(entry *e, const char *path) {
    e->path = path;
    e->root = results_load(path, e->error, sizeof e->error);
    e->name = e->root ? strdup(results_text(e->root, "submission")) : folder_name(path);
    if (!e->name) {
        perror("gradebook");
        exit(1);
    }
}

static int by_name(const void *a, const void *b) {
    const entry *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order ? order : strcmp(x->path, y->path);
}

// A quoted cell. A spreadsheet runs what starts with = + - or @ as a formula, quoted or not, also behind blanks; an
// apostrophe in front makes it text. Control characters become blanks.
static void put_text(FILE *out, const char *text) {
    const char *start = text;
    while (*start && (unsigned char)*start <= ' ') {
        start++;
    }
    fputs(*start && strchr("=+-@", *start) ? "\"'" : "\"", out);
    for (const char *c = text; *c; c++) {
        unsigned char u = (unsigned char)*c;
        fputs(*c == '"' ? "\"" : "", out);
        fputc(u < 0x20 || u == 0x7f ? ' ' : *c, out);
    }
    fputc('"', out);
}

static const json_t *find_task(const json_t *root, const char *id) {
    const json_t *tasks = json_object_get(root, "tasks");
    for (size_t i = 0; i < json_array_size(tasks); i++) {
        const json_t *task = json_array_get(tasks, i);
        if (strcmp(results_text(task, "id"), id) == 0) {
            return task;
        }
    }
    return NULL;
}

static int by_text(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }

// Every task id that occurs in any result, sorted, once each. The caller frees the list; the strings belong to the
// results.
static const char **task_ids(const entry *entries, size_t entry_count, size_t *count) {
    size_t total = 0;
    for (size_t i = 0; i < entry_count; i++) {
        total += json_array_size(json_object_get(entries[i].root, "tasks"));
    }
    const char **ids = calloc(total + 1, sizeof *ids);
    if (!ids) {
        return NULL;
    }
    total = 0;
    for (size_t i = 0; i < entry_count; i++) {
        const json_t *tasks = json_object_get(entries[i].root, "tasks");
        for (size_t t = 0; t < json_array_size(tasks); t++) {
            ids[total++] = results_text(json_array_get(tasks, t), "id");
        }
    }
    qsort(ids, total, sizeof *ids, by_text);
    *count = 0;
    for (size_t i = 0; i < total; i++) {
        if (*count == 0 || strcmp(ids[*count - 1], ids[i]) != 0) {
            ids[(*count)++] = ids[i];
        }
    }
    return ids;
}

static void put_header(FILE *out, const char *const *ids, size_t id_count) {
    fputs("submission,score,max_score,bonus", out);
    for (size_t i = 0; i < id_count; i++) {
        fprintf(out, ",%s_score,%s_verdict", ids[i], ids[i]);
    }
    fputs(",status\r\n", out);
}

static void put_row(FILE *out, const entry *e, const char *const *ids, size_t id_count) {
    put_text(out, e->name);
    if (e->root) {
        fprintf(out, ",%.10g,%.10g,%.10g", results_number(e->root, "score"), results_number(e->root, "max_score"),
                results_number(e->root, "bonus"));
    } else {
        fputs(",,,", out);
    }
    for (size_t i = 0; i < id_count; i++) {
        const json_t *task = e->root ? find_task(e->root, ids[i]) : NULL;
        if (task) {
            fprintf(out, ",%.10g,%s", results_number(task, "score"), results_text(task, "verdict"));
        } else {
            fputs(e->root ? ",," : ",,GRADER_ERROR", out);
        }
    }
    fputs(e->root ? ",GRADED\r\n" : ",GRADER_ERROR\r\n", out);
}

static int write_rows(FILE *out, const entry *entries, size_t count) {
    size_t id_count = 0;
    const char **ids = task_ids(entries, count, &id_count);
    if (!ids) {
        perror("gradebook");
        return 1;
    }
    put_header(out, ids, id_count);
    int status = 0;
    for (size_t i = 0; i < count; i++) {
        put_row(out, &entries[i], ids, id_count);
        if (!entries[i].root) {
            fprintf(stderr, "gradebook: %s\n", entries[i].error);
            status = 1;
        }
    }
    free(ids);
    return status;
}

// Written beside its place and then moved there, so that a full disk leaves the old gradebook as it was.
static int write_book(const char *path, const entry *entries, size_t count) {
    char part[4096];
    snprintf(part, sizeof part, "%s.part", path);
    FILE *out = fopen(part, "w");
    if (!out) {
        fprintf(stderr, "gradebook: cannot write %s: %s\n", part, strerror(errno));
        return 1;
    }
    int status = write_rows(out, entries, count);
    bool failed = fflush(out) != 0 || ferror(out);
    if (fclose(out) != 0 || failed || rename(part, path) != 0) {
        fprintf(stderr, "gradebook: cannot write %s: %s\n", path, strerror(errno));
        remove(part);
        return 1;
    }
    return status;
}

int main(int argc, char **argv) {
    if (argc < 3) {
        fprintf(stderr, "usage: gradebook OUT.csv RESULTS.json...\n");
        return 2;
    }
    size_t count = (size_t)argc - 2;
    entry *entries = calloc(count, sizeof *entries);
    if (!entries) {
        perror("gradebook");
        return 1;
    }
    for (size_t i = 0; i < count; i++) {
        read_entry(&entries[i], argv[i + 2]);
    }
    qsort(entries, count, sizeof *entries, by_name);
    int status = write_book(argv[1], entries, count);
    for (size_t i = 0; i < count; i++) {
        json_decref(entries[i].root);
        free(entries[i].name);
    }
    free(entries);
    return status;
}
