// source_steps.c: a loop that begins at a thread's number and does not go on by the number of those that share it.
//
//     for (c = t; c < n; c++)                      where t is the thread's number and other loops go on by LANES
//     for (h = threadIdx.x / 32; h < n; h += 32)   from a warp's number, by the threads of a warp
//     for (x = threadIdx.x; x < n; x += 4 * BLOCK) a[x] = ...;      four times the threads of the block
#include "source_loops.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "source_calls.h"
#include "source_hints.h"
#include "source_lines.h"

enum { LONGEST = LAB_LONGEST_WORD };
typedef lab_loop loop;

// threadIdx.x / 32 or threadIdx.x >> 5: the number of a warp. width: "32", or the name that stands there.
static int is_warp(const char *value, char width[LONGEST]) {
    if (strncmp(value, "threadIdx.x", 11)) return 0;
    if (!strcmp(value + 11, ">>5")) return snprintf(width, LONGEST, "32") > 0;
    if (value[11] != '/' || strcspn(value + 12, "+-*/%&|()<>") != strlen(value + 12)) return 0;
    return snprintf(width, LONGEST, "%s", value + 12) > 0;
}

// By how much another loop of the file goes on that begins at the same.
static int other_step(const char *text, const loop *l, loop *other) {
    for (const char *at = text; (at = lab_next_loop(text, at, other));)
        if (!strcmp(other->from, l->from) && strcmp(other->step, "1") && !atoi(other->step)) return 1;
    return 0;
}

static lab_hint goes_one_by_one(const char *text, const loop *l, char *sentence, size_t size) {
    char value[LONGEST], width[LONGEST];
    loop other;
    if (strcmp(l->step, "1") || !lab_origin(text, l->at, l->from, value)) return 0;
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
    if (!lab_origin(text, l->at, l->from, value) || !is_warp(value, width) || strcmp(l->step, width)) return 0;
    // 1024 threads are as many warps as a warp has threads.
    if (strstr(text, "1024") || strstr(text, "32 * 32") || !threads_of(text, l->at, threads)) return 0;
    snprintf(sentence, size,
             "line %d: the loop begins at the warp's number, %s, and goes on by %s, the threads of one warp: most of "
             "what it should do is left out. It goes on by the number of warps, %s / %s",
             lab_line_of(text, l->at), l->from, width, threads, width);
    return LAB_HINT_BESIDE;
}

// Is it how many threads some launch of the file has in a block?
static int is_block(const char *text, const char *name) {
    char threads[LONGEST];
    for (const char *at = text; (at = strstr(at, "<<<")); at++) {
        const char *close = strstr(at, ">>>"), *end;
        const char *block = close ? lab_in_list(at + 3, close, 1, &end) : NULL;
        if (block && lab_copy_word(block, end, threads) && !strcmp(threads, name)) return 1;
    }
    return 0;
}

// NUMBER * NAME, NAME * NUMBER. Returns the number, 0: it is another step.
static int times_of(const char *step, char name[LONGEST]) {
    const char *star = strchr(step, '*');
    if (!star) return 0;
    const int first = atoi(step), n = first ? first : atoi(star + 1);
    snprintf(name, LONGEST, "%.*s", first ? LONGEST - 1 : (int)(star - step), first ? star + 1 : step);
    const char *digits = first ? step : star + 1;
    const size_t letters = strspn(digits, "0123456789");
    return lab_is_word(*name) && strcspn(name, "*/+-()") == strlen(name) && digits[letters] == (first ? '*' : 0) ? n
                                                                                                                 : 0;
}

// A round does one element, x, and none at x + BLOCK.
static int does_one(const loop *l, const char *block) {
    if (lab_has_word(l->body, l->end, block)) return 0;
    for (const char *at = l->body; at < l->end; at++) {
        if (lab_is_word_at(l->body, at, "for") || lab_is_word_at(l->body, at, "while")) return 0;
        if (!lab_is_word_at(l->body, at, l->name)) continue;
        if (strchr("+*,", *lab_skip_blanks(at + strlen(l->name)))) return 0;
    }
    return 1;
}

static lab_hint goes_too_far(const char *text, const loop *l, char *sentence, size_t size) {
    char value[LONGEST], name[LONGEST];
    const int n = times_of(l->step, name);
    if (n < 2 || strstr(text, "threadIdx.y") || !lab_origin(text, l->at, l->from, value) ||
        strcmp(value, "threadIdx.x") || !is_block(text, name) || !does_one(l, name))
        return 0;
    snprintf(sentence, size,
             "line %d: the loop begins at %s, the thread's number, and goes on by %s, and a block has %s threads: of "
             "each %s elements the first %s alone are done. It goes on by %s, whatever an element is",
             lab_line_of(text, l->at), l->from, l->step, name, l->step, name, name);
    return LAB_HINT_BESIDE;
}

// inside: a line that the loop must hold; 0: any.
static lab_hint find(const char *text, int from, int to, int inside, char *sentence, size_t size) {
    const char *start = lab_line_at(text, from), *end = lab_line_at(text, to + 1);
    loop l;
    lab_loops_begin();
    if (!strstr(text, "threadIdx")) return 0;
    for (const char *at = start; at && (at = lab_next_loop(text, at, &l)) && (!end || l.at < end);) {
        if (inside && (lab_line_of(text, l.at) > inside || lab_line_of(text, l.end) < inside)) continue;
        lab_hint h = goes_one_by_one(text, &l, sentence, size);
        if (!h) h = goes_by_the_width(text, &l, sentence, size);
        if (!h && !inside) h = goes_too_far(text, &l, sentence, size);
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
