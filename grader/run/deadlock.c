// deadlock.c: threads of a block that wait at different places, as simt lists them.
#include "deadlock.h"

#include <stdio.h>
#include <string.h>

// Marks the threads of "threads 0-7,12 ...".
static void mark(const char *ranges, char mark_with, char state[1024]) {
    for (int from, to, n; sscanf(ranges, "%d%n", &from, &n) == 1; ranges++) {
        to = from, ranges += n;
        if (*ranges == '-' && sscanf(ranges, "-%d%n", &to, &n) == 1) ranges += n;
        for (int i = from; i <= to && i >= 0 && i < 1024; i++) state[i] = mark_with;
        if (*ranges != ',') return;
    }
}

// Of a deadlock: lanes of one warp, of which some wait in a shuffle for the others, which have gone on.
static void explain_shuffle(const char *report, char *text, size_t size) {
    char state[1024] = "";
    const char *place = NULL;
    for (const char *at = strstr(report, "threads "); at; at = strstr(at + 8, "threads ")) {
        const char *what = at + 8 + strspn(at + 8, "0123456789-,");
        const int waits = strncmp(what, " wait for lanes of their warp at ", 33) == 0;
        if (waits && !place) place = what + 33;
        mark(at + 8, waits ? 'w' : 'g', state);
    }
    for (int i = 0; i < 1024 && place; i++) {
        if (state[i] != 'w' || !memchr(state + i / 32 * 32, 'g', 32)) continue;
        const size_t used = strlen(text);
        snprintf(text + used, size - used,
                 "; lanes of one warp are apart: some have left the loop, or the branch, in which the others call the "
                 "shuffle at %.*s. All lanes that its mask names must get there equally often",
                 (int)strcspn(place, ";"), place);
        return;
    }
}

// Of a deadlock: threads that wait at two barriers. Each of them has left the others alone at one.
static int explain_barriers(const char *report, char *text, size_t size) {
    static const char waits[] = " wait in __syncthreads at ";
    const char *first = strstr(report, waits), *place = first ? first + sizeof waits - 1 : "";
    const size_t length = strcspn(place, " ;"), used = strlen(text);
    for (const char *at = first; at; at = strstr(at + 1, waits)) {
        const char *other = at + sizeof waits - 1;
        const size_t n = strcspn(other, " ;");
        if (n == length && strncmp(place, other, n) == 0) continue;
        snprintf(text + used, size - used,
                 "; some threads wait at the barrier of %.*s, the others at that of %.*s: one of the two stands where "
                 "not all threads of the block get, under an if or in a loop. Take it out of there",
                 (int)length, place, (int)n, other);
        return 1;
    }
    return 0;
}

void lab_explain_deadlock(const char *report, char *text, size_t size) {
    if (!explain_barriers(report, text, size)) explain_shuffle(report, text, size);
}
