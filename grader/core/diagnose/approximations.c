// approximations.c: (1 + x / n)^n, the same and 0 where 1 + x / n is below 0, the first terms of the series of exp(x), and
// the reciprocal of those of exp(-x). All are off by some percent where x is -1 or -2.
#include "approximations.h"

#include <math.h>
#include <stdio.h>

enum { POWERS = 10, CLAMPED = 2 * POWERS, TERMS = (LAB_APPROXIMATIONS - CLAMPED) / 2, SERIES = CLAMPED + TERMS };

double lab_approximation(int f, double x) {
    if (f < CLAMPED) {
        const int n = 2 << f % POWERS;  // 2, 4 .. 1024
        return f >= POWERS && x <= -n ? 0 : pow(1 + x / n, n);
    }
    const double of = f < SERIES ? x : -x;
    double sum = 1;
    for (int k = (f - CLAMPED) % TERMS + 1; k > 0; k--) sum = 1 + of / k * sum;  // up to x, x^2 .. x^12
    return f < SERIES ? sum : 1 / sum;
}

const char *lab_approximation_name(int f, char *text, size_t size) {
    const int n = f < CLAMPED ? 2 << f % POWERS : (f - CLAMPED) % TERMS + 1;
    if (f < CLAMPED)
        snprintf(text, size, "(1 + x / %d)^%d", n, n);
    else if (n == 1)
        snprintf(text, size, f < SERIES ? "1 + x" : "1 / (1 - x)");
    else
        snprintf(text, size, "%s as far as x^%d / %d!",
                 f < SERIES ? "the series 1 + x + x^2 / 2! + ..." : "1 / (1 - x + x^2 / 2! - ...)", n, n);
    return text;
}
