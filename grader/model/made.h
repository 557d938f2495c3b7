// made.h: what a layer's own kernels have to make of the tensors before them: a product, a prompt's attention; and what
// they make with one or two known mistakes.
#ifndef LAB_MADE_H
#define LAB_MADE_H

#include <stddef.h>

#include "../core/layer_calls.h"

typedef struct {
    lab_made_kind kind;
    const float *in[3];  // of a product: x, W, b; of attention: q, k, v
    int batch, heads, seq, head_dim;
    const int *count;  // rows of padding may hold anything
    const int *past;   // of attention, in a decode step: keys before the new token; NULL: a prompt
    int slots;         // heads of k and v lie so many rows apart
    int n_in, n_out;   // of a product
} lab_made;

// got: the whole tensor. LAB_MADE_RIGHT, LAB_MADE_OTHER, LAB_MADE_UNKNOWN, or the mistakes that it has (lab_mistakes).
int lab_made_look(const lab_made *m, const float *got);

#endif
