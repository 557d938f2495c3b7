// source_lanes.c: a function whose lanes exchange numbers, called where not all lanes of a warp come:
//
//     if (r < rows) { const float l = row_sum(row->l); ... }        if (r >= rows) return; ... row_sum(row->l)
//
// Whole warps may stay away, and so may lanes that the mask of the exchange leaves out.
#include "source_alike.h"
#include "source_calls.h"
#include "source_constants.h"
#include "source_hints.h"
#include "source_lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 40, LONGEST = 60 };

// Does the mask of this shuffle name some lanes alone? What is no number, and is made by a function or a shift, may.
static int names_some_lanes(const char *text, const char *shuffle) {
    const char *open = strchr(shuffle, '('), *end;
    const char *mask = open ? lab_in_list(open + 1, lab_behind_bracket(open) - 1, 0, &end) : NULL;
    const lab_number there = {.text = text, .place = shuffle};
    char name[NAME + 8];
    if (!mask || lab_number_of(&there, mask, end) >= 0) return mask != NULL;  // 0xffffffff is beyond what it knows
    const unsigned long n = strtoul(mask, NULL, 0);
    if (n) return n != 0xffffffff && n != (unsigned long)-1;
    snprintf(name, sizeof name, "%.*s = ", end - mask < NAME ? (int)(end - mask) : 0, mask);
    const char *value = *name == ' ' ? NULL : strstr(text, name);
    if (value) mask = value, end = value + strcspn(value, ";");
    return memchr(mask, '(', (size_t)(end - mask)) || memchr(mask, '<', (size_t)(end - mask));
}

// Of the call at this place: the name of the function, if its body has a shuffle of all lanes.
static int exchanges(const char *text, const char *at, char name[NAME]) {
    size_t n = 0;
    while (lab_is_word(at[n])) n++;
    if (!n || n >= NAME || at[n] != '(' || lab_is_word(at[-1])) return 0;
    snprintf(name, NAME, "%.*s", (int)n, at);
    if (!strncmp(name, "__shfl", 6)) return !names_some_lanes(text, at);
    for (const char *its = text; (its = strstr(its, name)); its++) {
        const char *close = its[n] == '(' && its > text && !lab_is_word(its[-1]) ? lab_matching(its + n) : NULL;
        const char *body = close ? lab_skip_blanks(close + 1) : NULL,
                   *end = body && *body == '{' ? lab_matching(body) : NULL;
        const char *shuffle = end ? strstr(body, "__shfl") : NULL;
        if (shuffle && shuffle < end) return !names_some_lanes(text, shuffle);
    }
    return 0;
}

// The end of what an if governs, from behind its condition on.
static const char *end_of(const char *at) {
    at = lab_skip_blanks(at);
    if (*at == '{') return lab_matching(at);
    return strchr(at, ';');
}

// Lanes that a kernel has sent home are waited for by nobody; those that go on may exchange numbers within their part of
// the warp.
static int is_kernel(const char *text, const char *at) {
    const char *function = lab_function_of(text, at);
    return lab_has_word(function, at, "__global__");
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
        if (!end || close - at > LONGEST) continue;
        const int agree = lab_threads_that_agree(text, at + 4, close);
        if (agree == LAB_WARP) continue;
        // Within what it governs; or, where that leaves, behind it, up to the end of the function.
        const char *first = close + 1, *last = end;
        const int left = leaves(first, end);
        if (left && agree > 1 && is_kernel(text, at)) continue;
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
