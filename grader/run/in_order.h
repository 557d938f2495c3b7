// in_order.h: a claim with the threads of its kernels in another order: "forward", "reverse", "random:1" (simt alone).
#ifndef LAB_IN_ORDER_H
#define LAB_IN_ORDER_H

#include "judge.h"

// Returns 0 where the stage does not open; r->diagnosis then says why.
int lab_judge_in_order(const char *order, const lab_stage_options *options, const lab_case *c, uint64_t seed,
                       double seconds, lab_result *r);

#endif
