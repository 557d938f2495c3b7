// tile_loads.h: which element of its matrix did each thread load into a tile?
#ifndef LAB_TILE_LOADS_H
#define LAB_TILE_LOADS_H

#include "diagnose.h"

// The output: for each tile of C one of A, then one of B, tile x tile each. A block's tile of C begins at (row, col).
typedef struct {
    int tile, m, n, k, k0;
    int nt;  // B is [n, k], and not [k, n]
} lab_tile_loads;

// Returns 1, with a sentence, if all of a tile comes from another row or column.
int lab_explain_tile_loads(const lab_symptom *s, const lab_tile_loads *of, char *text, size_t size);

#endif
