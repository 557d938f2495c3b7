// online_tiles.h: how the keys of a row fall into tiles or parts, with a mistake in it.
#ifndef LAB_ONLINE_TILES_H
#define LAB_ONLINE_TILES_H

#include "online_steps.h"
#include "wrong_rows.h"

// How the keys fall into tiles, or into the parts of warps and blocks.
typedef enum {
    TILES,        // size keys side by side
    OWN_TILES,    // as many as the row says
    OWN_PARTS,    // part i of n has the keys from length i / n on
    INTERLEAVED,  // part i of `size` has the keys i, i + size, i + 2 size, ...
    OF_WALK,      // `size` parts, rounded up, of the keys that a tile of queries visits
} division;

// Tile i. Returns 0 behind the last one. stop: the walk ends with that key, which a row of a tile of queries may not
// see; place: the row's in that tile.
int lab_tile_at(const lab_wrong_row *r, division d, int size, missed_step missed, int stop, int place, int i,
                online_tile *t);

int lab_is_by_column(missed_step missed);  // the mask takes a place in a tile for a key
int lab_is_by_shifted_places(missed_step missed);
int lab_is_by_places(missed_step missed);        // and the row's place in its tile for the query
int lab_counts_whole_tiles(missed_step missed);  // of the keys of a tile, those beyond the walk's end, too
int lab_depends_on_end(missed_step missed);      // on where the walk of a tile of queries ends

#endif
