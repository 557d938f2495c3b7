// source_neighbour.c: a maximum that is asked of neighbours, and not of the largest so far:
//
//     for (int c = 1; c < n; c++) m = s[c] > s[c - 1] ? s[c] : m;        s[c] > m
#include "source_hints.h"
#include "source_lines.h"
#include "source_settings.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = LAB_LONGEST_WORD };

// Where x[i], which ends before `end`, begins. NULL: it is something else.
static const char *element_before(const char *text, const char *end) {
    while (end > text && end[-1] == ' ') end--;
    if (end == text || end[-1] != ']') return NULL;
    const char *at = end - 1;
    while (at > text && *at != '[' && *at != '\n') at--;
    if (*at != '[') return NULL;
    const char *name = at;
    while (name > text && lab_is_of_name(name[-1])) name--;
    return name < at ? name : NULL;
}

// Is `other` x[i - 1] or x[i + 1] of x[i]?
static int is_next_to(const char *element, const char *other) {
    const size_t n = strlen(element);
    return n > 3 && !strncmp(element, other, n - 1) && (!strcmp(other + n - 1, "-1]") || !strcmp(other + n - 1, "+1]"));
}

// The name that keeps the element: `? x[i] : m`, or `) m = x[i];`, from here on.
static int keeps(const char *at, const char *element, char kept[LONGEST]) {
    const char *end = strchr(at, ';'), *sign = *at == '?' ? strchr(at, ':') : *at == ')' ? strchr(at, '=') : NULL;
    char value[LONGEST];
    if (!end || !sign || sign > end) return 0;
    const char *name = *at == '?' ? sign + 1 : at + 1, *name_end = *at == '?' ? end : sign;
    const char *of = *at == '?' ? at + 1 : sign + 1, *of_end = *at == '?' ? sign : end;
    return lab_copy_word(name, name_end, kept) && lab_is_one_word(kept) && lab_copy_word(of, of_end, value) &&
           !strcmp(value, element);
}

int lab_hint_of_neighbour(const char *text, int from, int to, char *sentence, size_t size) {
    const char *at = lab_line_at(text, from), *behind = lab_line_at(text, to + 1);
    for (; at && (at = strchr(at, '>')) && (!behind || at < behind); at++) {
        if (at == text || strchr("->=", at[-1]) || strchr(">=", at[1])) continue;
        const char *left = element_before(text, at), *right = lab_skip_blanks(at + 1), *end = strchr(right, ']');
        char element[LONGEST], other[LONGEST], kept[LONGEST];
        if (!left || !end || !lab_copy_word(left, at, element) || !lab_copy_word(right, end + 1, other)) continue;
        if (!is_next_to(element, other) || !keeps(lab_skip_blanks(end + 1), element, kept)) continue;
        snprintf(
            sentence, size,
            "line %d compares %s with its neighbour, %.*s, and keeps it in %s: that is the last one which is larger "
            "than the one beside it, and not the largest. Compare %s with %s, from the first one on",
            lab_line_of(text, at), element, (int)(end + 1 - right), right, kept, element, kept);
        return LAB_HINT_CAUSE;
    }
    return LAB_HINT_NONE;
}
