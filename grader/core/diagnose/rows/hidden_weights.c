// hidden_weights.c: keys that a mask hides from l alone. O has them, and their weight is what the file left in their places:
// the score, q . k, or the exponential that nobody added up.
#include "wrong_rows.h"

#include <math.h>
#include <stdio.h>

typedef enum { SCORE, SCORE_OF_2, PRODUCT, EXPONENTIAL, NOT_SHIFTED, ONE, N_WEIGHTS } weight;

static const char *const name[N_WEIGHTS] = {
    "their score", "their score times log2(e)", "q . k", "exp(s - m)", "exp(s)", "1"};

// How far a tile of queries walks: 1 is the last key that it sees, 0 all keys of the head.
static const int size[] = {0, 1, 4, 8, 16, 32, 64, 128};
enum { SIZES = sizeof size / sizeof *size, WAYS = N_WEIGHTS * 2 * SIZES * SIZES };

typedef struct {
    weight weight;
    int divided;  // by l, as the weights of the other keys
    int Br, Bc;
} way;

static way way_of(int i) {
    return (way){i % N_WEIGHTS, i / N_WEIGHTS % 2, size[i / N_WEIGHTS / 2 % SIZES], size[i / N_WEIGHTS / 2 / SIZES]};
}

static int walked(const way *y, const lab_wrong_row *r, const attn_shape *s) {
    const int Br = y->Br ? y->Br : r->queries > 0 ? r->queries : s->seq_q;
    const int Bc = y->Bc ? y->Bc : r->tile > 0 ? r->tile : r->keys;
    const int next = r->query / Br * Br + Br, seen = (next < s->seq_q ? next : s->seq_q) + s->seq_kv - s->seq_q;
    const int end = (seen + Bc - 1) / Bc * Bc;
    return end < r->keys ? end : r->keys;
}

static double weigh(const way *y, double s, double max, int D) {
    switch (y->weight) {
    case SCORE: return s;
    case SCORE_OF_2: return s * 1.4426950408889634;  // for exp2
    case PRODUCT: return s * sqrt(D);
    case EXPONENTIAL: return exp(s - max);
    case NOT_SHIFTED: return exp(s);
    default: return 1;
    }
}

// Of a row: the scores of all keys of its head; m and l of those that it sees.
typedef struct {
    const double *score;
    double m, l;
} numbers;

static numbers numbers_of(const lab_wrong_row *r, const double *score) {
    numbers n = {score, -INFINITY, 0};
    for (int j = 0; j < r->seen; j++) n.m = fmax(n.m, score[j]);
    for (int j = 0; j < r->seen; j++) n.l += exp(score[j] - n.m);
    return n;
}

// Counts in *tells the rows that have a hidden key.
static int fits(const way *y, const lab_wrong_row *r, const attn_shape *s, numbers n, int *tells) {
    const int D = s->head_dim, end = walked(y, r, s);
    for (int c = 0; c < D; c++) {
        double hidden = 0;
        for (int j = r->seen; j < end; j++) hidden += weigh(y, n.score[j], n.m, D) * r->v[(size_t)j * D + c];
        const double o = r->want[c] + hidden / (y->divided ? n.l : 1);
        if (!(fabs(o - r->got[c]) < r->near * (1 + fabs(o)))) return 0;
    }
    *tells += end > r->seen;
    return 1;
}

int lab_explain_hidden_weights(const lab_wrong_rows *w, char *text, size_t size) {
    int tells[WAYS] = {0};
    char out[WAYS] = {0};
    if (!w->shape.causal || w->n < 2) return 0;
    for (int i = 0; i < w->n; i++) {
        lab_wrong_row all = w->row[i];
        all.seen = all.keys;
        lab_row_scores(&all, w->shape.head_dim, w->scratch);
        const numbers n = numbers_of(&w->row[i], w->scratch);
        for (int k = 0; k < WAYS; k++) {
            const way y = way_of(k);
            out[k] = out[k] || !fits(&y, &w->row[i], &w->shape, n, &tells[k]);
        }
    }
    for (int k = 0; k < WAYS; k++)
        if (!out[k] && tells[k] > 1) {
            snprintf(text, size,
                     "matches hidden keys that are in O with %s as their weight, and not in l: the weight of a hidden "
                     "key is 0, or the sum with the values ends where the row's own weights do",
                     name[way_of(k).weight]);
            return lab_guess(w->guesses, text, text, size);
        }
    return 0;
}
