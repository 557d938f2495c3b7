// probes_task6.h: the probes of task 6 whose claims stand in another file than they do.
#ifndef LAB_PROBES_TASK6_H
#define LAB_PROBES_TASK6_H

#include <string.h>

#include "probes.h"

extern const lab_op probe_which_call, probe_fits;  // probes_task6_calls.c
extern const lab_op probe_count_tokens;            // probes_task6_count.c

// probes_task6_handed.c: the output is no result, but says which argument of a call is wrong, and what it should be.
int lab_say_handed(const lab_symptom *s, char *text, size_t size);

static inline void lab_put_int(float *x, int n) {
    const int32_t bits = n;
    memcpy(x, &bits, sizeof bits);
}

#endif
