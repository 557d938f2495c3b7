// expect.c: reads EXPECT lines of a probe (grader/probes/probe.h).
#define _GNU_SOURCE
#include "expect.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "broken_text.h"
#include "text.h"
#include "todo.h"

// The parenthesis that closes the one at `open`, or the end of the text.
static char *closing(char *open) {
    int depth = 0;
    for (char *p = open; *p; p++) {
        depth += (*p == '(') - (*p == ')');
        if (!depth) return p;
    }
    return open + strlen(open);
}

static int lines_between(const char *from, const char *to) {
    int n = 0;
    for (; from < to; from++) n += *from == '\n';
    return n;
}

// "void, load_tile, (float *tile,\n        int rows)" becomes "void load_tile(float *tile, int rows)".
static void write_signature(const char *inside, char *out, size_t size) {
    size_t used = 0;
    int commas = 0;
    for (const char *p = inside; *p && used + 1 < size; p++) {
        if (*p == ',' && commas < 2) {
            if (commas++ == 1) p += strspn(p + 1, " \n");
            continue;
        }
        const char c = *p == '\n' ? ' ' : *p;
        if (c != ' ' || (used && out[used - 1] != ' ')) out[used++] = c;
    }
    out[used] = 0;
}

int lab_expected(const char *probe, const char *log, const char *source, char *message, size_t size) {
    const int line = lab_error_line(log, probe, NULL);
    const char *slash = strrchr(source, '/');
    char *text = line ? lab_todo_text(probe) : NULL, signature[512] = "";
    for (char *at = text; at && (at = strstr(at, "\nEXPECT")); at++) {
        char *const open = strchr(at, '('), *const end = closing(open);
        const int first = 1 + lines_between(text, open), last = first + lines_between(open, end);
        if (line < first || line > last || !*end) continue;
        *end = 0;
        write_signature(open + 1, signature, sizeof signature);
        break;
    }
    free(text);
    if (!*signature) return 0;
    snprintf(message, size, "the lab expected the function `%s` in %s: it calls it to check a TODO", signature,
             slash ? slash + 1 : source);
    lab_clean_text(message);
    return 1;
}
