// rank.c: the likelier change, and its words.
#include "rank.h"

#include <stdio.h>
#include <string.h>

enum { ELSEWHERE = 100, SHOWN = 76 };  // SHOWN: columns of a whole statement that are still read at a glance

// Of two that stand at the same place and mend the same, the one that writes less is meant.
int lab_rank(const lab_edit *e, const char *todo) {
    const int more = *e->was ? (int)strlen(e->now) - (int)strlen(e->was) : 0;
    return e->rank + (more > 0 ? more / 2 : 0) + (todo && strcmp(todo, e->todo) ? ELSEWHERE : 0);
}

static int starts(const char *text, const char *with) { return strncmp(text, with, strlen(with)) == 0; }

void lab_say_edit(const lab_edit *e, int line_only, char *text, size_t size) {
    const int in_place = *e->was && *e->now && strcmp(e->was, e->now);
    const int length = (int)strlen(e->whole) - (*e->whole && e->whole[strlen(e->whole) - 1] == ';');
    const int whole = strcmp(e->whole, e->was) && length < SHOWN;
    if (line_only)
        snprintf(text, size, "one small change in line %d is enough: with it", e->line);
    else if (starts(e->now, "__syncthreads") && !*e->was)
        snprintf(text, size, "a barrier is missing before line %d. With __syncthreads() there", e->line);
    else if (!*e->was)
        snprintf(text, size, "before line %d, %s is missing. With it", e->line, e->now);
    else if (!*e->now)
        snprintf(text, size, "line %d reads %s. Without it", e->line, e->was);
    else if (!in_place)
        snprintf(text, size, "line %d, %s, stands in the wrong place (%s). With that", e->line, e->was, e->kind);
    else if (whole)
        snprintf(text, size, "line %d reads %.*s. With %s in place of %s", e->line, length, e->whole, e->now, e->was);
    else
        snprintf(text, size, "line %d has %s. With %s in its place", e->line, e->was, e->now);
}
