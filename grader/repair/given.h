// given.h: which lines of a file the handout gave.
#ifndef LAB_REPAIR_GIVEN_H
#define LAB_REPAIR_GIVEN_H

#include "tasks.h"

// given[line] is 1 for a line that stands in the task's skeleton as well, as often as here; all are 0 in a file of
// one's own, which has few of the skeleton's lines. Lines from `most` on are not looked at.
void lab_given_mark(const lab_task *task, const char *source, unsigned char *given, int most);

#endif
