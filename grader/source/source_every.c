// source_every.c: a loop goes over rows, and in each round a function that adds to all of the rows is called:
//
//     for (int a = 0; a < ROWS; a++) {
//         rescale(&row[a], m_new);
//         add_all(row, s);  // for (int a ...) row[a].o += ...
//     }
#include <stdio.h>
#include <string.h>

#include "source_calls.h"
#include "source_hints.h"
#include "source_lines.h"
#include "source_loops.h"

enum { LONGEST = LAB_LONGEST_WORD, MOST_ARGUMENTS = 12, MOST_LOOKS = 2000 };

static int looks;  // at calls: a file may be a megabyte of them

// NAME(...) { in this text. NULL: it has no such function. *end: its last brace.
static const char *definition_of(const char *text, const char *name, const char **end) {
    const size_t n = strlen(name);
    for (const char *at = text; (at = strstr(at, name)); at += n) {
        const char *close = lab_is_word_at(text, at, name) && at[n] == '(' ? lab_matching(at + n) : NULL;
        const char *open = close ? lab_skip_blanks(close + 1) : "";
        if (*open == '{' && (*end = lab_matching(open))) return at;
    }
    return NULL;
}

// Does the function add to elements of this argument, P[a] += or P[a].o[e] +=?
static int adds_to(const char *function, const char *end, int number) {
    const char *open = strchr(function, '('), *to, *p = lab_in_list(open + 1, lab_matching(open), number, &to);
    char element[LONGEST + 1];
    while (p && to > p && lab_is_word(to[-1])) to--;
    const char *name_end =
        p ? to + strspn(to, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") : NULL;
    if (!p || !lab_copy_word(to, name_end, element)) return 0;
    strcat(element, "[");
    for (const char *at = open; (at = strstr(at, element)) && at < end; at++) {
        const char *sum = strstr(at, "+=");
        if (!lab_is_word(at[-1]) && sum && sum < at + strcspn(at, ";=") + 1) return 1;
    }
    return 0;
}

// Elsewhere in the loop one of it is meant: NAME[a].
static int is_taken_by_row(const lab_loop *l, const char *name) {
    char row[2 * LONGEST + 4];
    snprintf(row, sizeof row, "%s[%s]", name, l->name);
    for (const char *at = l->body; (at = strstr(at, row)) && at < l->end; at++)
        if (!lab_is_word(at[-1])) return 1;
    return 0;
}

// The first argument of this call that is the whole of what the loop goes over, and that the function adds to.
static int is_whole(const char *text, const lab_loop *l, const char *call, const char *open, char name[LONGEST]) {
    const char *close = lab_matching(open), *end, *to, *function;
    char called[LONGEST];
    if (!close || close[1] != ';' || lab_has_word(open, close, l->name) || !lab_copy_word(call, open, called) ||
        !(function = definition_of(text, called, &end)))
        return 0;
    for (int i = 0; i < MOST_ARGUMENTS; i++) {
        const char *from = lab_in_list(open + 1, close, i, &to);
        if (!from) return 0;
        if (lab_copy_word(from, to, name) && is_taken_by_row(l, name) && adds_to(function, end, i)) return 1;
    }
    return 0;
}

int lab_hint_of_every(const char *text, int from, int to, char *sentence, size_t size) {
    const char *start = lab_line_at(text, from), *behind = lab_line_at(text, to + 1);
    lab_loop l;
    lab_loops_begin();
    looks = 0;
    for (const char *at = start; at && (at = lab_next_loop(text, at, &l)) && (!behind || l.at < behind);)
        for (const char *open = l.body; open < l.end && (open = memchr(open, '(', (size_t)(l.end - open))); open++) {
            const char *call = open;
            char name[LONGEST];
            while (call > l.body && lab_is_word(call[-1])) call--;
            if (looks++ == MOST_LOOKS) return LAB_HINT_NONE;
            if (call == open || !is_whole(text, &l, call, open, name)) continue;
            snprintf(sentence, size,
                     "line %d hands all of %s to %.*s, which adds to each of them, and so does every round of the loop "
                     "of line %d, which goes over %s[%s]: it is added again and again. Call it once, behind the loop",
                     lab_line_of(text, call), name, (int)(open - call), call, lab_line_of(text, l.at), name, l.name);
            return LAB_HINT_CAUSE;
        }
    return LAB_HINT_NONE;
}
