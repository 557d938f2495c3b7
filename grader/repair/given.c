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

// What the handout gave to be turned: static int plain = 0; and #define REGISTER_TILES 1. Another value is no slip.
static int is_switch(const char *line) {
    const char *set = strchr(line, '=');
    if (!strncmp(line, "#define ", 8)) return 1;
    return !strncmp(line, "static int ", 11) && set && !strchr(line, '(') &&
           strspn(set + 1, " 0123456789;") == strlen(set + 1);
}

// Few of the skeleton's lines stand in a file of one's own.
static int is_handout(const text *skeleton, const text *own) {
    int says = 0, there = 0;
    for (int i = 0; i < skeleton->n; i++)
        if (strlen(skeleton->line[i]) >= LEAST) says++, there += count(own, skeleton->line[i]) > 0;
    return says && 10 * there >= OF_TEN * says;
}

// A line of the skeleton that says something, is no switch, and stands in the file less often.
static int is_lost(const text *skeleton, const text *own, const char *line) {
    return strlen(line) >= LEAST && !is_switch(line) && count(own, line) < count(skeleton, line);
}

static text lost;  // lines of the handout that the file does not have as often

static void keep_lost(text *t, const char *line) {
    char **more = realloc(t->line, (size_t)(t->n + 1) * sizeof *more);
    if (more) t->line = more;
    if (more && (t->line[t->n] = strdup(line))) t->n++;
}

int lab_given_restores(const lab_edit *e) {
    char line[2 * LAB_FRAGMENT];
    const int at = e->column - 1 - e->indent;
    const size_t n = strlen(e->was);
    if (!n || *e->also || at < 0 || at > (int)strlen(e->whole) || strncmp(e->whole + at, e->was, n)) return 0;
    snprintf(line, sizeof line, "%.*s%s%s", at, e->whole, e->now, e->whole + at + n);
    return count(&lost, line) > 0;
}

void lab_given_mark(const lab_task *task, const char *source, unsigned char *given, int most) {
    text skeleton = read_skeleton(task, source), own = read_lines(source);
    const int handout = is_handout(&skeleton, &own);
    memset(given, 0, (size_t)most);
    discard(&lost), lost = (text){NULL, 0};
    for (int i = 0; i < skeleton.n && handout; i++)
        if (is_lost(&skeleton, &own, skeleton.line[i])) keep_lost(&lost, skeleton.line[i]);
    // A line that stands here once more than there may be the student's; a barrier behind a line that it follows there,
    // too, is given.
    for (int i = 0; i < own.n && i + 1 < most && handout; i++) {
        const int n = strlen(own.line[i]) < LEAST ? 0 : count(&skeleton, own.line[i]);
        given[i + 1] =
            n && (count(&own, own.line[i]) <= n || (i > 0 && given[i] && strncmp(own.line[i], "__sync", 6) == 0 &&
                                                    follows(&skeleton, own.line[i], own.line[i - 1])));
    }
    discard(&skeleton), discard(&own);
}

// What two lines have in common at their begins and ends, in letters of the longer one.
static int are_alike(const char *a, const char *b) {
    enum { ALIKE = 60 };  // of a hundred
    const size_t n = strlen(a), m = strlen(b), less = n < m ? n : m, more = n < m ? m : n;
    size_t first = 0, last = 0;
    while (first < less && a[first] == b[first]) first++;
    while (last < less - first && a[n - 1 - last] == b[m - 1 - last]) last++;
    return more && 100 * (first + last) >= ALIKE * more;
}

static int next_to(const text *t, int i, int step) {
    for (i += step; i >= 0 && i < t->n; i += step)
        if (*t->line[i]) return i;
    return -1;
}

static int is_next_same(const text *skeleton, int i, const text *own, int k, int step) {
    const int a = next_to(skeleton, i, step), b = next_to(own, k, step);
    return a >= 0 && b >= 0 && strcmp(skeleton->line[a], own->line[b]) == 0;
}

// Own line k stands where line i of the skeleton did: between the same two lines, or beside one of them and much alike.
// What stands right behind a comment may be there to be replaced: return 0.0f;
static int stands_for(const text *skeleton, int i, const text *own, int k) {
    const int same = is_next_same(skeleton, i, own, k, -1) + is_next_same(skeleton, i, own, k, 1);
    return (same == 2 && i > 0 && *skeleton->line[i - 1]) || (same && are_alike(skeleton->line[i], own->line[k]));
}

int lab_given_altered(const lab_task *task, const char *source, char *was, size_t size) {
    text skeleton = read_skeleton(task, source), own = read_lines(source);
    const int handout = is_handout(&skeleton, &own);
    int line = 0, n = 0;
    for (int i = 0; i < skeleton.n && handout; i++) {
        const char *given = skeleton.line[i];
        if (!is_lost(&skeleton, &own, given) || strstr(given, "TODO")) continue;
        for (int k = 0; k < own.n; k++) {
            if (count(&skeleton, own.line[k]) || !stands_for(&skeleton, i, &own, k)) continue;
            snprintf(was, size, "%s", given);
            line = k + 1, n++;
            break;
        }
    }
    discard(&skeleton), discard(&own);
    return n == 1 ? line : 0;
}
