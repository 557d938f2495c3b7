// source_averaged.h: what is divided in each round by a sum that grows. For source_averaged.c and source_divided.c.
#ifndef LAB_SOURCE_AVERAGED_H
#define LAB_SOURCE_AVERAGED_H

#include "source_lasting.h"

// A loop, or a function that is called in the rounds of one, and what its lines set.
typedef struct {
    const lab_loop *loop;
    const lab_setting *set;
    int n;
} lab_block;

// What the value is divided by at its end: l of "(a + b) / l", of "a / x->l" and of "/= l". NULL: it is no name.
const char *lab_divisor_of(const lab_setting *s, char name[LAB_LONGEST_WORD]);

// The setting of this name that adds to it in the block: l += p, l = l * f + p. NULL: it does not grow there, or is begun.
const lab_setting *lab_grows_in(const lab_block *b, const char *name);

// Is what is set made of what it was in the round before?
int lab_goes_on_in(const lab_block *b, const lab_setting *s);

#endif
