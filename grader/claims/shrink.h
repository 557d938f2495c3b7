// shrink.h: a claim with a wrong output that nothing explains, made smaller: what is the smallest shape that goes wrong?
#ifndef LAB_SHRINK_H
#define LAB_SHRINK_H

#include "thread_orders.h"

// Writes a sentence and returns 1 if a shape smaller than the claim's goes wrong, too. For attention of tasks 4 and 5.
int lab_shrink(const lab_smallest_wrong *w, uint64_t seed, double seconds, char *text, size_t size);

#endif
