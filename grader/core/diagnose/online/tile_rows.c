// tile_rows.c: the online softmax of a tile of queries in which a row is given what belongs to another row of its tile:
// its factor, its sum, or the one maximum or sum that all rows share.
#include "kept_scores.h"

#include <math.h>
#include <string.h>

typedef enum {
    O_BY_LAST,     // O is multiplied by the factor of the tile's last row
    BOTH_BY_LAST,  // O and l are
    L_BY_LAST,
    OVER_LAST,  // O is divided by the l of the last row
    O_BY_FIRST,
    BOTH_BY_FIRST,
    L_BY_FIRST,
    OVER_FIRST,
    ONE_MAX,  // m is no array: each row goes on with that of the row before it
    ONE_SUM,
    BOTH_ARE_ONE,
    N_TAKEN
} taken;

#define OWN_FACTOR ": each row has a factor exp(m_old - m_new) of its own"
#define OWN_L ": each row has an l of its own"
static const char *const sentence_of[N_TAKEN] = {
    [O_BY_LAST] = "matches O of all rows rescaled by the factor of the last row of their tile" OWN_FACTOR,
    [BOTH_BY_LAST] = "matches O and l of all rows rescaled by the factor of the last row of their tile" OWN_FACTOR,
    [L_BY_LAST] = "matches l of all rows rescaled by the factor of the last row of their tile" OWN_FACTOR,
    [OVER_LAST] = "matches O of all rows divided by the l of the last row of their tile" OWN_L,
    [O_BY_FIRST] = "matches O of all rows rescaled by the factor of the first row of their tile" OWN_FACTOR,
    [BOTH_BY_FIRST] = "matches O and l of all rows rescaled by the factor of the first row of their tile" OWN_FACTOR,
    [L_BY_FIRST] = "matches l of all rows rescaled by the factor of the first row of their tile" OWN_FACTOR,
    [OVER_FIRST] = "matches O of all rows divided by the l of the first row of their tile" OWN_L,
    [ONE_MAX] = "matches one m for all rows of a tile of queries, each of which goes on with that of the row before "
                "it: each row has an m of its own",
    [ONE_SUM] = LAB_ONE_L_OF_TILE,
    [BOTH_ARE_ONE] = "matches one m and one l for all rows of a tile of queries, with which each row goes on: each has "
                     "its own",
};

enum { MOST_WORK = 1 << 22, MOST_TILE = 1024 };

typedef struct {
    double m, l;
} state;

static lab_wrong_row row_at(const lab_wrong_rows *w, const lab_wrong_row *r, int query) {
    lab_wrong_row other = *r;
    other.q = r->q + ((long)query - r->query) * w->shape.head_dim;
    other.seen = w->shape.causal ? query + w->shape.seq_kv - w->shape.seq_q + 1 : w->shape.seq_kv;
    return other;
}

// The state goes on with keys [from, to) of a row with these scores. Returns its factor.
static double go_on(state *t, const lab_kept_row *row, int from, int to) {
    double max = t->m, sum = 0;
    for (int j = from; j < to; j++) max = row->score[j] > max ? row->score[j] : max;
    const double scale = lab_kept_scale(row, max);
    for (int j = from; j < to; j++) sum += lab_kept_weight(row, scale, max, j);
    const double factor = max == -INFINITY ? 1 : exp(t->m - max);
    t->m = max, t->l = factor * t->l + sum;
    return factor;
}

static void add(double *o, double keep, const lab_wrong_row *r, const lab_kept_row *row, double max, int from, int to,
                int D, int columns) {
    const double scale = lab_kept_scale(row, max);
    for (int c = 0; c < columns; c++) o[c] *= keep;
    for (int j = from; j < to; j++) {
        const double p = lab_kept_weight(row, scale, max, j);
        for (int c = 0; c < columns; c++) o[c] += p * r->v[(size_t)j * D + c];
    }
}

static int is_near(const lab_wrong_row *r, const double *o, double l, int columns) {
    for (int c = 0; c < columns; c++)
        if (!(fabs(o[c] / l - r->got[c]) < r->near * (1 + fabs(r->got[c])))) return 0;
    return 1;
}

static int least(int a, int b) { return a < b ? a : b; }

// The factor or the sum of another row. columns: of the output, from 0 on, that are looked at. *differs: that factor is not 1 everywhere, as no factor would be.
static int by_other(const lab_wrong_rows *w, const lab_wrong_row *r, int Br, int Bc, taken mistake, int columns,
                    int *differs) {
    const int D = w->shape.head_dim, first = r->query / Br * Br, last = least(first + Br, w->shape.seq_q) - 1;
    const int other = mistake < O_BY_FIRST ? last : first, of = mistake < O_BY_FIRST ? mistake : mistake - O_BY_FIRST;
    const lab_wrong_row end = row_at(w, r, last), theirs = row_at(w, r, other);
    double *o = w->scratch;
    state mine = {-INFINITY, 0}, its = mine;
    if (other == r->query || (end.seen <= Bc && of != OVER_LAST)) return 0;  // one tile has one sum
    const lab_kept_row *score = lab_kept_row_of(w, r, r->query), *score_of = lab_kept_row_of(w, r, other);
    if (!score || !score_of) return 0;
    memset(o, 0, columns * sizeof *o);
    for (int from = 0; from < end.seen; from += Bc) {
        const double l = mine.l, a = go_on(&mine, score, from, least(from + Bc, r->seen)),
                     b = go_on(&its, score_of, from, least(from + Bc, theirs.seen));
        if (of == BOTH_BY_LAST || of == L_BY_LAST) mine.l += (b - a) * l;
        *differs |= of == OVER_LAST || (from > 0 && b < 1);
        add(o, of == O_BY_LAST || of == BOTH_BY_LAST ? b : a, r, score, mine.m, from, least(from + Bc, r->seen), D,
            columns);
    }
    return is_near(r, o, of == OVER_LAST ? its.l : mine.l, columns);
}

// One maximum or one sum, with which all rows of the tile go on in turn.
static int by_one(const lab_wrong_rows *w, const lab_wrong_row *r, int Br, int Bc, taken mistake, int columns) {
    const int D = w->shape.head_dim, first = r->query / Br * Br, last = least(first + Br, w->shape.seq_q) - 1;
    const lab_wrong_row end = row_at(w, r, last);
    double *o = w->scratch, l[MOST_TILE] = {0};
    state all = {-INFINITY, 0}, each[MOST_TILE];
    if (last == first || end.seen <= Bc || last - first >= MOST_TILE ||
        (long)(last - first + 1) * end.seen * D > MOST_WORK)
        return 0;
    for (int i = 0; i <= last - first; i++) each[i] = all;
    memset(o, 0, columns * sizeof *o);
    for (int from = 0; from < end.seen; from += Bc)
        for (int i = first; i <= last; i++) {
            const lab_kept_row *score = lab_kept_row_of(w, r, i);
            const int to = least(from + Bc, row_at(w, r, i).seen);
            if (!score) return 0;
            state t = {mistake == ONE_SUM ? each[i - first].m : all.m, mistake == ONE_MAX ? l[i - first] : all.l};
            const double factor = go_on(&t, score, from, to);
            each[i - first].m = all.m = t.m, l[i - first] = all.l = t.l;
            if (i == r->query) add(o, factor, r, score, t.m, from, to, D, columns);
        }
    return is_near(r, o, mistake == ONE_MAX ? l[r->query - first] : all.l, columns);
}

static int all_match(const lab_wrong_rows *w, int Br, int Bc, taken mistake, int of_1) {
    int differs = mistake >= ONE_MAX;
    for (int i = 0; i < 2 * w->n; i++) {
        const lab_wrong_row *r = &w->row[i % w->n];
        const int columns = lab_columns_in_turn(w->shape.head_dim, w->n, i);
        if (!(mistake < ONE_MAX ? by_other(w, r, Br, Bc, mistake, columns, &differs)
                                : by_one(w, r, Br, Bc, mistake, columns)))
            return 0;
    }
    return w->n > 1 && differs == !of_1;
}

static int explain(const lab_symptom *s, lab_wrong_row (*row)(const lab_symptom *s, size_t r), int of_1, char *text,
                   size_t size) {
    static const int usual[] = {32, 64, 16, 48, 128, 24, 96};
    enum { N = sizeof usual / sizeof *usual };
    lab_wrong_rows w = lab_wrong_rows_of(s, row, 1);
    const int Br = w.n ? w.row[0].queries : 0, Bc = w.n ? w.row[0].tile : 0;
    int known = 0;
    for (int i = 0; i < (Br ? 1 : N) && !known; i++)
        for (int k = 0; k < (Bc ? 1 : N) && !known; k++)
            for (taken mistake = 0; mistake < N_TAKEN && w.n > 1; mistake++)
                if (all_match(&w, Br ? Br : usual[i], Bc ? Bc : usual[k], mistake, of_1))
                    known = lab_guess(s->guesses, sentence_of[mistake], text, size);
    lab_wrong_rows_free(&w);
    return known;
}

int lab_explain_tile_rows(const lab_symptom *s, lab_wrong_row (*row)(const lab_symptom *s, size_t r), char *text,
                          size_t size) {
    return explain(s, row, 0, text, size);
}

int lab_explain_tile_rows_of_1(const lab_symptom *s, lab_wrong_row (*row)(const lab_symptom *s, size_t r), char *text,
                               size_t size) {
    return explain(s, row, 1, text, size);
}
