// call_row.h: a call of task 6 as its probes make it, and of which sequences something holds. For call_tables.c and
// room_tables.c.
#ifndef LAB_CALL_ROW_H
#define LAB_CALL_ROW_H

#include "call_tables.h"

typedef struct {
    int S, B, H, slots;
    const float *past, *count;
} call;

static inline call call_at(const lab_symptom *s, int i) {
    const int B = s->shape.batch;
    const float *x = s->in[1] + i * (1 + 2 * B);
    return (call){lab_int_at(x, 0), B, s->shape.heads, s->shape.seq_kv, x + 1, x + 1 + B};
}

typedef enum { ALL, ANY, FIRST, LAST, REST, NOT_LAST, BY_S, N_WHOSE } whose;

static inline int holds_of(whose w, int B, int S, const int holds[]) {
    const int all = w == BY_S ? S : B;
    int n = 0;
    for (int b = 0; b < all; b++) n += holds[b];
    switch (w) {
    case ALL:
    case BY_S: return n == all;
    case ANY: return n > 0;
    case FIRST: return holds[0];
    case LAST: return holds[B - 1];
    case REST: return n - holds[0] == B - 1;
    default: return n - holds[B - 1] == B - 1;
    }
}

#endif
