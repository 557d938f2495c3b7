// row_number.c: the sum of a row's exponentials, done another way: the exponential of the sum, a length, a mean.
#include "row_number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum {
    EXP_OF_SUM,
    EXP_OF_SCORES,
    EXP_OF_SCORES_LESS_M,
    EXP_OF_MEAN,
    SQUARES,
    LENGTH,
    MEAN,
    ROOT,
    LOG,
    LOG_SUM_EXP,
    INVERSE,
    NEGATIVE,
    WHOLE,
    FROM_M,
    FROM_FIRST,
    EXP_OF_L,
    SCORES,
    DISTANCES,
    N_FORMS
} form;

#define ONE_BY_ONE ": the exponential of each score is taken first, and then they are added up"
static const char *const form_text[N_FORMS] = {
    [EXP_OF_SUM] = "exp(sum of (s - m)), which is the product of all exp(s - m)" ONE_BY_ONE,
    [EXP_OF_SCORES] = "exp(sum of the scores)" ONE_BY_ONE ", with m subtracted from each score",
    [EXP_OF_SCORES_LESS_M] = "exp(sum of the scores - m)" ONE_BY_ONE ", with m subtracted from each score",
    [EXP_OF_MEAN] = "exp(mean of (s - m))" ONE_BY_ONE,
    [SQUARES] = "the sum of the squares of p = exp(s - m): it is the sum of p itself",
    [LENGTH] = "the square root of the sum of p * p, a length, with p = exp(s - m): it is the sum of p itself",
    [MEAN] = "the mean of exp(s - m): it is their sum, divided by nothing",
    [ROOT] = "the square root of the sum of exp(s - m): it is the sum itself",
    [LOG] = "log of the sum of exp(s - m): it is the sum itself",
    [LOG_SUM_EXP] = "m + log(sum of exp(s - m)), a log-sum-exp: it is the sum itself",
    [INVERSE] = "1 / (sum of exp(s - m)), or a multiplication by the sum: divide by it",
    [NEGATIVE] = "the sum of exp(s - m) with a minus: they are added to 0",
    [WHOLE] =
        "the whole part of the sum of exp(s - m), without what is behind its point: is it an int somewhere? It is a "
        "float",
    [FROM_M] = "a sum of exp(s - m) that starts at m: it starts at 0",
    [FROM_FIRST] = "a sum of exp(s - m) that starts at s[0]: it starts at 0",
    [EXP_OF_L] = LAB_EXP_OF_L,
    [SCORES] = LAB_SUM_OF_SCORES,
    [DISTANCES] = "the sum of s - m: add up the exponentials, exp(s - m)",
};

// One change of the text does not make the sum of them.
static const char is_another_way[N_FORMS] = {
    [EXP_OF_SUM] = 1, [EXP_OF_SCORES] = 1, [EXP_OF_SCORES_LESS_M] = 1, [EXP_OF_MEAN] = 1, [LENGTH] = 1};
#define LARGEST_ALONE "the largest of exp(s - m): it is their sum"

int lab_row_number_is_another(const char *cause) {
    for (form f = 0; f < N_FORMS; f++)
        if (is_another_way[f] && strstr(cause, form_text[f])) return 1;
    return strstr(cause, LARGEST_ALONE) != NULL;
}

static double sum_of_exponentials(const lab_row_number *r, double times) {
    double sum = 0;
    for (int c = 0; c < r->n; c++) sum += exp(times * (r->score[c] - r->m));
    return sum;
}

static double value(form f, const lab_row_number *r) {
    double sum = 0, less = 0;
    for (int c = 0; c < r->n; c++) sum += r->score[c], less += r->score[c] - r->m;
    switch (f) {
    case EXP_OF_SUM: return exp(less);
    case EXP_OF_SCORES: return exp(sum);
    case EXP_OF_SCORES_LESS_M: return exp(sum - r->m);
    case EXP_OF_MEAN: return r->n ? exp(less / r->n) : 1;
    case SQUARES: return sum_of_exponentials(r, 2);
    case LENGTH: return sqrt(sum_of_exponentials(r, 2));
    case MEAN: return r->n ? sum_of_exponentials(r, 1) / r->n : 0;
    case ROOT: return sqrt(sum_of_exponentials(r, 1));
    case LOG: return log(sum_of_exponentials(r, 1));
    case LOG_SUM_EXP: return r->m + log(sum_of_exponentials(r, 1));
    case INVERSE: return 1 / sum_of_exponentials(r, 1);
    case EXP_OF_L: return exp(sum_of_exponentials(r, 1));
    case NEGATIVE: return -sum_of_exponentials(r, 1);
    case WHOLE: return floor(sum_of_exponentials(r, 1));
    case FROM_M: return r->m + sum_of_exponentials(r, 1);
    case FROM_FIRST: return (r->n ? r->score[0] : 0) + sum_of_exponentials(r, 1);
    case SCORES: return sum;
    default: return less;
    }
}

// The same as a float. A float that small has few digits.
static int same(double value, double due) {
    if (isnan(value) || isnan(due)) return 0;
    if (isinf(due) || fabs(value) > 3.4e38) return isinf(due) && fabs(value) > 3.4e38 && value * due > 0;
    return fabs(value - due) <= 1e-3 * fabs(due) || fabs(value - due) < 1e-35;
}

// A row tells if its number is neither 0 nor Inf, and nowhere near the right one.
static int tells(double value, const lab_row_number *r) {
    const double right = sum_of_exponentials(r, 1);
    return isfinite(r->due) && fabs(r->due) > 1e-30 && fabs(value - right) > 0.02 * right;
}

static int is_near(double a, double b) { return a == b || fabs(a - b) <= 0.01 * (isinf(b) ? 0 : fabs(b)); }

int lab_explain_row_number(const lab_row_number *row, int rows, const char *begin, int sums, lab_guesses *guesses,
                           char *text, size_t size) {
    int known = 0;
    for (form f = 0; f < (sums ? N_FORMS : SCORES); f++) {
        int fits = rows > 1, telling = 0, others = 0;
        for (int r = 0; r < rows && fits; r++) {
            const double x = value(f, &row[r]);
            fits = same(x, row[r].due);
            telling += tells(x, &row[r]), others += !is_near(row[r].due, row[0].due);
        }
        char sentence[240], aside[240] = "";
        snprintf(sentence, sizeof sentence, "%s%s", begin, form_text[f]);
        if (fits && telling > 1 && others)
            known = lab_guess(guesses, sentence, text, size);
        else if (fits && telling < 2 && (f <= EXP_OF_SCORES_LESS_M || f >= SCORES))  // nearly all are 0 or Inf
            lab_guess(guesses, sentence, aside, sizeof aside);
    }
    return known;
}

static double largest(const float *x, int n) {
    double m = -INFINITY;
    for (int c = 0; c < n; c++) m = fmax(m, x[c]);
    return m;
}

// Are the exponentials right which the numbers are made of?
static int only_numbers_are_wrong(const lab_symptom *s, lab_row_numbers of) {
    for (int i = 0; i < of.rows * of.out_row; i++)
        if ((i % of.out_row < of.at || i % of.out_row >= of.at + of.threads) && lab_element_bad(s, i, 0)) return 0;
    return 1;
}

// Of a whole row it is 1, which tells nothing where a row is divided, but is no sum.
static int explain_largest(const lab_symptom *s, const lab_row_number *row, int n, char *text, size_t size) {
    int telling = 0;
    for (int r = 0; r < n; r++) {
        double most = 0;
        for (int c = 0; c < row[r].n; c++) most = fmax(most, exp(row[r].score[c] - row[r].m));
        if (!same(most, row[r].due)) return 0;
        telling += tells(most, &row[r]);
    }
    return telling > 1 && lab_guess(s->guesses, "matches l = " LARGEST_ALONE, text, size);
}

int lab_explain_row_numbers(const lab_symptom *s, lab_row_numbers of, char *text, size_t size) {
    const int n = of.rows * of.threads, most = (of.columns + of.threads - 1) / of.threads;
    if (!only_numbers_are_wrong(s, of)) return 0;
    lab_row_number *row = malloc(n * sizeof *row);
    double *score = malloc((size_t)n * most * sizeof *score);
    for (int i = 0; row && score && i < n; i++) {
        const int r = i / of.threads, t = i % of.threads;
        const float *x = s->in[1] + (size_t)r * of.columns;
        double *own = score + (size_t)i * most;
        row[i] = (lab_row_number){.score = own, .m = of.m ? s->in[of.m][r] : largest(x, of.columns)};
        for (int c = t; c < of.columns; c += of.threads) own[row[i].n++] = x[c];
        row[i].due = s->got[r * of.out_row + of.at + t] - (of.kept ? (double)s->in[of.kept][i] : 0);
    }
    const int known = row && score &&
                      (lab_explain_row_number(row, n, "matches l = ", of.sums, s->guesses, text, size) ||
                       explain_largest(s, row, n, text, size));
    free(row), free(score);
    return known;
}

int lab_explain_row_divided(const lab_symptom *s, int rows, int columns, char *text, size_t size) {
    lab_row_number *row = malloc(rows * sizeof *row);
    double *score = malloc((size_t)rows * columns * sizeof *score);
    int known = row && score;
    for (int r = 0; r < rows && known; r++) {
        const float *e = s->in[1] + (size_t)r * columns, *got = s->got + (size_t)r * columns;
        row[r] = (lab_row_number){score + (size_t)r * columns, columns, 0, e[0] / got[0]};
        for (int c = 0; c < columns && known; c++) {
            score[r * columns + c] = log(e[c]);
            known = same(e[c] / got[c], row[r].due);
        }
    }
    known = known && lab_explain_row_number(row, rows, "matches a division by ", 0, s->guesses, text, size);
    free(row), free(score);
    return known;
}
