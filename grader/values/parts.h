// parts.h: work that threads share out and that is not put together again, told from what each number depends on.
#ifndef LAB_VALUES_PARTS_H
#define LAB_VALUES_PARTS_H

#include "depends.h"

// Which line has which keys, dims or columns in which thread, where that cannot be right. Returns 0 for nothing.
int lab_parts_say(const lab_depends *d, char *text, size_t size);

// The same of the function whose claims fail. Returns 0 for nothing.
int lab_parts_note(const lab_repair_ask *ask, double seconds, char *note, size_t size);

#endif
