// source_cut.c: a float that a function takes, or gives back, as a whole number: what is behind its point is lost.
#include "source_calls.h"
#include "source_hints.h"
#include "source_lines.h"
#include "source_types.h"

#include <stdio.h>
#include <string.h>

// `int sum`, `const int sum`: the name of such a parameter. 0: it is none.
static int is_whole(const char *text, const char *at, const char *end, char name[LAB_LONGEST_WORD]) {
    at = lab_skip_blanks(at);
    if (!strncmp(at, "const ", 6)) at += 6;
    const size_t n = lab_whole_type_at(text, at);
    if (!n || !lab_copy_word(at + n, end, name)) return 0;
    for (const char *c = name; *c; c++)
        if (!lab_is_word(*c)) return 0;
    return 1;
}

// The list of arguments where the function is called next, from this place on. NULL: nowhere.
static const char *next_call(const char *text, const char *from, const char *function, const char *name) {
    for (const char *at = from; (at = strstr(at, name)); at++)
        if (lab_is_word_at(text, at, name) && at[strlen(name)] == '(' && lab_function_of(text, at) != at &&
            (at < function || at > function + strcspn(function, "\n")))
            return at + strlen(name);
    return NULL;
}

// What is made whole before: rintf(x), or x + 12582912.0f - 12582912.0f; and 2^n, which is n << 23, takes such a number.
static int is_rounded(const char *text, const char *at, const char *name) {
    static const char *const rounds[] = {"rint", "round", "floor", "ceil", "trunc", "shift", "magic", NULL};
    const char *function = lab_function_of(text, at);
    const size_t n = strlen(name);
    for (const char *c = function; (c = strstr(c, name)) && c < at; c += n) {
        if (!lab_is_word_at(text, c, name) || strncmp(c + n, " = ", 3)) continue;
        const char *end = c + strcspn(c, ";");
        for (int i = 0; rounds[i]; i++) {
            const char *made = strstr(c + n + 3, rounds[i]);
            if (made && made < end) return 1;
        }
    }
    return 0;
}

// The parameter of that number is whole, and a call hands over a float.
static int takes(const char *text, const char *function, int number, const char *parameter, char *sentence,
                 size_t size) {
    char name[LAB_LONGEST_WORD], value[LAB_LONGEST_WORD], given[32];
    if (!lab_name_of_function(function, name)) return 0;
    for (const char *open = text; (open = next_call(text, open, function, name));) {
        const char *end, *from = lab_in_list(open + 1, lab_behind_bracket(open) - 1, number, &end);
        from = from ? lab_skip_blanks(from) : NULL;
        if (!from || end <= from || !lab_copy_word(from, end, value)) continue;
        if (!lab_is_a_float(text, from, end, given) && !lab_is_element_of_floats(text, from, end)) continue;
        if (is_rounded(text, from, value)) continue;
        return snprintf(sentence, size,
                        "line %d: %s() takes %s as a whole number, and line %d hands over %s, a float: what is behind "
                        "the point is lost, it must be a float",
                        lab_line_of(text, function), name, parameter, lab_line_of(text, open), value) > 0;
    }
    return 0;
}

// It is declared whole, and a line of it returns a float.
static int returns(const char *text, const char *function, const char *body, char *sentence, size_t size) {
    char name[LAB_LONGEST_WORD], value[32];
    if (!lab_name_of_function(function, name)) return 0;
    const char *named = function, *end = lab_matching(body);
    int is = 0;
    while (!lab_is_word_at(text, named, name)) named++;
    for (const char *type = function; type < named && !is; type++) {
        const size_t n = lab_whole_type_at(text, type);
        is = n && type + n + 1 == named;
    }
    if (!is || !end) return 0;
    for (const char *at = body; (at = strstr(at, "return ")) && at < end; at++) {
        const char *from = at + strlen("return "), *stop = from + strcspn(from, ";");
        if (!lab_is_a_float(text, from, stop, value) || is_rounded(text, from, value)) continue;
        return snprintf(sentence, size,
                        "line %d: %s() gives back a whole number, and line %d returns %s, a float: what is behind the "
                        "point is lost, it must be a float",
                        lab_line_of(text, function), name, lab_line_of(text, at), value) > 0;
    }
    return 0;
}

static int is_cut(const char *text, const char *function, char *sentence, size_t size) {
    char name[LAB_LONGEST_WORD];
    const char *open = strchr(function, '('), *close = open ? lab_matching(open) : NULL, *end;
    const char *body = close ? lab_skip_blanks(close + 1) : NULL;
    if (!body || *body != '{') return 0;
    if (returns(text, function, body, sentence, size)) return 1;
    for (int i = 0; open + 1 < close; i++) {
        const char *at = lab_in_list(open + 1, close, i, &end);
        if (!at) return 0;
        if (is_whole(text, at, end, name) && !lab_is_meant_whole(text, body, name) &&
            takes(text, function, i, name, sentence, size))
            return 1;
    }
    return 0;
}

int lab_hint_of_cutting(const char *text, int from, int to, char *sentence, size_t size) {
    const char *at = lab_line_at(text, from);
    for (int line = from; at && line <= to; line++, at = (at = strchr(at, '\n')) ? at + 1 : NULL)
        if (lab_function_of(text, at) == at && is_cut(text, at, sentence, size)) return 1;
    return 0;
}
