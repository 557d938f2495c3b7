// source_uncalled.c: a kernel that no line launches, or a function that no line calls:
//
//     static __global__ void mask(float *s, int n) {...}      and   softmax<<<rows, 128>>>(s, n);   alone
//
// What a macro may make, what stands under a directive, and whatever a TODO is still to launch is left alone.
#include "source_calls.h"
#include "source_hints.h"
#include "source_lines.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = LAB_LONGEST_WORD, MOST = 500 };

// What is declared here stands behind the last ; { or } and the last line of a directive.
static const char *head_of(const char *text, const char *at) {
    while (at > text && !strchr(";{}", at[-1])) at--;
    const char *from = lab_skip_blanks(at);
    while (*from == '#') from = lab_skip_blanks(from + strcspn(from, "\n"));
    return from;
}

// Is this place of the name none that uses it: a declaration, or the function itself?
static int declares(const char *text, const char *at) {
    static const char *const words[] = {"void", "static", "inline", "__global__", "__device__", NULL};
    const char *head = head_of(text, at), *before = at;
    while (before > head && strchr(" \t\n", before[-1])) before--;
    if (head >= at) return 0;  // in a directive
    if (before <= head || *before == '(' || memchr(head, '=', (size_t)(at - head))) return 0;
    if (before[-1] == ')' && !lab_has_word(head, at, "__launch_bounds__")) return 0;  // (void)f(x)
    if (!lab_is_word(before[-1]) && !strchr("*&)", before[-1])) return 0;
    for (int i = 0; words[i]; i++)
        if (lab_has_word(head, at, words[i])) return 1;
    return 0;
}

static int is_used(const char *text, const char *name) {
    const size_t n = strlen(name);
    for (const char *at = text; (at = strstr(at, name)); at += n)
        if (lab_is_word_at(text, at, name) && !declares(text, at)) return 1;
    return 0;
}

static int under_directive(const char *text, const char *at) {
    int depth = 0;
    for (const char *c = text; (c = strchr(c, '#')) && c < at; c++) {
        const char *word = c + 1 + strspn(c + 1, " ");
        depth += !strncmp(word, "if", 2);
        depth -= !strncmp(word, "endif", 5);
    }
    return depth > 0;
}

// Does a function that begins between these places work on the host? A kernel belongs to the first behind it.
static int has_host_function(const char *from, const char *to) {
    for (const char *line = from; line && line < to; line = (line = strchr(line, '\n')) ? line + 1 : NULL) {
        const size_t length = strcspn(line, "\n");
        const char *body = lab_is_word(*line) && memchr(line, '(', length) ? line + strcspn(line, ";{}=") : NULL;
        if (body && *body == '{' && !lab_has_word(line, body, "__global__") && !lab_has_word(line, body, "__device__"))
            return 1;
    }
    return 0;
}

// The name of the function whose body begins here, and its place.
static const char *name_of(const char *function, const char *body, char name[LONGEST]) {
    const char *close = body;
    while (close > function && close[-1] != ')') close--;
    int depth = 0;
    const char *open = close;
    for (; open > function; open--) {
        depth += (open[-1] == ')') - (open[-1] == '(');
        if (!depth) break;
    }
    const char *start = --open;
    while (start > function && lab_is_word(start[-1])) start--;
    if (open <= function || start == function || !lab_copy_word(start, open, name)) return NULL;
    return declares(function, start) ? start : NULL;
}

static int is_uncalled(const char *text, const char *line, const char *body, char *sentence, size_t size) {
    static const char *const kinds[] = {"static", "__device__", "__global__", NULL};
    char name[LONGEST];
    const char *at = name_of(line, body, name);
    int marked = 0;
    for (int i = 0; kinds[i]; i++) marked |= lab_has_word(line, body, kinds[i]);
    if (!at || !marked || !lab_has_word(line, at, "void") || !strncmp(name, "attn_", 5) ||
        !strncmp(name, "operator", 8) || under_directive(text, line) || is_used(text, name))
        return 0;
    const int kernel = lab_has_word(line, body, "__global__");
    snprintf(sentence, size, "the %s %s (line %d) is never %s", kernel ? "kernel" : "function", name,
             lab_line_of(text, at), kernel ? "launched" : "called");
    return 1;
}

int lab_hint_of_uncalled(const char *text, int from, int to, char *sentence, size_t size) {
    const char *first = lab_line_at(text, from), *last = lab_line_at(text, to + 1), *line = text;
    if (!first || strstr(text, "##") || strstr(text, "ATTN_TODO")) return LAB_HINT_NONE;
    for (int n = 0; line && (!last || line < last) && n < MOST; n++) {
        const size_t length = strcspn(line, "\n");
        const char *body = lab_is_word(*line) && memchr(line, '(', length) ? line + strcspn(line, ";{}=") : NULL;
        const char *end = body && *body == '{' ? lab_matching(body) : NULL;
        if (end && is_uncalled(text, line, body, sentence, size) && (end > first || !has_host_function(end, first)))
            return LAB_HINT_BESIDE;
        line = (line = strchr(line, '\n')) ? line + 1 : NULL;
    }
    return LAB_HINT_NONE;
}
