// source_lines.c: lines and names of a file.
#include "source_lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *lab_matching(const char *open) {
    int depth = 0;
    for (const char *at = open; *at; at++) {
        depth += *at == '(' || *at == '{', depth -= *at == ')' || *at == '}';
        if (!depth) return at;
    }
    return NULL;
}

const char *lab_block_end(const char *at) {
    for (int depth = 0; *at; at++) {
        depth += *at == '{', depth -= *at == '}';
        if (depth < 0) break;
    }
    return at;
}

const char *lab_block_around(const char *from, const char *at) {
    for (int depth = 0; at > from; at--) {
        depth += at[-1] == '}', depth -= at[-1] == '{';
        if (depth < 0) return at - 1;
    }
    return NULL;
}

enum { DEEPEST = 40 };  // statements within one another, without braces
static const char *end_of_statement(const char *at, int depth) {
    at = lab_skip_blanks(at);
    if (depth > DEEPEST) return at;
    if (*at == '{') {
        const char *close = lab_matching(at);
        return close ? close + 1 : at + strlen(at);
    }
    const size_t head = !strncmp(at, "for", 3) ? 3 : !strncmp(at, "while", 5) ? 5 : !strncmp(at, "if", 2) ? 2 : 0;
    const char *open = lab_skip_blanks(at + head), *close = head && *open == '(' ? lab_matching(open) : NULL;
    if (close) {
        at = end_of_statement(close + 1, depth + 1);
        const char *other = lab_skip_blanks(at);
        return head == 2 && !strncmp(other, "else", 4) ? end_of_statement(other + 4, depth + 1) : at;
    }
    at += strcspn(at, ";");
    return at + (*at == ';');
}

const char *lab_end_of_statement(const char *at) { return end_of_statement(at, 0); }

const char *lab_line_at(const char *text, int line) {
    for (; text && line > 1; line--) text = (text = strchr(text, '\n')) ? text + 1 : NULL;
    return text;
}

int lab_line_of(const char *text, const char *at) {
    int line = 1;
    for (; text < at; text++) line += *text == '\n';
    return line;
}

const char *lab_function_of(const char *text, const char *at) {
    const char *found = text;
    for (const char *line = text; line && line <= at; line = (line = strchr(line, '\n')) ? line + 1 : NULL) {
        const size_t length = strcspn(line, "\n");
        if (lab_is_word(*line) && memchr(line, '(', length) && !memchr(line, ';', length)) found = line;
    }
    return found;
}

int lab_lines_of(const char *report, int line[], int n) {
    int found = 0;
    for (const char *at = report; found < n && (at = strstr(at, ".cu:")); at += 4) {
        const char *before = at;
        while (before > report && before[-1] != ' ') before--;
        if (before - report >= 12 && strstr(report, "launched at") == before - 12) continue;
        line[found++] = atoi(at + 4);
    }
    return found;
}

int lab_names_of(const char *line, char names[LAB_MOST_NAMES][32]) {
    const char *const end = line + strcspn(line, "\n");
    int n = 0;
    for (const char *c = line; c < end && n < LAB_MOST_NAMES; c++) {
        const char *start = c;
        if (*c != '[') continue;
        while (start > line && lab_is_word(start[-1])) start--;
        if (start < c && c - start < 32) snprintf(names[n++], 32, "%.*s", (int)(c - start), start);
    }
    return n;
}

const char *lab_pointer_line(const char *text, const char *from, const char *name) {
    char made[48];
    const char *found = NULL;
    snprintf(made, sizeof made, "*%.31s = ", name);
    for (const char *at = text; (at = strstr(at, made)) && at < from; at++) found = at;
    return found;
}

int lab_has_word(const char *from, const char *to, const char *name) {
    const size_t n = strlen(name);
    for (const char *at = from; at + n <= to; at++) {
        if ((at > from && lab_is_word(at[-1])) || strncmp(at, name, n)) continue;
        if (at + n == to || !lab_is_word(at[n])) return 1;
    }
    return 0;
}

int lab_all_come(const char *body, const char *place) {
    static const char *const words[] = {"if", "else", "while", "switch"}, *const leaves[] = {"return", "break",
                                                                                             "continue"};
    for (int i = 0; i < 3; i++)
        if (lab_has_word(body, place, leaves[i])) return 0;
    for (int i = 0; i < 4; i++)
        for (const char *at = body; (at = strstr(at, words[i])) && at < place; at++) {
            if (!lab_is_word_at(body, at, words[i])) continue;
            const char *end = lab_end_of_statement(i == 1 ? at + strlen("else") : at);
            if (!end || end > place) return 0;
        }
    return 1;
}
