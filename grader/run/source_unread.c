// source_unread.c: a count that a function is given and does not read, and a loop of it that ends at something else:
//
//     static void scale(float *p, float l, int cols) {
//         for (int c = 0; c < l; c++) ...
#include "source_calls.h"
#include "source_hints.h"
#include "source_lines.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = LAB_LONGEST_WORD, MOST = 200 };

// The word behind < or <= in the condition of a loop that begins here.
static int bound_of(const char *loop, char bound[LONGEST]) {
    const char *close = lab_behind_bracket(loop + strcspn(loop, "(")), *first = strchr(loop, ';');
    const char *second = first ? strchr(first + 1, ';') : NULL, *less = first ? strchr(first, '<') : NULL;
    if (!second || second > close || !less || less > second) return 0;
    const char *from = less + 1 + (less[1] == '=');
    if (!lab_copy_word(from, second, bound)) return 0;
    for (const char *c = bound; *c; c++)
        if (!lab_is_word(*c)) return 0;
    return *bound < '0' || *bound > '9';
}

static int is_unread(const char *text, const char *function, const char *body, const char *end, const char *loop,
                     char *sentence, size_t size) {
    char bound[LONGEST], name[LONGEST];
    const char *open = strchr(function, '('), *close = lab_behind_bracket(open) - 1, *to, *at;
    const int known = bound_of(loop, bound);
    for (int i = 0; known && (at = lab_in_list(open + 1, close, i, &to)); i++) {
        at += strspn(at, " \n");
        if (!strncmp(at, "const ", 6)) at += 6;
        const size_t n = !strncmp(at, "int ", 4) ? 4 : !strncmp(at, "size_t ", 7) ? 7 : 0;
        if (!n || !lab_is_word(at[n]) || !lab_copy_word(at + n, to, name) || lab_has_word(body, end, name)) continue;
        char count[2][LONGEST + 8];  // the loop ends at a count, too: then another place may lack this one
        snprintf(count[0], sizeof count[0], "float %s", bound), snprintf(count[1], sizeof count[1], "double %s", bound);
        if (!lab_has_word(function, loop, count[0]) && !lab_has_word(function, loop, count[1]))
            snprintf(sentence, size,
                     "line %d declares %s, and no line reads it: an index or the end of a loop lacks it",
                     lab_line_of(text, at), name);
        else
            snprintf(
                sentence, size,
                "line %d declares %s, and no line reads it, while the loop of line %d ends at %s, which is no count",
                lab_line_of(text, at), name, lab_line_of(text, loop), bound);
        return 1;
    }
    return 0;
}

int lab_hint_of_unread(const char *text, int from, int to, char *sentence, size_t size) {
    const char *start = lab_line_at(text, from), *last = lab_line_at(text, to + 1);
    int n = 0;
    for (const char *at = start; at && n++ < MOST && (at = strstr(at, "for (")) && (!last || at < last); at += 5) {
        const char *function = lab_function_of(text, at), *end = strstr(function, "\n}");
        const char *open = strchr(function, '('), *body = open ? strchr(open, '{') : NULL;
        if (end && body && body < at && at < end && is_unread(text, function, body, end, at, sentence, size)) return 1;
    }
    return 0;
}
