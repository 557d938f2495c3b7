// source_meet.c: a race in shared memory that one function of the file writes, all threads of the block together, and
// another one reads: the kernel calls the one and then the other. Is there a barrier between the calls, and one before the
// next round of the loop?
#include "source_hints.h"
#include "source_leaving.h"
#include "source_lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 48, MOST_SITES = 8 };

typedef struct {
    char name[NAME];               // the function that touches it; that of the kernel: the line itself
    const char *site[MOST_SITES];  // where the kernel calls it
    int n;
} access_of;

typedef struct {
    const char *from, *to;
} span;

static const char *block_end(const char *open) {
    int depth = 0;
    for (const char *at = open; *at; at++) {
        depth += *at == '{', depth -= *at == '}';
        if (!depth) return at;
    }
    return NULL;
}

// The body of the kernel that the report names.
static int kernel_of(const char *text, const char *report, span *body) {
    char name[NAME];
    const char *at = strstr(report, "kernel ");
    if (!at || sscanf(at, "kernel %47[A-Za-z0-9_]", name) != 1) return 0;
    const size_t n = strlen(name);
    for (at = text; (at = strstr(at, name)); at += n) {
        const char *open = strchr(at, '{'), *semicolon = strchr(at, ';'), *first = lab_function_of(text, at);
        if (at[n] != '(' || !open || (semicolon && semicolon < open) || (at > text && lab_is_word(at[-1]))) continue;
        if (!strstr(first, "__global__") || strstr(first, "__global__") > at || !(body->to = block_end(open))) continue;
        body->from = open;
        return 1;
    }
    return 0;
}

// "read thread (51,0,0) flash.cu:379": the line.
static const char *line_of_access(const char *text, const char *report, const char *kind) {
    const char *at = strstr(report, kind), *line = at ? strstr(at, ".cu:") : NULL;
    return line ? lab_line_at(text, atoi(line + 4)) : NULL;
}

static int sites_of(const char *text, const span *kernel, const char *line, access_of *a) {
    const char *function = lab_function_of(text, line), *open = strchr(function, '('), *start = open;
    memset(a, 0, sizeof *a);
    if (line >= kernel->from && line < kernel->to) return 0;
    while (start && start > function && lab_is_word(start[-1])) start--;
    if (!open || start == open || open - start >= NAME) return 0;
    snprintf(a->name, NAME, "%.*s", (int)(open - start), start);
    const size_t n = strlen(a->name);
    for (const char *at = kernel->from; (at = strstr(at, a->name)) && at < kernel->to && a->n < MOST_SITES; at += n)
        if (at[n] == '(' && !lab_is_word(at[-1])) a->site[a->n++] = at;
    return a->n;
}

// Do all threads of the block do its work together?
static int is_shared_out(const char *text, const char *line) {
    const char *function = lab_function_of(text, line), *end = strstr(function, "\n}"),
               *at = strstr(function, "threadIdx");
    return at && end && at < end;
}

static const char *find_in(const char *from, const char *to, const char *what) {
    const char *at = from < to ? strstr(from, what) : NULL;
    return at && at < to ? at : NULL;
}

// The smallest loop around both.
static int loop_around(const span *kernel, const char *a, const char *b, span *loop) {
    int found = 0;
    for (const char *at = kernel->from; (at = strstr(at, "for")) && at < kernel->to; at++) {
        const char *open = at + strcspn(at, "{;"), *end;
        int semicolons = 0;
        if (lab_is_word(at[-1]) || lab_is_word(at[3])) continue;
        while (*open == ';' && semicolons++ < 2) open += 1 + strcspn(open + 1, "{;");
        if (*open != '{' || !(end = block_end(open)) || a < open || a > end || b < open || b > end) continue;
        *loop = (span){at, end}, found = 1;
    }
    return found;
}

// The last one of these, if nothing stands behind it.
static void say_warp(const char *text, const char *from, const char *to, char *sentence, size_t size) {
    static const char barrier[] = "__syncwarp();";
    const char *last = NULL;
    for (const char *at = from; (at = find_in(at, to, barrier)); at++) last = at;
    const size_t used = strlen(sentence);
    const char *behind = last ? last + strlen(barrier) : NULL;
    if (behind && used < size && behind + strspn(behind, " \t\n") >= to)
        snprintf(
            sentence + used, size - used,
            ". __syncwarp() (line %d) lets the threads of one warp wait, and no others: where each warp has numbers "
            "of its own there, give each its own place instead",
            lab_line_of(text, last));
}

int lab_hint_of_meeting(const char *text, const char *report, char *sentence, size_t size) {
    access_of writer, reader;
    span kernel, loop;
    if (strncmp(report, "data race: shared", 17) || !kernel_of(text, report, &kernel)) return 0;
    const char *writes = line_of_access(text, report, "write thread ("),
               *reads = line_of_access(text, report, "read thread (");
    if (!writes || !reads || !is_shared_out(text, writes) || !sites_of(text, &kernel, writes, &writer) ||
        !sites_of(text, &kernel, reads, &reader) || strcmp(writer.name, reader.name) == 0)
        return 0;
    const char *second = reader.site[0], *first = NULL;
    for (int i = 0; i < writer.n && writer.site[i] < second; i++) first = writer.site[i];
    if (first && !find_in(first, second, "__syncthreads")) {
        const char *behind = strchr(first, ';'), *next = behind ? strchr(behind + 1, ';') : NULL;
        const char *early = find_in(writer.site[0], first, "__syncthreads");
        snprintf(
            sentence, size,
            "No barrier stands between line %d, where %s writes shared memory, and line %d, where %s reads it: put "
            "__syncthreads() there",
            lab_line_of(text, first), writer.name, lab_line_of(text, second), reader.name);
        const size_t used = strlen(sentence);
        if (early && used < size)
            snprintf(sentence + used, size - used, ". The one in line %d stands too early", lab_line_of(text, early));
        if (next) say_warp(text, behind, next + 1, sentence, size);
        return 1;
    }
    second = reader.site[reader.n - 1];
    if (!first || !loop_around(&kernel, first, second, &loop)) return 0;
    for (int i = writer.n - 1; i >= 0; i--)
        if (writer.site[i] > loop.from && writer.site[i] < second) first = writer.site[i];
    if (find_in(second, loop.to, "__syncthreads") || find_in(loop.from, first, "__syncthreads")) return 0;
    snprintf(sentence, size,
             "No barrier keeps line %d (%s) from overwriting, in the next round, what line %d (%s) still reads: "
             "__syncthreads() is missing at the end of the loop of line %d",
             lab_line_of(text, first), writer.name, lab_line_of(text, second), reader.name,
             lab_line_of(text, loop.from));
    say_warp(text, second, loop.to, sentence, size);
    return 1;
}

// "if (n % 2 == 0) __syncthreads();" where the block has no other barrier.
int lab_hint_of_some_rounds(const char *text, const char *report, char *sentence, size_t size) {
    static const char barrier[] = "__syncthreads(";
    span kernel;
    if (strncmp(report, "data race: shared", 17) || !kernel_of(text, report, &kernel)) return 0;
    for (const char *at = kernel.from; (at = find_in(at + 1, kernel.to, barrier));) {
        const char *first = at, *end = lab_block_end(at);
        while (first > kernel.from && !strchr(";{}", first[-1])) first--;
        first = lab_skip_blanks(first);
        const char *open = first + 2 + strspn(first + 2, " "), *close = *open == '(' ? lab_matching(open) : NULL;
        if (!lab_is_word_at(text, first, "if") || !close || close > at || !find_in(open, close, "%")) continue;
        const char *block = lab_block_around(kernel.from, first),
                   *before = find_in(block ? block : kernel.from, kernel.to, barrier);
        if (lab_differs_by_thread(lab_function_of(text, at), open, at) || before != at || find_in(at + 1, end, barrier))
            continue;
        snprintf(sentence, size,
                 "line %d: only in some rounds of the loop the threads meet at this barrier, by %.*s. What the others "
                 "store, and overwrite, is not kept apart: it is needed in every round",
                 lab_line_of(text, at), (int)(close + 1 - open), open);
        return 1;
    }
    return 0;
}
