// watched.h: the functions that a layer calls, and what their arguments have to be in one call of it.
#ifndef LAB_WATCHED_H
#define LAB_WATCHED_H

#include "layer_calls.h"
#include "task6.h"

typedef struct {
    const void *begin[LAB_N_BUFFERS];
    size_t bytes[LAB_N_BUFFERS];
    int batch, seq, heads, head_dim, E;
    int decode;               // the cache holds tokens
    const int *past, *count;  // host
    const void *layer;        // the stage's function
    cudaStream_t stream;      // the layer's, and so that of all calls
} lab_watch;

attn_functions lab_watched(attn_functions real);
void lab_watch_call(const lab_watch *at);  // NULL: the call of the layer is over, and what it never called is noted
const int *lab_watch_log(void);            // LAB_CALL_LOG ints; all 0: there was no odd call
int lab_watch_strayed(void);               // a call in the last call of the layer had another stream
int lab_watch_refused(void);               // flash refused a shape that the last call of the layer gave it
int lab_watch_first(void);                 // the function that the last call of the layer called first; -1: none

#endif
