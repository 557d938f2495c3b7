// text.c: the student's text on its way out: changes on tokens, copies on one line, errors with their place.
#include "rewrite.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static void say(unit *u, int file, int line, int column, const char *what, const char *pattern, va_list list) {
    const char *name = u->files[file].name;  // with quotes
    fprintf(u->report, "%.*s:%d:%d: %s: ", (int)strlen(name) - 2, name + 1, line, column, what);
    vfprintf(u->report, pattern, list);
    fputc('\n', u->report);
}

void error_at(unit *u, int file, int line, int column, const char *pattern, ...) {
    va_list list;
    va_start(list, pattern);
    say(u, file, line, column, "error", pattern, list);
    va_end(list);
    u->errors++;
}

void error_at_token(unit *u, int i, const char *pattern, ...) {
    const token *t = &u->tokens[i];
    va_list list;
    va_start(list, pattern);
    say(u, t->file, t->line, t->column, "error", pattern, list);
    va_end(list);
    u->errors++;
}

void warn_at_token(unit *u, int i, const char *pattern, ...) {
    const token *t = &u->tokens[i];
    va_list list;
    va_start(list, pattern);
    say(u, t->file, t->line, t->column, "warning", pattern, list);
    va_end(list);
}

void insert_before(unit *u, int i, const char *text) {
    token *t = &u->tokens[i];
    t->before = t->before ? format(u, "%s%s", t->before, text) : text;
}

void insert_after(unit *u, int i, const char *text) {
    token *t = &u->tokens[i];
    t->after = t->after ? format(u, "%s%s", t->after, text) : text;
}

void replace(unit *u, int i, const char *text) { u->tokens[i].instead = text; }

void blank(unit *u, int i) { replace(u, i, format(u, "%*s", u->tokens[i].length, "")); }

// What stands in tokens [first, last], changes included. It must not hold a newline, or all lines below would shift; nor a
// line marker or a pragma.
const char *text_between(unit *u, int first, int last) {
    char *copy;
    size_t size;
    FILE *out = open_memstream(&copy, &size);
    for (int i = first; i <= last; i++) {
        const token *t = &u->tokens[i];
        if (i > first && t->at != t[-1].at + t[-1].length) fputc(' ', out);
        if (t->before) fputs(t->before, out);
        if (t->instead)
            fputs(t->instead, out);
        else if (memchr(t->at, '\n', (size_t)t->length))
            fputs("\"\"", out);  // a raw string over several lines: only its type matters where we copy it
        else
            fwrite(t->at, 1, (size_t)t->length, out);
        if (t->after) fputs(t->after, out);
    }
    fclose(out);
    const char *text = format(u, "%s", copy);
    free(copy);
    return text;
}

const char *string_literal(unit *u, const char *text) {
    char *copy = keep(u, 2 * strlen(text) + 3), *p = copy;
    *p++ = '"';
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') *p++ = '\\';
        *p++ = *text == '\n' ? ' ' : *text;
    }
    *p++ = '"';
    *p = 0;
    return copy;
}

void write_text(unit *u, FILE *out) {
    const char *from = u->text;
    for (int i = 0; i < u->token_count; i++) {
        const token *t = &u->tokens[i];
        if (!t->before && !t->instead && !t->after) continue;
        fwrite(from, 1, (size_t)(t->at - from), out);
        if (t->before) fputs(t->before, out);
        if (t->instead)
            fputs(t->instead, out);
        else
            fwrite(t->at, 1, (size_t)t->length, out);
        if (t->after) fputs(t->after, out);
        from = t->at + t->length;
    }
    fwrite(from, 1, (size_t)(u->text + u->size - from), out);
}
