// source_whole.c: a thread that adds up the whole row, where the sums of all threads are added behind that.
//
//     for (c = t; c < n; c += THREADS) p[c] = expf(s[c] - m);
//     for (c = 0; c < n; c++) l += p[c];                          and then block_sum(l)
//     if (t == 0) for (c = 0; c < n; c++) l += p[c];              with no barrier before it
#include <stdio.h>
#include <string.h>

#include "source_hints.h"
#include "source_lines.h"
#include "source_loops.h"

enum { LONGEST = LAB_LONGEST_WORD };

static int has(const char *from, const char *to, const char *what) {
    const char *at = strstr(from, what);
    return at && at < to;
}

// "c < BOUND": the bound.
static int bound_of(const lab_loop *l, char bound[LONGEST]) {
    const char *less = memchr(l->condition, '<', (size_t)(l->body - l->condition)), *end = strchr(l->condition, ';');
    return less && end && less < end && less[1] != '=' && lab_copy_word(less + 1, end, bound);
}

// "NAME[INDEX] =" with the loop's counter in it: what the body stores. 0: nothing.
static int stores(const lab_loop *l, char name[LONGEST], char index[LONGEST]) {
    for (const char *open = l->body; open < l->end && (open = strchr(open, '[')) && open < l->end; open++) {
        const char *close = lab_closing(open), *first = open;
        while (first > l->body && lab_is_word(first[-1])) first--;
        if (!close || !lab_copy_word(first, open, name) || !lab_copy_word(open + 1, close, index)) continue;
        const char *set = lab_skip_blanks(close + 1);
        if (*set == '=' && set[1] != '=' && lab_has_word(open, close, l->name)) return 1;
    }
    return 0;
}

// The loop adds name[index] to a sum, with its own counter in place of the other one's.
static int adds(const lab_loop *l, const char *name, const char *index, const char *counter, char sum[LONGEST]) {
    const char *plus = strstr(l->body, " += "), *first = plus;
    if (!plus || plus >= l->end || strcmp(index, counter)) return 0;
    while (first > l->body && lab_is_word(first[-1])) first--;
    for (const char *at = plus; (at = strstr(at, name)) && at < l->end; at++) {
        const size_t n = strlen(name), m = strlen(l->name);
        if (lab_is_word(at[-1]) || at[n] != '[' || strncmp(at + n + 1, l->name, m) || at[n + 1 + m] != ']') continue;
        return lab_copy_word(first, plus, sum);
    }
    return 0;
}

// From here to the end of the function: is this name handed to a function that joins, or stored at the thread's number?
static int is_joined(const char *text, const char *from, const char *name, const char *thread) {
    const char *end = strstr(from, "\n}");
    char store[2 * LONGEST];
    snprintf(store, sizeof store, "[%.40s] = %.40s;", thread, name);
    if (end && has(from, end, store)) return 1;
    for (const char *at = from; end && (at = strstr(at, name)) && at < end; at++) {
        if (lab_is_word(at[-1]) || lab_is_word(at[strlen(name)])) continue;
        const char *open = lab_bracket_around(text, at);
        if (open && lab_joins(text, open)) return 1;
    }
    return 0;
}

// The function gives the sum back, and its call is an argument of one that joins, or sets a name that is.
static int is_joined_by_caller(const char *text, const char *from, const char *sum) {
    char function[LONGEST], back[LONGEST + 10], name[LONGEST];
    const char *end = strstr(from, "\n}");
    snprintf(back, sizeof back, "return %s;", sum);
    if (!end || !has(from, end, back) || !lab_name_of_function(lab_function_of(text, from), function)) return 0;
    for (const char *at = text; (at = strstr(at, function)); at++) {
        if (at == text || lab_is_word(at[-1]) || at[strlen(function)] != '(') continue;
        const char *open = lab_bracket_around(text, at), *last = at;
        if (open && lab_joins(text, open)) return 1;
        while (last > text && strchr(" =", last[-1])) last--;
        const char *first = last;
        while (first > text && lab_is_word(first[-1])) first--;
        if (has(last, at, "=") && lab_copy_word(first, last, name) &&
            is_joined(text, strchr(at, ';'), name, "threadIdx.x"))
            return 1;
    }
    return 0;
}

// Between the two loops stands "if (THREAD == 0)" and nothing else.
static int is_for_one(const lab_loop *own, const lab_loop *all) {
    char guard[2 * LONGEST], between[2 * LONGEST];
    int n = 0;
    for (const char *at = own->end; at < all->at && n + 1 < (int)sizeof between; at++)
        if (!strchr(" \n\t;{}", *at)) between[n++] = *at;
    between[n] = 0;
    snprintf(guard, sizeof guard, "if(%.40s==0)", own->from);
    return !strcmp(between, guard);
}

enum { NOT_WHOLE, BY_ALL, BY_ONE };
static int is_whole(const char *text, const lab_loop *own, const lab_loop *all, char name[LONGEST], char sum[LONGEST]) {
    const int by_one = is_for_one(own, all);
    char index[LONGEST], bound[2][LONGEST];
    if (strcmp(all->from, "0") || strcmp(all->step, "1") || !bound_of(own, bound[0]) || !bound_of(all, bound[1]) ||
        strcmp(bound[0], bound[1]) || has(own->end, all->at, "sync") ||
        (lab_has_word(own->end, all->at, "if") && !by_one))
        return NOT_WHOLE;
    if (lab_has_word(all->body, all->end, own->from) || has(all->body, all->end, "threadIdx")) return NOT_WHOLE;
    if (!stores(own, name, index) || !adds(all, name, index, own->name, sum)) return NOT_WHOLE;
    if (lab_own_array(text, own->at, name, bound[0])) return NOT_WHOLE;  // no other thread has it
    if (by_one) return BY_ONE;
    return is_joined(text, all->end, sum, own->from) || is_joined_by_caller(text, all->end, sum) ? BY_ALL : NOT_WHOLE;
}

int lab_hint_of_whole(const char *text, int from, int to, char *sentence, size_t size) {
    const char *start = lab_line_at(text, from), *behind = lab_line_at(text, to + 1);
    char value[LONGEST], name[LONGEST], sum[LONGEST];
    lab_loop own, all;
    lab_loops_begin();
    for (const char *at = start; at && (at = lab_next_loop(text, at, &own)) && (!behind || own.at < behind);) {
        const char *end = strstr(own.end, "\n}");
        if (!end || !strcmp(own.step, "1") || !lab_origin(text, own.at, own.from, value)) continue;
        for (const char *next = own.end; (next = lab_next_loop(text, next, &all)) && all.at < end;) {
            const int whole = is_whole(text, &own, &all, name, sum);
            if (whole == NOT_WHOLE) continue;
            if (whole == BY_ONE)
                snprintf(sentence, size,
                         "line %d: one thread adds up all of %s, which the others store in line %d, with no barrier "
                         "between: it may read before they have written. Put a barrier between, or let each thread "
                         "add what it stores itself, and join the sums of all threads behind that",
                         lab_line_of(text, all.at), name, lab_line_of(text, own.at));
            else
                snprintf(
                    sentence, size,
                    "line %d: each thread adds up all of %s, also what others have just written in line %d, and then "
                    "the %s of all threads are added, so that each term counts many times. A thread adds its own "
                    "share alone: %s = %s, %s + %s, ..., as in line %d",
                    lab_line_of(text, all.at), name, lab_line_of(text, own.at), sum, own.name, own.from, own.from,
                    own.step, lab_line_of(text, own.at));
            return LAB_HINT_CAUSE;
        }
    }
    return LAB_HINT_NONE;
}
