// shares.h: where the splits of task 5 begin, by another formula than one that shares all keys out.
#ifndef LAB_SHARES_H
#define LAB_SHARES_H

#include <stddef.h>

#define LAB_SHARES_DOWN                                                                                                \
    "length / n is rounded down before it is multiplied: what is left over gets no split. Multiply first"

// first[s] is first_key(length, s, n) + 1, s = 0 .. n. Writes ". ...", or "" where there is nothing to say.
void lab_explain_shares(int length, int n, const float *first, char *text, size_t size);

#endif
