// source_barriers.c: a barrier that some threads of the block do not reach, by the text alone:
//
//     if (t < half) {                                   for (...) {
//         part[t] += part[t + half];                        if (t >= half) break;
//         __syncthreads();                                  part[t] += part[t + half];
//     }                                                     __syncthreads();
//     for (j = 0; j < last_of_my_query; j++) { ... __syncthreads(); }
#include "source_calls.h"
#include "source_hints.h"
#include "source_leaving.h"
#include "source_lines.h"

#include <stdio.h>
#include <string.h>

enum { MOST_LOOKS = 100 };

// The ( that this ) closes, from here back to the function's first letter; NULL: there is none.
static const char *opening(const char *function, const char *close) {
    int depth = 0;
    for (const char *at = close; at > function; at--) {
        depth += *at == ')', depth -= *at == '(';
        if (!depth) return at;
    }
    return NULL;
}

static const char *before_blanks(const char *function, const char *at) {
    while (at > function && strchr(" \n\t", at[-1])) at--;
    return at;
}

// The word before the bracketed head that ends before this place: "if", "for", "while". NULL: there is no head.
static const char *head_of(const char *function, const char *body, const char **open) {
    const char *behind = before_blanks(function, body);
    if (behind == function || behind[-1] != ')' || !(*open = opening(function, behind - 1))) return NULL;
    const char *end = before_blanks(function, *open), *first = end;
    while (first > function && lab_is_word(first[-1])) first--;
    return first;
}

static int guarded(const char *text, const char *function, const char *body, const char *barrier, char *sentence,
                   size_t size) {
    const char *open, *head = head_of(function, body, &open);
    if (!head || !lab_is_word_at(text, head, "if") || !lab_differs_by_thread(function, open, body)) return 0;
    snprintf(sentence, size,
             "line %d: the barrier stands under the if of line %d, which not all threads of the block fulfil, and all "
             "must reach it. Put it behind the if, and the work alone under the condition",
             lab_line_of(text, barrier), lab_line_of(text, head));
    return 1;
}

static int is_loop(const char *text, const char *head) {
    return head && (lab_is_word_at(text, head, "for") || lab_is_word_at(text, head, "while"));
}

// Does the break or continue belong to a loop within this body?
static int is_inner(const char *text, const char *function, const char *body, const char *leave) {
    const char *open, *condition = leave;
    while (condition > body && strncmp(condition, "if (", 4)) condition--;
    if (is_loop(text, head_of(function, condition, &open))) return 1;  // for (...) if (...) break;
    int depth = 0;
    for (const char *at = leave; at > body; at--) {
        depth += *at == '}', depth -= *at == '{';
        if (*at != '{' || depth >= 0) continue;
        depth = 0;
        if (is_loop(text, head_of(function, at, &open))) return 1;
    }
    return 0;
}

static int left(const char *text, const char *function, const char *body, const char *barrier, char *sentence,
                size_t size) {
    const char *open, *head = head_of(function, body, &open), *end = lab_matching(body);
    if (!is_loop(text, head) || !end) return 0;
    const char *leave = lab_exit_in(function, body, end);
    if (!leave || (*leave != 'r' && is_inner(text, function, body, leave))) return 0;
    if (*leave == 'c' && barrier < leave) return 0;  // the next round has it for all
    return lab_say_exit(text, leave, lab_line_of(text, barrier), sentence, size);
}

// What a loop's counter is compared with, between the semicolons; NULL: no single number.
static const char *limit_of(const char *open, const char *close, const char **end) {
    const char *first = memchr(open, ';', (size_t)(close - open)), *sign = first;
    const char *last = first ? memchr(first + 1, ';', (size_t)(close - first - 1)) : NULL;
    while (sign && last && sign < last && !(strchr("<>", *sign) && sign[-1] == ' ' && strchr(" =", sign[1]))) sign++;
    if (!sign || !last || sign == last || memchr(first, '&', (size_t)(last - first))) return NULL;
    *end = last;
    return sign + 1 + (sign[1] == '=');
}

static const char *end_of_value(const char *at) {
    for (int deep = 0; *at && *at != ';' && (deep || *at != ','); at++) deep += *at == '(', deep -= *at == ')';
    return at;
}

// Where it is a name alone, each line before the loop that sets it is asked.
static int limit_differs(const char *function, const char *loop, const char *limit, const char *end) {
    char name[LAB_LONGEST_WORD];
    if (lab_differs_by_thread(function, limit, end)) return 1;
    if (!lab_copy_word(limit, end, name)) return 0;
    const size_t n = strlen(name);
    for (const char *at = function; (at = strstr(at, name)) && at < loop; at += n)
        if (lab_is_word_at(function, at, name) && !strncmp(at + n, " = ", 3) &&
            lab_differs_by_thread(function, at + n + 3, end_of_value(at + n + 3)))
            return 1;
    return 0;
}

static int ends_apart(const char *text, const char *function, const char *body, const char *barrier, char *sentence,
                      size_t size) {
    const char *open, *end, *head = head_of(function, body, &open);
    const char *limit = head && lab_is_word_at(text, head, "for") ? limit_of(open, body, &end) : NULL;
    if (!limit || !limit_differs(function, head, limit, end)) return 0;
    while (*limit == ' ') limit++;
    snprintf(sentence, size,
             "line %d: the barrier stands in the loop of line %d, which ends at %.*s, another number in each thread: "
             "all threads of the block must have as many rounds. Let it go on as long as one of them has work to do, "
             "and put the work alone under a condition",
             lab_line_of(text, barrier), lab_line_of(text, head), (int)(end - limit), limit);
    return 1;
}

int lab_hint_of_barriers(const char *text, int from, int to, char *sentence, size_t size) {
    const char *at = lab_line_at(text, from), *behind = lab_line_at(text, to + 1);
    for (int n = 0; at && n < MOST_LOOKS && (at = strstr(at, "__syncthreads(")) && (!behind || at < behind);
         at++, n++) {
        const char *function = lab_function_of(text, at);
        if (guarded(text, function, at, at, sentence, size)) return LAB_HINT_BESIDE;  // if (...) __syncthreads();
        int depth = 0;
        for (const char *body = at; body > function; body--) {
            depth += *body == '}', depth -= *body == '{';
            if (*body != '{' || depth >= 0) continue;
            depth = 0;
            if (guarded(text, function, body, at, sentence, size) || left(text, function, body, at, sentence, size) ||
                ends_apart(text, function, body, at, sentence, size))
                return LAB_HINT_BESIDE;
        }
    }
    return LAB_HINT_NONE;
}
