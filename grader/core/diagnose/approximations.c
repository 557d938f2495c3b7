// approximations.c: (1 + x / n)^n and the first terms of the series of exp(x). Both are off by some percent where x is
// -1 or -2, and grow again farther down, where exp(x) is nearly 0.
#include "approximations.h"

#include <math.h>
#include <stdio.h>

enum { POWERS = 10, MOST_TERMS = LAB_APPROXIMATIONS - POWERS };  // n = 2, 4 .. 1024; up to x, x^2 .. x^8

double lab_approximation(int f, double x) {
    double sum = 1, term = 1;
    if (f < POWERS) return pow(1 + x / (2 << f), 2 << f);
    for (int k = 1; k <= f - POWERS + 1; k++) sum += term *= x / k;
    return sum;
}

const char *lab_approximation_name(int f, char *text, size_t size) {
    static const char *const series[MOST_TERMS] = {"1 + x", "1 + x + x^2 / 2", "1 + x + x^2 / 2 + x^3 / 6",
                                                   "1 + x + x^2 / 2 + x^3 / 6 + x^4 / 24"};
    if (f < POWERS)
        snprintf(text, size, "(1 + x / %d)^%d", 2 << f, 2 << f);
    else if (series[f - POWERS])
        snprintf(text, size, "%s", series[f - POWERS]);
    else
        snprintf(text, size, "the series 1 + x + x^2 / 2 + .. up to x^%d", f - POWERS + 1);
    return text;
}
