// crash_locate.c: the checker's half of crash.h: from an offset in a stage to a line of the student's file.
#include "crash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "place.h"

void lab_crash_locate(char *log, const char *stage, char *text, size_t size) {
    char *report = strstr(log, "\nLAB-CRASH ");
    unsigned long offset = 0;
    int sig = 0, kind = 0;
    text[0] = 0;
    if (!report || sscanf(report, "\nLAB-CRASH %d %lx %d", &sig, &offset, &kind) < 2) return;
    *report = 0;
    if (offset) lab_place_at(stage, NULL, offset, text, size);
    const size_t used = strlen(text);
    if (*text && kind == LAB_MEMORY_STACK)
        snprintf(text + used, size - used,
                 ": the stack is full. An array as large as a matrix comes from malloc, and a recursion has an end");
}

static void line_of(const char *stage, unsigned long offset, char *text, size_t size) {
    char place[256];
    lab_place_at(stage, NULL, offset, place, sizeof place);
    const char *colon = strchr(place, ':');
    snprintf(text, size, "line %d", colon ? atoi(colon + 1) : 0);
    if (!colon) snprintf(text, size, "this file");
    if (strncmp(place, "task", 4) == 0 && place[4 + strspn(place + 4, "0123456789")] == '.')  // of grader/probes
        snprintf(text, size, "the lab");
}

void lab_crash_locate_calls(char *text, size_t size, const char *stage) {
    static char line[64];  // of the last address: all claims name the same call
    static unsigned long known;
    char *at = strstr(text, " (at 0x");
    unsigned long offset = 0;
    int length = 0;
    if (!at || sscanf(at, " (at 0x%lx)%n", &offset, &length) != 1 || !length) return;
    if (offset != known) line_of(stage, offset, line, sizeof line);
    known = offset;
    char rest[256];
    snprintf(rest, sizeof rest, "%s", at + length);
    if (strncmp(line, "line ", 5) == 0)
        snprintf(at, size - (size_t)(at - text), " (%s)%s", line, rest);
    else
        snprintf(at, size - (size_t)(at - text), "%s", rest);
}

void lab_crash_locate_nan(uint32_t nan, const char *stage, char *text, size_t size) {
    char place[256] = "";
    const unsigned long offset = nan & LAB_NAN_PLACE;
    text[0] = 0;
    if (offset) lab_place_at(stage, NULL, offset, place, sizeof place);
    if (!strchr(place, ':')) return;
    line_of(stage, offset, place, sizeof place);
    snprintf(text, size, "what %s got from malloc is read where nothing was written" LAB_UNSET_ADVICE, place);
}

// "line 279 writes Kt[704], and Kt has 640 elements"
static void say_tensor(const char *here, const char *tensor, int kind, int writes, unsigned long bytes,
                       unsigned long past, char *text, size_t size) {
    const char *const does = writes ? "writes" : "reads";
    const unsigned long element = sizeof(float), n = bytes / element;
    if (kind == LAB_MEMORY_INPUT)
        snprintf(text, size, "%s writes to %s, which is an input", here, tensor);
    else if (kind == LAB_MEMORY_BEFORE)
        snprintf(text, size, "%s %s %s[-%lu]", here, does, tensor, (past + element - 1) / element);
    else
        snprintf(text, size, "%s %s %s[%lu], and %s has %lu element%s", here, does, tensor, n + past / element, tensor,
                 n, n == 1 ? "" : "s");
}

size_t lab_crash_locate_memory(const char *log, const char *stage, char *text, size_t size) {
    static const char *const words[][2] = {
        [LAB_MEMORY_PAST] = {"reads past the end of", "writes past the end of"},
        [LAB_MEMORY_BEFORE] = {"reads before the start of", "writes before the start of"},
        [LAB_MEMORY_FREED] = {"reads, after free(),", "writes, after free(), to"},
        [LAB_MEMORY_FREED_TWICE] = {"", "frees a second time"},
        [LAB_MEMORY_WRITTEN_BEFORE] = {"", "frees what was written before the start of"}};
    const char *report = strstr(log, "\nLAB-CRASH ");
    unsigned long at, caller, bytes, past;
    int sig, kind, writes;
    char here[64], there[64], far[64] = "", floats[64] = "", tensor[24] = "";
    text[0] = 0;
    if (!report || sscanf(report, "\nLAB-CRASH %d %lx %d %d %lx %lu %lu %23[A-Za-z0-9_]", &sig, &at, &kind, &writes,
                          &caller, &bytes, &past, tensor) < 7)
        return 0;
    if (at && *tensor && kind != LAB_MEMORY_FREED) {
        line_of(stage, at, here, sizeof here);
        if (strncmp(here, "line ", 5) == 0) say_tensor(here, tensor, kind, writes, bytes, past, text, size);
        return 0;
    }
    if (!at || kind < LAB_MEMORY_PAST || kind > LAB_MEMORY_WRITTEN_BEFORE) return 0;
    line_of(stage, at, here, sizeof here), line_of(stage, caller, there, sizeof there);
    if (past && kind <= LAB_MEMORY_BEFORE) snprintf(far, sizeof far, ", %lu bytes away", past);
    if (bytes % sizeof(float) == 0) snprintf(floats, sizeof floats, " (%lu floats)", bytes / sizeof(float));
    snprintf(text, size, "%s %s the %lu bytes%s that %s got from malloc%s", here, words[kind][writes != 0], bytes,
             floats, there, far);
    return bytes;
}
