// chain_fits.h: task 2's chain of four calls, computed with other numbers than the right ones.
#ifndef LAB_CHAIN_FITS_H
#define LAB_CHAIN_FITS_H

#include "wiring.h"

// The numbers that the calls take, in their order.
enum {
    NT_BATCH,
    NT_M,
    NT_N,
    NT_K,
    BLOCKS,
    SEQ_Q,
    SEQ_KV,
    CAUSAL,
    ROWS,
    COLS,
    NN_BATCH,
    NN_M,
    NN_N,
    NN_K,
    REREAD,
    SWAPPED,
    SCALED,
    TURNED,
    NUMBERS
};

// The scale, in place of 1/sqrt(D).
typedef enum { BY_ROOT, BY_ONE, BY_D, BY_INVERSE_ROOT, BY_ALL_D, BY_ZERO, BY_WIDTH, BY_KEYS, SCALES } scale_kind;
double lab_chain_scale(scale_kind k, attn_shape s);

typedef struct {
    const lab_symptom *s;
    size_t n_in[4], n_q, n_scores;
    double *scores;
} chain;

// Is the output what the chain gives with these numbers? What lies outside of a tensor is not known.
int lab_chain_fits(const chain *c, const long x[NUMBERS]);

#endif
