// thread_orders.c: the same claim with threads in other orders. Between two barriers, order is not defined: a kernel whose
// result depends on it lacks a barrier, or two of its threads write to one place.
#include "thread_orders.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "claims.h"
#include "in_order.h"
#include "wrong_rows.h"

// Sums of floats may come in another order where atomics are used: the last digits say nothing.
static int differs(const lab_result *a, const lab_result *b) {
    if (a->verdict != b->verdict) return 1;
    const size_t more = a->cmp.bad_elements > b->cmp.bad_elements ? a->cmp.bad_elements : b->cmp.bad_elements,
                 less = a->cmp.bad_elements + b->cmp.bad_elements - more;
    return less + more / 100 < more || fabs(a->cmp.rms_rel_err - b->cmp.rms_rel_err) > 0.01 * a->cmp.rms_rel_err;
}

static int is_wrong(const lab_result *r) {
    return r->verdict == LAB_WRONG_ANSWER || r->verdict == LAB_NOT_FINITE || r->verdict == LAB_NONDETERMINISTIC ||
           r->verdict == LAB_ILLEGAL_ACCESS;
}

void lab_keep_smallest(lab_smallest_wrong *w, const lab_stage_options *options, const lab_case *c,
                       const lab_result *r) {
    if (!is_wrong(r)) return;
    // The whole file is what checked mode runs; of its functions, those that use no others are nearer to the mistake.
    const int whole = c->todo          ? 0
                      : c->op->uses[0] ? 1
                                       : 2,
              was_whole = w->c.todo                        ? 0
                          : w->options && w->c.op->uses[0] ? 1
                                                           : 2;
    if (!w->options || whole > was_whole || (whole == was_whole && lab_ask_weight(c) < lab_ask_weight(&w->c)))
        *w = (lab_smallest_wrong){*c, *r, options};
}

int lab_order_matters(const lab_smallest_wrong *w, uint64_t seed, double seconds) {
    static const char *const orders[] = {"reverse", "random:1"};
    int matters = 0;
    if (!w->r.compared) return 0;
    for (size_t i = 0; w->options && i < sizeof orders / sizeof *orders && !matters; i++) {
        lab_result r;
        matters =
            lab_judge_in_order(orders[i], w->options, &w->c, seed, seconds, &r) && r.compared && differs(&w->r, &r);
    }
    return matters;
}

// What the numbers of a result match that is another each time, they match by chance; but not one row to the other.
static int keep_carried(lab_result *r, char *again) {
    if (strncmp(r->diagnosis, LAB_CARRIED, sizeof LAB_CARRIED - 1)) return 0;
    again[strlen(LAB_SECOND_CALL)] = 0;  // that says why
    return 1;
}

void lab_keep_to_facts(lab_result *r) {
    char *where = (char *)lab_where_wrong(r->diagnosis), *again = where ? strstr(where, LAB_SECOND_CALL) : NULL;
    if (!again || keep_carried(r, again)) return;
    memmove(r->diagnosis, where, strlen(where) + 1);
    r->guesses.n = 0;
}
