// source_rows.c: two lines that a report names, and that take the rows of one array for differently long.
#include "source_hints.h"
#include "source_lines.h"

#include <stdio.h>
#include <string.h>

// Two lines that take rows of one array for differently long: NAME[row * LENGTH + ...]. *length is that of this line.
static int length_of_row(const char *line, const char *name, char row[32], char length[32]) {
    const char *const end = line + strcspn(line, "\n");
    char start[40];
    snprintf(start, sizeof start, "%.31s[", name);
    const char *at = strstr(line, start), *star = at ? strchr(at, '*') : NULL;
    if (!star || star > end || star < at + strlen(start) + 1) return 0;
    at += strlen(start);
    int depth = 0;
    const char *to = star + 1 + strspn(star + 1, " "), *c = to;
    for (; c < end && (depth || !strchr(" +-]", *c)); c++) depth += (*c == '(') - (*c == ')');
    snprintf(row, 32, "%.*s", (int)(star - at), at), snprintf(length, 32, "%.*s", (int)(c - to), to);
    return 1;
}

int lab_hint_of_rows(const char *text, const char *report, char *sentence, size_t size) {
    int line[2];
    char names[LAB_MOST_NAMES][32], row[2][32], length[2][32];
    if (strncmp(report, "data race: shared", 17) || lab_lines_of(report, line, 2) < 2 || line[0] == line[1]) return 0;
    const char *first = lab_line_at(text, line[0]), *second = lab_line_at(text, line[1]);
    const int n = first && second ? lab_names_of(first, names) : 0;
    for (int i = 0; i < n; i++) {
        if (!length_of_row(first, names[i], row[0], length[0]) || !length_of_row(second, names[i], row[1], length[1]))
            continue;
        if (strcmp(row[0], row[1]) || !strcmp(length[0], length[1])) continue;
        snprintf(sentence, size,
                 "rows of %s overlap: in line %d they are %s long, in line %d %s; one length for all. No barrier helps",
                 names[i], line[0], length[0], line[1], length[1]);
        return 1;
    }
    return 0;
}
