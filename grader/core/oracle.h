// oracle.h: what every task must compute, in float64 and without any cleverness. Independent of task 1's solution and
// anchored to vectors from PyTorch (grader/golden).
//
// The same code can make one deliberate mistake. Comparing a student's output with the outputs of known mistakes is how
// diagnose.c tells which one it is.
#ifndef LAB_ORACLE_H
#define LAB_ORACLE_H

#include "shape.h"

typedef enum {
    LAB_NO_MISTAKE,
    LAB_NO_SCALE,        // 1/sqrt(D) missing
    LAB_SCALE_BY_D,      // 1/D in place of 1/sqrt(D), or 1/sqrt(D) applied twice
    LAB_SCALE_UP,        // times sqrt(D)
    LAB_SCALE_AFTER,     // softmax first, then * 1/sqrt(D)
    LAB_NO_MASK,         // causal asked for, not done
    LAB_MASK_ALWAYS,     // causal not asked for, done
    LAB_MASK_PLUS_ONE,   // each query sees one key too many
    LAB_MASK_MINUS_ONE,  // each query sees one key too few
    LAB_MASK_TOP_LEFT,   // query i sees keys 0 .. i, whatever seq_kv - seq_q is
    LAB_MASK_IS_ZERO,    // masked scores are 0 before the softmax, not -infinity
    LAB_MASK_AFTER,      // masked probabilities set to 0 after the softmax, the sum not mended
    LAB_DROP_LAST_KEY,
    LAB_NO_DIVISION,   // exp(s - max) not divided by the row sum
    LAB_UNIFORM,       // every seen key has the same weight: the scores never reach the softmax
    LAB_HEAD_ZERO,     // every head computes head 0
    LAB_BATCH_ZERO,    // every batch computes batch 0
    LAB_KV_HEAD_ZERO,  // K and V of head 0 for every head's queries
    LAB_K_AS_V,
    LAB_Q_AS_K,
    LAB_Q_K_SWAPPED,  // scores of K Q^T (seq_q = seq_kv)
    LAB_K_V_SWAPPED,
    LAB_MASK_INVERTED,  // hidden keys are seen, and seen ones hidden
    LAB_SOFTMAX_TWICE,
    LAB_K_BY_COLUMNS,  // K [Sk, D] read as [D, Sk]
    LAB_V_BY_COLUMNS,
    LAB_SCORES_RUN_ON,    // the dot product goes on from one key to the next
    LAB_SUM_SO_FAR,       // each weight divided by the sum up to its own key
    LAB_FIRST_IS_ONE,     // the first key counts exp(0) = 1, as the largest one would
    LAB_RAW_SCORES,       // no softmax at all
    LAB_FROM_OTHER_SIDE,  // the score of query i and key j < i is that of query j and key i
    LAB_NO_SCALE_NO_MASK,
    LAB_SCORES_STAY,      // hidden keys keep their score as a weight: nobody sets it to 0
    LAB_RAW_SCORES_STAY,  // the same of scores that are not scaled yet
    LAB_W_TRANSPOSED,     // of multi-head attention: X W in place of X W^T
    LAB_N_MISTAKES
} lab_mistake;

// Twice as wide where the processor can: the same sums in the same order, as avx2 alone fuses no product with a sum.
#if defined __x86_64__ && defined __gnu_linux__
#define LAB_WIDE __attribute__((target_clones("avx2", "default"), flatten))
#else
#define LAB_WIDE
#endif

// sum_i a[i] b[i] over n elements. Eight sums side by side: one sum alone would wait for each addition, and all tests
// wait for this.
static inline double lab_dot(const float *a, const float *b, int n) {
    double sums[8] = {0}, sum = 0;
    int i = 0;
    for (; i + 8 <= n; i += 8)
        for (int k = 0; k < 8; k++) sums[k] += (double)a[i + k] * b[i + k];
    for (; i < n; i++) sum += (double)a[i] * b[i];
    for (int k = 0; k < 8; k++) sum += sums[k];
    return sum;
}

// P[row] of a softmax over `cols` scores. All of softmax's variants: LAB_NO_DIVISION, LAB_FIRST_IS_ONE and
// LAB_NO_MISTAKE.
void lab_oracle_softmax(double *p, const float *s, int cols, lab_mistake mistake);

// One row of O (head_dim numbers): query i of head h of batch b.
// scratch: seq_kv doubles.
void lab_oracle_row(double *o, const float *q, const float *k, const float *v, attn_shape shape, int b, int h, int i,
                    lab_mistake mistake, double *scratch);

#endif
