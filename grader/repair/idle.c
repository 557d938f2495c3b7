// idle.c: what the file has and does not use, as far as its text says: for claims that fail and that no change mends.
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>

#include "edits_list.h"

enum { MOST_SAID = 2 };

int lab_repair_idle(const lab_repair_ask *ask, char *text, size_t size) {
    char *rows = lab_edits_list(ask, "--idle", ".", NULL);
    size_t used = 0;
    int n = 0;
    text[0] = 0;
    for (char *row; rows && n < MOST_SAID && (row = strsep(&rows, "\n")) && *row && used < size;) {
        const char *kind = strsep(&row, "\t"), *name = row ? strsep(&row, "\t") : NULL, *line = row;
        if (!line) return 0;
        if (ask->open && strcmp(kind, "input") == 0) continue;
        const int is_kernel = strcmp(kind, "kernel") == 0;
        const char *const and = !n ? "" : text[used - 1] == '?' ? " And " : ". And ";
        if (strcmp(kind, "unset") == 0)
            used +=
                (size_t)snprintf(text + used, size - used, "%sno line sets %s, which line %s reads", and, name, line);
        else if (strcmp(kind, "unread") == 0) {
            strsep(&row, "\t");
            used +=
                (size_t)snprintf(text + used, size - used, "%sno line reads %s, which line %s sets", and, name, line);
            if (row && *row)
                used += (size_t)snprintf(text + used, size - used,
                                         ", and no line stores to %s: is `%s[...] = %s` missing behind it?", row, row,
                                         name);
        } else if (strcmp(kind, "still") == 0) {
            const char *value = strsep(&row, "\t"), *declared = row ? strsep(&row, "\t") : "";
            used += (size_t)snprintf(text + used, size - used,
                                     "%s%s is %s from line %s on: line %s reads it, and no line changes it", and, name,
                                     value, declared, row ? row : "");
        } else if (strcmp(kind, "input") == 0) {
            const char *function = strsep(&row, "\t");
            used += (size_t)snprintf(text + used, size - used, "%snothing reads %s, which %s is given in line %s", and,
                                     name, function, row ? row : "");
        } else if (strcmp(kind, "twice") == 0)
            used += (size_t)snprintf(text + used, size - used,
                                     "%s%s stands in line %s, twice: is one of them meant for something else?", and,
                                     name, line);
        else if (strcmp(kind, "result") == 0)
            used += (size_t)snprintf(text + used, size - used,
                                     "%swhat %s gives back in line %s is thrown away: is it not to be kept, or asked?",
                                     and, name, line);
        else
            used += (size_t)snprintf(text + used, size - used, "%snobody %s %s, of line %s: is a %s missing?", and,
                                     is_kernel ? "launches" : "calls", name, line, is_kernel ? "launch" : "call");
        n++;
    }
    return n;
}
