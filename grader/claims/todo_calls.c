// todo_calls.c: what a wrong function gives is not the fault of the TODO that calls it.
#include "todo_calls.h"

#include <string.h>

#include "region.h"
#include "source_calls.h"
#include "source_lines.h"

int lab_todo_calls(const char *source, const char *text, const char *task, const char *todo, const char *other) {
    int from, to;
    char name[LAB_LONGEST_WORD];
    if (!source || !text || !*other || !strcmp(todo, other)) return 0;
    if (!lab_region_of(source, task, other, &from, &to)) return 0;
    const char *at = lab_line_at(text, to);  // the region begins behind the function before
    if (!at || !lab_name_of_function(lab_function_of(text, at), name) || !*name) return 0;
    if (!lab_region_of(source, task, todo, &from, &to)) return 0;
    const char *start = lab_line_at(text, from), *end = lab_line_at(text, to + 1);
    return start && lab_has_word(start, end ? end : start + strlen(start), name);
}
