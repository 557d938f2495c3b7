// crash_locate.c: the checker's half of crash.h: from an offset in a stage to a line of the student's file.
#include "crash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "process.h"

// addr2line -i prints "function\nfile:line\n" for the innermost frame, then for those it was inlined into. The first
// one outside of the system's headers is the student's. Keeps the file's own name, drops folders.
static void read_answer(char *answer, char *text, size_t size) {
    char *next = answer;
    while (*next) {
        char *function = next, *place = strchr(function, '\n');
        if (!place) return;
        *place++ = 0;
        next = place + strcspn(place, "\n");
        if (*next) *next++ = 0;
        if (strncmp(place, "/usr/", 5) == 0) continue;
        char *file = strrchr(place, '/');
        file = file ? file + 1 : place;
        file[strcspn(file, " ")] = 0;  // "(discriminator 2)"
        const char *line = strrchr(file, ':');
        if (line && line[1] != '?' && line[1] != '0') snprintf(text, size, "%s in %s", file, function);
        return;
    }
}

void lab_crash_locate(char *log, const char *stage, char *text, size_t size) {
    char *report = strstr(log, "\nLAB-CRASH ");
    unsigned long offset = 0;
    int sig = 0;
    text[0] = 0;
    if (!report || sscanf(report, "\nLAB-CRASH %d %lx", &sig, &offset) != 2) return;
    *report = 0;
    if (offset == 0) return;

    char address[32];
    snprintf(address, sizeof address, "0x%lx", offset);
    char *const argv[] = {"addr2line", "-i", "-f", "-e", (char *)stage, address, NULL};
    const lab_limits limits = {.arena = -1, .cpu_seconds = 5, .memory_bytes = (size_t)2 << 30};
    lab_process p;
    if (!lab_process_start(&p, argv, &limits)) return;
    if (lab_process_wait(&p, NULL, 0, 5) == LAB_EXITED && p.exit_status == 0) read_answer(p.text, text, size);
    lab_process_stop(&p);
}
