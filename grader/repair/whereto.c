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

// ---- What a barrier keeps apart

enum { NAME = 32, MOST_SHARED = 8 };

// The arrays that a function declares as shared, and from where on they are used. Returns how many.
static int shared_arrays(const char *function, const char *end, char name[MOST_SHARED][NAME], const char **behind) {
    int n = 0;
    *behind = function;
    for (const char *at = function; (at = strstr(at, "__shared__")) && at < end; at = *behind) {
        const char *stop = strchr(at, ';');
        int depth = 0;
        if (!stop || stop > end) break;
        for (const char *c = at; c < stop; c++) {
            const char *first = c;
            if (*c == '[' && !depth++) {
                while (first > at && lab_is_word(first[-1])) first--;
                if (first < c && c - first < NAME && n < MOST_SHARED)
                    snprintf(name[n++], NAME, "%.*s", (int)(c - first), first);
            }
            depth -= *c == ']';
        }
        *behind = stop;
    }
    return n;
}

typedef struct {
    const char *read, *stored, *handed;  // the first of each
} uses;

// x[i][j] = and x[i] += store; x alone is handed over.
static uses uses_of(const char *text, const char *from, const char *to, const char *name) {
    uses u = {0};
    for (const char *at = from; at < to && (at = strstr(at, name)) && at < to; at += strlen(name)) {
        if (!lab_is_word_at(text, at, name)) continue;
        const char *next = at + strlen(name);
        const int whole = *next != '[';
        while (*next == '[') {
            int depth = 0;
            do depth += (*next == '[') - (*next == ']');
            while (*++next && depth);
        }
        next += strspn(next, " ");
        const int adds = *next && strchr("+-*/", *next) && next[1] == '=', stores = *next == '=' && next[1] != '=';
        if (whole && !u.handed) u.handed = at;
        if (!whole && (adds || stores) && !u.stored) u.stored = at;
        if (!whole && !stores && !u.read) u.read = at;
    }
    return u;
}

static int say_array(const char *text, const char *line, const char *name, const char *from, const char *to,
                     char *words, size_t size) {
    const uses a = uses_of(text, from, line, name), b = uses_of(text, line, to, name);
    const int emptied = a.read && b.stored, filled = a.stored && b.read, handed = a.handed && b.handed;
    if (emptied + filled + handed != 1) return 0;
    const char *first = emptied ? a.read : filled ? a.stored : a.handed;
    const char *second = emptied ? b.stored : filled ? b.read : b.handed;
    return snprintf(words, size,
                    emptied  ? ": line %d reads %s, and line %d stores to it"
                    : filled ? ": line %d stores to %s, and line %d reads it"
                             : ": line %d hands %s over, and so does line %d",
                    lab_line_of(text, first), name, lab_line_of(text, second)) > 0;
}

void lab_say_kept_apart(const char *source, int line, char *words, size_t size) {
    char *text = source ? lab_todo_read(source) : NULL, name[MOST_SHARED][NAME];
    const char *at = text ? lab_line_at(text, line) : NULL, *function = at ? lab_function_of(text, at) : NULL;
    const char *to = at ? strstr(at, "\n}") : NULL, *from, *barrier;
    int said = 0;
    *words = 0;
    const int n = to ? shared_arrays(function, at, name, &from) : 0;
    for (barrier = from; n && (barrier = strstr(barrier, "__syncthreads")) && barrier < at;) from = ++barrier;
    if (n && (barrier = strstr(at, "__syncthreads")) && barrier < to) to = barrier;
    for (int i = 0; i < n; i++) {
        said += say_array(text, at, name[i], from, to, words, size);
        if (said > 1) *words = 0;
    }
    free(text);
}
