// say_two.h: a change in two places.
#ifndef LAB_SAY_TWO_H
#define LAB_SAY_TWO_H

#include "candidates.h"

// lines: "lines 3 and 4". Returns 0 if the change is in one place.
int lab_say_two(const lab_edit *e, const char *lines, char *text, size_t size);

#endif
