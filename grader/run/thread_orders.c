// thread_orders.c: the same claim with threads in other orders. Between two barriers, order is not defined: a kernel whose
// result depends on it lacks a barrier, or two of its threads write to one place.
#include "thread_orders.h"

#include <math.h>
#include <stdlib.h>

#include "backend.h"

// Sums of floats may come in another order where atomics are used: the last digits say nothing.
static int differs(const lab_result *a, const lab_result *b) {
    if (a->verdict != b->verdict) return 1;
    const size_t more = a->cmp.bad_elements > b->cmp.bad_elements ? a->cmp.bad_elements : b->cmp.bad_elements,
                 less = a->cmp.bad_elements + b->cmp.bad_elements - more;
    return less + more / 100 < more || fabs(a->cmp.rms_rel_err - b->cmp.rms_rel_err) > 0.01 * a->cmp.rms_rel_err;
}

static size_t bytes_of(const lab_case *c) { return lab_layout_of(c->op, c->shape, 1).bytes; }

void lab_keep_smallest(lab_smallest_wrong *w, const lab_stage_options *options, const lab_case *c,
                       const lab_result *r) {
    if (lab_backend()->on_gpu || c->op->pipeline || !r->compared) return;
    if (r->verdict != LAB_WRONG_ANSWER && r->verdict != LAB_NOT_FINITE) return;
    if (!w->options || bytes_of(c) < bytes_of(&w->c)) *w = (lab_smallest_wrong){*c, *r, options};
}

int lab_order_matters(const lab_smallest_wrong *w, uint64_t seed, double seconds) {
    static const char *const orders[] = {"reverse", "random:1"};
    int matters = 0;
    for (size_t i = 0; w->options && i < sizeof orders / sizeof *orders && !matters; i++) {
        lab_stage stage;
        lab_result r = {0};
        setenv("SIMT_ORDER", orders[i], 1);
        if (lab_stage_open(&stage, w->options, r.diagnosis, sizeof r.diagnosis) == LAB_PASSED) {
            lab_judge(&stage, &w->c, seed, seconds, &r);
            matters = r.compared && differs(&w->r, &r);
        }
        lab_stage_close(&stage);
        unsetenv("SIMT_ORDER");
    }
    return matters;
}
