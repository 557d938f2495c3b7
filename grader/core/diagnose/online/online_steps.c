// online_steps.c: one step of the online softmax, as it is and with a mistake in it.
#include "online_steps.h"

#include <math.h>
#include <stddef.h>

double lab_score_of(const online_tile *t, int j) { return t->factor * t->score[j - t->k_back]; }

double lab_weight_scale(const online_tile *t, double max) {
    return t->row && t->factor == 1 ? lab_kept_scale(t->row, max) : 0;
}

double lab_weight_of(const online_tile *t, double scale, double max, int j) {
    return scale > 0 ? scale * t->row->weight[j - t->k_back] : exp(lab_score_of(t, j) - max);
}

// The sum of p, and that of p v added to o, where the maximum is raised key by key.
static double add_so_far(double *o, const online_tile *t, double max) {
    double sum = 0;
    for (int j = t->from; j < t->to; j += t->step) {
        max = fmax(max, lab_score_of(t, j));
        const double p = exp(lab_score_of(t, j) - max);
        for (int c = 0; c < t->columns; c++) o[c] += p * t->v[(size_t)(j - t->v_back) * t->D + c];
        sum += p;
    }
    return sum;
}

// o = keep * o + factor * sum over the tile of exp(s - max) v.
static void add_tile(double *o, double keep, double factor, const online_tile *t, double max) {
    const double scale = lab_weight_scale(t, max);
    for (int c = 0; c < t->columns; c++) o[c] *= keep;
    for (int j = t->from; j < t->to; j += t->step) {
        const double p = factor * lab_weight_of(t, scale, max, j);
        for (int c = 0; c < t->columns; c++) o[c] += p * t->v[(size_t)(j - t->v_back) * t->D + c];
    }
}

static double sum_of(missed_step missed, const online_tile *t, double max) {
    const double scale = lab_weight_scale(t, max);
    double sum = missed == L_OF_COUNTS ? t->counted - t->from : 0;  // hidden keys, too
    for (int j = t->from; j < (missed == L_OF_HIDDEN ? t->counted : t->to); j += t->step)
        sum += missed == L_OF_SCORES      ? lab_score_of(t, j)
               : missed == L_OF_COUNTS    ? 0
               : missed == L_OF_DISTANCES ? lab_score_of(t, j) - max
                                          : lab_weight_of(t, scale, max, j);
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

int lab_is_late(missed_step missed) {
    return in(missed, O_BY_BEFORE, O_BY_BEFORE_FROM_1, N_STEPS) || in(missed, L_BY_BEFORE, L_BY_BEFORE_FROM_1, N_STEPS);
}

void lab_rescale_late(missed_step missed, const online_tile *t, double *l, double *o) {
    const int of_o = in(missed, O_BY_BEFORE, O_BY_BEFORE_FROM_1, N_STEPS);
    if (!of_o) *l *= t->before;
    for (int c = 0; of_o && c < t->columns; c++) o[c] *= t->before;
}

// By what l is multiplied, where it is a the right way.
static double keeps_l(missed_step missed, double a) {
    if (in(missed, L_NOT_RESCALED, NEITHER_RESCALED, OWN_MAX) ||
        in(missed, L_OF_TILE_RESCALED, TILE_RESCALED, NEITHER_OF_HIDDEN) ||
        in(missed, L_ADDED, NEITHER_L_ADDED, N_STEPS))
        return 1;
    return in(missed, L_RESCALED_TWICE, BOTH_RESCALED_TWICE, N_STEPS) ? a * a : missed == L_OF_LAST_TILE ? 0 : a;
}

static double keeps_o(missed_step missed, double a) {
    if (in(missed, O_NOT_RESCALED, NEITHER_RESCALED, OWN_MAX) ||
        in(missed, O_OF_TILE_RESCALED, TILE_RESCALED, MEAN_OF_TILES) ||
        in(missed, SOFTMAX_ADDED, SOFTMAX_ADDED_OVER_L, NEITHER_OF_HIDDEN) || missed == NEITHER_L_ADDED)
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

static double new_max(missed_step missed, const online_tile *t, double m) {
    if (in(missed, MEAN_OF_TILES, OWN_MAX, N_STEPS)) return t->max;
    double max = fmax(m, t->max);
    for (int j = t->to; missed == NEITHER_OF_HIDDEN && j < t->counted; j++) max = fmax(max, lab_score_of(t, j));
    return max;
}

// A step that is missed in tiles that begin before so many keys; 0: in all.
static int first_keys(missed_step missed) {
    return missed == NEITHER_IN_FIRST_16   ? 16
           : missed == NEITHER_IN_FIRST_32 ? 32
           : missed == NEITHER_IN_FIRST_64 ? 64
                                           : 0;
}

// A step that is missed in all tiles but the first; N_STEPS: it is another one.
static missed_step but_first(missed_step missed) {
    switch (missed) {
    case O_LATE_BUT_FIRST: return O_RESCALED_LATE;
    case L_LATE_BUT_FIRST: return L_RESCALED_LATE;
    case BOTH_LATE_BUT_FIRST: return BOTH_RESCALED_LATE;
    case O_OF_TILE_BUT_FIRST: return O_OF_TILE_RESCALED;
    case L_OF_TILE_BUT_FIRST: return L_OF_TILE_RESCALED;
    case TILE_BUT_FIRST: return TILE_RESCALED;
    default: return N_STEPS;
    }
}

static missed_step missed_in(missed_step missed, const online_tile *t, double m) {
    enum { NOTHING = ONE_PART };  // which is about what comes to a step
    if (but_first(missed) != N_STEPS) return m == -INFINITY ? NOTHING : but_first(missed);
    return !first_keys(missed) ? missed : t->from < first_keys(missed) ? NEITHER_RESCALED : NOTHING;
}

void lab_online_step(missed_step of_all, online_tile *t, double *m, double *l, double *o) {
    const missed_step missed = missed_in(of_all, t, *m);
    const double m_new = new_max(missed, t, *m), to = missed == FACTOR_OF_TILE_MAX ? t->max : m_new,
                 own = missed == EXP_OF_TILE_MAX ? t->max : m_new,
                 sum = sum_of(missed, t, in(missed, L_ADDED, NEITHER_L_ADDED, N_STEPS) ? t->max : own);
    double a = lab_online_factor(missed, *m, to, t->D);
    const double before = *m > -INFINITY ? t->before : 1;  // of the first tile nothing is there that it could change
    const int from_1 = in(missed, O_BY_BEFORE_FROM_1, L_BY_BEFORE_FROM_1, N_STEPS) && *m == -INFINITY;
    t->before = from_1 ? 1 : a;
    if (lab_online_join(missed, t, m, l, o)) return;
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
        for (int c = 0; c < t->columns; c++) o[c] *= a;
        *l = a * *l + add_so_far(o, t, *m), *m = m_new;
        return;
    }
    if (missed == BEGUN_ANEW && m_new > *m) a = 0;
    const int keys = lab_at_each_key(missed);
    const int l_by_groups = in(missed, L_AT_EACH_KEY, BOTH_AT_EACH_KEY, N_STEPS);
    if (l_by_groups)
        add_by_groups(l, NULL, a, keys, t, own);
    else if (missed == L_RESCALED_LATE || missed == BOTH_RESCALED_LATE)
        *l = a * (*l + sum);
    else if (missed != L_OF_FIRST_TILE || *m == -INFINITY)
        *l = (in(missed, L_BY_BEFORE, L_BY_BEFORE_FROM_1, N_STEPS) ? before : keeps_l(missed, a)) * *l +
             (in(missed, L_OF_TILE_RESCALED, TILE_RESCALED, N_STEPS) ? a
              : missed == DIVIDED_BY_WIDTH                           ? 1.0 / (t->counted - t->from)
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
        const int late = in(missed, O_RESCALED_LATE, O_OF_TILE_RESCALED, TILE_RESCALED) || missed == BOTH_RESCALED_LATE;
        const double keep = in(missed, O_BY_BEFORE, O_BY_BEFORE_FROM_1, N_STEPS) ? before : keeps_o(missed, a);
        add_tile(o, keep, late ? a : of_tile, t, own);
    }
    if (lab_divides_each_tile(missed) || missed == MEAN_AND_L_IS_1)
        for (int c = 0; c < t->columns; c++) o[c] /= *l;
    if (missed == MEAN_AND_L_IS_1) *l = 1;
    *m = missed == TILE_MAX_KEPT ? t->max : m_new;
}

double lab_online_divisor(missed_step missed, double l, int tiles) {
    if (missed == MEAN_OF_TILES) return tiles;
    if (in(missed, SOFTMAX_OF_TILE, SOFTMAX_ADDED, N_STEPS)) return 1;
    return in(missed, O_DIVIDED_EACH_TILE, DIVIDED_SO_FAR, DIVIDED_BY_OWN) ? 1 : l;
}
