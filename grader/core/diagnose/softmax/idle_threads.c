// idle_threads.c: rows that are divided by what their threads have begun with, too: of n threads each begins with a column
// that is already counted, or with 1, and those that have no column begin with another one's.
#include <math.h>
#include <stdio.h>

#include "row_sums.h"

enum { MOST_THREADS = 1024, WARP = 32 };

typedef enum { IDLE_LAST, IDLE_FIRST, FIRST_TWICE, FIRST_LOST, BEGINS_WITH_1, N_BEGINS } begin;

#define IDLE                                                                                                           \
    "matches a row sum of %d threads, of which those without a column add the %s one once more: such a thread adds "   \
    "nothing, m = -INFINITY and l = 0"

static void say(begin b, int threads, char *text, size_t size) {
    if (b == IDLE_LAST || b == IDLE_FIRST) snprintf(text, size, IDLE, threads, b == IDLE_LAST ? "last" : "first");
    if (b == FIRST_TWICE)
        snprintf(
            text, size,
            "matches a row sum in which the first %d columns count twice: each thread begins with its first column, "
            "and its loop with the same one",
            threads);
    if (b == FIRST_LOST)
        snprintf(
            text, size,
            "matches a row sum without the first %d columns: each thread takes its first column for its maximum, and "
            "l begins with 0, not with its 1",
            threads);
    if (b == BEGINS_WITH_1)
        snprintf(text, size,
                 "matches a row sum that is %d too large: l of each of %d threads begins with 0, not with 1", threads,
                 threads);
}

// What stands in place of the sum. score[j] - top is at most 0.
static double sum_of(begin b, int threads, const double *score, int n, double top, double right) {
    double sum = right;
    const int idle = n < threads ? threads - n : 0;
    switch (b) {
    case IDLE_LAST: return right + idle * exp(score[n - 1] - top);
    case IDLE_FIRST: return right + idle * exp(score[0] - top);
    case BEGINS_WITH_1: return right + threads;
    default:
        for (int j = 0; j < threads && j < n; j++) sum += (b == FIRST_TWICE ? 1 : -1) * exp(score[j] - top);
        return sum;
    }
}

static int fits(begin b, int threads, const double *const score[], const int n[], const double factor[], int rows) {
    int wrong = 0;
    for (int r = 0; r < rows; r++) {
        double top = -INFINITY, right = 0;
        for (int j = 0; j < n[r]; j++) top = fmax(top, score[r][j]);
        for (int j = 0; j < n[r]; j++) right += exp(score[r][j] - top);
        const double is = sum_of(b, threads, score[r], n[r], top, right);
        if (!(is > 1e-6) || !(fabs(is * factor[r] / right - 1) < 1e-3)) return 0;
        wrong += fabs(factor[r] - 1) > 4e-3;
    }
    return wrong;
}

// Of rows that are no longer than there are threads all columns count twice, or none.
static int tells(begin b, int threads, const int n[], int rows) {
    for (int r = 0; r < rows; r++)
        if (n[r] > threads) return 1;
    return rows > 1 && b != FIRST_TWICE && b != FIRST_LOST;
}

int lab_explain_idle_threads(const lab_symptom *s, const double *const score[], const int n[], const double factor[],
                             int rows, char *text, size_t size) {
    int known = 0;
    for (int threads = MOST_THREADS; threads >= WARP; threads /= 2)
        for (begin b = 0; b < N_BEGINS; b++) {
            if (!fits(b, threads, score, n, factor, rows)) continue;
            char sentence[240], aside[240];
            say(b, threads, sentence, sizeof sentence);
            if (tells(b, threads, n, rows))
                known = lab_guess(s->guesses, sentence, text, size);
            else
                lab_guess(s->guesses, sentence, aside, sizeof aside);
        }
    return known;
}
