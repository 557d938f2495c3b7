// neighbours.c: a thread that takes what belongs to another one: the query, the factor or the row sum of another row of its
// tile, or the probabilities of its own keys for all of them.
#include "reductions.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// The row as that query of the same head sees it. Returns 0 if there is no such query.
static int row_at(const lab_wrong_rows *w, const lab_wrong_row *r, int query, lab_wrong_row *other) {
    const int D = w->shape.head_dim, apart = query - r->query;
    *other = *r;
    if (query < 0 || query >= w->shape.seq_q) return 0;
    other->q += (long)apart * D, other->query = query;
    if (w->shape.causal) other->seen += apart;
    return 1;
}

static double weights_of(const lab_wrong_row *r, int D, double *p, double *max) {
    double sum = 0;
    *max = lab_row_scores(r, D, p);
    for (int j = 0; j < r->seen; j++) sum += p[j] = exp(p[j] - *max);
    return sum;
}

// ---- The query of another row

typedef enum { OF_TILES_FIRST, OF_FIRST_TILE, OF_ROW_0, N_QUERIES } whose;

static int query_matches(const lab_wrong_rows *w, const lab_wrong_row *r, whose q, int n) {
    const int D = w->shape.head_dim, i = r->query;
    double *p = w->scratch, *o = p + w->shape.seq_kv, max;
    lab_wrong_row other;
    if (!row_at(w, r, q == OF_TILES_FIRST ? i - i % n : q == OF_FIRST_TILE ? i % n : 0, &other)) return 0;
    other.seen = r->seen;
    const double sum = weights_of(&other, D, p, &max);
    memset(o, 0, D * sizeof *o);
    for (int j = 0; j < r->seen; j++)
        for (int c = 0; c < D; c++) o[c] += p[j] / sum * r->v[(size_t)j * D + c];
    return lab_is_closer(r, o, D);
}

static int explain_query(const lab_wrong_rows *w, char *text, size_t size) {
    for (whose q = 0; q < N_QUERIES; q++)
        for (int rows = 1; rows <= (q == OF_ROW_0 ? 1 : 128); rows *= 2) {  // 1: as many as the lab knows of a tile
            const int n = rows > 1 ? rows : w->row[0].queries > 1 ? w->row[0].queries : 2;
            int all = w->n > 1 && n < w->shape.seq_q;
            for (int i = 0; i < w->n && all; i++) all = query_matches(w, &w->row[i], q, n);
            if (!all) continue;
            if (q == OF_ROW_0)
                snprintf(text, size, "matches the query of row 0 for every row: Q of row i begins at i * D");
            else
                snprintf(
                    text, size,
                    q == OF_TILES_FIRST
                        ? "matches the query of the first of %d rows that are computed together for all of them: "
                          "the row's number in its tile is missing in the index"
                        : "matches the queries of the first tile of %d rows for every tile: a tile begins at row i0",
                    n);
            return 1;
        }
    return 0;
}

// ---- The factor or the sum of another row, by the column's thread

// a[t]: the factor exp(m_old - m_new) of each tile of keys.
static void factors_of(const lab_wrong_rows *w, const lab_wrong_row *r, int keys, double *p, double a[LAB_MOST_KEYS]) {
    double m = -INFINITY;
    lab_row_scores(r, w->shape.head_dim, p);
    for (int t = 0; t * keys < r->keys; t++) {
        double now = m;
        for (int j = t * keys; j < (t + 1) * keys && j < r->seen; j++) now = fmax(now, p[j]);
        a[t] = lab_exp_or_0(m, now), m = now;
    }
}

static int factor_matches(const lab_wrong_rows *w, const lab_wrong_row *r, int rows, int keys) {
    static _Thread_local double a[64][LAB_MOST_KEYS];
    const int D = w->shape.head_dim, first = r->query - r->query % rows;
    double *p = w->scratch, *o = p + w->shape.seq_kv, l = 0, m = -INFINITY;
    lab_wrong_row other;
    for (int x = 0; x < rows && x < D; x++) {
        if (!row_at(w, r, first + x, &other)) return 0;
        factors_of(w, &other, keys, p, a[x]);
    }
    lab_row_scores(r, D, p);
    memset(o, 0, D * sizeof *o);
    for (int t = 0; t * keys < r->seen; t++) {
        double now = m;
        const int end = (t + 1) * keys < r->seen ? (t + 1) * keys : r->seen;
        for (int j = t * keys; j < end; j++) now = fmax(now, p[j]);
        l *= lab_exp_or_0(m, now), m = now;
        for (int c = 0; c < D; c++) o[c] *= a[c % rows][t];
        for (int j = t * keys; j < end; j++) {
            l += exp(p[j] - m);
            for (int c = 0; c < D; c++) o[c] += exp(p[j] - m) * r->v[(size_t)j * D + c];
        }
    }
    for (int c = 0; c < D; c++) o[c] /= l;
    return lab_is_closer(r, o, D);
}

static int sum_matches(const lab_wrong_rows *w, const lab_wrong_row *r, int rows) {
    const int D = w->shape.head_dim, first = r->query - r->query % rows;
    double *p = w->scratch, due[256], l[64], max;
    lab_wrong_row other;
    const double own = weights_of(r, D, p, &max);
    for (int x = 0; x < rows && x < D; x++) {
        if (!row_at(w, r, first + x, &other)) return 0;
        l[x] = weights_of(&other, D, p, &max);
    }
    for (int c = 0; c < D; c++) due[c] = r->want[c] * own / l[c % rows];
    return lab_is_closer(r, due, D);
}

static int explain_row(const lab_wrong_rows *w, char *text, size_t size) {
    static const int tiles[][2] = {{16, 16}, {32, 32}, {64, 32}, {32, 64}, {64, 64}, {8, 8}, {8, 32},
                                   {32, 16}, {64, 16}, {16, 0},  {32, 0},  {64, 0},  {8, 0}};
    for (size_t i = 0; i < sizeof tiles / sizeof *tiles; i++) {
        const int rows = tiles[i][0], keys = tiles[i][1];
        int all = w->n > 1;
        for (int k = 0; k < w->n && all; k++)
            all = keys ? factor_matches(w, &w->row[k], rows, keys) : sum_matches(w, &w->row[k], rows);
        if (!all) continue;
        snprintf(
            text, size,
            keys ? "matches O that is multiplied by exp(m_old - m_new) of another row: of row d %% %d of the tile in "
                   "dim d; which index is the row's, and which the thread's?"
                 : "matches O that is divided by l of another row: of row d %% %d of the tile in dim d; which index "
                   "is the row's, and which the thread's?",
            rows);
        return 1;
    }
    return 0;
}

// ---- Probabilities of the thread's own keys

#define OWN_KEYS "matches P V over the thread's own keys alone, "

typedef enum { OWN_KEYS_ALONE, OWN_FOR_ALL, OWN_VALUE, MET_1, MET_HALF, N_OWN } own;

// A thread has `side` keys side by side.
static int own_matches(const lab_wrong_rows *w, const lab_wrong_row *r, own x, int lanes, int kind, int side) {
    const int D = w->shape.head_dim;
    double *p = w->scratch, *o = p + w->shape.seq_kv, max;
    const double sum = weights_of(r, D, p, &max);
    for (int c = 0; c < D; c++) {
        const int t = lab_owner(kind, lanes, D, c);
        double l = 0;
        o[c] = 0;
        for (int j = 0; j < r->seen; j++) {
            const int key = x == OWN_FOR_ALL ? j - j % lanes + t : j;
            if (x == OWN_KEYS_ALONE && j / side % lanes != t) continue;
            if ((x == MET_1 && (j ^ t) & 1) || (x == MET_HALF && (j ^ t) & lanes / 2)) continue;
            const int value = x == OWN_VALUE ? j - j % lanes + t : j;
            if (value >= r->keys) continue;
            if (key < r->seen) l += p[key], o[c] += p[key] / sum * r->v[(size_t)value * D + c];
        }
        if (x >= MET_1) o[c] *= l > 0 ? sum / l : 0;
        if (!lab_is_near(o[c], r->got[c])) return 0;
    }
    return lab_is_closer(r, o, D);
}

static void say_own_keys(int lanes, int side, char *text, size_t size) {
    if (side == 1)
        snprintf(text, size, OWN_KEYS "every %d. one: each dim of O takes all keys", lanes);
    else
        snprintf(text, size, OWN_KEYS "%d side by side of every %d: each dim of O takes all keys", side, side * lanes);
}

static int explain_own(const lab_wrong_rows *w, char *text, size_t size) {
    static const char *const sentence[N_OWN] = {
        [OWN_FOR_ALL] =
            "matches P V with the probability of the thread's own key for all keys of its %d: value c takes "
            "that of key c (__shfl_sync from lane c)",
        [OWN_VALUE] = "matches P V with the value of the thread's own key for all keys of its %d: with the weight that "
                      "comes from "
                      "lane c belongs the value of key c",
        [MET_1] =
            "matches threads of even and of odd number whose parts are not joined: the last distance of the exchange "
            "is 1 (%d parts)",
        [MET_HALF] =
            "matches two halves of %d threads whose parts are not joined: the first distance of the exchange is "
            "half their number",
    };
    for (own x = 0; x < N_OWN; x++)
        for (int lanes = 2; lanes <= 32; lanes *= 2)
            for (int i = 0; i < 3 * (x == OWN_KEYS_ALONE ? 5 : 1); i++) {
                const int kind = i % 3, side = 1 << i / 3;
                int all = w->n > 1 || w->shape.seq_q == 1;
                for (int k = 0; k < w->n && all; k++) all = own_matches(w, &w->row[k], x, lanes, kind, side);
                if (!all) continue;
                if (x == OWN_KEYS_ALONE)
                    say_own_keys(lanes, side, text, size);
                else
                    snprintf(text, size, sentence[x], lanes);
                return 1;
            }
    return 0;
}

void lab_guess_own_key(const lab_wrong_rows *w) {
    char sentence[160], aside[240] = "";
    for (int lanes = 2; lanes <= 32 && w->shape.seq_kv == 1 && w->shape.head_dim <= 256; lanes *= 2)
        for (int kind = 0; kind < 3; kind++) {
            int all = w->n > 0;
            for (int i = 0; i < w->n && all; i++) all = own_matches(w, &w->row[i], OWN_KEYS_ALONE, lanes, kind, 1);
            for (int side = 1; side <= 2 && all; side++) {
                say_own_keys(lanes, side, sentence, sizeof sentence);
                lab_guess(w->guesses, sentence, aside, sizeof aside);
            }
        }
}

int lab_explain_neighbours(const lab_wrong_rows *w, char *text, size_t size) {
    if (w->shape.head_dim > 256 || !w->n) return 0;
    for (int i = 0; i < w->n; i++)
        if (w->row[i].keys > LAB_MOST_KEYS) return 0;
    return explain_query(w, text, size) || explain_own(w, text, size) || explain_row(w, text, size);
}
