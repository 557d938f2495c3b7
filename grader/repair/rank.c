// rank.c: the likelier change.
#include "rank.h"

#include <string.h>

enum { ELSEWHERE = 100, LARGER = 15 };

static int is(const char *a, const char *b) { return strcmp(a, b) == 0; }

// What lets a loop or a bound run one further often satisfies the claims and is not meant: rounding up is.
static int grows(const lab_edit *e) {
    const int comparison = (is(e->was, "<") && is(e->now, "<=")) || (is(e->was, ">") && is(e->now, ">="));
    const size_t n = strlen(e->now);
    return comparison || (is(e->kind, "one off") && n > 3 && is(e->now + n - 3, "+ 1"));
}

static int is_usual(const lab_edit *e) { return is(e->kind, "rounded up") || is(e->kind, "cut off"); }

// Of two that stand at the same place and mend the same, the one that writes less is meant.
int lab_rank(const lab_edit *e, const char *todo) {
    const int more = *e->was && !is_usual(e) ? (int)strlen(e->now) - (int)strlen(e->was) : 0;
    return e->rank + (more > 0 ? more / 2 : 0) + (grows(e) ? LARGER : 0) +
           (todo && strcmp(todo, e->todo) ? ELSEWHERE : 0);
}
