// online_steps.h: one step of the online softmax, as it is and with a mistake in it.
#ifndef LAB_ONLINE_STEPS_H
#define LAB_ONLINE_STEPS_H

#include "kept_scores.h"

// The recurrence, tile by tile: m_new = max(m, tile's max); a = exp(m - m_new); l = a l + sum; O = a O + P V.
typedef enum {
    O_NOT_RESCALED,
    L_NOT_RESCALED,
    NEITHER_RESCALED,
    O_RESCALED_LATE,
    L_RESCALED_LATE,
    O_RESCALED_TWICE,
    L_OF_LAST_TILE,
    O_OF_LAST_TILE,
    O_DIVIDED_EACH_TILE,
    MEAN_OF_TILES,
    OWN_MAX,
    EXP_OF_TILE_MAX,
    TILE_MAX_KEPT,
    K_OF_FIRST_TILE,
    V_OF_FIRST_TILE,
    KV_OF_FIRST_TILE,
    MASK_BY_COLUMN,
    ONE_PART,
    M_L_SWAPPED,
    L_RESCALED_TWICE,
    BOTH_RESCALED_TWICE,
    O_AT_EACH_KEY,
    L_AT_EACH_KEY,
    BOTH_AT_EACH_KEY,
    O_AT_EACH_4,
    O_AT_EACH_8,
    O_AT_EACH_16,
    O_OF_TILE_RESCALED,
    L_OF_TILE_RESCALED,
    TILE_RESCALED,
    FACTOR_OF_TILE_MAX,
    DIVIDED_SO_FAR,
    LEFT_UNLESS_GROWN,
    BEGUN_ANEW,
    L_OF_FIRST_TILE,
    MAX_SO_FAR,
    RAISED_WITHIN,
    DIVIDED_BY_OWN,
    DIVIDED_BY_BOTH,
    SCALED_AGAIN,
    SOFTMAX_OF_TILE,
    SOFTMAX_OF_TILE_OVER_L,
    SOFTMAX_ADDED,
    SOFTMAX_ADDED_OVER_L,
    MOVED_BACK,
    FIRST_TWICE,
    LAST_TWICE,
    EVERY_SECOND,
    MASK_BY_COLUMN_TO_END,
    K_OF_TILE_BEFORE,
    V_OF_TILE_BEFORE,
    KV_OF_TILE_BEFORE,
    O_DIVIDED_AND_AT_END,
    DIVIDED_SO_FAR_AND_AT_END,
    REST_LEFT_4,  // of each tile, behind whole groups of so many keys
    REST_LEFT_8,
    REST_LEFT_16,
    O_REST_LEFT_4,
    O_REST_LEFT_8,
    O_REST_LEFT_16,
    O_REST_FROM_BEGIN_4,
    O_REST_FROM_BEGIN_8,
    MASK_BY_PLACES,
    L_OF_SCORES,
    L_OF_DISTANCES,
    L_OF_COUNTS,
    L_OF_HIDDEN,
    DIVIDED_BY_WIDTH,
    FACTOR_RATIO,  // of l and O, as online_factors.c makes it
    FACTOR_INVERSE,
    FACTOR_BASE_2,
    FACTOR_BASE_E,
    FACTOR_SCALED,
    FACTOR_UNSCALED,
    FACTOR_SCALED_2,  // in base 2
    FACTOR_UNSCALED_2,
    BOTH_RESCALED_LATE,
    L_ADDED,  // l not rescaled, and each tile's sum relative to the tile's own maximum
    NEITHER_L_ADDED,
    NEITHER_IN_FIRST_16,  // keys
    NEITHER_IN_FIRST_32,
    NEITHER_IN_FIRST_64,
    NEITHER_OF_HIDDEN,  // neither is rescaled, and hidden scores raise the maximum, too
    K_BY_TILE_NUMBER,   // tile t begins with key t
    V_BY_TILE_NUMBER,
    KV_BY_TILE_NUMBER,
    MASK_BY_TILE_NUMBER,       // of K, V, and of what the mask compares
    MASK_BY_COLUMN_UNSHIFTED,  // without seq_kv - seq_q, too
    MASK_BY_COLUMN_UNSHIFTED_TO_END,
    MASK_BY_PLACES_WHOLE,  // the walk ends with what the tile of queries sees, but the last tile of keys is whole
    MASK_BY_PLACES_TO_END,
    MASK_BY_PLACES_SHIFTED,  // key c with r + (seq_kv - seq_q)
    MASK_BY_PLACES_SHIFTED_WHOLE,
    MASK_BY_PLACES_SHIFTED_TO_END,
    O_LATE_BUT_FIRST,  // as O_RESCALED_LATE, to TILE_RESCALED, but for the first tile, whose factor is asked for
    L_LATE_BUT_FIRST,
    BOTH_LATE_BUT_FIRST,
    O_OF_TILE_BUT_FIRST,
    L_OF_TILE_BUT_FIRST,
    TILE_BUT_FIRST,
    O_BY_BEFORE,  // by the factor of the tile before, which in the first tile is 0, or 1
    L_BY_BEFORE,
    O_BY_BEFORE_FROM_1,
    L_BY_BEFORE_FROM_1,
    L_JOINED_BY_OLD,  // online_joins.c, to the last one
    L_JOINED_BY_TILE,
    L_JOINED_CROSSWISE,
    L_JOINED_BY_NONE,
    BOTH_JOINED_BY_OLD,
    BOTH_JOINED_BY_TILE,
    BOTH_JOINED_CROSSWISE,
    MEAN_AND_L_IS_1,  // O is divided by l after each tile, and l begins with 1 again
    N_STEPS
} missed_step;

typedef struct {
    int from, to, step;
    int counted;  // to there a step goes that hidden keys count in, too
    double max;
    double factor;  // of its scores
    const double *score;
    const lab_kept_row *row;  // whose scores these are; NULL: of no row
    const float *v;
    int D, columns;      // columns: of O, from 0 on, that are computed
    int k_back, v_back;  // rows that K, V are read too early
    double before;       // the factor of the tile before
} online_tile;

// online_factors.c: by what l and O are multiplied when the maximum m grows to that; with a mistake or without.
double lab_online_factor(missed_step missed, double m, double to, int D);

// online_joins.c: a tile's sums are relative to its own maximum. Returns 0 if the mistake is another one.
int lab_online_join(missed_step missed, const online_tile *t, double *m, double *l, double *o);

int lab_divides_each_tile(missed_step missed);  // O by l
int lab_group_of(missed_step missed);           // of how many keys, if a rest behind whole groups is lost; 0: of none

int lab_at_each_key(missed_step missed);  // or at each few: is what was summed multiplied by the factor there?

int lab_takes_tiles_sum(
    missed_step missed);  // in place of all sums: of one key it is no division at all, or none is missed

extern const char lab_tiles_seen_whole[];           // of a tile that is visited each key counts
extern const char *const lab_missed_step[N_STEPS];  // in words

double lab_score_of(const online_tile *t, int j);
double lab_weight_scale(const online_tile *t, double max);
double lab_weight_of(const online_tile *t, double scale, double max, int j);  // exp(score - max); scale: as above

// Goes on with a tile, with a step missed: the row's m, l and O [D]. t->before becomes this tile's factor.
void lab_online_step(missed_step missed, online_tile *t, double *m, double *l, double *o);

// The factor comes one tile late, and behind the row's last tile if a tile that is hidden follows.
int lab_is_late(missed_step missed);
void lab_rescale_late(missed_step missed, const online_tile *t, double *l, double *o);

// What O is divided by in the end, after so many tiles.
double lab_online_divisor(missed_step missed, double l, int tiles);

#endif
