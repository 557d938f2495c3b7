// region.c: a TODO's lines are those of the function that holds its comment, and of the next one, where it goes on there;
// where the comment is gone, those of the function that its probe calls.
#define _GNU_SOURCE
#include "region.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"
#include "tasks.h"

int lab_names_todo(const char *row, const char *task, char todo[8]) {
    char words[24];
    snprintf(words, sizeof words, "TODO %.8s.", task + strlen("task"));
    const char *comment = strstr(row, "//"), *at = comment ? strstr(comment, words) : NULL;
    if (!at || at[strspn(at, "TODO .0123456789")] != ':') return 0;
    snprintf(todo, 8, "%.*s", (int)strspn(at + 5, ".0123456789"), at + 5);
    return 1;
}

static int is_name(char c) { return isalnum((unsigned char)c) || c == '_'; }

// A line at which a function of that name begins, or attn_ and the name.
static int begins_function(const char *row, const char *name) {
    const char *open = strchr(row, '(');
    const size_t n = strlen(name);
    if (!is_name(*row) || !open || strchr(row, ';') || open - row <= (long)n || strncmp(open - n, name, n)) return 0;
    const char *before = open - n;
    if (before - row > 5 && strncmp(before - 5, "attn_", 5) == 0) before -= 5;
    return before > row && !is_name(before[-1]);
}

// Is this the function that a probe of the TODO calls?
static int is_called_for(const char *row, const char *task, const char *todo) {
    static const char prefix[] = "lab_probe_";
    const lab_task *t = lab_task_find(task);
    for (const lab_case *c = t ? t->todos : NULL; c && c->claim; c++)
        if (strcmp(c->todo, todo) == 0 && strncmp(c->op->symbol, prefix, sizeof prefix - 1) == 0 &&
            begins_function(row, c->op->symbol + sizeof prefix - 1))
            return 1;
    return 0;
}

// A comment of a function's own, in which the TODO begins, or goes on: "// TODO 4.11, the second half."
static int is_named(const char *row, const char *task, const char *todo, int goes_on) {
    char named[8], words[24];
    if (!isspace((unsigned char)*row)) return 0;
    if (!goes_on) return lab_names_todo(row, task, named) && strcmp(named, todo) == 0;
    const int n = snprintf(words, sizeof words, "// TODO %s", todo);
    row += strspn(row, " \t");
    return strncmp(row, words, (size_t)n) == 0 && (row[n] == ',' || row[n] == ':');
}

static int look(const char *source, const char *task, const char *todo, int by_name, int *from, int *to) {
    char *row = NULL;
    size_t room = 0;
    int begin = 1, line = 1, found = 0, goes_on = 0;
    FILE *f = fopen(source, "r");
    *from = *to = 0;
    for (; f && !(by_name && *to) && getline(&row, &room, f) >= 0; line++) {
        if (*to)
            goes_on |= is_named(row, task, todo, 1);
        else if (by_name ? is_called_for(row, task, todo) : is_named(row, task, todo, 0))
            found = 1, *from = begin;
        if (*row == '}' && *to && !goes_on) break;
        if (*row == '}' && found) *to = line, goes_on = 0;
        if (*row == '}') begin = line + 1;
    }
    if (f) fclose(f);
    free(row);
    return *to > 0;
}

int lab_region_of(const char *source, const char *task, const char *todo, int *from, int *to) {
    return look(source, task, todo, 0, from, to) || look(source, task, todo, 1, from, to);
}
