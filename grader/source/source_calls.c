// source_calls.c: lists of parameters and of arguments.
#include "source_calls.h"

#include <string.h>

#include "source_lines.h"

int lab_copy_word(const char *from, const char *to, char out[LAB_LONGEST_WORD]) {
    int n = 0;
    for (; from < to; from++)
        if (!strchr(" \t\n", *from)) {
            if (n == LAB_LONGEST_WORD - 1) return 0;
            out[n++] = *from;
        }
    out[n] = 0;
    return n;
}

const char *lab_behind_bracket(const char *open) {
    int depth = 0;
    for (; *open; open++) {
        depth += strchr("([{", *open) != NULL, depth -= strchr(")]}", *open) != NULL;
        if (depth == 0) return open + 1;
    }
    return open;
}

const char *lab_in_list(const char *from, const char *to, int number, const char **end) {
    for (int i = 0; from < to; i++) {
        const char *at = from;
        for (int depth = 0; at < to && (depth || *at != ','); at++)
            depth += strchr("([{", *at) != NULL, depth -= strchr(")]}", *at) != NULL;
        if (i == number) {
            *end = at;
            return from;
        }
        from = at + 1;
    }
    return NULL;
}

// The bracket before its parameters; __launch_bounds__(128) has one of its own.
static const char *open_of(const char *function) {
    const char *open = strchr(function, '(');
    for (const char *name = open; open; name = open = strchr(lab_behind_bracket(open), '(')) {
        while (name > function && lab_is_word(name[-1])) name--;
        if (strncmp(name, "__", 2)) break;
    }
    return open;
}

int lab_parameter_of(const char *function, const char *name) {
    const char *open = open_of(function), *close = open ? lab_behind_bracket(open) - 1 : NULL, *end;
    const size_t n = strlen(name);
    for (int i = 0; open && close > open; i++) {
        const char *at = lab_in_list(open + 1, close, i, &end);
        if (!at) break;
        if ((size_t)(end - at) > n && !memcmp(end - n, name, n) && !lab_is_word(end[-(ptrdiff_t)n - 1])) return i;
    }
    return -1;
}

int lab_name_of_function(const char *function, char name[LAB_LONGEST_WORD]) {
    const char *open = open_of(function), *start = open;
    while (start && start > function && lab_is_word(start[-1])) start--;
    return open ? lab_copy_word(start, open, name) : 0;
}

const char *lab_argument_of(const char *text, const char *function, int number, char value[LAB_LONGEST_WORD]) {
    char name[LAB_LONGEST_WORD];
    const size_t n = (size_t)lab_name_of_function(function, name);
    for (const char *at = text; n && (at = strstr(at, name)); at += n) {
        const char *open = at + n, *end;
        if (at > text && lab_is_word(at[-1])) continue;
        const char *close = *open == '<' && open[1] != '<' ? strchr(open, '>') : NULL;  // f<true>(x)
        if (close && close[1] == '(') open = close + 1;
        if (!strncmp(open, "<<<", 3)) open = (open = strstr(open, ">>>")) ? open + 3 : "";
        if (*open != '(' || (at >= function && at < open_of(function))) continue;
        const char *from = lab_in_list(open + 1, lab_behind_bracket(open) - 1, number, &end);
        if (from) return lab_copy_word(from, end, value) ? at : NULL;
    }
    return NULL;
}

int lab_joins(const char *text, const char *open) {
    char name[LAB_LONGEST_WORD];
    const char *first = open;
    while (first > text && lab_is_word(first[-1])) first--;
    if (!lab_copy_word(first, open, name)) return 0;
    if (!strncmp(name, "__shfl", 6) || !strcmp(name, "atomicAdd")) return 1;
    const size_t n = strlen(name);
    for (const char *at = text; (at = strstr(at, name)); at++) {
        const char *close = at[n] == '(' && at > text && !lab_is_word(at[-1]) ? lab_matching(at + n) : NULL;
        const char *body = close ? lab_skip_blanks(close + 1) : NULL;
        const char *end = body && *body == '{' ? lab_matching(body) : NULL;
        if (!end) continue;
        const char *shuffle = strstr(body, "__shfl"), *barrier = strstr(body, "__syncthreads");
        if ((shuffle && shuffle < end) || (barrier && barrier < end)) return 1;
    }
    return 0;
}

const char *lab_bracket_around(const char *text, const char *at) {
    int depth = 0;
    for (at--; at > text && !strchr(";{}", *at); at--) {
        if (*at == ')') depth++;
        if (*at == '(' && depth-- == 0) return at;
    }
    return NULL;
}
