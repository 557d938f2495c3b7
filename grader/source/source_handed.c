// source_handed.c: a function is handed a part of an array, and stores rows that lie closer together, or further apart, than
// its caller reads them:
//
//     static void block(float *S, ...) { ... S[r * NR + c] = sum; }
//     block(S + r * BC + c, ...);   float *s = S + r * BC;
#include <stdio.h>
#include <string.h>

#include "source_calls.h"
#include "source_constants.h"
#include "source_hints.h"
#include "source_lines.h"

enum { LONGEST = LAB_LONGEST_WORD };

typedef struct {
    const char *at, *function;  // the [, and where its function begins
    char array[LONGEST], length[LONGEST], name[LONGEST];
} store;

static const char *behind_word(const char *at) {
    while (lab_is_word(*at)) at++;
    return at;
}

// "r * BC" or "(size_t)r * BC" here: its second word, and what follows it. NULL: something else stands here.
static const char *product_at(const char *at, char length[LONGEST]) {
    if (!strncmp(at, "(size_t)", 8)) at += 8;
    const char *row = behind_word(at), *star = lab_skip_blanks(row);
    if (row == at || *star != '*') return NULL;
    const char *from = lab_skip_blanks(star + 1), *to = behind_word(from);
    return to > from && *to != '(' && *to != '.' && *to != '-' && lab_copy_word(from, to, length) ? lab_skip_blanks(to)
                                                                                                  : NULL;
}

// P[r * LENGTH + c] = of a parameter P.
static int is_store(const char *text, const char *open, store *s) {
    const char *first = open, *behind = product_at(open + 1, s->length), *close = lab_behind_bracket(open);
    while (first > text && lab_is_word(first[-1])) first--;
    if (!behind || *behind != '+' || !close || first == open || (first > text && strchr(".>", first[-1]))) return 0;
    close = lab_skip_blanks(close);
    if (*close == '+') close++;
    s->at = open, s->function = lab_function_of(text, open);
    return *close == '=' && close[1] != '=' && lab_copy_word(first, open, s->array) && s->function &&
           lab_name_of_function(s->function, s->name) && lab_parameter_of(s->function, s->array) >= 0;
}

// What the function's length is where it is called with these arguments. 0: it is made in the function.
static int length_at(const store *s, const char *open, char length[LONGEST]) {
    const int number = lab_parameter_of(s->function, s->length);
    const char *end, *from = number < 0 ? NULL : lab_in_list(open + 1, lab_matching(open), number, &end);
    strcpy(length, s->length);
    if (number >= 0) return from && lab_copy_word(from, end, length);
    return strlen(length) > 1 && strspn(length, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") == strlen(length);
}

static int is_same(const char *text, const char *place, const char *a, const char *b) {
    const lab_number of = {.text = text, .place = place};
    const long x = lab_number_of(&of, a, a + strlen(a)), y = lab_number_of(&of, b, b + strlen(b));
    return !strcmp(a, b) || (x >= 0 && x == y);
}

// Does it count in a loop of the function? Otherwise it is a number of rows.
static int counts(const char *row, const char *function, const char *end) {
    char goes_on[2][LONGEST + 4];
    const char *behind_it = behind_word(row);
    snprintf(goes_on[0], sizeof goes_on[0], "%.*s++", (int)(behind_it - row), row);
    snprintf(goes_on[1], sizeof goes_on[1], "%.*s +=", (int)(behind_it - row), row);
    for (int i = 0; i < 2 && behind_it - row < LONGEST; i++) {
        const char *at = strstr(function, goes_on[i]);
        if (at && at < end && !lab_is_word(at[-1])) return 1;
    }
    return 0;
}

// "= ARRAY + r * LENGTH;" in the function of the call: where. NULL: nobody reads its rows so.
static const char *read_of(const char *text, const char *call, const char *array, const char *length) {
    char other[LONGEST], begin[LONGEST + 8];
    const char *function = lab_function_of(text, call), *end = function ? strstr(function, "\n}") : NULL;
    snprintf(begin, sizeof begin, "= %s + ", array);
    for (const char *at = function; at && end && (at = strstr(at, begin)) && at < end; at++) {
        const char *behind = product_at(at + strlen(begin), other);
        const char *row = at + strlen(begin);
        if (!strncmp(row, "(size_t)", 8)) row += 8;
        if (behind && strchr(",;", *behind) && !strcmp(other, length) && counts(row, function, end)) return at;
    }
    return NULL;
}

// One call of the function, whose ( this is.
static int differs(const char *text, const store *s, const char *open, char *sentence, size_t size) {
    char array[LONGEST], here[LONGEST], length[LONGEST];
    const char *end, *close = lab_matching(open),
                     *from = close ? lab_in_list(open + 1, close, lab_parameter_of(s->function, s->array), &end) : NULL;
    const char *to = from ? behind_word(from) : NULL, *plus = to ? lab_skip_blanks(to) : NULL;
    if (!plus || *plus != '+' || !lab_copy_word(from, to, array) || !product_at(lab_skip_blanks(plus + 1), here) ||
        !length_at(s, open, length) || is_same(text, open, here, length))
        return 0;
    const char *read = read_of(text, open, array, here);
    if (!read) return 0;
    snprintf(
        sentence, size,
        "line %d, in %s, stores rows of %s %s numbers apart, and line %d reads them %s apart: rows of one array have "
        "one length, and %s is to be told it",
        lab_line_of(text, s->at), s->name, array, length, lab_line_of(text, read), here, s->name);
    return 1;
}

int lab_hint_of_handing(const char *text, int from, int to, char *sentence, size_t size) {
    const char *start = lab_line_at(text, from), *behind = lab_line_at(text, to + 1);
    store s;
    lab_constants_begin();
    for (const char *at = start; at && (at = strchr(at, '[')) && (!behind || at < behind); at++) {
        if (!is_store(text, at, &s)) continue;
        for (const char *call = text; (call = strstr(call, s.name)); call++) {
            const char *open = call + strlen(s.name);
            if (*open == '(' && lab_is_word_at(text, call, s.name) && lab_function_of(text, call) != s.function &&
                differs(text, &s, open, sentence, size))
                return 1;
        }
    }
    return 0;
}
