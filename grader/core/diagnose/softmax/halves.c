// halves.c: a row sum in which half of the numbers is added to the other half, until one is left: of an odd number of
// numbers the last one is lost.
#include "row_sums.h"

#include <math.h>
#include <stdlib.h>

double lab_sum_by_halves(const double *score, int n, double max) {
    double *x = malloc((size_t)n * sizeof *x), sum = NAN;
    for (int j = 0; j < n && x; j++) x[j] = exp(score[j] - max);
    for (int half = n / 2; half > 0 && x; half /= 2)
        for (int j = 0; j < half; j++) x[j] += x[j + half];
    if (x && n > 0) sum = x[0];
    free(x);
    return sum;
}
