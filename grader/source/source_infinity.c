// source_infinity.c: what is hidden by a product with INFINITY: of a truth value it is 0 * INFINITY, NaN, where that is
// false:
//
//     const bool hidden = j > last;
//     s[c] += hidden * -INFINITY;
#include "source_calls.h"
#include "source_hints.h"
#include "source_lines.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = LAB_LONGEST_WORD, MOST = 200 };

static int is_blank(char c) { return c == ' ' || c == '\n' || c == '\t'; }

// Does an expression compare, and compute nothing else? No arrows, no shifts.
static int compares(const char *from, const char *to) {
    int found = 0;
    for (const char *c = from; c < to; c++) {
        if (strchr("*?", *c)) return 0;  // a product, or a choice
        if (c[0] == '-' && c[1] == '>' && ++c) continue;
        if ((c[0] == '<' && c[1] == '<') || (c[0] == '>' && c[1] == '>')) return 0;
        found |= *c == '<' || *c == '>' || *c == '!' || (c[0] == '=' && c[1] == '=') || (c[0] == '&' && c[1] == '&') ||
                 (c[0] == '|' && c[1] == '|');
    }
    return found;
}

// A name that the function declares as bool, or as a number that is set to a comparison.
static int is_truth_value(const char *function, const char *before, const char *name, size_t n) {
    for (const char *at = function; at < before && (at = strstr(at, name)) && at < before; at += n) {
        if (at == function || lab_is_word(at[-1]) || strchr(".>", at[-1]) || lab_is_word(at[n])) continue;
        const char *value = at + n + strspn(at + n, " "), *line = at;
        while (line > function && !strchr(";{}(", line[-1])) line--;
        if (lab_has_word(line, at, "bool")) return 1;
        if (value[0] == '=' && value[1] != '=')
            return (lab_has_word(line, at, "int") || lab_has_word(line, at, "float")) &&
                   compares(value + 1, value + strcspn(value, ",;"));
    }
    return 0;
}

// The factor in front of the '*' here, or behind it; *to: behind its last character. NULL: neither a name nor in brackets.
static const char *factor_before(const char *start, const char *star, const char **to) {
    const char *end = star;
    while (end > start && is_blank(end[-1])) end--;
    const char *from = end;
    if (from > start && from[-1] == ')') {
        int open = 0;
        do {
            from--;
            open += *from == ')', open -= *from == '(';
        } while (from > start && open);
        if (from > start && lab_is_word(from[-1])) return NULL;  // a call
    } else
        while (from > start && lab_is_word(from[-1])) from--;
    *to = end;
    return from < end && !strchr(".>]", from > start ? from[-1] : ' ') ? from : NULL;
}

static const char *factor_behind(const char *star, const char **to) {
    const char *from = star + 1;
    while (is_blank(*from)) from++;
    *to = *from == '(' ? lab_behind_bracket(from) : from;
    while (*from != '(' && lab_is_word(**to)) ++*to;
    return *to > from && !strchr("[.(", **to) && strncmp(*to, "->", 2) ? from : NULL;
}

static int is_hidden_by(const char *text, const char *at, const char **from, const char **to) {
    const char *function = lab_function_of(text, at), *before = at, *behind = at + strlen("INFINITY");
    for (int in_brackets = 1; in_brackets; before -= in_brackets, behind += in_brackets) {  // of its own, not of a call
        while (before > function && (is_blank(before[-1]) || before[-1] == '-')) before--;
        while (is_blank(*behind)) behind++;
        in_brackets = before > function + 1 && before[-1] == '(' && *behind == ')' && !lab_is_word(before[-2]);
    }
    if (before > function && before[-1] == '*')
        *from = factor_before(function, before - 1, to);
    else if (*behind == '*')
        *from = factor_behind(behind, to);
    else
        return 0;
    char name[LONGEST];
    if (!*from || *to - *from >= LONGEST) return 0;
    if (**from == '(' && compares(*from, *to)) return 1;
    snprintf(name, sizeof name, "%.*s", (int)(*to - *from), *from);
    for (const char *c = name; *c; c++)
        if (!lab_is_word(*c)) return 0;
    return is_truth_value(function, at, name, strlen(name));
}

int lab_hint_of_infinity(const char *text, int from, int to, char *sentence, size_t size) {
    const char *at = lab_line_at(text, from), *last = lab_line_at(text, to + 1), *factor, *end;
    for (int n = 0; at && n++ < MOST && (at = strstr(at, "INFINITY")) && (!last || at < last); at++) {
        if (at == text || lab_is_word(at[-1]) || lab_is_word(at[8]) || !is_hidden_by(text, at, &factor, &end)) continue;
        snprintf(sentence, size,
                 "line %d multiplies INFINITY by %.*s: where that is false this is 0 * INFINITY, which is NaN, not 0: "
                 "hide by `if` or `?:`, not by a product",
                 lab_line_of(text, at), (int)(end - factor), factor);
        return LAB_HINT_CAUSE;
    }
    return LAB_HINT_NONE;
}
