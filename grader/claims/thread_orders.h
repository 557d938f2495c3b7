// thread_orders.h: does a wrong result change with the order in which simt runs the threads of a block? Then it is a race.
#ifndef LAB_THREAD_ORDERS_H
#define LAB_THREAD_ORDERS_H

#include "judge.h"

typedef struct {  // of the claims with a wrong result the smallest, as that is the cheapest to look at
    lab_case c;
    lab_result r;                      // with threads in the usual order
    const lab_stage_options *options;  // NULL: there is none
} lab_smallest_wrong;

// Keeps a claim if its result is wrong and it is the cheapest so far. Claims about the whole file go before those of TODOs.
void lab_keep_smallest(lab_smallest_wrong *w, const lab_stage_options *options, const lab_case *c, const lab_result *r);

// Judges it again with threads in other orders, each in a runner of its own. Returns 1 if one of them gives another
// result.
int lab_order_matters(const lab_smallest_wrong *w, uint64_t seed, double seconds);

// OpenMP: how a diagnosis begins to say that a second call gave another result.
#define LAB_SECOND_CALL "a second call on the same inputs gave another result"

// Of such a result, what is seen is kept, and no guess at why.
void lab_keep_to_facts(lab_result *r);

#endif
