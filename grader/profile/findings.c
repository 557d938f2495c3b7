// findings.c: reads a log of compute-sanitizer.
//
//     ========= Invalid __global__ write of size 4 bytes
//     =========     at flash_kernel(float *)+0x100 in flash.cu:34
//     =========     by thread (65,0,0) in block (0,0,0)
//     =========     Access to 0x7cc43aa00001 is misaligned
//
// A line that is not indented begins a report (or is the banner, a summary, or a complaint of the tool).
#define _GNU_SOURCE
#include "findings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel.h"
#include "text.h"

enum { REPORT_BYTES = 8192 };
static const char mark[] = "========= ";

static int starts(const char *text, const char *start) { return strncmp(text, start, strlen(start)) == 0; }

// From "at NAME(types)+0x100 in FOLDER/FILE:34" in a line: "FILE:34" and NAME; "" where they are not said.
static void place_of(const char *line, char *where, size_t where_size, char *kernel, size_t size) {
    const char *at = strstr(line, "at "), *end = strchrnul(line, '\n'), *in = NULL, *plus;
    const char *frame = strstr(line, "Frame:");
    where[0] = kernel[0] = 0;
    if (frame && frame < end) at = frame + 3;  // "Device Frame:NAME", with or without a space
    for (const char *p = line; (p = strstr(p, " in ")) && p < end; p++) in = p + 4;
    if (in && !starts(in, "block")) {
        const char *slash = memrchr(in, '/', strcspn(in, "\n"));
        if (slash) in = slash + 1;
        const char *number = strchrnul(in, ':');
        if (number < end)
            snprintf(where, where_size, "%.*s", (int)(number + 1 + strspn(number + 1, "0123456789") - in), in);
    }
    if (!at || at > end || !(plus = strstr(at, "+0x")) || plus > end) return;
    char name[1024];
    at += 3 + strspn(at + 3, " ");
    snprintf(name, sizeof name, "%.*s", (int)(plus - at), at);
    lab_kernel_name(name, kernel, size);
}

// The first place of a report that is in the student's file, otherwise its first place.
static void find_place(const char *report, const char *file, char *where, size_t size, char *kernel,
                       size_t kernel_size) {
    const size_t n = strlen(file);
    for (int any = 0; any < 2; any++)
        for (const char *p = report; *p; p += strcspn(p, "\n"), p += *p == '\n') {
            place_of(p, where, size, kernel, kernel_size);
            if (*where && (any || (starts(where, file) && where[n] == ':'))) return;
        }
}

static void add_thread(const char *report, char *text, size_t size) {
    char thread[64], block[64];
    const char *by = strstr(report, "by thread ");
    const size_t used = strlen(text);
    if (by && sscanf(by, "by thread %63s in block %63s", thread, block) == 2)
        snprintf(text + used, size - used, ", thread %s of block %s", thread, block);
}

// "a write at flash.cu:141". A copy by cp.async gets words of its own: its line is in a header of CUDA's.
static void tell_side(const char *where, int writes, char *text, size_t size) {
    if (starts(where, "cuda_pipeline"))
        snprintf(text, size, "an asynchronous copy");
    else
        snprintf(text, size, "a %s at %.120s", writes ? "write" : "read", *where ? where : "?");
}

// Two places and what was done at each of them.
static void tell_race(const char *report, lab_findings *f) {
    const char *second = strstr(report, "and "), *hazards = strstr(report, " hazard");
    char where[256], kernel[2][LAB_KERNEL_NAME], side[2][160], count[48] = "";
    place_of(report, where, sizeof where, kernel[0], sizeof kernel[0]);
    tell_side(where, strstr(report, "between Write") != NULL, side[0], sizeof side[0]);
    const int copies = starts(where, "cuda_pipeline");
    place_of(second ? second : report, where, sizeof where, kernel[1], sizeof kernel[1]);
    tell_side(where, second && starts(second, "and Write"), side[1], sizeof side[1]);
    const char *in = kernel[copies];
    while (hazards && hazards > report && *hazards != '[')
        hazards--;  // "[508 hazards]", behind types with [] of theirs
    if (hazards) snprintf(count, sizeof count, " (%.*s)", (int)strcspn(hazards + 1, "]\n"), hazards + 1);
    snprintf(f->text, sizeof f->text, "a race in shared memory: %s and %s in %s, no barrier between%s", side[0],
             side[1], *in ? in : "a kernel", count);
    f->verdict = LAB_RACE;
}

// "write of size 4 bytes" of "__shared__": the access, in words.
static void tell_access(const char *report, const char *file, lab_findings *f) {
    char where[256], kernel[LAB_KERNEL_NAME], space[16] = "", kind[16] = "access", unit[8];
    int bytes = 0;
    const char *in = strstr(report, "__"), *of = in ? strstr(in, "__ ") : NULL;
    const int unwritten = starts(report, "Uninitialized");
    if (of && sscanf(in, "__%15[a-z]", space) == 1)
        sscanf(of, unwritten ? "__ memory %15s of size %d %7s" : "__ %15s of size %d %7s", kind, &bytes, unit);
    find_place(report, file, where, sizeof where, kernel, sizeof kernel);
    snprintf(f->text, sizeof f->text, "%sa %s of %d bytes %s %s memory%s at %s in %s",
             unwritten                         ? ""
             : strstr(report, "misaligned")    ? "misaligned: "
             : strstr(report, "out of bounds") ? "out of bounds: "
                                               : "",
             kind, bytes, strcmp(kind, "read") ? "to" : "from", *space ? space : "device",
             unwritten ? " that was never written" : "", *where ? where : "?", *kernel ? kernel : "a kernel");
    add_thread(report, f->text, sizeof f->text);
    f->verdict = unwritten ? LAB_WRONG_ANSWER : LAB_ILLEGAL_ACCESS;
}

static void tell_other(const char *report, const char *file, lab_findings *f) {
    char where[256], kernel[LAB_KERNEL_NAME];
    const int barrier = starts(report, "Barrier error");
    find_place(report, file, where, sizeof where, kernel, sizeof kernel);
    snprintf(f->text, sizeof f->text, "%.*s%s%s%s%s", (int)strcspn(report, "\n"), report, *where ? " at " : "", where,
             *kernel ? " in " : "", kernel);
    add_thread(report, f->text, sizeof f->text);
    f->verdict = barrier ? LAB_RACE : starts(report, "Program hit") ? LAB_LAUNCH_FAILURE : LAB_ILLEGAL_ACCESS;
}

static void tell(const char *report, const char *file, lab_findings *f) {
    const int race = starts(report, "Error: Race") || starts(report, "Warning: Race");
    if (race)
        tell_race(report, f);
    else if (starts(report, "Invalid __") || starts(report, "Uninitialized __"))
        tell_access(report, file, f);
    else
        tell_other(report, file, f);
    lab_clean_text(f->text);
}

// 1: the line begins a report. Complaints of the tool itself are kept apart.
static int begins_report(const char *line, lab_findings *f) {
    static const char *const hazards[] = {"Error: Race", "Warning: Race", "Error: Potential",
                                          "Error: (",    "Warning: (",    "Warning: Potential"};
    if (!*line || *line == ' ' || *line == '\n') return 0;
    f->started = 1;
    if (starts(line, "COMPUTE-SANITIZER")) return 0;
    const char *summary = strstr(line, "SUMMARY:");
    if (summary && summary < strchrnul(line, '\n')) return f->finished = 1, 0;
    for (size_t i = 0; i < sizeof hazards / sizeof *hazards; i++)
        if (starts(line, hazards[i])) return 1;
    if (starts(line, "Error:") || starts(line, "Warning:") || starts(line, "Target application") ||
        starts(line, "Internal")) {
        if (!*f->complaint) snprintf(f->complaint, sizeof f->complaint, "%.*s", (int)strcspn(line, "\n"), line);
        lab_clean_text(f->complaint);
        return 0;
    }
    return 1;
}

void lab_findings_parse(const char *log, const char *file, lab_findings *f) {
    static char report[REPORT_BYTES];
    size_t used = 0;  // of the first report; it ends where a line is not indented
    int inside = 0;
    memset(f, 0, sizeof *f);
    f->verdict = LAB_PASSED;
    for (const char *p = log; *p; p += strcspn(p, "\n"), p += *p == '\n') {
        if (!starts(p, "=========") || !strchr(p, '\n')) continue;  // the program's output; a line that was cut off
        const char *line = p + strlen(mark) - (p[strlen(mark) - 1] != ' ');
        const int n = (int)strcspn(line, "\n");
        const int begins = begins_report(line, f);
        f->reports += begins;
        inside = begins ? f->reports == 1 : inside && *line == ' ';
        if (inside && used + n + 2 < sizeof report)
            used += snprintf(report + used, sizeof report - used, "%.*s\n", n, line);
    }
    if (used) tell(report, file, f);
}
