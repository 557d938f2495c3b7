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

enum { LAB_MOST_ALTERED = 3 };

typedef struct {
    int line;       // of the file; minus a line behind which it is missing, above a TODO
    char was[300];  // in the skeleton
} lab_altered;

// The lines of a file that were others in the skeleton. Returns how many; 0: there is none, or there are too many.
int lab_given_altered(const lab_task *task, const char *source, lab_altered found[LAB_MOST_ALTERED]);

#endif
