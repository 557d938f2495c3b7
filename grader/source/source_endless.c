// source_endless.c: a loop that does not end: nothing in it changes what its condition asks.
//
//     for (int i = 0; i < rows; i++)
//         for (int d = 0; d < D; i++) sum += q[d] * k[d];
#include "source_calls.h"
#include "source_hints.h"
#include "source_lines.h"
#include "source_settings.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = LAB_LONGEST_WORD, MOST = 300 };

// MACRO(...): it may do anything.
static int has_macro(const char *from, const char *to) {
    for (const char *open = from; (open = memchr(open, '(', (size_t)(to - open))); open++) {
        const char *first = open;
        int small = 0;
        while (first > from && lab_is_word(first[-1])) small |= *--first >= 'a' && *first <= 'z';
        if (open - first > 1 && !small) return 1;
    }
    return 0;
}

static int leaves(const char *from, const char *to) {
    static const char *const words[] = {"break", "return", "goto", "exit", "longjmp", "asm", "volatile", NULL};
    for (int i = 0; words[i]; i++)
        if (lab_has_word(from, to, words[i])) return 1;
    return has_macro(from, to);
}

// The first name of a condition of names and numbers that nothing from `from` to `to` changes any of. 0: there is none.
static int asks_the_same(const char *condition, const char *end, const char *from, const char *to,
                         char first[LONGEST]) {
    int names = 0;
    *first = 0;
    for (const char *at = condition; at < end; at++) {
        const char *word = at;
        while (lab_is_word(*at)) at++;
        if (at == word) {
            if (!strchr(" \n<>=!+-*/&|%.()", *at) || (at[0] == '-' && at[1] == '>')) return 0;
            continue;
        }
        char name[LONGEST];
        if (*lab_skip_blanks(at) == '(' || !lab_copy_word(word, at, name)) return 0;
        at--;
        if ((*name >= '0' && *name <= '9') || !strcmp(name, "true") || !strcmp(name, "false")) continue;
        if (lab_may_change(from, to, name)) return 0;
        if (!names++) snprintf(first, LONGEST, "%s", name);
    }
    return names > 0;
}

// What the header of a for loop counts on: for (...; ...; NAME++).
static void stepped(const char *step, const char *close, char name[LONGEST]) {
    *name = 0;
    while (step < close && !lab_is_word(*step)) step++;
    const char *end = step;
    while (end < close && lab_is_word(*end)) end++;
    if (end > step) lab_copy_word(step, end, name);
}

int lab_hint_of_endless(const char *text, int from, int to, char *sentence, size_t size) {
    const char *start = lab_line_at(text, from), *behind = lab_line_at(text, to + 1);
    int n = 0;
    for (const char *at = start; at && *at && (!behind || at < behind) && n < MOST; at++) {
        const int is_for = lab_is_word_at(text, at, "for"), is_while = lab_is_word_at(text, at, "while");
        const char *open = is_for || is_while ? lab_skip_blanks(at + (is_for ? 3 : 5)) : at;
        const char *close = open > at && *open == '(' ? lab_matching(open) : NULL;
        const char *first = close && is_for ? strchr(open, ';') : NULL, *second = first ? strchr(first + 1, ';') : NULL;
        const char *condition = is_for ? first ? first + 1 : NULL : open + 1, *end = is_for ? second : close;
        const char *stop = close && condition && end && end <= close ? lab_end_of_statement(close + 1) : NULL;
        char name[LONGEST], other[LONGEST] = "";
        n += close != NULL;
        if (!stop || leaves(close, stop) || !asks_the_same(condition, end, condition, stop, name)) continue;
        if (is_while && (at == text || at[-1] == '}' || !strncmp(lab_skip_blanks(close + 1), ";", 1))) continue;  // do
        if (is_for) stepped(second + 1, close, other);
        char counts[LONGEST + 40] = "";
        if (*other) snprintf(counts, sizeof counts, ", and the loop counts %s", other);
        snprintf(sentence, size,
                 "line %d: this loop does not end: nothing in it changes %s, which its condition asks%s",
                 lab_line_of(text, at), name, counts);
        return LAB_HINT_CAUSE;
    }
    return LAB_HINT_NONE;
}
