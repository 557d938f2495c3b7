// given.h: which lines of a file the handout gave.
#ifndef LAB_REPAIR_GIVEN_H
#define LAB_REPAIR_GIVEN_H

#include "candidates.h"

// given[line] is 1 for a line that stands in the task's skeleton as well, as often as here; all are 0 in a file of
// one's own, which has few of the skeleton's lines. Lines from `most` on are not looked at.
void lab_given_mark(const lab_task *task, const char *source, unsigned char *given, int most);

// Of the file that was marked last: with that change a line stands there that the skeleton has and the file has not, or
// not as often. The student has altered it.
int lab_given_restores(const lab_edit *e);

// The line of a file that was another one in the skeleton, and which; minus a line behind which it is missing, above a
// TODO; 0: there is none, or there are several.
int lab_given_altered(const lab_task *task, const char *source, char *was, size_t size);

#endif
