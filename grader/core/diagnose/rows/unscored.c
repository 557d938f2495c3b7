// unscored.c: keys whose scores are never computed: those behind the last whole group of keys of a tile, or those that a
// mask passes over. What lies in their places counts; nobody knows what that is, but a row tells: with the other keys'
// weights known, theirs can be solved for.
#include "reductions.h"
#include "rules_out.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_UNSCORED = 32 };

typedef struct {
    const lab_wrong_row *r;
    int D, first_hidden;
    int key[MOST_UNSCORED], n;  // those without a score
    int in_l;                   // the row sum has them, too
} row;

static int is_unscored(const row *x, int j) {
    for (int i = 0; i < x->n; i++)
        if (x->key[i] == j) return 1;
    return 0;
}

// O (L + sum of x) = N + sum of x v, with N and L of the keys that have scores: D equations for the weights x.
static int solve(const row *x, const double *p, double L, const double *N, double *weight) {
    double g[MOST_UNSCORED * (MOST_UNSCORED + 1)];
    const int n = x->n, D = x->D;
    memset(g, 0, sizeof g);
    for (int c = 0; c < D; c++) {
        const double o = x->r->got[c];
        for (int i = 0; i < n; i++) {
            const double a = x->r->v[(size_t)x->key[i] * D + c] - x->in_l * o;
            for (int k = 0; k < n; k++) g[i * (n + 1) + k] += a * (x->r->v[(size_t)x->key[k] * D + c] - x->in_l * o);
            g[i * (n + 1) + n] += a * (o * L - N[c]);
        }
    }
    return lab_solve(n, g, weight);
}

// Is the row right but for the weights of these keys?
static int fits(const lab_wrong_rows *w, const row *x) {
    const int D = x->D;
    double *p = w->scratch, N[LAB_MOST_DIMS] = {0}, L = 0, weight[MOST_UNSCORED];
    lab_wrong_row all = *x->r;
    if (!x->n || 2 * x->n > D || D > LAB_MOST_DIMS) return 0;
    const double max = lab_row_scores(&all, D, p);
    for (int j = 0; j < all.seen; j++) {
        if (is_unscored(x, j)) continue;
        const double e = exp(p[j] - max);
        L += e;
        for (int c = 0; c < D; c++) N[c] += e * all.v[(size_t)j * D + c];
    }
    if (!(L > 1e-6) || !solve(x, p, L, N, weight)) return 0;
    for (int i = 0; i < x->n; i++) {
        if (!(weight[i] > -1e-3 * L)) return 0;
        L += x->in_l * weight[i];
        for (int c = 0; c < D; c++) N[c] += weight[i] * all.v[(size_t)x->key[i] * D + c];
    }
    for (int c = 0; c < D; c++)
        if (!(fabs(N[c] / L - all.got[c]) < all.near)) return 0;
    return 1;
}

typedef enum { BEHIND_GROUPS_OF_4, BEHIND_GROUPS_OF_8, BEHIND_GROUPS_OF_2, HIDDEN, HIDDEN_IN_O, N_KINDS } kind;

static const char *const sentence[N_KINDS] = {
    "matches scores that are not computed " LAB_BEHIND_GROUPS " of 4 keys of a tile, where what lay there counts: a "
    "loop over the rest is missing",
    "matches scores that are not computed " LAB_BEHIND_GROUPS " of 8 keys of a tile, where what lay there counts: a "
    "loop over the rest is missing",
    "matches scores that are not computed for the last key of an odd number of them, where what lay there counts: a "
    "loop over the rest is missing",
    "matches hidden keys whose places keep what lay there, which counts: their scores are set to -INFINITY",
    "matches hidden keys whose weights are what lay there, and O has them: a weight is 0 there, or the sum with the "
    "values ends where the weights do",
};

// How many keys the row's tile of queries walks over: all that its last query sees, in whole tiles.
static int walked(const lab_wrong_row *r, int tile, const attn_shape *s) {
    const int Br = r->queries > 0 ? r->queries : 1, next = r->query / Br * Br + Br;
    const int seen = s->causal ? (next < s->seq_q ? next : s->seq_q) + s->seq_kv - s->seq_q : r->seen;
    const int end = (seen + tile - 1) / tile * tile;
    return end < r->keys ? end : r->keys;
}

// The keys of that kind, up to the end of that walk. Returns 0 if they are too many.
static int choose(kind k, int tile, const attn_shape *s, row *x) {
    const int group = k == BEHIND_GROUPS_OF_4 ? 4 : k == BEHIND_GROUPS_OF_8 ? 8 : 2;
    const int end = walked(x->r, tile, s);
    x->n = 0;
    for (int from = 0; from < end; from += tile) {
        const int to = from + tile < x->r->keys ? from + tile : x->r->keys;
        const int begin = k >= HIDDEN ? (x->r->seen > from ? x->r->seen : from) : to - (to - from) % group;
        for (int j = begin; j < to && j < end; j++) {
            if (x->n == MOST_UNSCORED) return 0;
            x->key[x->n++] = j;
        }
    }
    return 1;
}

int lab_explain_unscored(const lab_wrong_rows *w, char *text, size_t size) {
    int known = 0;
    for (kind k = 0; k < N_KINDS; k++) {
        int told = 0, all = w->n > 1 && (k < HIDDEN || w->shape.causal);
        for (int i = 0; i < w->n && all; i++) {
            row x = {.r = &w->row[i], .D = w->shape.head_dim, .in_l = k != HIDDEN_IN_O};
            const int tile = x.r->tile > 0 && x.r->tile < x.r->keys ? x.r->tile : x.r->keys;
            if (!choose(k, tile, &w->shape, &x) || 2 * x.n > x.D) continue;  // too many to be solved for
            all = fits(w, &x), told += all;
        }
        if (all && told > 1) known = lab_guess(w->guesses, sentence[k], text, size);
    }
    return known;
}
