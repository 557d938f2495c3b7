// op_combine.c: the last step of task 5's bonus: the parts of n_splits splits are joined. Called by itself, with parts
// that the lab has drawn, so that nothing else can be where O comes from.
#include "probes.h"
#include "splits.h"

#include <math.h>

enum { MOST_SPLITS = 64 };  // ATTN_MAX_SPLITS

static size_t pairs_of(attn_shape s) { return (size_t)s.batch * s.heads; }

static size_t combine_elements(attn_shape s, int t) {
    return pairs_of(s) * (t == 0 ? 1 : MOST_SPLITS) * (t == 2 ? 1 : s.head_dim);
}

static size_t combine_moved(attn_shape s, const int extra[2], int t) {
    return combine_elements(s, t) * (t ? extra[0] : MOST_SPLITS) / MOST_SPLITS;
}

static void combine_extent(attn_shape s, size_t extent[4]) { extent[2] = 1; }

static double combine_flops(attn_shape s) { return 2.0 * pairs_of(s) * s.head_dim; }

// Split `split` of a query has no keys: every fourth, and all of the last query, unless it is the only one.
static int is_empty(attn_shape s, size_t pair, size_t split) {
    return (pair + split) % 4 == 3 || (pair && pair + 1 == pairs_of(s));
}

// What lies behind the parts is NaN.
FILL(combine) {
    const size_t n = extra[0], row = t == 1 ? s.head_dim : 1, all = pairs_of(s) * n;
    lab_fill(x, combine_elements(s, t), row, LAB_NORMAL, key);
    for (size_t i = 0; i < combine_elements(s, t); i++) {
        const size_t part = i / row;
        const int empty = part < all && is_empty(s, part / n, part % n);
        if (t == 2) x[i] = empty ? -INFINITY : kind == LAB_LARGE ? 64 * x[i] : 2 * x[i];
        if (t == 1 && empty) x[i] = 0;
        if (part >= all) x[i] = NAN;
    }
}

enum {
    NO_FACTOR = 1,
    MEAN,
    LAST_MISSING,
    NOT_DIVIDED,
    SPLITS_FIRST,
    O_SPLITS_FIRST,
    L_SPLITS_FIRST,
    PAIRS_APART,
    HEAD_0,
    ONE_FOR_ALL,
    LANES_ALONE,
    LANE_WEIGHTS,
    OVER_N,
    LOG_AS_WEIGHT,
    LOG_OR_NOTHING,  // 0 where the logarithms do not sum to more than 0
    LOG_ABOVE_0,     // and one below 0 counts as 0
    MEAN_OF_FULL,    // of the splits that have keys
    LARGEST_ALONE,
    IN_BASE_2,
    SUM_OVER_L,  // the parts have no factor, the sum that divides them has
    FIRST_MISSING,
    RUNNING_MEAN,  // of what was joined and the next part
    LAST_ALONE
};
enum { LANES = 32 };

// Where the part of a split, a row of part_O (t = 1) or an element of L (t = 2), is looked for.
static size_t part_at(attn_shape s, size_t n, size_t pair, size_t split, int mistake, int t) {
    const int splits_first = mistake == SPLITS_FIRST || mistake == (t == 1 ? O_SPLITS_FIRST : L_SPLITS_FIRST);
    if (splits_first) return split * pairs_of(s) + pair;
    if (mistake == PAIRS_APART) return pair + split;
    if (mistake == ONE_FOR_ALL) return split;
    return (mistake == HEAD_0 ? pair / s.heads * s.heads : pair) * n + split;
}

ORACLE(combine) {
    const size_t D = s.head_dim, n = extra[0];
    for (size_t pair = 0; pair < pairs_of(s); pair++) {
        double top = -INFINITY, l = 0;
        for (size_t i = 0; i < n; i++) top = fmax(top, in[2][part_at(s, n, pair, i, mistake, 2)]);
        for (size_t d = 0; d < D; d++) out[pair * D + d] = 0;
        if ((mistake == LANES_ALONE || mistake == LANE_WEIGHTS) && n <= LANES) return 0;
        for (size_t i = 0; i < n - (mistake == LAST_MISSING); i++) {
            const int equal = mistake == NO_FACTOR || mistake == MEAN;
            const float L = in[2][part_at(s, n, pair, i, mistake, 2)];
            if (mistake == LANES_ALONE && i >= LANES) break;
            const float *const O = in[1] + part_at(s, n, pair, i, mistake, 1) * D;
            const double of_rule = mistake == LOG_AS_WEIGHT || mistake == LOG_OR_NOTHING ? L
                                   : mistake == LOG_ABOVE_0                              ? fmax(L, 0)
                                   : mistake == MEAN_OF_FULL                             ? 1
                                   : mistake == LARGEST_ALONE                            ? L == top
                                   : mistake == IN_BASE_2                                ? exp2(L - top)
                                   : mistake == FIRST_MISSING && !i                      ? 0
                                   : mistake == LAST_ALONE                               ? i + 1 == n
                                                                                         : exp(L - top);
            const double e = equal || mistake == RUNNING_MEAN ? 1 : L == -INFINITY ? 0 : of_rule;
            l += e;
            const float of_lane = in[2][part_at(s, n, pair, i % LANES, mistake, 2)];
            const double w = mistake == SUM_OVER_L     ? 1
                             : mistake != LANE_WEIGHTS ? e
                             : of_lane == -INFINITY    ? 0
                                                       : exp(of_lane - top);
            for (size_t d = 0; d < D; d++) out[pair * D + d] += w * O[d];
            if (mistake == RUNNING_MEAN && i)
                for (size_t d = 0; d < D; d++) out[pair * D + d] /= 2;
        }
        for (size_t d = 0; d < D; d++)
            if (l != 0 && mistake != NO_FACTOR && mistake != NOT_DIVIDED && mistake != RUNNING_MEAN)
                out[pair * D + d] *= mistake == LOG_OR_NOTHING && l < 0 ? 0 : 1 / (mistake == OVER_N ? (double)n : l);
    }
    return 1;
}

#define LOG_TEXT "matches parts that are weighted by L_s itself: the weight is exp(L_s - max)"
#define MEAN_TEXT "matches the plain mean of the parts: O_s counts with its weight exp(L_s - L)"
KNOWN_OR_NAN(
    combine, lab_nothing_else,
    "NaN: exp(L) overflows, a split without keys (L = -INFINITY) has weight, or something behind the parts "
    "is read: part_O is [batch, heads, n_splits, head_dim], L is [batch, heads, n_splits]",
    [NO_FACTOR] = "matches O_s that are added without their factor exp(L_s - L)", [MEAN] = MEAN_TEXT,
    [LAST_MISSING] = "matches the last split left out",
    [NOT_DIVIDED] = "matches a sum of exp(L_s - max) O_s that is not divided by the sum of these weights",
    [OVER_N] =
        "matches a sum of exp(L_s - max) O_s that is divided by the number of splits: divide by the sum of these "
        "weights",
    [LOG_AS_WEIGHT] = LOG_TEXT, [LOG_OR_NOTHING] = LOG_TEXT, [LOG_ABOVE_0] = LOG_TEXT,
    [SPLITS_FIRST] = "matches parts that lie as [n_splits, batch, heads]: they lie as [batch, heads, n_splits]",
    [O_SPLITS_FIRST] = "matches part_O read as [n_splits, batch, heads, head_dim]: it is "
                       "[batch, heads, n_splits, head_dim]",
    [L_SPLITS_FIRST] = LAB_L_SPLITS_FIRST,
    [PAIRS_APART] = "matches heads whose parts begin one part apart: they begin n_splits parts apart",
    [HEAD_0] = "matches the parts of head 0 taken for every head", [ONE_FOR_ALL] = LAB_PARTS_OF_ONE,
    [LANES_ALONE] = "matches splits 32 and up left out: a warp has 32 lanes, and there are up to 64 splits",
    [MEAN_OF_FULL] = MEAN_TEXT,
    [LARGEST_ALONE] = "matches O_s of the split with the largest L_s alone: every split counts, with its weight "
                      "exp(L_s - L)",
    [IN_BASE_2] = LAB_SPLITS_IN_BASE_2,
    [SUM_OVER_L] = "matches O_s that are added as they are and divided by the sum of exp(L_s - max): each O_s is "
                   "multiplied by its own exp(L_s - max), too",
    [FIRST_MISSING] = "matches the first split left out",
    [RUNNING_MEAN] = "matches a mean of what was joined and the next O_s, again and again, so that the last one counts "
                     "half: O_s counts with its weight exp(L_s - L)",
    [LAST_ALONE] = "matches O_s of the last split alone: every split counts, with its weight exp(L_s - L)",
    [LANE_WEIGHTS] =
        "matches split s that counts with the weight of split s % 32: a warp has 32 lanes, and there are up "
        "to 64 splits")

const lab_op lab_combine = {.name = "combine",
                            .symbol = "attn_combine",
                            .n_tensors = 3,
                            .tensors = {"O", "part_O", "L"},
                            .elements = combine_elements,
                            .extent = combine_extent,
                            .flops = combine_flops,
                            .moved = combine_moved,
                            .fill = combine_fill,
                            .oracle = combine,
                            .diagnose = combine_diagnose};
