// given_text.c: the lines of a student's file and of the handout's, without what stands around them and without comments.
#define _GNU_SOURCE
#include "given_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { OF_TEN = 6 };  // so many tenths of the handout's lines are there

// Without what stands around it, and without a comment.
static char *trimmed(const char *row) {
    row += strspn(row, " \t");
    const char *comment = strstr(row, "//"), *end = comment ? comment : row + strlen(row);
    while (end > row && strchr(" \t\r\n", end[-1])) end--;
    return strndup(row, (size_t)(end - row));
}

lab_text lab_text_read(const char *path) {
    lab_text t = {0};
    char *row = NULL;
    size_t room = 0;
    int todo = 0;
    FILE *f = fopen(path, "r");
    while (f && getline(&row, &room, f) >= 0) {
        char **more = realloc(t.line, (size_t)(t.n + 1) * sizeof *more);
        unsigned char *of_todo = realloc(t.todo, (size_t)t.n + 1);
        if (more) t.line = more;
        if (of_todo) t.todo = of_todo;
        if (!more || !of_todo) break;
        todo = !strncmp(row + strspn(row, " \t"), "//", 2) && (todo || strstr(row, "TODO "));
        t.todo[t.n] = todo;
        t.line[t.n] = trimmed(row);
        if (!t.line[t.n]) break;
        t.n++;
    }
    if (f) fclose(f);
    free(row);
    return t;
}

void lab_text_discard(lab_text *t) {
    for (int i = 0; i < t->n; i++) free(t->line[i]);
    free(t->line), free(t->todo);
}

int lab_text_count(const lab_text *t, const char *line) {
    int n = 0;
    for (int i = 0; i < t->n; i++) n += strcmp(t->line[i], line) == 0;
    return n;
}

static int is_same_file(const char *a, const char *b) {
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

// A handout has a copy of what was in it; in the whole tree the skeleton stands in the task's folder.
lab_text lab_text_of_skeleton(const lab_task *task, const char *source) {
    char path[160];
    snprintf(path, sizeof path, "grader/repair/given/%s.txt", task->id);
    lab_text t = lab_text_read(path);
    if (t.n) return t;
    lab_text_discard(&t);
    snprintf(path, sizeof path, "%s/%s", task->folder, task->file);
    return is_same_file(path, source) ? (lab_text){0} : lab_text_read(path);
}

// What the handout gave to be turned: static int plain = 0; and #define REGISTER_TILES 1. Another value is no slip.
int lab_is_switch(const char *line) {
    const char *set = strchr(line, '=');
    if (!strncmp(line, "#define ", 8)) return 1;
    return !strncmp(line, "static int ", 11) && set && !strchr(line, '(') &&
           strspn(set + 1, " 0123456789;") == strlen(set + 1);
}

// Few of the skeleton's lines stand in a file of one's own.
int lab_is_handout(const lab_text *skeleton, const lab_text *own) {
    int says = 0, there = 0;
    for (int i = 0; i < skeleton->n; i++)
        if (strlen(skeleton->line[i]) >= LAB_LEAST_LETTERS) says++, there += lab_text_count(own, skeleton->line[i]) > 0;
    return says && 10 * there >= OF_TEN * says;
}

// What two lines have in common at their begins and ends, in letters of the longer one.
int lab_are_alike(const char *a, const char *b) {
    enum { ALIKE = 60 };  // of a hundred
    const size_t n = strlen(a), m = strlen(b), less = n < m ? n : m, more = n < m ? m : n;
    size_t first = 0, last = 0;
    while (first < less && a[first] == b[first]) first++;
    while (last < less - first && a[n - 1 - last] == b[m - 1 - last]) last++;
    return more && 100 * (first + last) >= ALIKE * more;
}
