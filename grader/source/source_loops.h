// source_loops.h: the counting loops of a student's file, and what a name is made from. For source_*.c.
#ifndef LAB_SOURCE_LOOPS_H
#define LAB_SOURCE_LOOPS_H

#include "source_calls.h"

// for (NAME = FROM; condition; NAME += STEP) body, up to its end; of NAME++ the step is "1".
typedef struct {
    const char *at, *condition, *body, *end;
    char name[LAB_LONGEST_WORD], from[LAB_LONGEST_WORD], step[LAB_LONGEST_WORD];  // without blanks
} lab_loop;

void lab_loops_begin(void);  // from here on some hundreds of loops are read, and no more

// The next loop from this place on. Returns where to go on, or NULL.
const char *lab_next_loop(const char *text, const char *at, lab_loop *l);

// All loops that begin between these lines, up to LAB_MOST_LOOPS. Returns how many.
enum { LAB_MOST_LOOPS = 120 };
int lab_loops_of(const char *text, int from, int to, lab_loop all[LAB_MOST_LOOPS]);

static inline int lab_is_within(const lab_loop *inner, const lab_loop *outer) {
    return outer->body < inner->at && inner->at < outer->end;
}

// What a name or an expression is made from, as far as lines and calls set it: threadIdx.x, threadIdx.x/32, ... 0: another.
int lab_origin(const char *text, const char *at, const char *of, char value[LAB_LONGEST_WORD]);

// "NAME[length]" of a line "float NAME[...]" of this function, no __shared__ one, nearest before this place: source_private.c.
const char *lab_own_array(const char *text, const char *at, const char *name, char length[LAB_LONGEST_WORD]);

// A head dim, which is a multiple of 8, or a size that the file's author has chosen: source_rest.c.
int lab_is_even(const char *text, const char *end);

// The ] that belongs to this [; NULL: there is none.
const char *lab_closing(const char *open);

#endif
