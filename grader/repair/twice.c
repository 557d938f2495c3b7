// twice.c: with a change every claim passes, and two blocks store the same elements, as they do without it:
//
//     const int row = blockIdx.x * BC + r;               a block has BR rows, and begins every BC
//     for (int j0 = 0; j0 < n; j0 += BR) {               with BC in place of BR it is right, and does rows again
//
// Where a block begins is then a part of the same mistake. Checked mode has seen the two blocks; the text says in which
// lines one begins. It is said only of a number that the change is about, as a file may do some rows again on purpose.
#include "twice.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LINES = 4 };

int lab_is_stored_twice(const char *report) {
    static const char global[] = "data race: global ", other[] = "write     another block's thread",
                      same[] = "Both write the same value";
    for (const char *at = report; (at = strstr(at, global)); at++) {
        const char *end = strstr(at + 1, "data race: "), *told = strstr(at, same), *write = strstr(at, other);
        if (told && write && (!end || (told < end && write < end))) return 1;
    }
    return 0;
}

static int is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

static int is_name_at(const char *at, const char *name) {
    const size_t n = strlen(name);
    return *name && !strncmp(at, name, n) && !is_word(at[n]);
}

// blockIdx.x * NAME, or (n + NAME - 1) / NAME.
static int counts_blocks(const char *line, const char *name) {
    for (const char *at = line; (at = strstr(at, "blockIdx.")); at++)
        if (!strncmp(at + 10, " * ", 3) && is_name_at(at + 13, name)) return 1;
    const char *quotient = strstr(line, "- 1) / ");
    return quotient && is_name_at(quotient + 7, name);
}

static int is_begun_by(const char *source, const char *name, int line[MOST_LINES]) {
    char *row = NULL;
    size_t room = 0;
    int n = 0, blocks = 0;
    FILE *f = fopen(source, "r");
    for (int i = 1; f && getline(&row, &room, f) >= 0; i++) {
        if (!counts_blocks(row, name) || n == MOST_LINES) continue;
        blocks |= strstr(row, "blockIdx") != NULL;
        line[n++] = i;
    }
    if (f) fclose(f);
    free(row);
    return blocks ? n : 0;
}

void lab_say_stored_twice(const char *source, const lab_edit *e, char *text, size_t size) {
    const char *const names[] = {e->now, e->was};
    int line[MOST_LINES], n = 0;
    text[0] = 0;
    for (int k = 0; k < 2 && !n; k++) {
        if (!(n = is_begun_by(source, names[k], line))) continue;
        size_t used =
            (size_t)snprintf(text, size, " Two blocks still store the same elements: line%s", n > 1 ? "s" : "");
        for (int i = 0; i < n && used < size; i++)
            used += (size_t)snprintf(text + used, size - used, "%s%d", !i ? " " : i + 1 < n ? ", " : " and ", line[i]);
        if (used < size)
            snprintf(text + used, size - used,
                     " begin%s a block every %s rows. Is that as many as a block has? The two numbers may be exchanged "
                     "there, too.",
                     n > 1 ? "" : "s", names[k]);
    }
}
