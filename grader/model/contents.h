// contents.h: what the tensors of a layer have to hold between its calls: copies of what each function has left, and
// what a kernel of the layer's own has to make of that.
#ifndef LAB_CONTENTS_H
#define LAB_CONTENTS_H

#include "watched.h"

void lab_contents_begin(const lab_watch *at);

// n floats at p, which begin `at` floats into a tensor that has to hold `what`.
void lab_contents_keep(lab_layer_buffer what, const void *p, size_t at, size_t n);

typedef struct {
    int odd;                   // a lab_odd; 0: it is as due, or nothing is known
    int known;                 // it was compared
    int detail;                // lab_order, lab_change, or the bits of a factor
    lab_layer_buffer instead;  // the numbers are those of another tensor; LAB_IN_NOTHING: of none
} lab_content;

lab_content lab_contents_look(lab_layer_buffer due, const void *p, size_t at, size_t n);

// What has to be in a tensor: what a function has left, or what a kernel has to make of that; NULL: not known.
const float *lab_contents_due(lab_layer_buffer what);

// What kernels of the layer's own leave in a decode step that calls no decode, or one product alone (own_step.cu).
// LAB_MADE_RIGHT, the mistakes that it has, LAB_MADE_OTHER or LAB_MADE_UNKNOWN.
int lab_contents_attended(const lab_watch *at, lab_layer_buffer in);
int lab_contents_projected(const lab_watch *at);

// n numbers from the device; NULL: none. Lives until the next call.
const void *lab_contents_read(const void *p, size_t n);

// After a prefill: the first slot of the cache, K first, that does not hold its token. *origin: the number of work.qkv from
// which on what lies there stands; -1: nowhere. 0: there is none, or nothing is known.
int lab_contents_misplaced(const lab_watch *at, int *number, long *origin);

// The slot of the cache that holds the new token's k of head 0 of sequence b; -1: none does.
int lab_contents_slot(const lab_watch *at, const void *K_cache, int b);

#endif
