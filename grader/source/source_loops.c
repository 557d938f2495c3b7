// source_loops.c: reads the counting loops of a student's file, and follows a name to the number of a thread.
#include "source_loops.h"

#include <stdio.h>
#include <string.h>

#include "source_lines.h"

enum { LONGEST = LAB_LONGEST_WORD, DEEPEST = 3, MOST_LOOPS = 400 };

typedef lab_loop loop;

static int looks;

// Behind the last character of the loop's body.
static const char *end_of_body(const char *body) {
    for (; *body && *body != ';'; body++) {
        if (*body == '{') return lab_behind_bracket(body);
        if (*body == '(') body = lab_behind_bracket(body) - 1;
    }
    return body;
}

// NAME++, k += W, v += W: what moves on with NAME is no part of its step.
static void leave_others_out(char *step) {
    int depth = 0;
    for (; *step && (depth || *step != ','); step++)
        depth += *step == '(' || *step == '[', depth -= *step == ')' || *step == ']';
    *step = 0;
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
    leave_others_out(step);
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

void lab_loops_begin(void) { looks = 0; }

const char *lab_next_loop(const char *text, const char *at, loop *l) {
    for (; looks++ < MOST_LOOPS && (at = strstr(at, "for")); at += 3)
        if ((at == text || !lab_is_word(at[-1])) && !lab_is_word(at[3]) && read_loop(at, l)) return at + 3;
    return NULL;
}

int lab_loops_of(const char *text, int from, int to, lab_loop all[LAB_MOST_LOOPS]) {
    const char *at = lab_line_at(text, from), *behind = lab_line_at(text, to + 1);
    int n = 0;
    lab_loops_begin();
    while (at && n < LAB_MOST_LOOPS && (at = lab_next_loop(text, at, &all[n])) && (!behind || all[n].at < behind)) n++;
    return n;
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

int lab_origin(const char *text, const char *at, const char *of, char value[LAB_LONGEST_WORD]) {
    return origin(text, at, of, value, DEEPEST);
}

const char *lab_closing(const char *open) {
    const char *close = lab_behind_bracket(open) - 1;
    return *close == ']' ? close : NULL;
}
