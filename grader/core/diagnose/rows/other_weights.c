// other_weights.c: the scores become weights by another formula than that of the softmax: shares of the scores themselves, a
// logistic function, all weight for the largest; or the scores are cosines or distances.
#include "other_weights.h"

#include <math.h>
#include <stdlib.h>

typedef enum {
    SHARES,
    SHARES_OF_POSITIVE,
    SHARES_OF_SQUARES,
    SHARES_FROM_LEAST,
    LENGTH_1,
    OF_NEGATIVE,
    OF_SIZES,
    LOGISTIC,
    LOGISTIC_SHARES,
    LARGEST_ALONE,
    TWICE,
    SCORES_OVER_SUM,
    LOG_OF_SOFTMAX,
    N_FORMULAS
} formula;

#define NO_EXPONENTIAL ", with no exponential: a weight is exp(s - m), over the sum of these"
static const char *const sentence[N_FORMULAS] = {
    [SHARES] = "matches weights s / (sum of all s)" NO_EXPONENTIAL,
    [SHARES_OF_POSITIVE] = "matches weights max(s, 0) / (sum of these)" NO_EXPONENTIAL,
    [SHARES_OF_SQUARES] = "matches weights s * s / (sum of these)" NO_EXPONENTIAL,
    [SHARES_FROM_LEAST] = "matches weights s - (the smallest s), over the sum of these" NO_EXPONENTIAL,
    [LENGTH_1] = "matches weights s / sqrt(sum of all s * s)" NO_EXPONENTIAL,
    [OF_NEGATIVE] = "matches a softmax of -s: the exponent is s - m, and the largest score has the largest weight",
    [OF_SIZES] = "matches a softmax of |s|: a score keeps its sign, and one far below 0 has hardly any weight",
    [LOGISTIC] = "matches weights 1 / (1 + exp(-s)), each of its own score alone: the weights of a row share 1",
    [LOGISTIC_SHARES] =
        "matches weights 1 / (1 + exp(-s)), over the sum of these: a weight is exp(s - m), over the sum",
    [SCORES_OVER_SUM] = "matches s / (sum of all exp(s - m)): the exponentials are divided, and not the scores",
    [LOG_OF_SOFTMAX] = "matches log(p), the logarithm of the softmax: it is p = exp(s - m) / l itself",
    [TWICE] = "matches a softmax of the softmax: it is applied once",
    [LARGEST_ALONE] = "matches all weight for the largest score: each has its share, exp(s - m) / l",
};

static double part(formula f, double s, double least, double most) {
    switch (f) {
    case SHARES_OF_POSITIVE: return fmax(s, 0);
    case SHARES_OF_SQUARES: return s * s;
    case SHARES_FROM_LEAST: return s - least;
    case OF_NEGATIVE: return exp(least - s);
    case OF_SIZES: return exp(fabs(s) - fmax(fabs(least), fabs(most)));
    case LOGISTIC:
    case LOGISTIC_SHARES: return 1 / (1 + exp(-s));
    case LARGEST_ALONE: return s == most;
    default: return s;
    }
}

// The weights of n scores. Returns 0 where the formula gives none.
static int weigh(formula f, const double *s, int n, double *weight) {
    double least = INFINITY, most = -INFINITY, sum = 0, squares = 0, powers = 0;
    for (int j = 0; j < n; j++) least = fmin(least, s[j]), most = fmax(most, s[j]);
    if (n < (f == SCORES_OVER_SUM || f == LOG_OF_SOFTMAX ? 1 : 2) || !isfinite(most) ||
        (!isfinite(least) && f != TWICE && f != LARGEST_ALONE))
        return 0;
    for (int j = 0; j < n; j++)
        weight[j] = part(f, s[j], least, most), sum += weight[j], squares += weight[j] * weight[j],
        powers += exp(s[j] - most);
    if (f == TWICE) {
        sum = 0;
        for (int j = 0; j < n; j++) sum += weight[j] = exp(exp(s[j] - most) / powers);
    }
    const double divisor = f == LOGISTIC ? 1 : f == LENGTH_1 ? sqrt(squares) : f == SCORES_OVER_SUM ? powers : sum;
    for (int j = 0; j < n; j++) weight[j] = f == LOG_OF_SOFTMAX ? s[j] - most - log(powers) : weight[j] / divisor;
    return f == LOG_OF_SOFTMAX || fabs(divisor) > 1e-3;
}

// ---- A softmax

int lab_explain_other_softmax(const lab_symptom *s, const lab_sample *bad, char *text, size_t size) {
    const int cols = s->shape.seq_kv;
    double *score = malloc(2 * (size_t)cols * sizeof *score), *weight = score + cols;
    int known = 0;
    for (formula f = 0; f < N_FORMULAS && score && !known; f++) {
        int fits = bad->n > (cols == 1 && f >= SCORES_OVER_SUM ? 0 : 1);  // of one score it is the score itself
        for (int i = 0; i < bad->n && fits; i++) {
            const size_t row = bad->row[i] * cols;
            for (int c = 0; c < cols; c++) score[c] = s->in[1][row + c];
            fits = weigh(f, score, cols, weight);  // of many columns all weights are small, so that much is near them
            for (int c = 0; c < cols && fits; c++)
                fits = fabs(s->got[row + c] - weight[c]) <= 5e-3 * fabs(weight[c]) + 1e-6;
        }
        if (fits) known = lab_guess(s->guesses, sentence[f], text, size);
    }
    free(score);
    return known;
}

// ---- Attention

static int gives_row(const lab_wrong_rows *w, const lab_wrong_row *r, const double *weight) {
    const int D = w->shape.head_dim;
    for (int c = 0; c < D; c++) {
        double o = 0;
        for (int j = 0; j < r->seen; j++) o += weight[j] * r->v[(size_t)j * D + c];
        if (!(fabs(o - r->got[c]) < r->near / 4 * (1 + fabs(o)))) return 0;
    }
    return 1;
}

static int explain_formulas(const lab_wrong_rows *w, double *weight, char *text, size_t size) {
    for (formula f = 0; f < N_FORMULAS; f++) {
        int fits = 1;
        for (int i = 0; i < w->n && fits; i++) {
            lab_row_scores(&w->row[i], w->shape.head_dim, w->scratch);
            fits = weigh(f, w->scratch, w->row[i].seen, weight) && gives_row(w, &w->row[i], weight);
        }
        if (fits) return lab_guess(w->guesses, sentence[f], text, size);
    }
    return 0;
}

typedef enum {
    COSINE,
    SCALED_COSINE,
    SQUARED_DISTANCE,
    SCALED_SQUARED_DISTANCE,
    DISTANCE,
    SCALED_DISTANCE,
    N_LIKE
} likeness;

static const char *const like[N_LIKE / 2] = {
    "matches scores that are cosines, divided by the lengths of q and k: a score is q . k / sqrt(D)",
    "matches scores -|q - k|^2, of squared distances: a score is q . k / sqrt(D)",
    "matches scores -|q - k|, of distances: a score is q . k / sqrt(D)",
};

static double likeness_of(likeness f, const float *q, const float *k, int D) {
    double qk = 0, qq = 0, kk = 0;
    for (int d = 0; d < D; d++) qk += (double)q[d] * k[d], qq += (double)q[d] * q[d], kk += (double)k[d] * k[d];
    const double squared = qq + kk - 2 * qk;
    const double x = f <= SCALED_COSINE ? qk / sqrt(qq * kk) : f <= SCALED_SQUARED_DISTANCE ? -squared : -sqrt(squared);
    return f % 2 ? x / sqrt(D) : x;
}

static int explain_likeness(const lab_wrong_rows *w, double *weight, char *text, size_t size) {
    const int D = w->shape.head_dim;
    for (likeness f = 0; f < N_LIKE; f++) {
        int fits = 1;
        for (int i = 0; i < w->n && fits; i++) {
            const lab_wrong_row *r = &w->row[i];
            double most = -INFINITY, sum = 0;
            for (int j = 0; j < r->seen; j++)
                most = fmax(most, weight[j] = likeness_of(f, r->q, r->k + (size_t)j * D, D));
            for (int j = 0; j < r->seen; j++) sum += weight[j] = exp(weight[j] - most);
            for (int j = 0; j < r->seen; j++) weight[j] /= sum;
            fits = gives_row(w, r, weight);
        }
        if (fits) return lab_guess(w->guesses, like[f / 2], text, size);
    }
    return 0;
}

int lab_explain_other_weights(const lab_wrong_rows *w, char *text, size_t size) {
    double *weight = w->n > 1 ? malloc(w->shape.seq_kv * sizeof *weight) : NULL;
    const int known = weight && (explain_formulas(w, weight, text, size) || explain_likeness(w, weight, text, size));
    free(weight);
    return known;
}
