// markers.c: finds the blocks that the lab fills. One pass, line by line; at most one block is open.
#define _GNU_SOURCE
#include "markers.h"

#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum { TEXT, OPENING, CLOSING, INSIDE_TEXT, BROKEN } kind;

static int matches(const char *pattern, const char *s, size_t length, regmatch_t *groups) {
    regex_t compiled;
    groups[0] = (regmatch_t){0, (regoff_t)length};
    if (regcomp(&compiled, pattern, REG_EXTENDED | REG_NEWLINE)) abort();
    const int found = regexec(&compiled, s, 4, groups, REG_STARTEND) == 0;
    regfree(&compiled);
    return found;
}

// What the line s[0..length) is; a marker's words go into m.
static kind parse(const char *s, size_t length, lab_marker *m) {
    regmatch_t groups[4];
    if (!memmem(s, length, "lab:", 4) || !matches("<!--[ \t]*/?lab:", s, length, groups)) return TEXT;
    if (!matches("^ {0,3}<!--[ \t]*/?lab:", s, length, groups)) return INSIDE_TEXT;
    if (!matches("^ {0,3}<!--[ \t]*(/?)lab:([a-z0-9_]{1,32}([ \t]+[a-z0-9_]{1,32}){0,3})[ \t]*-->[ \t]*\r?$", s, length,
                 groups))
        return BROKEN;
    const int closing = groups[1].rm_eo > groups[1].rm_so;
    char *rest = m->text, *word;
    snprintf(m->text, sizeof m->text, "%.*s", (int)(groups[2].rm_eo - groups[2].rm_so), s + groups[2].rm_so);
    for (m->n = 0; m->n < LAB_MARKER_WORDS && (word = strsep(&rest, " \t")) != NULL;)
        if (*word) m->words[m->n++] = word;
    return closing && m->n > 1 ? BROKEN : closing ? CLOSING : OPENING;
}

int lab_has_marker(const char *text) {
    lab_marker m;
    for (const char *s = text; *s; s += strcspn(s, "\n"), s += *s == '\n')
        if (parse(s, strcspn(s, "\n"), &m) != TEXT) return 1;
    return 0;
}

// What is wrong with a marker of this kind while `open` is open (NULL: none is). Returns 1 after saying it.
static int complain(const char *path, size_t line, kind what, const lab_marker *m, const lab_marker *open) {
    const char *name = what == BROKEN ? "" : m->words[0];
    if (what == BROKEN)
        fprintf(stderr,
                "report: %s:%zu: cannot read this marker: <!-- lab:NAME --> or <!-- /lab:NAME -->, alone on its line, "
                "is wanted\n",
                path, line);
    else if (what == OPENING && open)
        fprintf(stderr,
                "report: %s:%zu: lab:%s begins inside lab:%s of line %zu, which needs <!-- /lab:%s --> before\n", path,
                line, name, open->words[0], open->line, open->words[0]);
    else if (what == CLOSING && !open)
        fprintf(stderr, "report: %s:%zu: /lab:%s closes nothing: take it out, or write <!-- lab:%s --> before it\n",
                path, line, name, name);
    else if (what == CLOSING && strcmp(name, open->words[0]) != 0)
        fprintf(stderr, "report: %s:%zu: /lab:%s cannot close lab:%s of line %zu\n", path, line, name, open->words[0],
                open->line);
    else
        return 0;
    return 1;
}

int lab_find_markers(const char *path, const char *text, size_t length, lab_marker **markers) {
    const char *end = text + length, *next;
    lab_marker m, *open = NULL,
                  *all = calloc(length / 16 + 1, sizeof *all);  // a marker and its end take more than that
    size_t line = 1;
    int n = 0;
    *markers = all;
    if (!all) return fprintf(stderr, "report: out of memory\n"), -1;
    for (const char *s = text; s < end; s = next, line++) {
        const char *newline = memchr(s, '\n', (size_t)(end - s));
        next = newline ? newline + 1 : end;
        const size_t size = (size_t)((newline ? newline : end) - s);
        const kind what = parse(s, size, &m);
        if (complain(path, line, what, &m, open)) return -1;
        if (what == INSIDE_TEXT && !open)
            fprintf(stderr, "report: %s:%zu: warning: a marker inside a line is text and fills nothing\n", path, line);
        if (what == OPENING) {
            open = &all[n++];
            parse(s, size, open);
            open->line = line, open->begin = (size_t)(next - text), open->crlf = size && s[size - 1] == '\r';
        } else if (what == CLOSING) {
            open->end = (size_t)(s - text);
            open = NULL;
        }
    }
    if (!open) return n;
    fprintf(stderr, "report: %s:%zu: lab:%s is not closed: <!-- /lab:%s --> on a line of its own is missing\n", path,
            open->line, open->words[0], open->words[0]);
    return -1;
}
