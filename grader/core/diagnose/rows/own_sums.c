// own_sums.c: rows that are divided by a sum whose parts, of threads or warps, count from their own maxima.
#include "row_sums.h"

#include <math.h>
#include <stdio.h>

enum { MOST_THREADS = 1024 };

// Thread j / width % threads has column j, and so many threads side by side have one sum.
typedef struct {
    int threads, width, together;
} division;

static double sum_of(const double *score, int n, division d) {
    double m[MOST_THREADS], l[MOST_THREADS] = {0}, sum = 0;
    for (int i = 0; i < MOST_THREADS; i++) m[i] = -INFINITY;
    for (int j = 0; j < n; j++) {
        double *max = &m[j / d.width % d.threads / d.together];
        *max = fmax(*max, score[j]);
    }
    for (int j = 0; j < n; j++) {
        const int i = j / d.width % d.threads / d.together;
        if (score[j] > -INFINITY) l[i] += exp(score[j] - m[i]);
    }
    for (int i = 0; i < d.threads / d.together; i++) sum += l[i];
    return sum;
}

// Much nearer than the right sum is.
static int is_due(double sum, double right, double factor) {
    const double due = right / factor;
    return fabs(sum - due) <= 2e-3 * fabs(due) && fabs(sum - due) <= 0.25 * fabs(right - due);
}

int lab_explain_own_sums(const double *const score[], const int n[], const double factor[], int rows,
                         const char *sentence, char *text, size_t size) {
    static const int widths[] = {1, 4, 2}, groups[] = {1, 32, 16, 8};
    int longest = 0;
    for (int r = 0; r < rows; r++) longest = n[r] > longest ? n[r] : longest;
    for (int i = 0; i < 12 && rows > 1; i++)
        for (int threads = MOST_THREADS; threads >= 2; threads /= 2) {
            const division d = {threads, widths[i / 4], groups[i % 4]}, all = {1, 1, 1};
            int fits = threads > d.together;
            for (int r = 0; r < rows && fits; r++)
                fits = is_due(sum_of(score[r], n[r], d), sum_of(score[r], n[r], all), factor[r]);
            if (!fits) continue;
            const int used = snprintf(text, size, "%s", sentence);
            if (longest <= threads && d.together == 1) return 1;  // of one column each: the number is not seen
            if (d.together == 1)
                snprintf(text + used, size - used, " (each of %d threads has its own)", threads);
            else
                snprintf(text + used, size - used, " (every %d of %d threads have one)", d.together, threads);
            return 1;
        }
    return 0;
}
