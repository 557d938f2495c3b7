// todo_calls.c: what a wrong function gives is not the fault of the TODO that calls it, or a function that does.
#include "todo_calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"
#include "region.h"
#include "source_calls.h"
#include "source_lines.h"
#include "tasks.h"
#include "todo.h"

enum { DEEPEST = 3 };  // calls of calls

// Does this part of the text, or what it calls, have that name?
static int reaches(const char *text, const char *from, const char *to, const char *name, int deep) {
    char called[LAB_LONGEST_WORD];
    if (lab_has_word(from, to, name)) return 1;
    for (const char *at = text, *next; deep && at; at = next) {
        next = strchr(at, '\n');
        if (next) next++;
        const char *body = lab_is_word(*at) ? at + strcspn(at, ";{") : "";
        const char *end = *body == '{' ? lab_matching(body) : NULL;
        if (end && lab_name_of_function(at, called) && lab_has_word(from, to, called) &&
            reaches(text, body, end, name, deep - 1))
            return 1;
    }
    return 0;
}

int lab_todo_calls(const char *source, const char *text, const char *task, const char *todo, const char *other) {
    int from, to;
    char name[LAB_LONGEST_WORD];
    if (!source || !text || !*other || !strcmp(todo, other)) return 0;
    if (!lab_region_of(source, task, other, &from, &to)) return 0;
    const char *at = lab_line_at(text, to);  // the region begins behind the function before
    if (!at || !lab_name_of_function(lab_function_of(text, at), name) || !*name) return 0;
    if (!lab_region_of(source, task, todo, &from, &to)) return 0;
    const char *start = lab_line_at(text, from), *end = lab_line_at(text, to + 1);
    return start && reaches(text, start, end ? end : start + strlen(start), name, DEEPEST);
}

const char *lab_todo_waits(const char *source, const char *text, const lab_case *c, const char *held) {
    const lab_case *row;
    char name[24];
    for (int i = 0; source && text && c->todo && (row = lab_case_at(i)); i++) {
        if (!row->todo || strcmp(row->task, c->task)) continue;
        if (!strcmp(row->todo, c->todo)) break;
        if (!lab_todo_is_open(text, row->todo)) continue;
        snprintf(name, sizeof name, " %s,", row->todo);
        if (!strstr(held, name) && lab_todo_calls(source, text, c->task, c->todo, row->todo)) return row->todo;
    }
    return NULL;
}

void lab_todo_of_change(const char *source, const char *task, char *change, size_t size) {
    const lab_task *t = lab_task_find(task);
    const char *line = strstr(change, "line"), *todo = NULL;
    const int at = line ? atoi(line + strcspn(line, "0123456789")) : 0;
    for (const lab_case *c = t ? t->todos : NULL; c && c->claim; c++) {
        int from, to;
        if ((todo && !strcmp(todo, c->todo)) || !lab_region_of(source, task, c->todo, &from, &to)) continue;
        if (at < from || at > to) continue;
        if (todo) return;  // several in one function
        todo = c->todo;
    }
    const size_t used = strlen(change);
    if (todo) snprintf(change + used, size - used, " The claims of TODO %s alone do not show it.", todo);
}
