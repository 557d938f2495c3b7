// tile_table.h: the Br x Bc sweep as a grid, one per shape and implementation.
#ifndef TILE_TABLE_H
#define TILE_TABLE_H

#include <jansson.h>

// Prints every timing of the series "tiles": rows Br, columns Bc, in each cell GFLOP/s and the median; the fastest is
// bold.
void tile_tables(const json_t *timings);

#endif
