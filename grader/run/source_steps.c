// source_steps.c: a loop that begins at a thread's number and does not go on by the number of those that share it.
//
//     for (c = t; c < n; c++)                      where t is the thread's number and other loops go on by LANES
//     for (h = threadIdx.x / 32; h < n; h += 32)   from a warp's number, by the threads of a warp
#include "source_calls.h"
#include "source_hints.h"
#include "source_lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = LAB_LONGEST_WORD, DEEPEST = 3, MOST_LOOPS = 400 };

typedef struct {
    const char *at, *condition, *body, *end;
    char name[LONGEST], from[LONGEST], step[LONGEST];  // without blanks
} loop;

static int looks;

// Behind the last character of the loop's body.
static const char *end_of_body(const char *body) {
    for (; *body && *body != ';'; body++) {
        if (*body == '{') return lab_behind_bracket(body);
        if (*body == '(') body = lab_behind_bracket(body) - 1;
    }
    return body;
}

// "for (int NAME = FROM; ...; NAME += STEP)" at this place; of NAME++ the step is 1.
static int read_loop(const char *at, loop *l) {
    const char *open = at + 3 + strspn(at + 3, " "), *close = *open == '(' ? lab_behind_bracket(open) : NULL;
    const char *first = close ? strchr(open, ';') : NULL, *second = first ? strchr(first + 1, ';') : NULL;
    const char *set = first ? memchr(open, '=', (size_t)(first - open)) : NULL;
    char step[LONGEST], up[2][LONGEST + 4];
    if (!second || second > close || !set || memchr(set, ',', (size_t)(first - set))) return 0;
    const char *end = set;
    while (end > open && end[-1] == ' ') end--;
    const char *start = end;
    while (start > open && lab_is_word(start[-1])) start--;
    if (!lab_copy_word(start, end, l->name) || !lab_copy_word(set + 1, first, l->from) ||
        !lab_copy_word(second + 1, close - 1, step))
        return 0;
    snprintf(up[0], sizeof up[0], "%s++", l->name), snprintf(up[1], sizeof up[1], "++%s", l->name);
    const size_t n = strlen(l->name);
    if (!strcmp(step, up[0]) || !strcmp(step, up[1]))
        strcpy(l->step, "1");
    else if (!strncmp(step, l->name, n) && !strncmp(step + n, "+=", 2))
        memmove(l->step, step + n + 2, strlen(step + n + 2) + 1);
    else
        return 0;
    l->at = at, l->condition = first + 1, l->body = close, l->end = end_of_body(close);
    return 1;
}

static const char *next_loop(const char *text, const char *at, loop *l) {
    for (; looks++ < MOST_LOOPS && (at = strstr(at, "for")); at += 3)
        if ((at == text || !lab_is_word(at[-1])) && !lab_is_word(at[3]) && read_loop(at, l)) return at + 3;
    return NULL;
}

// "NAME = value" in the function before this place: the value, up to its comma or semicolon.
static int value_of(const char *function, const char *before, const char *name, char value[LONGEST]) {
    const size_t n = strlen(name);
    for (const char *at = function; (at = strstr(at, name)) && at < before; at += n) {
        if ((at > function && lab_is_word(at[-1])) || strncmp(at + n, " = ", 3)) continue;
        return lab_copy_word(at + n + 3, at + n + 3 + strcspn(at + n + 3, ",;\n"), value);
    }
    return 0;
}

// What a name or an expression is made from, as far as lines set it: threadIdx.x, threadIdx.x/32, ...
static int origin(const char *text, const char *at, const char *of, char value[LONGEST], int depth) {
    char next[LONGEST];
    if (strncmp(of, "threadIdx", 9) == 0) return snprintf(value, LONGEST, "%s", of) > 0;
    for (const char *c = of; *c; c++)
        if (!lab_is_word(*c)) return 0;
    if (!depth || (*of >= '0' && *of <= '9')) return 0;
    const char *function = lab_function_of(text, at);
    if (value_of(function, at, of, next)) return origin(text, at, next, value, depth - 1);
    const int number = lab_parameter_of(function, of);
    const char *call = number < 0 ? NULL : lab_argument_of(text, function, number, next);
    return call && origin(text, call, next, value, depth - 1);
}

// threadIdx.x / 32 or threadIdx.x >> 5: the number of a warp. width: "32", or the name that stands there.
static int is_warp(const char *value, char width[LONGEST]) {
    if (strncmp(value, "threadIdx.x", 11)) return 0;
    if (!strcmp(value + 11, ">>5")) return snprintf(width, LONGEST, "32") > 0;
    if (value[11] != '/' || strcspn(value + 12, "+-*/%&|()<>") != strlen(value + 12)) return 0;
    return snprintf(width, LONGEST, "%s", value + 12) > 0;
}

// By how much another loop of the file goes on that begins at the same.
static int other_step(const char *text, const loop *l, loop *other) {
    for (const char *at = text; (at = next_loop(text, at, other));)
        if (!strcmp(other->from, l->from) && strcmp(other->step, "1") && !atoi(other->step)) return 1;
    return 0;
}

static lab_hint goes_one_by_one(const char *text, const loop *l, char *sentence, size_t size) {
    char value[LONGEST], width[LONGEST];
    loop other;
    if (strcmp(l->step, "1") || !origin(text, l->at, l->from, value, DEEPEST)) return 0;
    if (strcspn(value, "*+-") != strlen(value) || lab_has_word(l->condition, l->body, l->from)) return 0;
    if (lab_has_word(l->body, l->end, l->from) || lab_has_word(l->body, l->end, "threadIdx")) return 0;
    if (!other_step(text, l, &other)) return 0;
    const char *whose = is_warp(value, width) ? "warp" : "thread";
    snprintf(sentence, size,
             "line %d: the loop begins at %s, the %s's number, and goes on by 1: each goes through the elements of "
             "those behind it, too. It goes on by %s, as that of line %d does. No barrier helps",
             lab_line_of(text, l->at), l->from, whose, other.step, lab_line_of(text, other.at));
    return LAB_HINT_FIRST;
}

// The threads of a block, as the launch of this kernel says: a name. 0: not known.
static int threads_of(const char *text, const char *at, char threads[LONGEST]) {
    char name[LONGEST], launch[LONGEST + 4];
    if (!lab_name_of_function(lab_function_of(text, at), name)) return 0;
    snprintf(launch, sizeof launch, "%s<<<", name);
    const char *grid = strstr(text, launch), *close = grid ? strstr(grid, ">>>") : NULL, *end;
    const char *block = close ? lab_in_list(grid + strlen(launch), close, 1, &end) : NULL;
    if (!block || !lab_copy_word(block, end, threads)) return 0;
    for (const char *c = threads; *c; c++)
        if (!lab_is_word(*c)) return 0;
    return 1;
}

static lab_hint goes_by_the_width(const char *text, const loop *l, char *sentence, size_t size) {
    char value[LONGEST], width[LONGEST], threads[LONGEST];
    if (!origin(text, l->at, l->from, value, DEEPEST) || !is_warp(value, width) || strcmp(l->step, width)) return 0;
    // 1024 threads are as many warps as a warp has threads.
    if (strstr(text, "1024") || strstr(text, "32 * 32") || !threads_of(text, l->at, threads)) return 0;
    snprintf(sentence, size,
             "line %d: the loop begins at the warp's number, %s, and goes on by %s, the threads of one warp: most of "
             "what it should do is left out. It goes on by the number of warps, %s / %s",
             lab_line_of(text, l->at), l->from, width, threads, width);
    return LAB_HINT_BESIDE;
}

// inside: a line that the loop must hold; 0: any.
static lab_hint find(const char *text, int from, int to, int inside, char *sentence, size_t size) {
    const char *start = lab_line_at(text, from), *end = lab_line_at(text, to + 1);
    loop l;
    looks = 0;
    if (!strstr(text, "threadIdx")) return 0;
    for (const char *at = start; at && (at = next_loop(text, at, &l)) && (!end || l.at < end);) {
        if (inside && (lab_line_of(text, l.at) > inside || lab_line_of(text, l.end) < inside)) continue;
        lab_hint h = goes_one_by_one(text, &l, sentence, size);
        if (!h) h = goes_by_the_width(text, &l, sentence, size);
        if (h) return h;
    }
    return 0;
}

int lab_hint_of_steps(const char *text, int from, int to, char *sentence, size_t size) {
    return find(text, from, to, 0, sentence, size) ? LAB_HINT_ALONE : LAB_HINT_NONE;
}

lab_hint lab_hint_of_race(const char *text, const char *report, char *sentence, size_t size) {
    int line[2];
    const int n = strncmp(report, "data race", 9) ? 0 : lab_lines_of(report, line, 2);
    lab_hint h = LAB_HINT_NONE;
    for (int i = 0; i < n && !h; i++) h = find(text, 1, line[i], line[i], sentence, size);
    return h;
}
