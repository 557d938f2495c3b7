// source_freed.c: memory that is asked for once, before a loop, and given back in each round of it.
//
//     float *s = malloc(n * sizeof *s);
//     for (int i = 0; i < rows; i++) {
//         row(s, i);
//         free(s);
//     }
#include "source_calls.h"
#include "source_hints.h"
#include "source_lines.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = LAB_LONGEST_WORD };

// The { of the block that this place is in. NULL: there is none in this function.
static const char *block_around(const char *function, const char *at) {
    int depth = 0;
    for (const char *c = at - 1; c > function; c--) {
        depth += (*c == '}') - (*c == '{');
        if (depth < 0) return c;
    }
    return NULL;
}

// for (...) { or while (...) {: where it begins. NULL: it is another block.
static const char *loop_of(const char *text, const char *block) {
    static const char *const words[] = {"for", "while"};
    const char *c = block - 1;
    int depth = 0;
    while (c > text && strchr(" \n\t", *c)) c--;
    if (*c != ')') return NULL;
    for (; c > text; c--) {
        depth += (*c == ')') - (*c == '(');
        if (!depth) break;
    }
    while (c > text && c[-1] == ' ') c--;
    for (int i = 0; i < 2; i++) {
        const size_t n = strlen(words[i]);
        if (c - text >= (long)n && lab_is_word_at(text, c - n, words[i])) return c - n;
    }
    return NULL;
}

// Between these places: NAME = ..., whatever stands before the name.
static const char *set_between(const char *from, const char *to, const char *name) {
    const size_t n = strlen(name);
    const char *last = NULL;
    for (const char *at = from; (at = strstr(at, name)) && at < to; at += n) {
        const char *behind = at[n] ? at + n + strspn(at + n, " ") : at + n;
        if (!lab_is_word(at[-1]) && at[-1] != '.' && at[-1] != '>' && !lab_is_word(at[n]) && *behind == '=' &&
            behind[1] != '=')
            last = at;
    }
    return last;
}

static int asks_for_memory(const char *set) {
    const char *end = set + strcspn(set, ";");
    return lab_has_word(set, end, "malloc") || lab_has_word(set, end, "calloc");
}

// Behind it the function, or the loop, is left: what is given back is not used again.
static int leaves(const char *at, const char *block) {
    static const char *const words[] = {"return", "break", "goto", "exit", "continue"};
    const char *end = lab_matching(block);
    for (size_t i = 0; end && i < sizeof words / sizeof *words; i++)
        if (lab_has_word(at, end, words[i])) return 1;
    return !end;
}

int lab_hint_of_freeing(const char *text, int from, int to, char *sentence, size_t size) {
    const char *start = lab_line_at(text, from), *behind = lab_line_at(text, to + 1);
    for (const char *at = start; at && (at = strstr(at, "free(")) && (!behind || at < behind); at++) {
        char name[LONGEST];
        const char *close = strchr(at, ')'), *function = lab_function_of(text, at), *set;
        if (!function || at == text || lab_is_word(at[-1]) || !lab_copy_word(at + 5, close, name)) continue;
        if (strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") != strlen(name)) continue;
        if (!(set = set_between(function, at, name)) || !asks_for_memory(set)) continue;
        const char *block = block_around(function, at);
        if (!block || leaves(close, block)) continue;
        const char *outermost = NULL;
        for (; block && block > set; block = block_around(function, block)) {
            const char *loop = loop_of(text, block), *end = lab_matching(block);
            if (loop && loop > set && end && !set_between(at, end, name)) outermost = loop;
        }
        if (!outermost) continue;
        snprintf(sentence, size,
                 "line %d: %s is given back in each round of the loop of line %d, and line %d asks for it once, before "
                 "that loop: the next round works in memory that is gone. free(%s) belongs behind the loop",
                 lab_line_of(text, at), name, lab_line_of(text, outermost), lab_line_of(text, set), name);
        return LAB_HINT_CAUSE;
    }
    return LAB_HINT_NONE;
}
