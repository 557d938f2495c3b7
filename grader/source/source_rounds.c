// source_rounds.c: a loop that ends in its first round, whatever the numbers are.
//
//     for (w = 1; w < WARP; w *= 2) {
//         x += __shfl_xor_sync(FULL, x, w);
//         return x;
//     }
#include "source_hints.h"
#include "source_lines.h"

#include <stdio.h>
#include <string.h>

// The last statement of this block, between { and }: its first letter. NULL: it ends in a block, or is empty.
static const char *last_statement(const char *open, const char *close) {
    const char *end = close;
    while (end > open + 1 && strchr(" \n\t", end[-1])) end--;
    if (end - open < 3 || end[-1] != ';') return NULL;
    const char *at = end - 1;
    for (int depth = 0; at > open && (depth || !strchr(";{}", at[-1])); at--)
        depth += at[-1] == ')', depth -= at[-1] == '(';
    return at + strspn(at, " \n\t");
}

int lab_hint_of_rounds(const char *text, int from, int to, char *sentence, size_t size) {
    const char *start = lab_line_at(text, from), *behind = lab_line_at(text, to + 1);
    for (const char *at = start; at && *at && (!behind || at < behind); at++) {
        if (!lab_is_word_at(text, at, "for")) continue;
        const char *head = lab_skip_blanks(at + 3), *close = *head == '(' ? lab_matching(head) : NULL;
        const char *open = close ? lab_skip_blanks(close + 1) : NULL;
        const char *end = open && *open == '{' ? lab_matching(open) : NULL;
        const char *last = end ? last_statement(open, end) : NULL;
        if (!last || lab_has_word(open, last, "continue") || lab_has_word(open, last, "goto")) continue;
        const int returns = lab_is_word_at(text, last, "return");
        if (!returns && !lab_is_word_at(text, last, "break")) continue;
        snprintf(sentence, size,
                 "line %d: the loop ends in its first round, as %s in line %d stands in its body, and nothing is asked "
                 "before%s",
                 lab_line_of(text, at), returns ? "return" : "break", lab_line_of(text, last),
                 returns ? ". It belongs behind the loop's }" : "");
        return LAB_HINT_CAUSE;
    }
    return LAB_HINT_NONE;
}
