// source_added.c: a kernel adds to its output in device memory, and nothing sets it first:
//
//     for (int k0 = 0; k0 < k; k0 += TILE) { ...; C[row * n + col] += sum; }
#include <stdio.h>
#include <string.h>

#include "source_calls.h"
#include "source_hints.h"
#include "source_lines.h"

enum { LONGEST = LAB_LONGEST_WORD };

// NAME[...] here, up to what follows the bracket. NULL: it is no element.
static const char *behind_element(const char *open) {
    const char *close = *open == '[' ? lab_behind_bracket(open) : NULL;
    return close ? lab_skip_blanks(close) : NULL;
}

// Does a line of this function store to it with a plain =?
static int is_set(const char *function, const char *end, const char *name) {
    const size_t n = strlen(name);
    for (const char *at = function; (at = strstr(at, name)) && at < end; at += n) {
        const char *behind = lab_is_word_at(function, at, name) ? behind_element(at + n) : NULL;
        if (behind && *behind == '=' && behind[1] != '=') return 1;
    }
    return 0;
}

// Of a kernel: a parameter that it may write.
static int is_output(const char *function, const char *name) {
    const int number = lab_parameter_of(function, name);
    const char *open = strchr(function, '('), *end, *from;
    while (open && number >= 0) {  // __launch_bounds__(N) stands before the list
        from = lab_in_list(open + 1, lab_matching(open), number, &end);
        if (from && (size_t)(end - from) > strlen(name) && !strncmp(end - strlen(name), name, strlen(name)))
            return !strncmp(from, "float", 5) && memchr(from, '*', (size_t)(end - from)) != NULL;
        open = strchr(open + 1, '(');
    }
    return 0;
}

int lab_hint_of_adding(const char *text, int from, int to, char *sentence, size_t size) {
    const char *start = lab_line_at(text, from), *stop = lab_line_at(text, to + 1);
    if (strstr(text, "cudaMemset")) return LAB_HINT_NONE;
    for (const char *at = start; at && (at = strchr(at, '[')) && (!stop || at < stop); at++) {
        const char *first = at, *behind = behind_element(at), *function = lab_function_of(text, at);
        char name[LONGEST];
        while (first > text && lab_is_word(first[-1])) first--;
        if (!behind || strncmp(behind, "+=", 2) || !lab_copy_word(first, at, name) || !function) continue;
        const char *end = strstr(function, "\n}"), *body = strchr(function, '{');
        if (!end || !body || at < body || !is_output(function, name) || is_set(body, end, name)) continue;
        const char *kernel = strstr(function, "__global__");
        if (!kernel || kernel > body) continue;
        snprintf(sentence, size,
                 "line %d adds to %s, and no line sets it before: nobody knows what an output holds when it is called. "
                 "Add up in a variable of the thread's own, and store that once, with =",
                 lab_line_of(text, at), name);
        return LAB_HINT_CAUSE;
    }
    return LAB_HINT_NONE;
}
