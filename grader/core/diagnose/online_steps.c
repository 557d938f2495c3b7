// online_steps.c: one step of the online softmax, as it is and with a mistake in it.
#include "online_steps.h"
#include "rules_out.h"

#include <math.h>
#include <stddef.h>

#define ONCE ": it is meant once per tile, before the first key is added"
#define OWN_SUM "matches each tile's P V divided by the tile's own sum"
#define OWN_SOFTMAX "matches a whole softmax of each tile, whose weights sum to 1, "
#define BY_COLUMN                                                                                                      \
    "matches a mask that takes a key's place in its tile for the number of the key: key j0 + c, where j0 is the "      \
    "tile's own"
#define GROUPS(n) "matches tiles whose keys " LAB_BEHIND_GROUPS " of " #n
#define LEFT " are left out: they count, too"
#define ALONE ", and l has them while O has not"
#define FROM_BEGIN " are taken from the tile's begin again for O: they go on where the groups end"
#define FACTOR(is) "matches a factor of l and O that is " is ": it is exp(m_old - m_new)"
#define OLD ": the factor belongs to what was there before"

const char *const lab_missed_step[N_STEPS] = {
    [O_NOT_RESCALED] = "matches O that is not rescaled by exp(m_old - m_new) when the row maximum grows, while l is",
    [L_NOT_RESCALED] = "matches l that is not rescaled by exp(m_old - m_new) when the row maximum grows, while O is",
    [NEITHER_RESCALED] = "matches O and l that are not rescaled by exp(m_old - m_new) when the row maximum grows",
    [O_RESCALED_LATE] = "matches O that is rescaled after this tile's P V is added: first rescale, then add",
    [L_RESCALED_LATE] = "matches l that is rescaled after this tile's sum is added: first rescale, then add",
    [O_RESCALED_TWICE] = "matches O that is rescaled twice by exp(m_old - m_new)",
    [L_OF_LAST_TILE] = "matches l of the last tile alone: each tile's sum is added to the rescaled l",
    [O_OF_LAST_TILE] = "matches O of the last tile alone, over the l of all: P V is added to the rescaled O",
    [O_DIVIDED_EACH_TILE] = "matches O that is divided by l after every tile: divide once, after the last",
    [MEAN_OF_TILES] = "matches the plain mean of the parts: a part counts with its weight l exp(m - M)",
    [EXP_OF_TILE_MAX] = "matches exp(s - the tile's own max) under an l and O that are relative to the row max so far",
    [TILE_MAX_KEPT] =
        "matches the tile's own max kept as m for the next tile, while l and O are relative to the max of all tiles so "
        "far: keep m_new",
    [K_OF_FIRST_TILE] = "matches the keys of the first tile read for every tile: K of the tile begins at row j0",
    [V_OF_FIRST_TILE] = "matches the values of the first tile read for every tile: V of the tile begins at row j0",
    [KV_OF_FIRST_TILE] = "matches K and V of the first tile read for every tile: the tile begins at row j0",
    [MASK_BY_COLUMN] = BY_COLUMN,
    [MASK_BY_COLUMN_TO_END] = BY_COLUMN,
    [ONE_PART] = "matches the keys of the first part alone: the parts of the others are not added",
    [M_L_SWAPPED] =
        "matches parts whose m and l are swapped where they are joined: the place of one is read as the other",
    [OWN_MAX] = "matches parts that are added without exp(m - M): each part's O and l are relative to its own maximum",
    [L_RESCALED_TWICE] = "matches l that is rescaled twice by exp(m_old - m_new)",
    [BOTH_RESCALED_TWICE] = "matches O and l that are rescaled twice by exp(m_old - m_new)",
    [O_AT_EACH_KEY] = "matches O that is rescaled by exp(m_old - m_new) at every key of a tile" ONCE,
    [L_AT_EACH_KEY] = "matches l that is rescaled by exp(m_old - m_new) at every key of a tile" ONCE,
    [BOTH_AT_EACH_KEY] = "matches O and l that are rescaled by exp(m_old - m_new) at every key of a tile" ONCE,
    [O_AT_EACH_4] = "matches O that is rescaled by exp(m_old - m_new) at every 4 keys of a tile" ONCE,
    [O_AT_EACH_8] = "matches O that is rescaled by exp(m_old - m_new) at every 8 keys of a tile" ONCE,
    [O_AT_EACH_16] = "matches O that is rescaled by exp(m_old - m_new) at every 16 keys of a tile" ONCE,
    [O_OF_TILE_RESCALED] = "matches this tile's P V rescaled by exp(m_old - m_new)" OLD,
    [L_OF_TILE_RESCALED] = "matches this tile's sum rescaled by exp(m_old - m_new)" OLD,
    [TILE_RESCALED] = "matches this tile's sum and P V rescaled by exp(m_old - m_new)" OLD,
    [FACTOR_OF_TILE_MAX] =
        "matches a factor exp(m_old - the tile's own max) for l and O: it is exp(m_old - m_new), and 1 where the "
        "maximum does not grow",
    [DIVIDED_SO_FAR] = "matches each tile's P V divided by the l so far: add it as it is, and divide O once, after the "
                       "last tile",
    [LEFT_UNLESS_GROWN] =
        "matches tiles that count only where they raise the row maximum: l and O grow with every tile",
    [BEGUN_ANEW] = "matches l and O that begin anew where the row maximum grows: what was there is multiplied by "
                   "exp(m_old - m_new)",
    [MAX_SO_FAR] =
        "matches exponentials of a tile taken with the largest score up to their own key: its maximum comes first, or "
        "what was summed is rescaled whenever it grows",
    [RAISED_WITHIN] =
        "matches a maximum that grows from key to key of a tile, while l and O are rescaled for its first "
        "key alone: find the tile's maximum first",
    [DIVIDED_BY_OWN] = OWN_SUM ": add it as it is, and divide O once by the l of all tiles",
    [DIVIDED_BY_BOTH] = OWN_SUM ", and O by l in the end, too: only the last division is meant",
    [SCALED_AGAIN] =
        "matches scores that are scaled once more with every tile: Q, or what else is kept from tile to tile, "
        "is scaled once, before the first",
    [SOFTMAX_OF_TILE] =
        OWN_SOFTMAX "added to the rescaled O: add P V as it is, and divide O once by the l of all tiles",
    [SOFTMAX_OF_TILE_OVER_L] =
        OWN_SOFTMAX "added to the rescaled O, which is divided by l in the end, too: only the last division is meant",
    [SOFTMAX_ADDED] = "matches the outputs of the parts added as they are: a part counts with its share of the row sum",
    [SOFTMAX_ADDED_OVER_L] =
        OWN_SOFTMAX "added up and divided by l in the end: a tile counts with its l exp(m - M), over the sum of those",
    [MOVED_BACK] =
        "matches a last, ragged tile that is moved back to be full: its first keys count twice, as the tile before it "
        "has them, too; it begins where that one ends, and is narrower",
    [FIRST_TWICE] = "matches a first tile that is counted twice: is it computed before the loop, which visits it, too?",
    [LAST_TWICE] = "matches a last tile that is counted twice: is it computed behind the loop, which visits it, too?",
    [EVERY_SECOND] = "matches every second tile left out: does the loop step over two tiles, or count them twice?",
    [K_OF_TILE_BEFORE] = "matches t.K = K of the tile before: it is K + j0 * D",
    [V_OF_TILE_BEFORE] = "matches t.V = V of the tile before: it is V + j0 * D",
    [KV_OF_TILE_BEFORE] = "matches t.K = K of the tile before: it is K + j0 * D; V, too",
    [O_DIVIDED_AND_AT_END] =
        "matches O that is divided by l after every tile, and in the end, too: divide once, after the last",
    [DIVIDED_SO_FAR_AND_AT_END] = "matches each tile's P V divided by the l so far, and O by l in the end, too: only "
                                  "the last division is meant",
    [REST_LEFT_4] = GROUPS(4) LEFT,
    [REST_LEFT_8] = GROUPS(8) LEFT,
    [REST_LEFT_16] = GROUPS(16) LEFT,
    [O_REST_LEFT_4] = GROUPS(4) LEFT ALONE,
    [O_REST_LEFT_8] = GROUPS(8) LEFT ALONE,
    [O_REST_LEFT_16] = GROUPS(16) LEFT ALONE,
    [O_REST_FROM_BEGIN_4] = GROUPS(4) FROM_BEGIN,
    [O_REST_FROM_BEGIN_8] = GROUPS(8) FROM_BEGIN,
    [MASK_BY_PLACES] = "matches a mask that compares places within the tiles, key c with query r: key j0 + c of the "
                       "head is compared with query i0 + r",
    [L_OF_SCORES] = "matches l that adds up the scores themselves: it is the sum of exp(s - m)",
    [L_OF_DISTANCES] = "matches l that adds up s - m: it is the sum of exp(s - m)",
    [L_OF_COUNTS] = "matches l that counts keys, 1 for each: it is the sum of exp(s - m)",
    [L_OF_HIDDEN] = "matches hidden keys that are in l and not in O: their scores become -INFINITY before the row sum",
    [DIVIDED_BY_WIDTH] = "matches p divided by the number of keys of its tile, in l and in O: tiles of other widths "
                         "weigh less or more, and only O is divided, once, by l",
    [FACTOR_RATIO] = FACTOR("m_old / m_new"),
    [FACTOR_INVERSE] = FACTOR("exp(m_new - m_old)"),
    [FACTOR_BASE_2] = FACTOR("2^(m_old - m_new)"),
    [FACTOR_SCALED] = FACTOR("exp((m_old - m_new) / sqrt(D))") ", as the scores are scaled already",
    [FACTOR_UNSCALED] = FACTOR("exp(m_old - m_new) of maxima that are not scaled") ", of scaled scores",
    [L_OF_FIRST_TILE] = "matches l of the first tile alone: each tile's sum is added to the rescaled l",
};

double lab_score_of(const online_tile *t, int j) { return t->factor * t->score[j - t->k_back]; }

// The sum of p, and that of p v added to o, where the maximum is raised key by key.
static double add_so_far(double *o, const online_tile *t, double max) {
    double sum = 0;
    for (int j = t->from; j < t->to; j += t->step) {
        max = fmax(max, lab_score_of(t, j));
        const double p = exp(lab_score_of(t, j) - max);
        for (int c = 0; c < t->D; c++) o[c] += p * t->v[(size_t)(j - t->v_back) * t->D + c];
        sum += p;
    }
    return sum;
}

// o = keep * o + factor * sum over the tile of exp(s - max) v.
static void add_tile(double *o, double keep, double factor, const online_tile *t, double max) {
    for (int c = 0; c < t->D; c++) o[c] *= keep;
    for (int j = t->from; j < t->to; j += t->step) {
        const double p = factor * exp(lab_score_of(t, j) - max);
        for (int c = 0; c < t->D; c++) o[c] += p * t->v[(size_t)(j - t->v_back) * t->D + c];
    }
}

static double sum_of(missed_step missed, const online_tile *t, double max) {
    double sum = missed == L_OF_COUNTS ? t->counted - t->from : 0;  // hidden keys, too
    for (int j = t->from; j < (missed == L_OF_HIDDEN ? t->counted : t->to); j += t->step)
        sum += missed == L_OF_SCORES      ? lab_score_of(t, j)
               : missed == L_OF_COUNTS    ? 0
               : missed == L_OF_DISTANCES ? lab_score_of(t, j) - max
                                          : exp(lab_score_of(t, j) - max);
    return sum;
}

// Multiplied by a at every whole group of so many keys; what is left over is added.
static void add_by_groups(double *l, double *o, double a, int keys, const online_tile *t, double max) {
    for (int j = t->from; j < t->counted; j += keys) {
        online_tile group = *t;
        group.from = j, group.to = j + keys < t->to ? j + keys : t->to;
        const double factor = j + keys <= t->counted ? a : 1;
        if (l) *l = factor * *l + sum_of(L_AT_EACH_KEY, &group, max);
        if (o) add_tile(o, factor, 1, &group, max);
    }
}

static int in(missed_step missed, missed_step a, missed_step b, missed_step c) {
    return missed == a || missed == b || missed == c;
}

// By what l is multiplied, where it is a the right way.
static double keeps_l(missed_step missed, double a) {
    if (in(missed, L_NOT_RESCALED, NEITHER_RESCALED, OWN_MAX) || in(missed, L_OF_TILE_RESCALED, TILE_RESCALED, N_STEPS))
        return 1;
    return in(missed, L_RESCALED_TWICE, BOTH_RESCALED_TWICE, N_STEPS) ? a * a : missed == L_OF_LAST_TILE ? 0 : a;
}

static double keeps_o(missed_step missed, double a) {
    if (in(missed, O_NOT_RESCALED, NEITHER_RESCALED, OWN_MAX) ||
        in(missed, O_OF_TILE_RESCALED, TILE_RESCALED, MEAN_OF_TILES) ||
        in(missed, SOFTMAX_ADDED, SOFTMAX_ADDED_OVER_L, N_STEPS))
        return 1;
    return in(missed, O_RESCALED_TWICE, BOTH_RESCALED_TWICE, N_STEPS) ? a * a : missed == O_OF_LAST_TILE ? 0 : a;
}

static int is_softmax_of_tile(missed_step missed) {
    return in(missed, SOFTMAX_OF_TILE, SOFTMAX_OF_TILE_OVER_L, SOFTMAX_ADDED) || missed == SOFTMAX_ADDED_OVER_L;
}

int lab_takes_tiles_sum(missed_step missed) {
    return is_softmax_of_tile(missed) || in(missed, DIVIDED_BY_OWN, DIVIDED_BY_BOTH, L_OF_FIRST_TILE);
}

int lab_group_of(missed_step missed) {
    switch (missed) {
    case REST_LEFT_4:
    case O_REST_LEFT_4:
    case O_REST_FROM_BEGIN_4: return 4;
    case REST_LEFT_8:
    case O_REST_LEFT_8:
    case O_REST_FROM_BEGIN_8: return 8;
    case REST_LEFT_16:
    case O_REST_LEFT_16: return 16;
    default: return 0;
    }
}

// O without the rest of the tile, or with as many keys from its begin in their place.
static void add_groups(missed_step missed, double *o, double keep, const online_tile *t, double max) {
    online_tile whole = *t;
    const int rest = (t->counted - t->from) % lab_group_of(missed);
    whole.to = t->counted - rest < t->to ? t->counted - rest : t->to;
    add_tile(o, keep, 1, &whole, max);
    whole.to = t->from + rest;
    if (in(missed, O_REST_FROM_BEGIN_4, O_REST_FROM_BEGIN_8, N_STEPS)) add_tile(o, 1, 1, &whole, max);
}

int lab_divides_each_tile(missed_step missed) {
    return missed == O_DIVIDED_EACH_TILE || missed == O_DIVIDED_AND_AT_END;
}

int lab_at_each_key(missed_step missed) {
    if (in(missed, O_AT_EACH_KEY, L_AT_EACH_KEY, BOTH_AT_EACH_KEY)) return 1;
    return missed == O_AT_EACH_4 ? 4 : missed == O_AT_EACH_8 ? 8 : missed == O_AT_EACH_16 ? 16 : 0;
}

void lab_online_step(missed_step missed, const online_tile *t, double *m, double *l, double *o) {
    const double m_new = in(missed, MEAN_OF_TILES, OWN_MAX, N_STEPS) ? t->max : fmax(*m, t->max),
                 to = missed == FACTOR_OF_TILE_MAX ? t->max : m_new, own = missed == EXP_OF_TILE_MAX ? t->max : m_new,
                 sum = sum_of(missed, t, own);
    double a = lab_online_factor(missed, *m, to, t->D);
    if (missed == M_L_SWAPPED) {  // the parts of m_i, l_i and O_i: O = sum of exp(l_i - max l) O_i over that of m_i
        const double of_tile = sum_of(missed, t, t->max), max = fmax(*m, of_tile), keep = exp(*m - max),
                     factor = exp(of_tile - max);
        add_tile(o, keep, factor, t, t->max);
        *l = keep * *l + factor * t->max, *m = max;
        return;
    }
    if (missed == LEFT_UNLESS_GROWN && m_new == *m) return;
    if (missed == MAX_SO_FAR || missed == RAISED_WITHIN) {
        if (missed == RAISED_WITHIN && *m > -INFINITY) a = exp(*m - fmax(*m, lab_score_of(t, t->from)));
        for (int c = 0; c < t->D; c++) o[c] *= a;
        *l = a * *l + add_so_far(o, t, *m), *m = m_new;
        return;
    }
    if (missed == BEGUN_ANEW && m_new > *m) a = 0;
    const int keys = lab_at_each_key(missed);
    const int l_by_groups = in(missed, L_AT_EACH_KEY, BOTH_AT_EACH_KEY, N_STEPS);
    if (l_by_groups)
        add_by_groups(l, NULL, a, keys, t, own);
    else if (missed == L_RESCALED_LATE)
        *l = a * (*l + sum);
    else if (missed != L_OF_FIRST_TILE || *m == -INFINITY)
        *l = keeps_l(missed, a) * *l + (in(missed, L_OF_TILE_RESCALED, TILE_RESCALED, N_STEPS) ? a
                                        : missed == DIVIDED_BY_WIDTH ? 1.0 / (t->counted - t->from)
                                                                     : 1) *
                                           sum;
    if (lab_group_of(missed)) {
        add_groups(missed, o, a, t, own);
    } else if (keys && missed != L_AT_EACH_KEY) {
        add_by_groups(NULL, o, a, keys, t, own);
    } else {
        const double of_tile = missed == MEAN_OF_TILES || is_softmax_of_tile(missed) ? 1 / sum
                               : missed == DIVIDED_BY_WIDTH                          ? 1.0 / (t->counted - t->from)
                               : in(missed, DIVIDED_SO_FAR, DIVIDED_SO_FAR_AND_AT_END, N_STEPS) ? 1 / *l
                               : in(missed, DIVIDED_BY_OWN, DIVIDED_BY_BOTH, DIVIDED_BY_OWN)
                                   ? 1 / sum_of(missed, t, t->max)
                                   : 1;
        const int late = in(missed, O_RESCALED_LATE, O_OF_TILE_RESCALED, TILE_RESCALED);
        add_tile(o, keeps_o(missed, a), late ? a : of_tile, t, own);
    }
    if (lab_divides_each_tile(missed))
        for (int c = 0; c < t->D; c++) o[c] /= *l;
    *m = missed == TILE_MAX_KEPT ? t->max : m_new;
}

double lab_online_divisor(missed_step missed, double l, int tiles) {
    if (missed == MEAN_OF_TILES) return tiles;
    if (in(missed, SOFTMAX_OF_TILE, SOFTMAX_ADDED, N_STEPS)) return 1;
    return in(missed, O_DIVIDED_EACH_TILE, DIVIDED_SO_FAR, DIVIDED_BY_OWN) ? 1 : l;
}
