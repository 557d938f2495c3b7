// grouped_scores.c: scores that are computed several keys at a time, in as many sums, which are shared out among keys and dims at
// once. What is left behind whole groups of a tile is computed one by one, and right, or like the others.
//
//     for (d = 0; d < D; d += 4) { a += q[d] * k[d]; b += q[d + 1] * k[d + 1]; ... }  s[j] = a; s[j + 1] = b; ...
#include <math.h>
#include <stdio.h>

#include "rules_out.h"
#include "wrong_rows.h"

// Which dims score r of a group of n has: r, r + n, ...; the r-th part of n, side by side; 0, n, ...; all.
typedef enum { EACH_NTH, SIDE_BY_SIDE, FIRST_NTH, ALL, N_DIMS } dims;

typedef struct {
    int n, tile;
    dims dims;
    int of_first;                                     // of the group's first key, and not of its own
    enum { TO_SEEN, TO_END, NO_REST, N_RESTS } rest;  // where a row's last tile ends: it sees no more, it has no more
} grouping;

static int has(const grouping *g, int D, int r, int d) {
    if (g->dims == EACH_NTH) return d % g->n == r;
    if (g->dims == SIDE_BY_SIDE) return d >= r * D / g->n && d < (r + 1) * D / g->n;
    return g->dims == ALL || d % g->n == 0;
}

static double score_of(const lab_wrong_row *r, const grouping *g, int D, int j) {
    const int begin = j / g->tile * g->tile, end = g->rest == TO_SEEN ? r->seen : r->keys;
    const int keys = end - begin < g->tile ? end - begin : g->tile, i = j - begin;
    const int grouped = g->rest == NO_REST || i < keys / g->n * g->n, first = begin + i / g->n * g->n;
    const float *k = r->k + (size_t)(grouped && g->of_first ? first : j) * D;
    double score = 0;
    for (int d = 0; d < D; d++)
        if (!grouped || has(g, D, i % g->n, d)) score += (double)r->q[d] * k[d];
    return score / sqrt(D);
}

static int fits(const lab_wrong_rows *w, const grouping *g) {
    const int D = w->shape.head_dim;
    for (int i = 0; i < w->n; i++) {
        const lab_wrong_row *r = &w->row[i];
        for (int j = 0; j < r->seen; j++) w->scratch[j] = score_of(r, g, D, j);
        if (!lab_row_has_scores(r, D, w->scratch)) return 0;
    }
    return 1;
}

static void say(const grouping *g, char *text, size_t size) {
    static const char *const of[N_DIMS] = {
        [EACH_NTH] = "each of the %d scores has every %s dim alone",
        [SIDE_BY_SIDE] = "each of the %d scores has a %s part of the dims alone",
        [FIRST_NTH] = "all of the %d scores have every %s dim alone",
        [ALL] = "all of the %d scores are those of the %s's first key",
    };
    static const char *const nth[] = {"second", "fourth", "eighth"};
    char part[80];
    snprintf(part, sizeof part, of[g->dims], g->n, g->dims == ALL ? "group" : nth[g->n / 4]);
    snprintf(text, size, LAB_GROUPED " %d at a time: %s%s. Each score is the sum over all dims of q and of its own key",
             g->n, part, g->of_first && g->dims != ALL ? ", and all of them are of the group's first key" : "");
}

int lab_explain_grouped_scores(const lab_wrong_rows *w, char *text, size_t size) {
    const int known = w->n ? w->row[0].tile : 0, tiles[] = {known ? known : w->shape.seq_kv, 16, 32, 64, 128};
    if (!lab_are_enough(w)) return 0;
    for (int t = 0; t < (known ? 1 : 5); t++)
        for (int i = 0; i < 3 * N_DIMS * 2 * N_RESTS; i++) {
            const grouping g = {2 << i % 3, tiles[t], i / 3 % N_DIMS, i / 3 / N_DIMS % 2, i / 3 / N_DIMS / 2};
            if ((g.dims == ALL && !g.of_first) || !fits(w, &g)) continue;
            say(&g, text, size);
            return 1;
        }
    return 0;
}
