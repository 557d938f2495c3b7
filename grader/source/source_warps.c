// source_warps.c: a race between warps, where a barrier of a warp stands between the two lines: it holds up the threads of
// one warp alone. Where all warps store at the same place, no barrier helps (source_groups.c).
#include "source_calls.h"
#include "source_hints.h"
#include "source_lines.h"

#include <stdio.h>
#include <string.h>

// The call of this name behind `from`, before `to`. NULL: there is none.
static const char *between(const char *from, const char *to, const char *call) {
    const char *at = strstr(from, call);
    return at && at < to ? at : NULL;
}

static int is_of_kernel(const char *text, const char *at) {
    const char *function = lab_function_of(text, at), *global = strstr(function, "__global__");
    return global && global < at && global < function + strcspn(function, "{");
}

// The kernel's last call, before this place, of the function that holds the other one. NULL: there is none.
static const char *call_before(const char *text, const char *other, const char *at) {
    char name[LAB_LONGEST_WORD];
    const char *last = NULL;
    if (is_of_kernel(text, other) || !is_of_kernel(text, at) ||
        !lab_name_of_function(lab_function_of(text, other), name))
        return NULL;
    for (const char *c = lab_function_of(text, at); (c = strstr(c, name)) && c < at; c += strlen(name))
        if (lab_is_word_at(text, c, name) && c[strlen(name)] == '(') last = c;
    return last;
}

// The next call behind this place: in the same block, which a loop's end is, before one in a loop within.
static const char *next_call(const char *from, const char *call) {
    int depth = 0;
    for (const char *at = from; *at && depth >= 0; at++) {
        depth += (*at == '{') - (*at == '}');
        if (!depth && !strncmp(at, call, strlen(call))) return at;
    }
    return strstr(from, call);
}

int lab_hint_of_warps(const char *text, const char *report, char *sentence, size_t size) {
    int line[2];
    if (strncmp(report, "data race: shared", 17) || !strstr(report, "in different warps") ||
        lab_lines_of(report, line, 2) < 2)
        return 0;
    const int first = line[0] < line[1] ? line[0] : line[1], second = line[0] + line[1] - first;
    const char *from = lab_line_at(text, first), *to = lab_line_at(text, second),
               *write = strstr(report, "write thread");
    if (!from || !to || !write) return 0;
    if (lab_function_of(text, from) != lab_function_of(text, to)) {
        const char *call = call_before(text, from, to);
        if (!call && (call = call_before(text, to, from))) to = from;
        if (!(from = call)) return 0;
    }
    const char *warp = between(from, to, "__syncwarp("), *open = warp ? strchr(warp, '(') : NULL, *also;
    if (!warp || between(from, to, "__syncthreads(") || (open = lab_matching(open)) == NULL) return 0;
    if (lab_warps_share_a_place(text, report, sentence, size)) return 1;
    const size_t used = (size_t)snprintf(
        sentence, size,
        "line %d: __syncwarp() holds up the threads of one warp alone, and lines %d and %d meet in shared memory from "
        "several warps. Put __syncthreads() there",
        lab_line_of(text, warp), first, second);
    also = next_call(open, "__syncwarp(");
    if (also && used < size && lab_function_of(text, also) == lab_function_of(text, warp))
        snprintf(sentence + used, size - used, ", and in line %d, if what goes before it is read by other warps, too",
                 lab_line_of(text, also));
    return 1;
}
