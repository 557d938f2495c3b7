// thread_sums.c: rows that are divided by a sum whose threads each go through their columns with a maximum of their own, and
// do not rescale what they have summed when it grows. What all of them have found is joined as it should be, or not rescaled
// there, either.
#include "row_sums.h"

#include <math.h>
#include <stdio.h>

enum { MOST_THREADS = 1024, WARP = 32 };

static const char *const sentence[] = {
    "matches sums of threads that begin anew where their maximum grows: what a thread has summed is multiplied by "
    "exp(m_old - m_new), and the new 1 is added",
    "matches sums of threads that are not rescaled where their maximum grows: what a thread has summed is multiplied "
    "by "
    "exp(m_old - m_new), and the new 1 is added"};

#define NEVER                                                                                                          \
    "matches sums that are rescaled nowhere: where a thread's maximum grows its sum is multiplied by exp(m_old - "     \
    "m_new), "                                                                                                         \
    "and where two parts are joined each of the two is, too"

// Thread j % threads has column j. plain: its part is added as it is.
static double sum_of(const double *score, int n, int threads, int kept, int plain) {
    double m[MOST_THREADS], l[MOST_THREADS] = {0}, top = -INFINITY, sum = 0;
    for (int t = 0; t < threads; t++) m[t] = -INFINITY;
    for (int j = 0; j < n; j++) {
        const int t = j % threads;
        if (score[j] > m[t])
            m[t] = score[j], l[t] = (kept ? l[t] : 0) + 1;
        else if (score[j] > -INFINITY)
            l[t] += exp(score[j] - m[t]);
        top = fmax(top, score[j]);
    }
    for (int t = 0; t < threads; t++)
        if (l[t] > 0) sum += l[t] * (plain ? 1 : exp(m[t] - top));
    return sum;
}

static double right_sum(const double *score, int n) {
    double top = -INFINITY, sum = 0;
    for (int j = 0; j < n; j++) top = fmax(top, score[j]);
    for (int j = 0; j < n; j++) sum += exp(score[j] - top);
    return sum;
}

int lab_explain_thread_sums(const double *const score[], const int n[], const double factor[], int rows, char *text,
                            size_t size) {
    for (int threads = MOST_THREADS; threads >= WARP; threads /= 2)
        for (int kept = 0; kept < 2; kept++) {
            int fits = rows > 1, wrong = 0;
            for (int r = 0; r < rows && fits; r++) {
                const double right = right_sum(score[r], n[r]), is = sum_of(score[r], n[r], threads, kept, 0);
                fits = fabs(is * factor[r] / right - 1) < 1e-3;
                wrong += fabs(factor[r] - 1) > 4e-3;
            }
            if (!fits || !wrong) continue;
            return snprintf(text, size, "%s (each of %d threads)", sentence[kept], threads) > 0;
        }
    return 0;
}

int lab_explain_plain_sums(const double *const score[], const int n[], const double factor[], int rows, char *text,
                           size_t size) {
    for (int threads = MOST_THREADS; threads >= WARP; threads /= 2) {
        int fits = rows > 1 && threads < n[0], wrong = 0;  // a thread with one column has nothing to rescale
        for (int r = 0; r < rows && fits; r++) {
            fits = fabs(sum_of(score[r], n[r], threads, 1, 1) * factor[r] / right_sum(score[r], n[r]) - 1) < 1e-3;
            wrong += fabs(factor[r] - 1) > 4e-3;
        }
        if (fits && wrong) return snprintf(text, size, "%s", NEVER) > 0;
    }
    return 0;
}
