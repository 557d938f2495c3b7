// given.c: the lines of a student's file that the handout gave. They are right: no change of them is a cure.
#define _GNU_SOURCE
#include "given.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { LEAST = 8, OF_TEN = 6 };  // letters of a line that says something; so many tenths of the handout's are there

typedef struct {
    char **line;
    int n;
} text;

// Without what stands around it, and without a comment.
static char *trimmed(const char *row) {
    row += strspn(row, " \t");
    const char *comment = strstr(row, "//"), *end = comment ? comment : row + strlen(row);
    while (end > row && strchr(" \t\r\n", end[-1])) end--;
    return strndup(row, (size_t)(end - row));
}

static text read_lines(const char *path) {
    text t = {NULL, 0};
    char *row = NULL;
    size_t room = 0;
    FILE *f = fopen(path, "r");
    while (f && getline(&row, &room, f) >= 0) {
        char **more = realloc(t.line, (size_t)(t.n + 1) * sizeof *more);
        if (!more) break;
        t.line = more;
        t.line[t.n] = trimmed(row);
        if (!t.line[t.n]) break;
        t.n++;
    }
    if (f) fclose(f);
    free(row);
    return t;
}

static void discard(text *t) {
    for (int i = 0; i < t->n; i++) free(t->line[i]);
    free(t->line);
}

static int count(const text *t, const char *line) {
    int n = 0;
    for (int i = 0; i < t->n; i++) n += strcmp(t->line[i], line) == 0;
    return n;
}

static int is_same_file(const char *a, const char *b) {
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

// A handout has a copy of what was in it; in the whole tree the skeleton stands in the task's folder.
static text read_skeleton(const lab_task *task, const char *source) {
    char path[160];
    snprintf(path, sizeof path, "grader/repair/given/%s.txt", task->id);
    text t = read_lines(path);
    if (t.n) return t;
    discard(&t);
    snprintf(path, sizeof path, "%s/%s", task->folder, task->file);
    return is_same_file(path, source) ? (text){NULL, 0} : read_lines(path);
}

// Does this line follow that one in the handout, too?
static int follows(const text *t, const char *line, const char *before) {
    for (int i = 1; i < t->n; i++)
        if (strcmp(t->line[i], line) == 0 && strcmp(t->line[i - 1], before) == 0) return 1;
    return 0;
}

void lab_given_mark(const lab_task *task, const char *source, unsigned char *given, int most) {
    text skeleton = read_skeleton(task, source), own = read_lines(source);
    int says = 0, there = 0;
    memset(given, 0, (size_t)most);
    for (int i = 0; i < skeleton.n; i++) {
        if (strlen(skeleton.line[i]) < LEAST) continue;
        says++, there += count(&own, skeleton.line[i]) > 0;
    }
    // A line that stands here once more than there may be the student's; a barrier behind a line that it follows there,
    // too, is given.
    for (int i = 0; i < own.n && i + 1 < most && 10 * there >= OF_TEN * says && says; i++) {
        const int n = strlen(own.line[i]) < LEAST ? 0 : count(&skeleton, own.line[i]);
        given[i + 1] =
            n && (count(&own, own.line[i]) <= n || (i > 0 && given[i] && strncmp(own.line[i], "__sync", 6) == 0 &&
                                                    follows(&skeleton, own.line[i], own.line[i - 1])));
    }
    discard(&skeleton), discard(&own);
}
