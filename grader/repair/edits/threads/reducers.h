// reducers.h: the functions of a file that make one number of those of a group of threads, and how each is called.
#ifndef LAB_REDUCERS_H
#define LAB_REDUCERS_H

#include "../edits.h"

typedef enum { ANY_OF_BOTH, A_MAXIMUM, A_SUM } reduction;

// before + number + behind is a call: "warp_sum(warp, " and ")".
typedef struct reducer {
    const char *before, *behind;
    ingredient left, right;  // what its other arguments are read from
    const function *function;
    reduction kind;
    bool idle;  // nobody calls it
} reducer;

enum { EDITS_MOST_REDUCERS = 32 };

int edits_reducers(edits *e, const reducer **list);
bool edits_is_deduced(const edits *e, const function *f);  // it is called without < >
bool edits_reduces(const edits *e, const function *f);
bool edits_reducer_fits(const edits *e, const reducer *r, int token);

#endif
