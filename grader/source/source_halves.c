// source_halves.c: some of the threads call a function that shares its work out among all of them: the shares of the others
// are nobody's.
//
//     if (threadIdx.y < N / 2) load(K); else load(V);        load: for (int r = threadIdx.y; r < rows; r += N)
#include "source_constants.h"
#include "source_hints.h"
#include "source_lines.h"
#include "source_loops.h"

#include <stdio.h>
#include <string.h>

// Where the function of this name begins; NULL: it is not of this file.
static const char *function_called(const char *text, const char *name) {
    char of[LAB_LONGEST_WORD];
    for (const char *at = text; (at = strstr(at, name)); at += strlen(name)) {
        if (!lab_is_word_at(text, at, name) || at[strlen(name)] != '(') continue;
        const char *function = lab_function_of(text, at);
        if (!lab_is_word(*function)) continue;  // above all functions: a macro
        if (function <= at && lab_name_of_function(function, of) && !strcmp(of, name)) return function;
    }
    return NULL;
}

typedef struct {
    const char *begin, *end;  // within the brackets
    char axis[LAB_LONGEST_WORD], limit[LAB_LONGEST_WORD];
} condition;

// threadIdx.y < LIMIT, or a name for it; >= and > as well.
static int asks_for_thread(const char *text, const char *open, condition *c) {
    const char *close = lab_matching(open), *sign = open;
    char word[LAB_LONGEST_WORD];
    if (!close) return 0;
    while (sign < close && !strchr("<>=!&|", *sign)) sign++;
    const char *behind = sign + 1 + (sign + 1 < close && sign[1] == '=');
    if (sign == close || !strchr("<>", *sign) || memchr(behind, '&', (size_t)(close - behind))) return 0;
    c->begin = open + 1, c->end = close;
    return lab_copy_word(open + 1, sign, word) && lab_origin(text, open, word, c->axis) &&
           !strncmp(c->axis, "threadIdx.", 10) && strlen(c->axis) == 11 && lab_copy_word(behind, close, c->limit);
}

// WARP and 32.
static int is_same_number(const char *text, const char *at, const char *a, const char *b) {
    const lab_number there = {.text = text, .place = at};
    const long n = lab_number_of(&there, a, a + strlen(a));
    return !strcmp(a, b) || (n >= 0 && n == lab_number_of(&there, b, b + strlen(b)));
}

// if (t < n) for (e = t; e < n; ...): those that stay away have no share.
static int ends_there(const lab_loop *l, const char *limit) {
    const char *end = memchr(l->condition, ';', (size_t)(l->body - l->condition)), *less = strchr(l->condition, '<');
    char bound[LAB_LONGEST_WORD];
    return less && end && less < end && lab_copy_word(less + 1, end, bound) && !strcmp(bound, limit);
}

// Does a loop between these places begin at each thread's own number, and go on by more than as many threads as come?
static int shares_among_all(const char *text, const char *from, const char *to, const condition *c, lab_loop *l) {
    char begins[LAB_LONGEST_WORD];
    for (const char *at = from; (at = lab_next_loop(text, at, l)) && l->at < to;)
        if (lab_origin(text, l->at, l->from, begins) && !strcmp(begins, c->axis) && !ends_there(l, c->limit) &&
            !is_same_number(text, l->at, l->step, c->limit))
            return 1;
    return 0;
}

// The first call in the statement from here on of a function that shares its work among all.
static int calls_one(const char *text, const char *from, const char *to, const condition *c, char *sentence,
                     size_t size) {
    char name[LAB_LONGEST_WORD];
    for (const char *open = from; (open = memchr(open, '(', (size_t)(to - open))); open++) {
        const char *start = open;
        lab_loop l;
        while (start > from && lab_is_word(start[-1])) start--;
        if (!lab_copy_word(start, open, name)) continue;
        const char *function = function_called(text, name), *body = function ? strchr(function, '{') : NULL;
        const char *end = body ? lab_matching(body) : NULL;
        if (!end || !shares_among_all(text, body, end, c, &l)) continue;
        snprintf(
            sentence, size,
            "line %d calls %s for the threads with %.*s alone, and the loop in line %d shares the work out among all "
            "of them, by %s: what is the others' share is never loaded. Let all threads call it, or share it among "
            "those that do",
            lab_line_of(text, start), name, (int)(c->end - c->begin), c->begin, lab_line_of(text, l.at), c->axis);
        return 1;
    }
    return 0;
}

// Is it another kernel's, which has other shared memory than that of the report?
static int is_elsewhere(const char *text, const char *at, const char *report) {
    char name[LAB_LONGEST_WORD], called[LAB_LONGEST_WORD] = "";
    const char *function = lab_function_of(text, at), *kernel = strstr(report, "; kernel ");
    if (kernel) sscanf(kernel, "; kernel %47[A-Za-z0-9_]", called);
    return *called && lab_has_word(function, at, "__global__") && lab_name_of_function(function, name) &&
           strcmp(name, called);
}

int lab_hint_of_halves(const char *text, const char *report, char *sentence, size_t size) {
    condition c;
    if (strncmp(report, "read of memory that was never written: shared", 45)) return 0;
    lab_loops_begin();
    lab_constants_begin();
    for (const char *at = text; (at = strstr(at, "if (")); at += 4) {
        if (!lab_is_word_at(text, at, "if") || is_elsewhere(text, at, report) || !asks_for_thread(text, at + 3, &c))
            continue;
        const char *end = lab_end_of_statement(c.end + 1);
        lab_loop l;
        if (shares_among_all(text, c.end + 1, end, &c, &l)) {
            snprintf(
                sentence, size,
                "line %d lets the threads with %.*s alone come to the loop in line %d, which shares the work out among "
                "all, by %s: what is the others' share is never loaded",
                lab_line_of(text, at), (int)(c.end - c.begin), c.begin, lab_line_of(text, l.at), c.axis);
            return 1;
        }
        if (calls_one(text, c.end + 1, end, &c, sentence, size)) return 1;
    }
    return 0;
}
