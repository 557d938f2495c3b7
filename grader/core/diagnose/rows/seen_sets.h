// seen_sets.h: which keys a wrong row of attention sees, where its numbers tell.
#ifndef LAB_SEEN_SETS_H
#define LAB_SEEN_SETS_H

enum { LAB_MOST_SOLVED_KEYS = 96 };

// got: softmax over some of the keys, of all that there are, times their values; head_dim is to be larger than their number by
// a third. sees[j]: does key j count, once? Returns 0 if that is not what it is.
int lab_keys_seen(const float *q, const float *k, const float *v, const float *got, int keys, int D, char sees[]);

// "keys 0 .. 3, 8 and 12 .. 15", or "no key"
void lab_list_keys(const char sees[], int keys, char *text, unsigned long size);

#endif
