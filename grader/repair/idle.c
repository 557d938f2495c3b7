// idle.c: what the file has and does not use, as far as its text says: for claims that fail and that no change mends.
#define _GNU_SOURCE
#include "idle.h"

#include <stdio.h>
#include <string.h>

#include "process.h"

enum { MOST_SAID = 2 };
static const double READ_SECONDS = 5;

char *lab_edits_list(const lab_repair_ask *ask, const char *what, const char *output, const char *number) {
    static lab_process p;
    char *argv[] = {(char *)ask->edits,         (char *)ask->source, (char *)what, (char *)output,
                    number ? "--number" : NULL, (char *)number,      NULL};
    const lab_limits limits = {.arena = -1, .cpu_seconds = READ_SECONDS, .memory_bytes = (size_t)1 << 30};
    if (!lab_process_start(&p, argv, &limits)) return NULL;
    const lab_event event = lab_process_wait(&p, NULL, 0, READ_SECONDS);
    lab_process_stop(&p);
    return event != LAB_EXITED || p.exit_status ? NULL : p.text;
}

int lab_repair_idle(const lab_repair_ask *ask, char *text, size_t size) {
    char *rows = lab_edits_list(ask, "--idle", ".", NULL);
    size_t used = 0;
    int n = 0;
    text[0] = 0;
    for (char *row; rows && n < MOST_SAID && (row = strsep(&rows, "\n")) && *row && used < size;) {
        const char *kind = strsep(&row, "\t"), *name = row ? strsep(&row, "\t") : NULL, *line = row;
        if (!line) return 0;
        const int is_kernel = strcmp(kind, "kernel") == 0;
        if (strcmp(kind, "result") == 0)
            used += (size_t)snprintf(text + used, size - used,
                                     "%swhat %s gives back in line %s is thrown away: is it not to be kept, or asked?",
                                     n ? " And " : "", name, line);
        else
            used += (size_t)snprintf(text + used, size - used, "%snobody %s %s, of line %s: is a %s missing?",
                                     n ? " And " : "", is_kernel ? "launches" : "calls", name, line,
                                     is_kernel ? "launch" : "call");
        n++;
    }
    return n;
}
