// rank.c: the likelier change.
#include "rank.h"

#include <string.h>

enum { ELSEWHERE = 100 };

// Of two that stand at the same place and mend the same, the one that writes less is meant.
int lab_rank(const lab_edit *e, const char *todo) {
    const int more = *e->was ? (int)strlen(e->now) - (int)strlen(e->was) : 0;
    return e->rank + (more > 0 ? more / 2 : 0) + (todo && strcmp(todo, e->todo) ? ELSEWHERE : 0);
}
