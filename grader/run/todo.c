// todo.c: looks for ATTN_TODO(task, step) in a file's text.
#define _GNU_SOURCE
#include "todo.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Where a comment or a literal that starts at p ends; p itself if none does. In 1'000 none does.
static char *skipped(const char *text, char *p) {
    char *end;
    if (*p == '\'' && p > text && isxdigit((unsigned char)p[-1]) && isxdigit((unsigned char)p[1])) return p;
    if (strncmp(p, "//", 2) == 0) return p + strcspn(p, "\n");
    if (strncmp(p, "/*", 2) == 0) return (end = strstr(p + 2, "*/")) ? end + 2 : p + strlen(p);
    if (*p != '"' && *p != '\'') return p;
    for (end = p + 1; *end && *end != *p && *end != '\n'; end++)
        if (*end == '\\' && end[1]) end++;
    return *end ? end + 1 : end;
}

char *lab_todo_text(const char *path) {
    char *text = NULL;
    size_t size = 0;
    FILE *f = fopen(path, "r");
    if (f && getdelim(&text, &size, 0, f) < 0) free(text), text = NULL;
    if (f) fclose(f);
    return text;
}

int lab_todo_speaks_of(const char *path, const char *task) {
    char words[24], *text = lab_todo_text(path);
    snprintf(words, sizeof words, "TODO %.8s.", task + strlen("task"));
    const int speaks = text && strstr(text, words);
    free(text);
    return speaks;
}

char *lab_todo_read(const char *path) {
    char *text = lab_todo_text(path);
    for (char *p = text; p && *p;) {
        char *const end = skipped(text, p);
        if (end == p) p++;
        for (; p < end; p++)
            if (*p != '\n') *p = ' ';  // lines keep their numbers
    }
    return text;
}

// Writes the next ATTN_TODO(task, step) from p on to todo and returns its end, or NULL.
static const char *next_todo(const char *p, char todo[24]) {
    int task, step;
    while (p && (p = strstr(p, "ATTN_TODO"))) {
        p += strlen("ATTN_TODO");
        if (sscanf(p, " ( %9d , %9d )", &task, &step) != 2) continue;
        snprintf(todo, 24, "%d.%d", task, step);
        return p;
    }
    return NULL;
}

int lab_todo_is_open(const char *text, const char *todo) {
    char found[24];
    for (const char *p = text; (p = next_todo(p, found));)
        if (strcmp(found, todo) == 0) return 1;
    return 0;
}

void lab_todo_first(const char *text, char todo[24]) {
    if (!next_todo(text, todo)) *todo = 0;
}

// A name that is defined as 0, and asked for as "if (NAME)".
void lab_todo_switch_off(const char *text, char name[40]) {
    char asked[56];
    for (const char *at = text; (at = strstr(at, "#define "));) {
        const char *word = at += strlen("#define ");
        const int n = (int)strcspn(word, " \t\n(");
        const char *value = word + n + strspn(word + n, " \t");
        snprintf(name, 40, "%.*s", n, word);
        snprintf(asked, sizeof asked, "if (%s)", name);
        if (n < 40 && *value == '0' && value[1 + strspn(value + 1, " \t")] == '\n' && strstr(text, asked)) return;
    }
    *name = 0;
}
