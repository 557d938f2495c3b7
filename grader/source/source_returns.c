// source_returns.c: a function that has a value, and no return, or none at its end: what it gives back is what happens to
// lie there. C++ may even go on in whatever function stands behind it, whose crash is then reported.
#include "source_hints.h"
#include "source_lines.h"

#include <stdio.h>
#include <string.h>

// __device__ and the like say nothing of a value: a constructor has its name besides, and no more.
static int is_type_or_name(const char *word) {
    static const char *const others[] = {"static", "inline", "explicit", "constexpr"};
    if (word[0] == '_' && word[1] == '_') return 0;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (lab_is_word_at(word, word, others[i])) return 0;
    return 1;
}

// The line in column 1 that begins a function: has it a value? "static __device__ float f(int n) {"
static int has_value(const char *head, const char *open) {
    static const char *const none[] = {"void", "__global__", "auto", "struct", "enum", "union", "namespace", "extern"};
    int words = 0;
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        if (lab_has_word(head, open, none[i])) return 0;
    for (const char *c = head; c < open; c++) {
        if (*c == '=' || *c == '<' || *c == ';') return 0;
        words += lab_is_word(*c) && (c == head || !lab_is_word(c[-1])) && is_type_or_name(c);
    }
    return words > 1;  // a macro that makes a function has one
}

// Does a macro of the file that returns stand there? #define DONE return ATTN_OK
static int has_macro(const char *text, const char *from, const char *to) {
    for (const char *at = text; (at = strstr(at, "#define ")); at++) {
        char name[48] = "";
        const char *end = at + strcspn(at, "\n");
        while (*end && end[-1] == '\\') end += 1 + strcspn(end + 1, "\n");
        sscanf(at, "#define %47[A-Za-z0-9_]", name);
        if (*name && lab_has_word(at, end, "return") && lab_has_word(from, to, name)) return 1;
    }
    return 0;
}

// Is the function left somewhere between its braces, or is it main, which needs no return?
static int leaves(const char *text, const char *name, const char *body, const char *end) {
    static const char *const ends[] = {"return", "asm", "__trap", "abort", "exit", "goto", "__builtin_unreachable"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (lab_has_word(body, end, ends[i])) return 1;
    return has_macro(text, body, end) || lab_is_word_at(text, name, "main");
}

// The last statement, if it does something and then the function ends: a call, an assignment. NULL: it is another one.
static const char *last_statement(const char *text, const char *body, const char *end) {
    static const char *const others[] = {"return", "goto",   "throw", "if",     "else",
                                         "for",    "while",  "do",    "switch", "asm",
                                         "abort",  "assert", "exit",  "__trap", "__builtin_unreachable"};
    const char *at = end - 1;
    while (at > body && strchr(" \t\n", *at)) at--;
    if (*at != ';') return NULL;
    const char *semicolon = at;
    for (int depth = 0; at > body; at--) {
        depth += at[-1] == ')', depth -= at[-1] == '(';
        if (!depth && strchr(";{}", at[-1])) break;
    }
    at = lab_skip_blanks(at);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (lab_has_word(at, semicolon, others[i])) return NULL;
    return lab_is_word(*at) && !has_macro(text, at, semicolon) ? at : NULL;
}

int lab_hint_of_returns(const char *text, int from, int to, char *sentence, size_t size) {
    const char *start = lab_line_at(text, from), *behind = lab_line_at(text, to + 1);
    for (const char *head = start; head && (!behind || head < behind);) {
        const char *open = strchr(head, '('), *end_of_line = strchr(head, '\n');
        const char *close = open ? lab_matching(open) : NULL, *body = close ? lab_skip_blanks(close + 1) : NULL;
        if (lab_is_word(*head) && body && open < end_of_line && *body == '{' && has_value(head, open)) {
            const char *end = lab_matching(body), *name = open;
            while (name > head && lab_is_word(name[-1])) name--;
            if (end && !leaves(text, name, body, end)) {
                snprintf(sentence, size, "%.*s, in line %d, is to give something back, and there is no return in it",
                         (int)(open - name), name, lab_line_of(text, head));
                return LAB_HINT_CAUSE;
            }
            const char *last = end && !lab_is_word_at(text, name, "main") ? last_statement(text, body, end) : NULL;
            if (last) {
                snprintf(sentence, size,
                         "%.*s, in line %d, is to give something back, and ends without a return, behind line %d",
                         (int)(open - name), name, lab_line_of(text, head), lab_line_of(text, last));
                return LAB_HINT_CAUSE;
            }
        }
        head = end_of_line ? end_of_line + 1 : NULL;
    }
    return LAB_HINT_NONE;
}
