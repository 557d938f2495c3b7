// source_alike.h: how many threads that stand side by side have the same value of an expression. For source_*.c.
#ifndef LAB_SOURCE_ALIKE_H
#define LAB_SOURCE_ALIKE_H

enum { LAB_WARP = 32 };

// 1 of what is made of threadIdx.x, 8 of what is made of threadIdx.x / 8; LAB_WARP: whole warps have the same, or the text
// does not say what it is made of. The expression stands between these places.
int lab_threads_alike(const char *text, const char *from, const char *to);

// The same of a condition: threadIdx.x < 64 is the same for whole warps, too.
int lab_threads_that_agree(const char *text, const char *from, const char *to);

#endif
