// online_tiles.c: how the keys of a row fall into tiles or parts, with a mistake in it.
#include "online_tiles.h"

#include <math.h>

int lab_is_by_column(missed_step missed) {
    return missed == MASK_BY_COLUMN || missed == MASK_BY_COLUMN_TO_END || missed == MASK_BY_COLUMN_UNSHIFTED ||
           missed == MASK_BY_COLUMN_UNSHIFTED_TO_END;
}

int lab_is_by_shifted_places(missed_step missed) {
    return missed == MASK_BY_PLACES_SHIFTED || missed == MASK_BY_PLACES_SHIFTED_WHOLE ||
           missed == MASK_BY_PLACES_SHIFTED_TO_END;
}

int lab_is_by_places(missed_step missed) {
    return missed == MASK_BY_PLACES || missed == MASK_BY_PLACES_WHOLE || missed == MASK_BY_PLACES_TO_END ||
           lab_is_by_shifted_places(missed);
}

// With such a mask: the walk ends before this key, whatever the row sees, and so does its last tile.
static int end_of_walk(missed_step missed, const lab_wrong_row *r, int stop) {
    return missed == MASK_BY_PLACES_TO_END || missed == MASK_BY_PLACES_SHIFTED_TO_END ? r->keys : stop;
}

static int end_of_last_tile(missed_step missed, const lab_wrong_row *r, int stop) {
    return missed == MASK_BY_COLUMN_TO_END || missed == MASK_BY_COLUMN_UNSHIFTED_TO_END || missed == MASK_BY_PLACES ||
                   missed == MASK_BY_PLACES_SHIFTED
               ? stop
               : r->keys;
}

// Of each tile the row sees so many keys. place: the row's in its tile of queries.
static int seen_of_tile(missed_step missed, const lab_wrong_row *r, int place) {
    const int shift = r->seen - 1 - r->query;
    if (lab_is_by_places(missed)) return place + 1 + (lab_is_by_shifted_places(missed) ? shift : 0);
    return missed == MASK_BY_COLUMN || missed == MASK_BY_COLUMN_TO_END ? r->seen : r->query + 1;
}

// Does it count the keys of a tile, beyond the walk's end, too?
int lab_counts_whole_tiles(missed_step missed) {
    return missed == L_OF_COUNTS || missed == L_OF_HIDDEN || missed == DIVIDED_BY_WIDTH || missed == NEITHER_OF_HIDDEN;
}

// Does it depend on where the walk of a tile of queries ends?
int lab_depends_on_end(missed_step missed) {
    return lab_divides_each_tile(missed) || missed == MOVED_BACK || missed == MASK_BY_TILE_NUMBER ||
           lab_is_by_places(missed) || lab_is_by_column(missed) || lab_at_each_key(missed) || lab_group_of(missed) ||
           lab_counts_whole_tiles(missed) || lab_is_late(missed);
}

int lab_tile_at(const lab_wrong_row *r, division d, int size, missed_step missed, int stop, int place, int i,
                online_tile *t) {
    const int end = r->seen;
    t->step = 1;
    switch (d) {
    case OWN_PARTS:
        t->from = (int)((long)end * i / size), t->to = (int)((long)end * (i + 1) / size);
        if (i >= size) return 0;
        break;
    case INTERLEAVED:
        t->from = i, t->to = end, t->step = size;
        if (i >= size || i >= end || (missed == ONE_PART && i)) return 0;
        break;
    case OF_WALK:
        t->to = (stop + size - 1) / size, t->from = i * t->to, t->to += t->from;
        if (i >= size || t->from >= end) return 0;
        if (t->to > end) t->to = end;
        break;
    default:
        t->from = (missed == EVERY_SECOND ? 2 : 1) * i * size;
        if (t->from >= (missed == MOVED_BACK || lab_is_by_places(missed) || lab_is_by_column(missed) ||
                                missed == MASK_BY_TILE_NUMBER
                            ? end_of_walk(missed, r, stop)
                            : end))
            return 0;
        if (missed == MOVED_BACK && t->from + size > stop) t->from = stop > size ? stop - size : 0;
        t->to = t->from + size < end ? t->from + size : end;
        if (lab_is_by_column(missed) || lab_is_by_places(missed)) {
            const int last = end_of_last_tile(missed, r, stop), seen = seen_of_tile(missed, r, place);
            t->to = t->from + size < last ? t->from + size : last;
            if (t->to - t->from > seen) t->to = t->from + seen;
        }
        if (missed == MASK_BY_TILE_NUMBER) {
            t->to = t->from + size < stop ? t->from + size : stop;
            if (t->to - t->from > r->seen - i) t->to = t->from + r->seen - i;
        }
    }
    t->k_back = missed == K_OF_FIRST_TILE || missed == KV_OF_FIRST_TILE ? t->from : 0;
    t->v_back = missed == V_OF_FIRST_TILE || missed == KV_OF_FIRST_TILE ? t->from : 0;
    const int back = i && t->from >= size ? size : 0;  // of parts, `size` is how many there are
    if (missed == K_OF_TILE_BEFORE || missed == KV_OF_TILE_BEFORE) t->k_back = back;
    if (missed == V_OF_TILE_BEFORE || missed == KV_OF_TILE_BEFORE) t->v_back = back;
    if (missed == K_BY_TILE_NUMBER || missed == KV_BY_TILE_NUMBER || missed == MASK_BY_TILE_NUMBER)
        t->k_back = t->from - i;
    if (missed == V_BY_TILE_NUMBER || missed == KV_BY_TILE_NUMBER || missed == MASK_BY_TILE_NUMBER)
        t->v_back = t->from - i;
    t->factor = missed == SCALED_AGAIN ? pow(t->D, -0.5 * i) : 1;
    t->max = -INFINITY;
    for (int j = t->from; j < t->to; j += t->step) {
        const double score = lab_score_of(t, j);
        if (score > t->max) t->max = score;
    }
    t->counted = t->to;
    return 1;
}
