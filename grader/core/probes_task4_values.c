// probes_task4_values.c: task 4, what a tile of keys adds to O, thread by thread and in tiles of registers. The claims
// stand in probes_task4.c.
#include "probes_task4.h"

#include <math.h>
#include <stdio.h>

// ---- add_values, value_tile: o [BR, D] + P [BR, BC] V [BC, D]

SIZES(add_values, BR, s.head_dim, BR *BC, BC *s.head_dim, BR *s.head_dim)

// 1 / the sum of a row's probabilities; or 0, where the file asks whether it is positive.
static double one_over_sum(const float *P, int r, int if_positive) {
    double sum = 0;
    for (int c = 0; c < BC; c++) sum += P[r * BC + c];
    return if_positive && sum <= 0 ? 0 : 1 / sum;
}

// What row_sum makes of o[e], which is another dim in each thread; or of what is to be added to it, and o_old stays.
static double all_threads_dims(const float *const in[], int D, int i, int own_keys, int with_old) {
    const int r = i / D, first = i % D / LANES * LANES;
    double sum = with_old ? 0 : in[3][i];
    for (int t = 0; t < LANES; t++) {
        if (with_old) sum += in[3][r * D + first + t];
        for (int c = own_keys ? t : 0; c < BC; c += own_keys ? LANES : 1)
            sum += (double)in[1][r * BC + c] * in[2][c * D + first + t];
    }
    return sum;
}

// Divided by l, of which thread t has t + 2 in the probe: the new summands alone, or o as well; by the row's sum, or by
// the thread's own part, 1; by 2, the mean of old and new.
static double divided(const float *const in[], int D, int i, int summands, int own) {
    const int t = i % D % LANES;
    double l = own == 2 ? 2 : own ? t + 2 : 0, sum = 0;
    for (int k = 0; !own && k < LANES; k++) l += k + 2;
    for (int c = 0; c < BC; c++) sum += (double)in[1][i / D * BC + c] * in[2][c * D + i % D];
    return summands ? in[3][i] + sum / l : (in[3][i] + sum) / l;
}

ORACLE(add_values) {
    const int D = s.head_dim;
    for (int i = 0; i < BR * D; i++) {
        if (mistake == 24) {
            out[i] = divided(in, D, i, 0, 2);
            continue;
        }
        if (mistake >= 20) {
            out[i] = divided(in, D, i, mistake < 22, mistake % 2);
            continue;
        }
        if (mistake >= 16) {
            out[i] = all_threads_dims(in, D, i, mistake < 18, mistake % 2);
            continue;
        }
        const int r = i / D, d = i % D, run = mistake == 4 ? 128 / LANES : D / LANES;  // of dims side by side
        const int of_v = mistake == 4 || mistake == 5 ? d % LANES * run + d / LANES : mistake == 8 ? d % LANES : d;
        out[i] = mistake == 1 ? 0 : in[3][i];
        const int a = r % TILE_ROWS, step = mistake == 6 ? D : D + 1;
        const int p_row = (mistake == 11 ? r - a : r) * (BC + 1) + (mistake == 7    ? -a
                                                                    : mistake == 10 ? a * (D - BC)
                                                                                    : 0);
        const double share = mistake >= 14 ? one_over_sum(in[1], r, mistake == 15) : 1;
        if ((mistake == 12 || mistake == 13) && a) continue;  // all into row 0 of the register tile, or that one alone
        for (int c = mistake == 9 ? BC : 0; c < BC && of_v < D; c++)
            if (mistake == 2 ? c % LANES == d % LANES : mistake == 3 ? c == BC - 1 : 1)
                for (int other = 0; other < (mistake == 12 ? TILE_ROWS : 1); other++) {
                    const int at = p_row + other * (BC + 1) + c;
                    out[i] += at >= BR * (BC + 1)
                                  ? NAN
                                  : share * lab_of_tile(in[1], BC, at) * lab_of_tile(in[2], D, c * step + of_v);
                }
    }
    return 1;
}
#define OWN_SHARES                                                                                                     \
    "matches probabilities that are divided by their sum in this tile: they are added as they are, and o is divided "  \
    "once, by the sum over all tiles, at the end (TODO 4.8)"
#define OVER_SUM_SO_FAR                                                                                                \
    "matches probabilities that are divided by l, the sum so far: it still grows. They are added as they are, and o "  \
    "is divided once, by the sum over all tiles, at the end (TODO 4.8)"
#define DIVIDED_IN_EACH                                                                                                \
    "matches o that is divided by l with every tile: it stays the sum of exp(s - m) V, and is divided once, by the "   \
    "sum over all tiles, at the end (TODO 4.8)"
#define KEYS_SHARED_OUT                                                                                                \
    "matches keys that are shared out over the 8 threads, and what they have added up by row_sum: these are parts of " \
    "8 different dims. Each thread takes all keys of the tile for its own dims t, t + 8, ..., and nothing is joined"
#define DIMS_ADDED_UP                                                                                                  \
    "matches o[e] of all 8 threads added up by row_sum: these are 8 different dims, as o[e] of thread t is dim "       \
    "t + 8 e. It has its own sum over all keys, and nothing is joined"

// Behind V the probe has NaN. What a thread has summed there it shows in its first dim.
static int reads_behind(const lab_symptom *s, char *text, size_t size) {
    const int D = s->shape.head_dim;
    for (int i = 0; i < BR * D; i++)
        if (i % D < LANES ? !isnan(s->got[i]) : lab_element_bad(s, i, 0)) return 0;
    return snprintf(text, size,
                    "reads dims from D on, which no row of Vs has: o[e] belongs to dim t + 8 e, and to none where that "
                    "is not below D") > 0;
}
KNOWN_OR(
    add_values, reads_behind, "o is set to this tile's sum: add to it, it holds earlier tiles",
    "matches sums over the keys t, t + 8, ... alone: of its own dims a thread takes all keys of the tile",
    "only the last key of the tile is in the sum",
    "matches dims t * OWN + e of V: o[e] of thread t belongs to dim t + 8 e",
    "matches dims t * (D / 8) + e of V: o[e] of thread t belongs to dim t + 8 e",
    "matches values that are read D floats apart: rows of Vs are STRIDE(D) apart",
    "matches probabilities that are read with rows BC floats apart: rows of s are BC + 1 apart",
    "matches dim t of V for every e: o[e] of thread t belongs to dim t + 8 e",
    "o stays as it was: add to o[e] the sum over all keys c of the tile of s[c] * V_c[d]",
    "matches probabilities that are read with rows STRIDE(D) floats apart: rows of s are BC + 1 apart",
    "matches the probabilities of row 0 for all rows: row a has its own, at s + a * (BC + 1)",
    "matches all rows of the register tile added to row 0: row[a].o[e] belongs to row a",
    "only row 0 of the register tile is added to: row a = 0 .. TILE_ROWS - 1", OWN_SHARES, OWN_SHARES, KEYS_SHARED_OUT,
    KEYS_SHARED_OUT, DIMS_ADDED_UP, DIMS_ADDED_UP, OVER_SUM_SO_FAR, OVER_SUM_SO_FAR, DIVIDED_IN_EACH, DIVIDED_IN_EACH,
    "matches the mean of o and what is to be added to it: o is a sum over all tiles, so add to it (+=), and divide "
    "once, by the row's sum, at the end (TODO 4.8)");
SHARED_PROBE(add_values, add_values, 4, .tensors = {"o", "P", "V", "o_old"});
SHARED_PROBE(value_tile, add_values, 4, .tensors = {"o", "P", "V", "o_old"});
