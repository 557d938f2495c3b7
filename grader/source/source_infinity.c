// source_infinity.c: what is hidden by a product with INFINITY: of a truth value it is 0 * INFINITY, NaN, where that is
// false:
//
//     const bool hidden = j > last;
//     s[c] += hidden * -INFINITY;
//
// Or with an element behind the edge, which is read all the same, and may be NaN:
//
//     return (r < rows && c < cols) * M[r * cols + c];
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
        const int in_list = line > function && line[-1] == '(';
        for (const char *c = line; in_list && c < at; c++)
            if (*c == ',') line = c + 1;  // each parameter has a type of its own
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

static int is_true_or_false(const char *function, const char *at, const char *from, const char *to) {
    char name[LONGEST];
    if (!from || to - from >= LONGEST) return 0;
    if (*from == '(' && compares(from, to)) return 1;
    snprintf(name, sizeof name, "%.*s", (int)(to - from), from);
    for (const char *c = name; *c; c++)
        if (!lab_is_word(*c)) return 0;
    return is_truth_value(function, at, name, strlen(name));
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
    return is_true_or_false(function, at, *from, *to);
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

// The name of the array of which an element is multiplied by this '*'. behind: it stands behind it. Its length; 0: none.
static int element_beside(const char *start, const char *star, int behind, const char **name) {
    const char *at = star;
    if (behind) {
        at++;
        *name = at += strspn(at, " \n");
        while (lab_is_word(*at)) at++;
        return *at == '[' ? (int)(at - *name) : 0;
    }
    while (at > start && is_blank(at[-1])) at--;
    if (at == start || at[-1] != ']') return 0;
    for (int open = 0; at > start; at--) {
        open += at[-1] == ']', open -= at[-1] == '[';
        if (!open) break;
    }
    const char *end = --at;
    while (at > start && lab_is_word(at[-1])) at--;
    *name = at;
    return (int)(end - at);
}

int lab_hint_of_factor(const char *text, const char *report, char *sentence, size_t size) {
    int line[1];
    const char *name, *from, *to;
    if (strncmp(report, "access out of bounds: ", 22) || !strstr(report, "read thread") ||
        !lab_lines_of(report, line, 1))
        return 0;
    const char *start = lab_line_at(text, line[0]), *end = start ? start + strcspn(start, "\n") : NULL;
    if (start && start + strcspn(start, ";{}") > end) end = start + strcspn(start, ";{}");
    for (const char *star = start; star && (star = memchr(star, '*', (size_t)(end - star))); star++)
        for (int behind = 0; behind < 2; behind++) {
            const int length = element_beside(start, star, behind, &name);
            if (!length || length >= LONGEST) continue;
            from = behind ? factor_before(start, star, &to) : factor_behind(star, &to);
            if (!is_true_or_false(lab_function_of(text, start), start, from, to)) continue;
            snprintf(
                sentence, size,
                "line %d multiplies %.*s[...] by %.*s: it is read all the same where that is false, and 0 times NaN is "
                "NaN: read it only where that is true, by `?:` or `if`",
                line[0], length, name, (int)(to - from), from);
            return 1;
        }
    return 0;
}
