// right_lines.c: lines of functions all of whose claims hold: what looks odd in them is not the mistake.
#define _GNU_SOURCE
#include "right_lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judged.h"
#include "source_calls.h"
#include "source_hints.h"
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

enum { DEPTH = 4 };

static int is_right(const char *text, const char *function, const char *list, int depth);

// All that call or launch it are right, and somebody does.
static int is_called_by_right(const char *text, const char *function, const char *list, int depth) {
    char name[LAB_LONGEST_WORD];
    int calls = 0;
    if (!lab_name_of_function(function, name)) return 0;
    for (const char *at = text; (at = strstr(at, name)); at += strlen(name)) {
        const char *behind = at + strlen(name), *around = lab_function_of(text, at);
        if (lab_is_word(*behind) || (at > text && lab_is_word(at[-1])) || around == function) continue;
        if (!is_right(text, around, list, depth - 1)) return 0;
        calls++;
    }
    return calls > 0;
}

static int is_right(const char *text, const char *function, const char *list, int depth) {
    return function && depth > 0 && (is_listed(function, list) || is_called_by_right(text, function, list, depth));
}

int lab_line_is_right(const char *text, int line) {
    char right[400];
    const char *at = lab_line_at(text, line);
    lab_judged_functions(0, right, sizeof right);
    return *right && at && is_right(text, lab_function_of(text, at), right, DEPTH);
}

// The text, with blanks in place of the bodies of what is right. NULL: there is no memory.
static char *without_right_lines(const char *text) {
    char *left = strdup(text);
    int line = 1;
    for (char *at = left; at && *at; line++) {
        const size_t n = strcspn(at, "\n");
        if (!lab_is_word(*at) && *at != '}' && lab_line_is_right(text, line)) memset(at, ' ', n);
        at += n + (at[n] == '\n');
    }
    return left;
}

int lab_place_in_wrong_lines(const char *text, const char *cause, char *sentence, size_t size) {
    char *left = text ? without_right_lines(text) : NULL;
    const int found = left && lab_place_of_cause(left, cause, sentence, size) && !strstr(sentence, "no line ");
    free(left);
    return found || lab_place_of_cause(text, cause, sentence, size);  // what is nowhere else is looked for everywhere
}
