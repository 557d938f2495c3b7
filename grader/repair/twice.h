// twice.h: two blocks store the same elements, with a change that mends and without it.
#ifndef LAB_REPAIR_TWICE_H
#define LAB_REPAIR_TWICE_H

#include "candidates.h"

// Do two blocks store the same value to one place, by this report of checked mode?
int lab_is_stored_twice(const char *report);

// " Two blocks still store ...": what begins a block by a number that the change is about; "" if nothing does.
void lab_say_stored_twice(const char *source, const lab_edit *e, char *text, size_t size);

#endif
