// online_joins.c: what tiles before have summed, and a tile's own sums, each relative to its own maximum, are joined by other
// factors: by one of the two for both, by each other's, or by none.
//
//     M = max(m, m_tile); l = l exp(m - M) + l_tile exp(m_tile - M); O likewise
#include "online_steps.h"

#include <math.h>
#include <stddef.h>

static int is_of_both(missed_step missed) { return missed >= BOTH_JOINED_BY_OLD; }

// By what the sums before are multiplied, and those of the tile; of what nothing came before only its own are left.
static void factors_of(missed_step missed, double old, double tile, double *keep, double *add) {
    switch (missed) {
    case L_JOINED_BY_OLD:
    case BOTH_JOINED_BY_OLD: *keep = *add = old; return;
    case L_JOINED_BY_TILE:
    case BOTH_JOINED_BY_TILE: *keep = *add = tile; return;
    case L_JOINED_CROSSWISE:
    case BOTH_JOINED_CROSSWISE: *keep = tile, *add = old; return;
    default: *keep = *add = 1;
    }
}

int lab_online_join(missed_step missed, const online_tile *t, double *m, double *l, double *o) {
    if (missed < L_JOINED_BY_OLD || missed > BOTH_JOINED_CROSSWISE) return 0;
    const double to = fmax(*m, t->max);
    const int is_first = *m == -INFINITY;
    double old = is_first ? 0 : exp(*m - to), tile = exp(t->max - to), keep = 0, add = 1, sum = 0;
    if (!is_first) factors_of(missed, old, tile, &keep, &add);
    if (is_of_both(missed)) old = keep, tile = add;
    const double scale = lab_weight_scale(t, t->max);
    for (int c = 0; c < t->columns; c++) o[c] *= old;
    for (int j = t->from; j < t->to; j += t->step) {
        const double p = lab_weight_of(t, scale, t->max, j);
        for (int c = 0; c < t->columns; c++) o[c] += tile * p * t->v[(size_t)(j - t->v_back) * t->D + c];
        sum += p;
    }
    *l = keep * *l + add * sum, *m = to;
    return 1;
}
