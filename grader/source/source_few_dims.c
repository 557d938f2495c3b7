// source_few_dims.c: a thread's dims, of which there are too few for the largest head:
//
//     for (int e = 0; e < 2; e++) { const int d = t + 16 * e;  if (d >= D) continue; ... }      dims 0 .. 31, of up to 128
#include <stdio.h>
#include <string.h>

#include "source_constants.h"
#include "source_hints.h"
#include "source_lines.h"
#include "source_loops.h"

enum { LONGEST = LAB_LONGEST_WORD, LARGEST_HEAD = 128 };

// "< D", "< head_dim", "< s.head_dim" or ">= ..." here?
static int is_limit(const char *at) {
    at = lab_skip_blanks(at);
    if (!(*at == '<' && at[1] != '<' && at[1] != '=') && strncmp(at, ">=", 2)) return 0;
    at = lab_skip_blanks(at + 1 + (*at == '>'));
    const char *end = at;
    while (lab_is_of_name(*end)) end++;
    const size_t n = (size_t)(end - at);
    if (strchr("/*", *lab_skip_blanks(end))) return 0;
    return (n == 1 && *at == 'D') || (n >= 8 && !strncmp(end - 8, "head_dim", 8));
}

// "const int d = " before this place, and d is limited by D in the rest of the loop.
static int is_limited_name(const char *at, const char *behind, const char *end) {
    const char *to = at, *first;
    while (to[-1] == ' ' || to[-1] == '=') to--;
    for (first = to; lab_is_word(first[-1]);) first--;
    const size_t n = (size_t)(to - first);
    if (!n || to == at || strncmp(first - 4, "int ", 4)) return 0;
    for (const char *c = behind; c + n < end; c++)
        if (!strncmp(c, first, n) && !lab_is_word(c[-1]) && !lab_is_word(c[n]) && is_limit(c + n)) return 1;
    return 0;
}

// "X + STEP * counter", or the other way round, of which X is a name and a limit of D follows: the step. -1: it is not so.
static long step_of(const char *text, const lab_loop *l) {
    for (const char *plus = l->body; (plus = strchr(plus, '+')) && plus < l->end; plus++) {
        const char *first = plus, *a = lab_skip_blanks(plus + 1), *a_end = a;
        if (plus[-1] != ' ' || plus[1] != ' ') continue;
        while (first[-1] == ' ') first--;
        const char *name_end = first;
        while (lab_is_word(first[-1])) first--;
        while (lab_is_word(*a_end)) a_end++;
        const char *b = lab_skip_blanks(a_end), *b_end;
        if (first == name_end || *b != '*') continue;
        for (b_end = b = lab_skip_blanks(b + 1); lab_is_word(*b_end);) b_end++;
        const size_t n = strlen(l->name);
        const int second = (size_t)(b_end - b) == n && !strncmp(b, l->name, n);
        if (!second && ((size_t)(a_end - a) != n || strncmp(a, l->name, n))) continue;
        const char *before = first;
        while (before[-1] == ' ') before--;
        const lab_number of = {.text = text, .place = first};
        const int limited = (before[-1] == '(' || before[-1] == '&') && is_limit(b_end);
        if (!limited && !(before[-1] == '=' && *lab_skip_blanks(b_end) == ';' && is_limited_name(first, b_end, l->end)))
            continue;
        return second ? lab_number_of(&of, a, a_end) : lab_number_of(&of, b, b_end);
    }
    return -1;
}

int lab_hint_of_few_dims(const char *text, int from, int to, char *sentence, size_t size) {
    const char *start = lab_line_at(text, from), *behind = lab_line_at(text, to + 1);
    lab_loop l;
    if (!strstr(text, "attn_flash") && !strstr(text, "attn_decode")) return LAB_HINT_NONE;
    lab_loops_begin();
    lab_constants_begin();
    for (const char *at = start; at && (at = lab_next_loop(text, at, &l)) && (!behind || l.at < behind);) {
        const char *less = memchr(l.condition, '<', (size_t)(l.body - l.condition)), *end = strchr(l.condition, ';');
        if (strcmp(l.from, "0") || strcmp(l.step, "1") || !less || !end || less > end || less[1] == '=') continue;
        const lab_number of = {.text = text, .place = l.at};
        const long step = step_of(text, &l), rounds = step > 0 ? lab_number_of(&of, less + 1, end) : -1;
        if (rounds < 1 || step * rounds >= LARGEST_HEAD) continue;
        snprintf(
            sentence, size,
            "line %d: this loop has %ld dims for each thread, %ld apart: dims from %ld on are nobody's, and head_dim "
            "goes up to %d. It wants %ld rounds, and as many numbers in the thread's array",
            lab_line_of(text, l.at), rounds, step, step * rounds, LARGEST_HEAD, (LARGEST_HEAD + step - 1) / step);
        return LAB_HINT_CAUSE;
    }
    return LAB_HINT_NONE;
}
