// source_kept.c: a loop within another one that goes on where it ended in the round before, and so does nothing any more.
//
//     int j = first;
//     for (int i = 0; i < rows; i++)
//         while (j < cols) s[i * cols + j++] = -INFINITY;
#include "source_calls.h"
#include "source_hints.h"
#include "source_lines.h"
#include "source_settings.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = LAB_LONGEST_WORD, MOST = 200 };

typedef struct {
    const char *at, *open, *close, *end;  // for or while, its brackets, behind its body
} loop;

static int is_loop(const char *text, const char *at, loop *l) {
    const size_t n = lab_is_word_at(text, at, "for") ? 3 : lab_is_word_at(text, at, "while") ? 5 : 0;
    const char *open = n ? lab_skip_blanks(at + n) : at;
    if (!n || *open != '(' || !(l->close = lab_matching(open))) return 0;
    l->at = at, l->open = open, l->end = lab_end_of_statement(l->close + 1);
    return l->end > l->close + 1;
}

// Is the name set between these places: NAME = ...
static int is_set(const char *from, const char *to, const char *name) {
    const size_t n = strlen(name);
    for (const char *at = from; at < to && (at = strstr(at, name)) && at < to; at += n) {
        const char *behind = lab_skip_blanks(at + n);
        if (!lab_is_word(at[-1]) && !lab_is_word(at[n]) && *behind == '=' && behind[1] != '=') return 1;
    }
    return 0;
}

static int is_stepped(const char *from, const char *to, const char *name) {
    const size_t n = strlen(name);
    for (const char *at = from; at < to && (at = strstr(at, name)) && at < to; at += n) {
        const char *behind = lab_skip_blanks(at + n);
        if (lab_is_word(at[-1]) || lab_is_word(at[n])) continue;
        if (!strncmp(at - 2, "++", 2) || !strncmp(behind, "++", 2) || !strncmp(behind, "+=", 2)) return 1;
    }
    return 0;
}

// NAME < BOUND, in a loop that does not set the name first: what it counts by, and where the bound begins.
static const char *counter_of(const loop *l, char name[LONGEST]) {
    const char *first = lab_skip_blanks(l->open + 1), *end;
    if (*l->at == 'f') {
        if (*first != ';') return NULL;
        first = lab_skip_blanks(first + 1);
    }
    for (end = first; lab_is_word(*end);) end++;
    const char *less = lab_skip_blanks(end);
    return *less == '<' && less[1] != '<' && end > first && lab_copy_word(first, end, name) ? less + 1 : NULL;
}

// Does anything of the bound change in the loop around it?
static int moves(const loop *outer, const char *bound, const char *to) {
    char name[LONGEST];
    for (const char *at = bound; at < to && *at != ';'; at++) {
        const char *end = at;
        while (lab_is_word(*end)) end++;
        if (end == at) continue;
        if (lab_copy_word(at, end, name) && lab_may_change(outer->open, outer->end, name)) return 1;
        at = end - 1;
    }
    return memchr(bound, '[', (size_t)(to - bound)) || memchr(bound, '(', (size_t)(to - bound));
}

static int goes_on(const loop *outer, const loop *l, char name[LONGEST]) {
    const char *bound = counter_of(l, name);
    if (!bound || !is_stepped(l->open, l->end, name) || moves(outer, bound, l->close)) return 0;
    if (is_set(outer->open, l->at, name) || is_set(l->end, outer->end, name) || is_set(l->close, l->end, name))
        return 0;
    return !is_stepped(outer->open, outer->close, name) && !lab_has_word(l->close, l->end, "break") &&
           !lab_has_word(l->close, l->end, "return");
}

int lab_hint_of_keeping(const char *text, int from, int to, char *sentence, size_t size) {
    const char *start = lab_line_at(text, from), *behind = lab_line_at(text, to + 1);
    loop all[MOST];
    int n = 0;
    for (const char *at = start; at && *at && (!behind || at < behind) && n < MOST; at++) {
        if (!is_loop(text, at, &all[n])) continue;
        int outer = n - 1;
        char name[LONGEST];
        while (outer >= 0 && !(all[outer].close < at && at < all[outer].end)) outer--;
        if (outer >= 0 && goes_on(&all[outer], &all[n], name)) {
            snprintf(sentence, size,
                     "line %d: from the second round of the loop of line %d on this loop does nothing, as %s stays "
                     "where the first round left it. Set %s in each round",
                     lab_line_of(text, at), lab_line_of(text, all[outer].at), name, name);
            return LAB_HINT_CAUSE;
        }
        n++;
    }
    return LAB_HINT_NONE;
}
