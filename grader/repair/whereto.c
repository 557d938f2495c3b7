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

typedef struct {
    char name[NAME];
    int is_array;
} shared_name;

// What a function declares as shared, and from where on it is used. Returns how many, MOST_SHARED: there may be more.
static int shared_names(const char *function, const char *end, shared_name all[MOST_SHARED], const char **behind) {
    int n = 0;
    *behind = function;
    for (const char *at = function; (at = strstr(at, "__shared__")) && at < end; at = *behind) {
        const char *stop = strchr(at, ';');
        int depth = 0, known = 0;
        if (!stop || stop > end) break;
        for (const char *c = at; c <= stop; c++) {
            const char *last = c, *first;
            if (!depth && !known && strchr("[=,;", *c)) {
                while (last > at && last[-1] == ' ') last--;
                for (first = last; first > at && lab_is_word(first[-1]);) first--;
                if (n < MOST_SHARED) snprintf(all[n].name, NAME, "%.*s", (int)(last - first), first);
                if (n < MOST_SHARED) all[n++].is_array = *c == '[';
                known = 1;
            }
            if (!depth && *c == ',') known = 0;
            depth += (*c == '[') - (*c == ']');
        }
        *behind = stop;
    }
    return n;
}

typedef struct {
    const char *read, *stored, *handed;  // the first of each
    int is_known;                        // 0: a pointer is made of it, or it has fields
} uses;

// x[i][j] = and x[i] += store; of an array x alone is handed over.
static uses uses_of(const char *text, const char *from, const char *to, const shared_name *x) {
    uses u = {.is_known = 1};
    for (const char *at = from; at < to && (at = strstr(at, x->name)) && at < to; at++) {
        if (!lab_is_word_at(text, at, x->name)) continue;
        const char *next = at + strlen(x->name), *before = at;
        while (before > text && before[-1] == ' ') before--;
        const int whole = x->is_array && *next != '[';
        for (int depth = 0; *next == '[' || (*next && depth); next++) depth += (*next == '[') - (*next == ']');
        next += strspn(next, " ");
        const int adds = *next && strchr("+-*/", *next) && next[1] == '=', stores = *next == '=' && next[1] != '=';
        if (before[-1] == '&' || *next == '.' || (whole && !strchr("(,", before[-1]))) u.is_known = 0;
        if (whole && !u.handed) u.handed = at;
        if (!whole && (adds || stores) && !u.stored) u.stored = at;
        if (!whole && !stores && !u.read) u.read = at;
    }
    return u;
}

// May it be what the barrier is for? Says how where that is one way alone.
static int say_shared(const char *text, const char *line, const shared_name *x, const char *from, const char *to,
                      char *words, size_t size) {
    const uses a = uses_of(text, from, line, x), b = uses_of(text, line, to, x);
    const int emptied = a.read && b.stored, filled = a.stored && b.read, handed = a.handed && b.handed;
    *words = 0;
    if (!(a.read || a.stored || a.handed) || !(b.read || b.stored || b.handed)) return 0;
    if (!(a.stored || a.handed || b.stored || b.handed)) return 0;
    if (emptied + filled + handed != 1) return 1;
    const char *first = emptied ? a.read : filled ? a.stored : a.handed;
    const char *second = emptied ? b.stored : filled ? b.read : b.handed;
    snprintf(words, size,
             emptied  ? ": line %d reads %s, and line %d stores to it"
             : filled ? ": line %d stores to %s, and line %d reads it"
                      : ": line %d hands %s over, and so does line %d",
             lab_line_of(text, first), x->name, lab_line_of(text, second));
    return 1;
}

void lab_say_kept_apart(const char *source, int line, char *words, size_t size) {
    char *text = source ? lab_todo_read(source) : NULL, one[120];
    shared_name all[MOST_SHARED];
    const char *at = text ? lab_line_at(text, line) : NULL, *function = at ? lab_function_of(text, at) : NULL;
    const char *to = at ? strstr(at, "\n}") : NULL, *from, *barrier;
    *words = 0;
    int n = to ? shared_names(function, at, all, &from) : 0;
    for (int i = 0; i < n; i++)
        if (!uses_of(text, from, to, &all[i]).is_known) n = 0;  // another name may stand for any of it
    for (barrier = from; n && (barrier = strstr(barrier, "__syncthreads")) && barrier < at;) from = ++barrier;
    if (n && (barrier = strstr(at, "__syncthreads")) && barrier < to) to = barrier;
    for (int i = 0, found = 0; i < n && n < MOST_SHARED; i++) {
        found += say_shared(text, at, &all[i], from, to, one, sizeof one);
        if (found > 1) *words = 0;
        if (found == 1 && *one) snprintf(words, size, "%s", one);
    }
    free(text);
}
