// probes_task4.c: what the parts of task 4 must give (grader/probes/task4.cu).
#include <math.h>

#include "ops.h"

// load_tile: tile [seq_q][D] from src [seq_kv][D]. compute_scores: s [seq_q][seq_kv] from Q [seq_q][D], K [seq_kv][D].
size_t lab_probe_elements(lab_op op, attn_shape s, int t) {
    const size_t q = (size_t)s.seq_q * s.head_dim, kv = (size_t)s.seq_kv * s.head_dim;
    if (op == LAB_PROBE_LOAD_TILE) return t == 0 ? q : kv;
    return t == 0 ? (size_t)s.seq_q * s.seq_kv : t == 1 ? q : kv;
}

int lab_probe_oracle(lab_op op, attn_shape s, const float *const in[LAB_MAX_TENSORS], double *out) {
    const int D = s.head_dim;
    if (op == LAB_PROBE_LOAD_TILE)
        for (int k = 0; k < s.seq_q * D; k++) out[k] = k / D < s.seq_kv ? in[1][k] : 0;
    else
        for (int k = 0; k < s.seq_q * s.seq_kv; k++) {
            const float *q = in[1] + k / s.seq_kv * D, *key = in[2] + k % s.seq_kv * D;
            double sum = 0;
            for (int d = 0; d < D; d++) sum += (double)q[d] * key[d];
            out[k] = sum / sqrt(D);
        }
    return 1;
}
