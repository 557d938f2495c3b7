// hooked.h: the file whose changes are data, while it is written.
#ifndef LAB_HOOKED_H
#define LAB_HOOKED_H

#include "data.h"
#include "writer.h"

typedef struct {
    writer w;
    data d;
    bool *used;                 // of each hook but those of pieces
    const expression **pieces;  // parts of a place that have a hook (pieces.c)
    int n_pieces;
    int flags;  // of a function in lab_in: is one of its names read? Then, for each name, is it?
    char *lines;
    size_t n_lines;
    FILE *programs;
} hooker;

// hooked.c
extern const char hooks_head[];
void hooks_write_tail(hooker *h);

#endif
