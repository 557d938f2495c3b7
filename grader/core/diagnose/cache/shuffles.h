// shuffles.h: sums over the lanes of a warp.
#ifndef LAB_SHUFFLES_H
#define LAB_SHUFFLES_H

#include "diagnose.h"

// Rows of 32 numbers, input 1, each of which is to become the sum of its row. Returns 1 if another loop of shuffles gives
// what is there.
int lab_explain_shuffles(const lab_symptom *s, char *text, size_t size);

#endif
