// right_lines.c: lines of functions all of whose claims hold: what looks odd in them is not the mistake.
#define _GNU_SOURCE
#include "right_lines.h"

#include <stdio.h>
#include <string.h>

#include "judged.h"
#include "source_calls.h"
#include "source_lines.h"

// The function that begins here is one of those in the list, by its name before the bracket.
static int is_listed(const char *function, const char *list) {
    char names[400];
    const char *open = function ? strchr(function, '(') : NULL;
    snprintf(names, sizeof names, "%s", list);
    for (char *rest = names, *name; open && (name = strsep(&rest, ","));)
        if (*name && lab_has_word(function, open, name)) return 1;
    return 0;
}

// All that launch the kernel are listed, and somebody does.
static int is_launched_by_listed(const char *text, const char *kernel, const char *list) {
    char name[LAB_LONGEST_WORD];
    int launches = 0;
    if (!lab_name_of_function(kernel, name)) return 0;
    for (const char *at = text; (at = strstr(at, name)); at += strlen(name)) {
        const char *behind = at + strlen(name);
        if (lab_is_word(*behind) || (at > text && lab_is_word(at[-1])) || lab_function_of(text, at) == kernel) continue;
        if (!is_listed(lab_function_of(text, at), list)) return 0;
        launches++;
    }
    return launches > 0;
}

int lab_line_is_right(const char *text, int line) {
    char right[400];
    const char *at = lab_line_at(text, line), *function = at ? lab_function_of(text, at) : NULL;
    lab_judged_functions(0, right, sizeof right);
    if (!function || !*right) return 0;
    const char *global = strstr(function, "__global__");
    const int kernel = global && global < function + strcspn(function, "\n");
    return is_listed(function, right) || (kernel && is_launched_by_listed(text, function, right));
}
