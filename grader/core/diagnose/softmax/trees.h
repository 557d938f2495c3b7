// trees.h: a block's sum or maximum in shared memory.
#ifndef LAB_TREES_H
#define LAB_TREES_H

#include "diagnose.h"

// Rows of THREADS numbers, input 1, each of which is to become its sum (extra[0]) or maximum, in all threads. Returns 1 if
// another loop of joins gives what is there.
int lab_explain_tree(const lab_symptom *s, char *text, size_t size);

#endif
