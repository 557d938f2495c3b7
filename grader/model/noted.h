// noted.h: what is noted of the calls of one call of a layer, for watched.cu.
#ifndef LAB_NOTED_H
#define LAB_NOTED_H

#include "watched.h"

enum { LAB_MOST_SPANS = 64 };
typedef struct {
    int from, to;
} lab_span;

typedef struct {
    lab_watch at;
    int on, log[LAB_CALL_LOG];
    int first, times[LAB_N_CALLED];         // of this call of the layer
    lab_layer_buffer holds[LAB_N_BUFFERS];  // what has been left there; LAB_IN_NOTHING: not by a function seen here
    int rows[2], rows_at[2];                // of the first product, and of the last; its call
    lab_span span[2][LAB_MOST_SPANS];       // the rows that each of those calls takes
    int spans[2], spans_at[2][LAB_MOST_SPANS];
    int steps, place;  // decode steps so far; where the stage calls what is called now
    int counted;       // after the prefill the lengths were right
    int strayed;       // some call of this call of the layer had another stream
    int refused;       // flash returned ATTN_BAD_SHAPE
} lab_noted;

extern lab_noted lab_now;

void lab_note(lab_called which, int argument, int got, int due);  // where they differ
void lab_note_more(lab_called which, int odd, int got, int due, int more);

// A call begins: from where in the stage, and on which stream.
void lab_enter(lab_called which, const void *caller, cudaStream_t stream);

// What lies in memory is looked at now.
int lab_looks(void);

lab_layer_buffer lab_buffer_of(const void *p);
size_t lab_offset_of(const void *p);  // where in its buffer, in floats
lab_layer_buffer lab_held_by(const void *p);

// An argument that is read, by where it lies; the same of n floats, by what lies there, where that is known.
void lab_takes_place(lab_called which, int argument, const void *p, lab_layer_buffer due);
void lab_takes(lab_called which, int argument, const void *p, lab_layer_buffer due, size_t n);

// An argument that is written with `what`, by a function that reads `read`; and after it: n floats of `what` are there.
void lab_gives(lab_called which, int argument, const void *p, lab_layer_buffer what, lab_layer_buffer read);
void lab_leave(const void *p, lab_layer_buffer what, size_t n);

#endif
