// in_order.c: a runner takes its order from the environment when it starts.
#include "in_order.h"

#include <stdlib.h>
#include <string.h>

int lab_judge_in_order(const char *order, const lab_stage_options *options, const lab_case *c, uint64_t seed,
                       double seconds, lab_result *r) {
    lab_stage stage;
    memset(r, 0, sizeof *r);
    setenv("SIMT_ORDER", order, 1);
    const int open = lab_stage_open(&stage, options, r->diagnosis, sizeof r->diagnosis) == LAB_PASSED;
    if (open) lab_judge(&stage, c, seed, seconds, r);
    lab_stage_close(&stage);
    unsetenv("SIMT_ORDER");
    return open;
}
