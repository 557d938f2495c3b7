// source_pairs.c: two numbers of each thread that lie side by side in one line and half an array apart in another:
//
//     room[2 * t] = top, room[2 * t + 1] = sum;
//     ...
//     room[t] = joined.top, room[THREADS + t] = joined.sum;
#include "source_calls.h"
#include "source_hints.h"
#include "source_lines.h"

#include <stdio.h>
#include <string.h>

typedef char word[LAB_LONGEST_WORD];

// What is stored here, "name[index] =": the name's length and the index without blanks; 0: nothing is.
static size_t stored(const char *text, const char *open, word name, word index) {
    const char *first = open, *behind = lab_behind_bracket(open);
    while (first > text && lab_is_word(first[-1])) first--;
    if (!behind || first == open || !lab_copy_word(first, open, name) || !lab_copy_word(open + 1, behind - 1, index))
        return 0;
    const char *next = lab_skip_blanks(behind);
    return *next == '=' && next[1] != '=' ? (size_t)(open - first) : 0;
}

// Where this name is stored to at such a place, within the function; NULL: nowhere.
static const char *find(const char *text, const char *from, const char *to, const char *name, const char *index) {
    word other, at;
    for (const char *open = from; (open = memchr(open, '[', (size_t)(to - open))); open++)
        if (stored(text, open, other, at) && !strcmp(other, name) && !strcmp(at, index)) return open;
    return NULL;
}

// "2*t" or "t*2": its t; 0: it is neither.
static int is_doubled(const char *index, word of) {
    const size_t n = strlen(index);
    if (!strncmp(index, "2*", 2))
        memcpy(of, index + 2, n - 1);
    else if (n > 2 && !strcmp(index + n - 2, "*2"))
        memcpy(of, index, n - 2), of[n - 2] = 0;
    else
        return 0;
    return *of && !of[strspn(of, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.")];
}

// "HALF+t" or "t+HALF", where HALF is a constant: a number, or a name in capitals.
static int is_half_behind(const char *index, word of) {
    static const char capitals[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    const char *plus = strchr(index, '+');
    if (!plus || strpbrk(plus + 1, "+*")) return 0;
    const size_t n = (size_t)(plus - index);
    if (n && strspn(index, capitals) == n)
        strcpy(of, plus + 1);
    else if (plus[1] && !plus[1 + strspn(plus + 1, capitals)])
        memcpy(of, index, n), of[n] = 0;
    else
        return 0;
    return *of && !strpbrk(of, "*+-/%[(") && strcmp(plus, "+1") != 0;
}

// In this function: the line that stores half an array apart; NULL: there is none.
static const char *halves(const char *text, const char *from, const char *to, const char *name, word index,
                          word first) {
    word other;
    for (const char *open = from; (open = memchr(open, '[', (size_t)(to - open))); open++)
        if (stored(text, open, other, index) && !strcmp(other, name) && is_half_behind(index, first) &&
            find(text, from, to, name, first))
            return open;
    return NULL;
}

// "float room[": behind a type.
static int is_declared(const char *text, const char *open) {
    const char *first = open;
    while (first > text && lab_is_word(first[-1])) first--;
    return first - text > 7 && first[-1] == ' ' && lab_is_word(first[-2]) && strncmp(first - 7, "return ", 7) != 0;
}

// Is the array read in this function at places whose index has this in it?
static int is_read(const char *text, const char *from, const char *to, const char *name, const char *part) {
    word other, index;
    for (const char *open = from; (open = memchr(open, '[', (size_t)(to - open))); open++) {
        *other = *index = 0;
        if (!stored(text, open, other, index) && !strcmp(other, name) && strstr(index, part) &&
            !is_declared(text, open))
            return 1;
    }
    return 0;
}

// The same memory, used twice: numbers that are stored in either way are read in that way.
static int has_two_uses(const char *text, const char *from, const char *to, const char *name, const char *apart) {
    word half;
    const char *plus = strchr(apart, '+');
    const int first = plus > apart && !strpbrk(plus + 1, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789");
    snprintf(half, sizeof half, "%.*s", first ? (int)(plus + 1 - apart) : (int)strlen(plus), first ? apart : plus);
    return (is_read(text, from, to, name, "2*") || is_read(text, from, to, name, "*2")) &&
           is_read(text, from, to, name, half);
}

int lab_hint_of_pairs(const char *text, int from, int to, char *sentence, size_t size) {
    const char *start = lab_line_at(text, from), *behind = lab_line_at(text, to + 1);
    word name, index, of, other, first;
    char next[LAB_LONGEST_WORD + 2];
    for (const char *open = start; open && (open = strchr(open, '[')) && (!behind || open < behind); open++) {
        if (!stored(text, open, name, index) || !is_doubled(index, of)) continue;
        const char *function = lab_function_of(text, open), *end = strstr(open, "\n}");
        snprintf(next, sizeof next, "%s+1", index);
        if (!end || !find(text, function, end, name, next)) continue;
        const char *apart = halves(text, function, end, name, other, first);
        if (!apart || has_two_uses(text, function, end, name, other)) continue;
        snprintf(sentence, size,
                 "line %d has two numbers side by side, %s[%s] and %s[%s], and line %d half an array apart, %s[%s] and "
                 "%s[%s]: all lines of a function find them in the same places",
                 lab_line_of(text, open), name, index, name, next, lab_line_of(text, apart), name, first, name, other);
        return LAB_HINT_CAUSE;
    }
    return LAB_HINT_NONE;
}
