// whereto.c: where a statement is to stand, in words: in front of which text, and behind which brace.
#include "whereto.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "source_lines.h"
#include "todo.h"

enum { LONGEST = 60 };  // of a line that is quoted within a sentence

// The line of the brace that opens the block in which the line stands; NULL: it stands in none.
static const char *opening(const char *text, const char *line) {
    int depth = 0;
    for (const char *c = line; c > text; c--) {
        depth += (c[-1] == '}') - (c[-1] == '{');
        if (depth >= 0) continue;
        while (--c > text && c[-1] != '\n') continue;
        return c;
    }
    return NULL;
}

// The block's closing brace, from the line on; NULL: there is none.
static const char *closing(const char *line) {
    int depth = 0;
    for (const char *c = line; *c; c++) {
        depth += (*c == '{') - (*c == '}');
        if (depth < 0) return c;
    }
    return NULL;
}

static int begins(const char *line, const char *word) {
    const size_t n = strlen(word);
    line += strspn(line, " \t}");
    return strncmp(line, word, n) == 0 && !isalnum((unsigned char)line[n]) && line[n] != '_';
}

// What the line says, where that is short.
static void quote(const char *line, char *text, size_t size) {
    const char *from = line + strspn(line, " \t"), *end = from + strcspn(from, "\n");
    while (end > from && isspace((unsigned char)end[-1])) end--;
    text[0] = 0;
    if (end > from && end - from <= LONGEST && *from != '}' && *from != '{')
        snprintf(text, size, " (%.*s)", (int)(end - from), from);
}

// The if or loop that the statement of line `at` leaves when it moves to line `to`; NULL: none.
static const char *left_behind(const char *text, int at, int to, const char **end) {
    const char *from = lab_line_at(text, at), *target = lab_line_at(text, to);
    const char *open = from && target ? opening(text, from) : NULL;
    *end = open ? closing(from) : NULL;
    return *end && *end < target ? open : NULL;
}

void lab_say_place(const char *source, const lab_edit *e, char *words, size_t size) {
    char *text = source ? lab_todo_read(source) : NULL;
    const int to = atoi(e->kind + strcspn(e->kind, "0123456789"));
    const char *line = text ? lab_line_at(text, to) : NULL, *end = NULL;
    snprintf(words, size, "%s", e->kind);
    if (line && strncmp(e->kind, "before line ", 12) == 0) {
        char shown[LONGEST + 8];
        quote(line, shown, sizeof shown);
        const char *block = left_behind(text, e->line, to, &end);
        const int brace = block ? lab_line_of(text, end) : 0;
        if (block)
            snprintf(words, size, "behind the closing brace of line %d, %s", brace, e->kind);
        else
            snprintf(words, size, "%s%s", e->kind, shown);
    }
    free(text);
}

void lab_say_line(const char *source, int line, char *words, size_t size) {
    char *text = source ? lab_todo_read(source) : NULL, shown[LONGEST + 8] = "";
    const char *at = text ? lab_line_at(text, line) : NULL;
    if (at) quote(at, shown, sizeof shown);
    snprintf(words, size, "line %d%s", line, shown);
    free(text);
}

int lab_in_condition(const char *source, const lab_edit *e) {
    char *text = source ? lab_todo_read(source) : NULL;
    const char *end, *block = NULL;
    if (text) block = left_behind(text, e->line, atoi(e->kind + strcspn(e->kind, "0123456789")), &end);
    const int line = block && (begins(block, "if") || begins(block, "else")) ? lab_line_of(text, block) : 0;
    free(text);
    return line;
}

int lab_barrier_within(const char *source, int line) {
    char *text = source ? lab_todo_read(source) : NULL;
    const char *at = text ? lab_line_at(text, line) : NULL;
    const char *open = at && begins(at, "if") ? strpbrk(at, "{;") : NULL;
    const char *end = open && *open == '{' ? closing(open + 1) : NULL;
    const char *barrier = end ? strstr(open, "__syncthreads") : NULL;
    const int found = barrier && barrier < end ? lab_line_of(text, barrier) : 0;
    free(text);
    return found;
}
