// source_hints.c: looks at the lines that a report names. It reads names and brackets, no more: what it says is a question.
#include "source_hints.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NAMES = 8, MOST_LOOKS = 500 };

// Looks through a whole text, of one hint: a file may be a megabyte of the words that a hint looks for.
static int looks;

static const char *line_at(const char *text, int line) {
    for (; text && line > 1; line--) text = (text = strchr(text, '\n')) ? text + 1 : NULL;
    return text;
}

static int line_of(const char *text, const char *at) {
    int line = 1;
    for (; text < at; text++) line += *text == '\n';
    return line;
}

static int is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

// The beginning of the function that holds this place: the last line before it that begins in column 1 with a word.
static const char *function_of(const char *text, const char *at) {
    const char *found = text;
    for (const char *line = text; line && line <= at; line = (line = strchr(line, '\n')) ? line + 1 : NULL) {
        const size_t length = strcspn(line, "\n");
        if (is_word(*line) && memchr(line, '(', length) && !memchr(line, ';', length)) found = line;
    }
    return found;
}

// The lines of the file that a report names: FILE.cu:NN, in its order, up to n of them.
static int lines_of(const char *report, int line[], int n) {
    int found = 0;
    for (const char *at = report; found < n && (at = strstr(at, ".cu:")); at += 4) {
        const char *before = at;
        while (before > report && before[-1] != ' ') before--;
        if (before - report >= 12 && strstr(report, "launched at") == before - 12) continue;
        line[found++] = atoi(at + 4);
    }
    return found;
}

// The names that the line has before a '['.
static int names_of(const char *line, char names[MOST_NAMES][32]) {
    const char *const end = line + strcspn(line, "\n");
    int n = 0;
    for (const char *c = line; c < end && n < MOST_NAMES; c++) {
        const char *start = c;
        if (*c != '[') continue;
        while (start > line && is_word(start[-1])) start--;
        if (start < c && c - start < 32) snprintf(names[n++], 32, "%.*s", (int)(c - start), start);
    }
    return n;
}

static int share_a_name(char a[MOST_NAMES][32], int n_a, char b[MOST_NAMES][32], int n_b) {
    for (int i = 0; i < n_a; i++)
        for (int k = 0; k < n_b; k++)
            if (strcmp(a[i], b[k]) == 0) return 1;
    return 0;
}

// The line that makes a pointer of this name, from here back; NULL: there is none.
static const char *pointer_line(const char *text, const char *from, const char *name) {
    char made[48];
    const char *found = NULL;
    snprintf(made, sizeof made, "*%.31s = ", name);
    for (const char *at = text; (at = strstr(at, made)) && at < from; at++) found = at;
    return found;
}

// Written, then a barrier, then read together with another part: the barrier is there, so the parts may overlap.
static int parts_meet(const char *text, const char *report, const char *first, const char *second, const char *name,
                      char other[MOST_NAMES][32], int n, char *sentence, size_t size) {
    const char *kind = strstr(report, " write thread"), *barrier = strstr(first, "__sync");
    const char *mine = pointer_line(text, first, name);
    if (!kind || !strstr(kind, "read thread") || first >= second || !barrier || barrier > second || !mine) return 0;
    for (int i = 0; i < n; i++) {
        const char *its = strcmp(other[i], name) ? pointer_line(text, first, other[i]) : NULL;
        if (!its) continue;
        snprintf(
            sentence, size,
            "%s and %s are parts of one shared memory, and between lines %d and %d stands %.*s(): do the two parts "
            "overlap (line %d: %.*s)? Each begins where the one before it ends%s",
            name, other[i], line_of(text, first), line_of(text, second), (int)strcspn(barrier, "("), barrier,
            line_of(text, mine), (int)strcspn(mine, ";,\n"), mine,
            strncmp(barrier, "__syncwarp", 10) ? "" : "; or does another warp read what this one writes?");
        return 1;
    }
    return 0;
}

static int parts_overlap(const char *text, const char *report, char *sentence, size_t size) {
    int line[2];
    char a[MOST_NAMES][32], b[MOST_NAMES][32];
    if (strncmp(report, "data race: shared", 17) || lines_of(report, line, 2) < 2) return 0;
    const char *first = line_at(text, line[0]), *second = line_at(text, line[1]);
    if (!first || !second || function_of(text, first) != function_of(text, second)) return 0;
    const int n_a = names_of(first, a), n_b = names_of(second, b);
    if (!n_a || !n_b) return 0;
    if (share_a_name(a, n_a, b, n_b)) return parts_meet(text, report, first, second, a[0], b, n_b, sentence, size);
    snprintf(sentence, size,
             "lines %d (%s) and %d (%s) use other names for the same shared memory: do these parts of it overlap? Each "
             "begins "
             "where the one before it ends",
             line[0], a[0], line[1], b[0]);
    return 1;
}

// From a kernel's `return;` on: the barrier behind it; NULL: it sends nobody away from one.
static const char *barrier_behind(const char *text, const char *kernel, const char *leave) {
    const char *barrier = leave ? strstr(leave, "__syncthreads") : NULL;
    return barrier && function_of(text, leave) == kernel && function_of(text, barrier) == kernel ? barrier : NULL;
}

// Threads that leave before a barrier do not load their share.
static int leaves_early(const char *text, const char *report, char *sentence, size_t size) {
    int line[1];
    if (strncmp(report, "read of memory that was never written: shared", 45) || !lines_of(report, line, 1)) return 0;
    const char *at = line_at(text, line[0]), *kernel = at ? function_of(text, at) : NULL;
    const char *leave = kernel ? strstr(kernel, "return;") : NULL;
    const char *barrier = barrier_behind(text, kernel, leave);
    if (!barrier || leave > at) return 0;
    snprintf(sentence, size,
             "threads that line %d sends away load no share of what the block loads before the __syncthreads() of line "
             "%d: let "
             "them stay, and guard what they store",
             line_of(text, leave), line_of(text, barrier));
    return 1;
}

// Does what stands there depend on the thread, by the lines of the kernel that set its names?
static int differs_by_thread(const char *kernel, const char *from, const char *to, int depth) {
    for (const char *c = from; c < to; c++) {
        char made[40];
        const size_t n = strspn(c, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
        if (n == 9 && strncmp(c, "threadIdx", 9) == 0) return 1;
        snprintf(made, sizeof made, " %.*s = ", n < 32 ? (int)n : 0, c);
        const char *line = n && depth && looks++ < MOST_LOOKS ? strstr(kernel, made) : NULL;
        if (line && line < from && differs_by_thread(kernel, line + n + 4, line + strcspn(line, ";\n"), depth - 1))
            return 1;
        c += n ? n - 1 : 0;
    }
    return 0;
}

int lab_hint_of_leaving(const char *text, char *sentence, size_t size) {
    looks = 0;
    for (const char *leave = text; looks++ < MOST_LOOKS && (leave = strstr(leave, "return;")); leave++) {
        const char *kernel = function_of(text, leave), *barrier = barrier_behind(text, kernel, leave);
        const char *global = strstr(kernel, "__global__");
        if (!barrier || !global || global > kernel + strcspn(kernel, "\n")) continue;
        const char *condition = leave;
        while (condition > text && condition[-1] != '\n') condition--;
        if (!differs_by_thread(kernel, condition, leave, 3)) continue;  // the whole block leaves
        snprintf(
            sentence, size,
            "line %d sends threads away, and behind it, in line %d, the block waits for all of them: do they still "
            "load a share of what others read, there or in the loop's next round? Let them stay, and guard what "
            "they store",
            line_of(text, leave), line_of(text, barrier));
        return 1;
    }
    return 0;
}

int lab_hint_of_report(const char *text, const char *report, int host_pointers, char *sentence, size_t size) {
    int line[1];
    if (parts_overlap(text, report, sentence, size) || leaves_early(text, report, sentence, size)) return 1;
    if (host_pointers || strncmp(report, "host pointer in a kernel", 24) || !lines_of(report, line, 1)) return 0;
    snprintf(sentence, size,
             "this function is given no pointer of the host: the offset in line %d runs far beyond its tensor. Do its "
             "factors, and the sides of the grid, stand for what the kernel takes them for?",
             line[0]);
    return 1;
}

int lab_hint_of_part(const char *report, const char *file, char *sentence, size_t size) {
    static const char takes[] = "flash takes this call's work.Q, work.K and work.V, with seq_q = seq_kv = S; decode "
                                "takes cache.K and cache.V, with the cache's size";
    const char *at = strstr(report, " at "), *call = strstr(report, ", called at ");
    if (call && strncmp(call + 12, file, strlen(file)) == 0) {  // by simt, of a kernel that stands in
        snprintf(sentence, size, "the kernel that %.*s calls is not to blame: look at what is handed to it. %s",
                 (int)strcspn(call + 12, " ,;\n"), call + 12, takes);
        return 1;
    }
    while (at && strncmp(at + 4 + strcspn(at + 4, ".: "), ".cu:", 4)) at = strstr(at + 4, " at ");
    if (!at || strncmp(at + 4, file, strlen(file)) == 0) return 0;
    const int attends = strncmp(at + 4, "flash.cu", 8) == 0 || strncmp(at + 4, "decode.cu", 9) == 0;
    snprintf(sentence, size, "%.*s is in a kernel that %s calls, and not to blame: look at what is handed to it. %s",
             (int)strcspn(at + 4, " ;"), at + 4, file,
             attends ? takes : "Is a pointer NULL, or a tensor smaller than the sizes of the call say?");
    return 1;
}

int lab_hint_of_state(const char *text, char *sentence, size_t size) {
    looks = 0;
    for (const char *at = text; looks++ < MOST_LOOKS && (at = strstr(at, "static ")); at += 7) {
        const char *line = at;
        while (line > text && line[-1] != '\n') line--;
        const size_t rest = strcspn(at, "\n");
        const int inside = line < at && strspn(line, " \t") == (size_t)(at - line);
        if (!inside || memchr(at, '(', rest) || strncmp(at + 7, "const", 5) == 0 || strncmp(at + 7, "__", 2) == 0)
            continue;
        snprintf(sentence, size,
                 "line %d keeps a variable from one call to the next: a result depends on the arguments alone",
                 line_of(text, at));
        return 1;
    }
    return 0;
}
