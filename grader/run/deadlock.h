// deadlock.h: why no thread of a block can go on.
#ifndef LAB_RUN_DEADLOCK_H
#define LAB_RUN_DEADLOCK_H

#include <stddef.h>

// report: what simt says of a deadlock, with the places where the threads wait. Where these tell the mistake, its
// sentence goes behind what stands in text.
void lab_explain_deadlock(const char *report, char *text, size_t size);

#endif
