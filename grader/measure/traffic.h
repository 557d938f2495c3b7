// traffic.h: whose memory traffic is counted, and the least that it could be: the one place for these cases.
#ifndef LAB_RUN_TRAFFIC_H
#define LAB_RUN_TRAFFIC_H

#include "ops.h"

typedef struct {
    const char *task;
    const char *name;  // "S=128 full": what rubric.json and results.json call it
    const lab_op *op;
    attn_shape shape;  // small: checked mode sees every access. For a softmax or a GEMM as in ops.h
    int splits;        // task 5's n_splits, else 0
} lab_traffic_case;

extern const lab_traffic_case lab_traffic_cases[];
extern const int lab_n_traffic_cases;

int lab_has_traffic(const char *task);

// Bytes of tensor t that have to be read and written, each once: the "least bytes" of the task's header. 0: none of it.
uint64_t lab_traffic_least(const lab_traffic_case *c, int t);

#endif
