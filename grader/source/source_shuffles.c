// source_shuffles.c: a shuffle that is meant to reach the other warps of the block, and a mask that is a number of lanes:
//
//     for (int d = THREADS / 2; d > 0; d /= 2) x += __shfl_down_sync(ALL, x, d);       x += __shfl_xor_sync(32, x, 16);
#include "source_constants.h"
#include "source_hints.h"
#include "source_lines.h"
#include "source_loops.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = LAB_LONGEST_WORD, LANES = 32, MOST_SHUFFLES = 64, MOST_ROUNDS = 64 };

typedef struct {
    const char *first, *second, *third, *end;  // for (first; second; third) body
    const char *body, *body_end;
    char name[LONGEST];
} for_loop;

// ---- The loop of distances

static int loop_at(const char *at, for_loop *l) {
    const char *open = at + 3 + strspn(at + 3, " "), *close = *open == '(' ? lab_matching(open) : NULL;
    const char *second = close ? memchr(open, ';', (size_t)(close - open)) : NULL;
    const char *third = second ? memchr(second + 1, ';', (size_t)(close - second - 1)) : NULL;
    const char *set = third ? memchr(open, '=', (size_t)(second - open)) : NULL, *end = set, *start;
    if (!set || memchr(set, ',', (size_t)(second - set))) return 0;
    while (end > open && end[-1] == ' ') end--;
    for (start = end; start > open && lab_is_word(start[-1]);) start--;
    *l = (for_loop){.first = set + 1,
                    .second = second + 1,
                    .third = third + 1,
                    .end = close,
                    .body = close + 1,
                    .body_end = lab_end_of_statement(close + 1)};
    return lab_copy_word(start, end, l->name);
}

// The innermost loop around that place whose counter is in the expression.
static int loop_around(const char *text, const char *place, const char *from, const char *to, for_loop *found) {
    int n = 0;
    for (const char *at = lab_function_of(text, place); (at = strstr(at, "for")) && at < place; at++) {
        for_loop l;
        if (lab_is_word_at(text, at, "for") && loop_at(at, &l) && l.body <= place && place < l.body_end &&
            lab_has_word(from, to, l.name))
            *found = l, n = 1;
    }
    return n;
}

// Does the loop go on with this value of its counter? -1: nobody knows.
static int goes_on(const lab_number *of, const for_loop *l) {
    const char *end = l->third - 1, *sign = l->second;
    while (sign < end && !strchr("<>!=&|", *sign)) sign++;
    const char *other = sign + 1 + (sign < end && sign[1] == '=');
    if (sign < end && (strchr("&|=", *sign) || strchr("<>", sign[1]))) return -1;
    const long left = lab_number_of(of, l->second, sign), right = sign < end ? lab_number_of(of, other, end) : 0;
    if (left < 0 || right < 0) return -1;
    if (sign == end) return left != 0;
    const int same = other == sign + 2 && left == right;
    return *sign == '!' ? left != right : same || (*sign == '<' ? left < right : left > right);
}

// The counter behind a round: d /= 2, d >>= 1, d = d / 2, d++. -1: nobody knows.
static long next_of(const lab_number *of, const for_loop *l) {
    const char *set = memchr(l->third, '=', (size_t)(l->end - l->third));
    char step[LONGEST], made[2 * LONGEST + 8];
    if (!lab_copy_word(l->third, l->end, step)) return -1;
    if (!set) {
        const int up = strstr(step, "++") != NULL;
        return up || (strstr(step, "--") && of->value) ? of->value + (up ? 1 : -1) : -1;
    }
    const char *sign = set;
    while (sign > l->third && strchr("+-*/<>", sign[-1])) sign--;
    snprintf(made, sizeof made, "%s%.*s(%.*s)", sign < set ? l->name : "", (int)(set - sign), sign,
             (int)(l->end - set - 1), set + 1);
    return lab_number_of(of, made, made + strlen(made));
}

// Is it left to a condition whether the shuffle is made, or how?
static int is_asked(const for_loop *l, const char *at) {
    static const char *const words[] = {"if", "else", "while", "switch", "break", "continue", "return"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (lab_has_word(l->body, at, words[i])) return 1;
    return memchr(l->body, '?', (size_t)(at - l->body)) || memchr(l->body, '&', (size_t)(at - l->body));
}

// ---- One shuffle

typedef struct {
    const char *at, *distance, *distance_end, *mask, *mask_end;
    int is_largest;  // it is joined to what is there by a maximum: one's own changes nothing
} shuffle;

// The largest distance, and of a loop the first. call: where it is handed over. -1: nobody knows.
static long distance_of(const char *text, const shuffle *s, const for_loop *l, long *first, const char **call) {
    lab_number of = {.text = text, .place = s->at};
    char name[LONGEST];
    long most = -1;
    *first = -1;
    if (!l) {
        const long n = lab_number_of(&of, s->distance, s->distance_end);
        if (n >= 0 || !lab_copy_word(s->distance, s->distance_end, name)) return n;
        return lab_number_of_parameter(text, s->at, name, call);
    }
    long value = lab_number_of(&of, l->first, l->second - 1);
    const char *end = l->first;  // of a parameter that it begins at: n of n / 2
    lab_number begins = of;
    while (value < 0 && end < l->second && !lab_is_word(*end)) end++;
    const char *start = end;
    while (value < 0 && lab_is_word(*end)) end++;
    if (value < 0 && lab_copy_word(start, end, name) &&
        (begins.value = lab_number_of_parameter(text, s->at, name, call)) >= 0) {
        begins.name = name;
        value = lab_number_of(&begins, l->first, l->second - 1);
    }
    if (value < 0 || is_asked(l, s->at)) return -1;
    of.name = l->name;
    for (int round = 0; round < MOST_ROUNDS && value >= 0; round++) {
        of.value = value;
        if (goes_on(&of, l) != 1) break;
        const long n = lab_number_of(&of, s->distance, s->distance_end);
        if (*first < 0) *first = n;
        if (n > most) most = n;
        value = next_of(&of, l);
    }
    return most;
}

static int read_shuffle(const char *text, const char *at, shuffle *s) {
    static const char *const names[] = {"__shfl_xor_sync(", "__shfl_down_sync(", "__shfl_up_sync("};
    const char *open = NULL, *end;
    for (size_t i = 0; i < sizeof names / sizeof *names && !open; i++)
        if (!strncmp(at, names[i], strlen(names[i]))) open = at + strlen(names[i]);
    const char *close = open ? lab_behind_bracket(open - 1) - 1 : NULL, *line = at;
    if (!close || *close != ')') return 0;
    *s = (shuffle){.at = at};
    s->mask = lab_in_list(open, close, 0, &s->mask_end);
    s->distance = lab_in_list(open, close, 2, &s->distance_end);
    while (line > text && !strchr(";{}\n", line[-1])) line--;
    const char *largest = strstr(line, "max"), *least = strstr(line, "min");
    s->is_largest = (largest && largest < at) || (least && least < at);
    return s->mask && s->distance && !lab_in_list(open, close, 3, &end);  // with a width it is another question
}

static int is_too_far(const char *text, const shuffle *s, char *sentence, size_t size) {
    for_loop l;
    const int is_loop = loop_around(text, s->at, s->distance, s->distance_end, &l);
    const char *call = NULL;
    char where[80] = "";
    long first;
    const long most = distance_of(text, s, is_loop ? &l : NULL, &first, &call);
    if (most < (s->is_largest ? 2 * LANES : LANES)) return 0;
    if (call) snprintf(where, sizeof where, " (called in line %d)", lab_line_of(text, call));
    const int line = lab_line_of(text, s->at);
    int used;
    if (!is_loop)
        used = snprintf(sentence, size, "line %d: the shuffle has a distance of %ld%s", line, most, where);
    else
        used = snprintf(sentence, size, "line %d: the distances of the shuffle in line %d %s at %ld%s",
                        lab_line_of(text, l.first), line, most == first ? "begin" : "end", most, where);
    snprintf(sentence + used, size - (size_t)used,
             ", and it reaches the 32 lanes of its own warp alone. From 32 on a thread gets its own number back: a sum "
             "doubles with each, and no other warp is joined. Shuffle over 16 and less, and join the block's warps "
             "through shared memory behind that");
    return 1;
}

// 32 is lane 5 alone.
static int is_count(const char *text, const shuffle *s, char *sentence, size_t size) {
    const lab_number of = {.text = text, .place = s->at};
    const long mask = lab_number_of(&of, s->mask, s->mask_end);
    int lane = 0;
    while (lane < LANES - 2 && 1L << lane < mask) lane++;
    if (mask < 2 || mask > 2 * LANES || mask != 1L << lane || memchr(s->mask, '<', (size_t)(s->mask_end - s->mask)))
        return 0;
    snprintf(sentence, size,
             "line %d: the first argument of a shuffle is a mask with a bit for each lane that takes part, and %ld is "
             "lane %d alone. All lanes are 0xffffffff",
             lab_line_of(text, s->at), mask, lane);
    return 1;
}

int lab_hint_of_shuffles(const char *text, int from, int to, char *sentence, size_t size) {
    const char *at = lab_line_at(text, from), *behind = lab_line_at(text, to + 1);
    lab_constants_begin();
    for (int n = 0; at && n < MOST_SHUFFLES && (at = strstr(at, "__shfl_")) && (!behind || at < behind); n++, at++) {
        shuffle s;
        if (read_shuffle(text, at, &s) && (is_count(text, &s, sentence, size) || is_too_far(text, &s, sentence, size)))
            return LAB_HINT_CAUSE;
    }
    return LAB_HINT_NONE;
}
