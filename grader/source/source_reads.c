// source_reads.c: what C reads otherwise than it looks.
//
//     s[r, c]            s[c]: the number before the comma is thrown away
//     sum =+ x           sum = x, with a sign
//     __syncthreads;     the name of a function, and no call
//     if (causal = 1)    sets causal, and is always true
#include "source_hints.h"
#include "source_lines.h"

#include <stdio.h>
#include <string.h>

// s[r, c]; [a, b] behind no name is a lambda's or a binding's list.
static int has_two_subscripts(const char *text, const char *at, char *sentence, size_t size) {
    const char *comma = NULL, *end = at + 1;
    if (*at != '[' || at == text || !(lab_is_word(at[-1]) || at[-1] == ']')) return 0;
    for (int depth = 0; *end && *end != ';' && (depth > 0 || *end != ']'); end++) {
        depth += strchr("([", *end) != NULL, depth -= strchr(")]", *end) != NULL;
        if (*end == ',' && !depth) comma = end;
    }
    const char *name = at;
    while (name > text && lab_is_word(name[-1])) name--;
    const int is_auto = at - name == 4 && !strncmp(name, "auto", 4);
    if (!comma || *end != ']' || name == at || is_auto) return 0;
    const char *last = comma + 1 + strspn(comma + 1, " ");
    return snprintf(sentence, size,
                    "line %d: %.*s is %.*s[%.*s] in C: what stands before the comma is thrown away. Two subscripts of "
                    "one row of memory are one number, row * columns + column",
                    lab_line_of(text, at), (int)(end + 1 - name), name, (int)(at - name), name, (int)(end - last),
                    last) > 0;
}

// x =+ y, also as a formatter writes it: x = +y. A number or INFINITY may have its sign.
static int turns_round(const char *text, const char *at, char *sentence, size_t size) {
    static const char *const signs[] = {"INFINITY", "HUGE_VAL", "FLT_MAX"};
    if (*at != '=' || at == text || strchr("=<>!+-*/%&|^", at[-1])) return 0;
    const char *plus = at + 1 + strspn(at + 1, " ");
    const char *value = plus + 1 + (*plus ? strspn(plus + 1, " ") : 0);
    if (*plus != '+' || plus[1] == '+' || !lab_is_word(*value) || (*value >= '0' && *value <= '9')) return 0;
    for (int i = 0; i < 3; i++)
        if (!strncmp(value, signs[i], strlen(signs[i]))) return 0;
    return snprintf(sentence, size, "line %d: = +%.*s sets, and does not add: += adds", lab_line_of(text, at),
                    (int)strcspn(value, " ;,)\n"), value) > 0;
}

static int is_no_call(const char *text, const char *at, char *sentence, size_t size) {
    static const char *const barriers[] = {"__syncthreads", "__syncwarp"};
    for (int i = 0; i < 2; i++) {
        const size_t n = strlen(barriers[i]);
        if (!strncmp(at, barriers[i], n) && (at == text || !lab_is_word(at[-1])) && at[n + strspn(at + n, " ")] == ';')
            return snprintf(sentence, size, "line %d: %s without () is a name, and no barrier", lab_line_of(text, at),
                            barriers[i]) > 0;
    }
    return 0;
}

// if (x = 1): a number, or a name of capitals, on the right, and nothing else asked.
static int is_setting(const char *text, const char *at, char *sentence, size_t size) {
    const int n = lab_is_word_at(text, at, "if") ? 2 : lab_is_word_at(text, at, "while") ? 5 : 0;
    const char *open = n ? lab_skip_blanks(at + n) : "", *close = *open == '(' ? lab_matching(open) : NULL;
    if (!close || open[1] == '(') return 0;
    const char *equal = open + 1 + strcspn(open + 1, "=()");
    if (equal >= close || *equal != '=' || equal[1] == '=' || (equal[-1] != ' ' && !lab_is_word(equal[-1]))) return 0;
    const char *left = open + 1, *value = lab_skip_blanks(equal + 1), *name = value + (*value == '-');
    for (const char *c = name; c < close; c++)
        if (!lab_is_word(*c) && *c != '.') return 0;
    int small = 0;
    for (const char *c = name; c < close; c++) small |= *c >= 'a' && *c <= 'z';
    if (small && !(*name >= '0' && *name <= '9')) return 0;
    return snprintf(sentence, size, "line %d: this sets %.*s to %.*s: = in place of ==", lab_line_of(text, at),
                    (int)(equal - left - (equal[-1] == ' ')), left, (int)(close - value), value) > 0;
}

int lab_hint_of_reading(const char *text, int from, int to, char *sentence, size_t size) {
    const char *start = lab_line_at(text, from), *behind = lab_line_at(text, to + 1);
    for (const char *at = start; at && *at && (!behind || at < behind); at++)
        if (has_two_subscripts(text, at, sentence, size) || turns_round(text, at, sentence, size) ||
            is_no_call(text, at, sentence, size))
            return LAB_HINT_BESIDE;
        else if (is_setting(text, at, sentence, size))
            return LAB_HINT_CAUSE;
    return 0;
}
