// pieces.c: a softmax that goes over a row in pieces, each with a maximum or a sum of its own: divided by it, averaged,
// or with a factor missing where the maximum grows from piece to piece.
#include "pieces.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "heuristics.h"
#include "rules_out.h"

// WIDTH: so many columns each. COUNT: so many pieces, as long as each other. INTERLEAVED: column c is in piece c % size.
typedef enum { WIDTH, COUNT, INTERLEAVED } division;

typedef enum {
    OWN_SOFTMAX,
    MEAN,
    OWN_MAX,
    OWN_MAX_OVER_L,
    MAX_SO_FAR_OVER_L,
    MAX_SO_FAR,
    L_SO_FAR,
    L_OF_LAST,
    L_NOT_RESCALED,
    L_BEGUN_ANEW,
    N_RULES
} rule;

static const char *const sentence[N_RULES] = {
    [OWN_SOFTMAX] = LAB_PIECES_DIVIDED ", so that each piece sums to 1: l is the sum of the whole row, and complete "
                                       "before the first division",
    [MEAN] = LAB_PIECES_DIVIDED ", and by the number of pieces: a plain mean. l is the sum of the whole row, relative "
                                "to its one maximum",
    [OWN_MAX] = "matches pieces of a row whose exponentials count from a maximum of their own, in l, too: m is the "
                "largest score of the whole row, in all of them",
    [OWN_MAX_OVER_L] = "matches pieces of a row whose exponentials are kept as the piece's own maximum gave them, over "
                       "the right l: they have to be multiplied by exp(own maximum - m), too",
    [MAX_SO_FAR_OVER_L] = "matches a sum that is rescaled each time the maximum grows, and exponentials that are not: "
                          "take them in a second loop, with the maximum of the whole row",
    [MAX_SO_FAR] = "matches exponentials taken with the largest score up to their own piece, in l, too: the maximum of "
                   "the whole row comes first, or all before is multiplied by exp(m_old - m_new)",
    [L_SO_FAR] = "matches pieces of a row that are divided by the sum up to their own end: finish l before the first "
                 "division",
    [L_OF_LAST] = "matches a division by the sum of the row's last piece alone: l is set to 0 once, before the row's "
                  "first column",
    [L_NOT_RESCALED] = "matches an l that goes on from piece to piece without exp(m_old - m_new) when the maximum "
                       "grows, under exponentials of the row's maximum",
    [L_BEGUN_ANEW] = "matches an l that begins anew with the piece in which the maximum grows: what was there is "
                     "multiplied by exp(m_old - m_new)",
};

enum { MOST_PIECES = 256, MOST_ROWS = 48, MOST_SIZES = 6 };

typedef struct {
    int n;
    double m[MOST_PIECES], l[MOST_PIECES],
        so_far[MOST_PIECES];  // a maximum, the sum relative to it; the maximum so far
    double top, sum;          // of the row
} pieces;

static int piece_of(division d, int size, int cols, int c) {
    if (d == INTERLEAVED) return c % size;
    return c / (d == WIDTH ? size : (cols + size - 1) / size);
}

static int divide(division d, int size, const double *score, int cols, pieces *x) {
    x->n = 0, x->top = -INFINITY, x->sum = 0;
    for (int c = 0; c < cols; c++) {
        const int i = piece_of(d, size, cols, c);
        if (i >= MOST_PIECES) return 0;
        while (x->n <= i) x->m[x->n] = -INFINITY, x->l[x->n++] = 0;
        x->m[i] = fmax(x->m[i], score[c]), x->top = fmax(x->top, score[c]);
    }
    for (int c = 0; c < cols; c++) {
        const int i = piece_of(d, size, cols, c);
        if (score[c] > -INFINITY) x->l[i] += exp(score[c] - x->m[i]), x->sum += exp(score[c] - x->top);
    }
    double max = -INFINITY;
    for (int i = 0; i < x->n; i++) x->so_far[i] = max = fmax(max, x->m[i]);
    return x->n > 1;
}

// What the columns of piece i are divided by: a sum of the pieces up to `to`, each with the factor of the rule.
static double sum_up_to(rule r, const pieces *x, int to) {
    double l = 0, max = -INFINITY;
    for (int i = 0; i < to; i++) {
        if (x->m[i] == -INFINITY) continue;
        if (r == OWN_MAX)
            l += x->l[i];
        else if (r == MAX_SO_FAR || r == L_NOT_RESCALED)
            l += x->l[i] * exp(x->m[i] - x->so_far[i]);
        else if (r == L_BEGUN_ANEW)
            l = (x->m[i] > max ? 0 : l) + x->l[i] * exp(x->m[i] - x->so_far[i]);
        else
            l += x->l[i] * exp(x->m[i] - x->top);
        max = fmax(max, x->m[i]);
    }
    return l;
}

// The number in place of that of piece i. NAN: it has none.
static double value(rule r, const pieces *x, int i, double score) {
    if (x->m[i] == -INFINITY || x->so_far[i] == -INFINITY) return NAN;
    switch (r) {
    case OWN_SOFTMAX: return exp(score - x->m[i]) / x->l[i];
    case MEAN: return exp(score - x->m[i]) / x->l[i] / x->n;
    case OWN_MAX: return exp(score - x->m[i]) / sum_up_to(r, x, x->n);
    case OWN_MAX_OVER_L: return exp(score - x->m[i]) / x->sum;
    case MAX_SO_FAR_OVER_L: return exp(score - x->so_far[i]) / x->sum;
    case MAX_SO_FAR: return exp(score - x->so_far[i]) / sum_up_to(r, x, x->n);
    case L_SO_FAR: return exp(score - x->top) / sum_up_to(r, x, i + 1);
    case L_OF_LAST: return exp(score - x->top) / (x->l[x->n - 1] * exp(x->m[x->n - 1] - x->top));
    default: return exp(score - x->top) / sum_up_to(r, x, x->n);
    }
}

static int row_fits(rule r, division d, int size, const double *score, const float *got, int cols) {
    pieces x;
    if (!divide(d, size, score, cols, &x)) return 0;
    for (int c = 0; c < cols; c++) {
        const double is = value(r, &x, piece_of(d, size, cols, c), score[c]);
        const int none = !isfinite(is) || is > 1e30;
        if (none ? isfinite(got[c]) && got[c] != 0 && got[c] < 1e30
                 : !(fabs(got[c] - is) < LAB_TOLERANCE / 10 + 1e-3 * is))
            return 0;
    }
    return 1;
}

static void say(rule r, division d, int size, char *text, size_t room) {
    static const char *const of[] = {"%s (pieces of %d columns)", "%s (%d pieces)",
                                     "%s (columns i, i + %d, ... are in one of the pieces)"};
    snprintf(text, room, of[d], sentence[r], size);
}

// Of a row in which the maximum hardly grows several sizes fit: all of them go to the guesses, and other claims tell.
static int try_sizes(const lab_symptom *s, rule r, division d, const double *score, int rows, char *text, size_t size) {
    static const int tried[][15] = {
        {2, 4, 8, 16, 32, 64, 128, 256, 512, 10, 20, 24, 48, 100}, {2, 3, 4, 8, 16, 32}, {2, 4, 8, 16}};
    const int cols = s->shape.seq_kv;
    int known = 0;
    for (int t = 0; tried[d][t] && known < MOST_SIZES; t++) {
        char words[240];
        int fits = tried[d][t] < cols;
        for (size_t i = 0; i < (size_t)rows && fits; i++)
            fits = row_fits(r, d, tried[d][t], score + i * cols, s->got + i * cols, cols);
        if (!fits) continue;
        say(r, d, tried[d][t], words, sizeof words);
        known += lab_guess(s->guesses, words, text, size);
    }
    return known > 0;
}

int lab_explain_pieces(const lab_symptom *s, int are_exponentials, char *text, size_t size) {
    const int cols = s->shape.seq_kv, rows = s->shape.seq_q < MOST_ROWS ? s->shape.seq_q : MOST_ROWS;
    const int shared = s->op == &lab_softmax_batched;  // which columns a thread has is own_parts.c's
    double *score = malloc((size_t)rows * cols * sizeof *score);
    int known = 0;
    for (size_t i = 0; score && i < (size_t)rows * cols; i++)
        score[i] = are_exponentials ? log(s->in[1][i]) : s->in[1][i];
    for (rule r = 0; score && rows > 1 && r < N_RULES; r++)
        for (division d = WIDTH; d <= (shared ? COUNT : INTERLEAVED); d++)
            known |= try_sizes(s, r, d, score, rows, text, size);
    free(score);
    return known;
}
