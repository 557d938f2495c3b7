// source_lanes.c: a function whose lanes exchange numbers, called where not all lanes of a warp come:
//
//     if (r < rows) { const float l = row_sum(row->l); ... }        if (r >= rows) return; ... row_sum(row->l)
#include "source_hints.h"
#include "source_lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 40, LONGEST = 60 };

// Of the call at this place: the name of the function, if its body has a shuffle.
static int exchanges(const char *text, const char *at, char name[NAME]) {
    size_t n = 0;
    while (lab_is_word(at[n])) n++;
    if (!n || n >= NAME || at[n] != '(' || lab_is_word(at[-1])) return 0;
    snprintf(name, NAME, "%.*s", (int)n, at);
    if (!strncmp(name, "__shfl", 6)) return 1;
    for (const char *its = text; (its = strstr(its, name)); its++) {
        const char *close = its[n] == '(' && its > text && !lab_is_word(its[-1]) ? lab_matching(its + n) : NULL;
        const char *body = close ? lab_skip_blanks(close + 1) : NULL,
                   *end = body && *body == '{' ? lab_matching(body) : NULL;
        const char *shuffle = end ? strstr(body, "__shfl") : NULL;
        if (shuffle && shuffle < end) return 1;
    }
    return 0;
}

// threadIdx.x < 32: whole warps come, or stay away.
static int is_of_whole_warps(const char *from, const char *to) {
    static const char number[] = "threadIdx.x <";
    const char *at = strstr(from, number);
    if (!at || at >= to) return 0;
    at = lab_skip_blanks(at + strlen(number));
    return atoi(at) ? atoi(at) % 32 == 0 : !strncmp(at, "WARP", 4);
}

// A thread's own number or its row decides: not all lanes of a warp do the same.
static int differs_in_a_warp(const char *from, const char *to) {
    static const char *const own[] = {"r", "t", "lane", "threadIdx", "tx", "row", "i", "d"};
    if (is_of_whole_warps(from, to)) return 0;
    for (size_t k = 0; k < sizeof own / sizeof *own; k++)
        if (lab_has_word(from, to, own[k])) return 1;
    return 0;
}

// The end of what an if governs, from behind its condition on.
static const char *end_of(const char *at) {
    at = lab_skip_blanks(at);
    if (*at == '{') return lab_matching(at);
    return strchr(at, ';');
}

static int leaves(const char *at, const char *end) {
    const char *word = strstr(at, "return");
    return word && word < end;
}

int lab_hint_of_lanes(const char *text, int from, int to, char *sentence, size_t size) {
    const char *start = lab_line_at(text, from), *behind = lab_line_at(text, to + 1);
    for (const char *at = start; at && *at && (!behind || at < behind); at++) {
        if (strncmp(at, "if (", 4) || (at > text && lab_is_word(at[-1]))) continue;
        const char *close = lab_matching(at + 3), *end = close ? end_of(close + 1) : NULL;
        if (!end || !differs_in_a_warp(at + 4, close) || close - at > LONGEST) continue;
        // Within what it governs; or, where that leaves, behind it, up to the end of the function.
        const char *first = close + 1, *last = end;
        const int left = leaves(first, end);
        if (left) first = end, last = strstr(end, "\n}");
        char name[NAME];
        for (const char *call = first; last && call < last; call++) {
            if (!exchanges(text, call, name)) continue;
            snprintf(
                sentence, size,
                "line %d: the lanes of a warp exchange numbers in %s, and those %s `if (%.*s)` do not come: call it "
                "before that",
                lab_line_of(text, call), name, left ? "that leave by" : "that are kept away by", (int)(close - at - 4),
                at + 4);
            return LAB_HINT_CAUSE;
        }
    }
    return LAB_HINT_NONE;
}
