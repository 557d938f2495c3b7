// max_parts.c: a maximum of some of the numbers in place of all.
#include "max_parts.h"

#include <math.h>
#include <stdio.h>

typedef enum { FIRST, FROM, EVERY, N_PARTS } part;

static double max_of(part p, int n, const float *x, int cols, double m) {
    for (int c = 0; c < cols; c++)
        if (p == FIRST ? c < n : p == FROM ? c >= n : c % n == 0) m = fmax(m, x[c]);
    return m;
}

// Of rows that have another maximum, at least two must tell that it is this part.
static int is_max_of(part p, int n, const lab_max *a) {
    int told = 0;
    for (int r = 0; r < a->rows; r++) {
        const float *x = a->x + (size_t)r * a->cols;
        const double start = a->start ? a->start[r] : -INFINITY, m = max_of(p, n, x, a->cols, start);
        for (int t = 0; t < a->copies; t++) {
            const double got = a->got[r * a->copies + t];
            if (!(fabs(got - (isfinite(m) ? m : a->nothing)) < LAB_TOLERANCE * (1 + fabs(got)))) return 0;
        }
        told += m != max_of(FIRST, a->cols, x, a->cols, start);
    }
    return told > 1;
}

int lab_explain_max(const lab_max *a, const char *advice, char *text, size_t size) {
    for (part p = FIRST; p < N_PARTS; p++) {
        int n = 0;  // of those that fit, the roundest number: loops go in steps of 8, of 32, ...
        for (int k = p == EVERY ? 2 : 1; k < a->cols; k++)
            if (is_max_of(p, k, a) && (!n || (k & -k) > (n & -n))) n = k;
        if (!n) continue;
        static const char *const of[] = {"the first %d of %d", "all but the first %d of %d", "every %dth of %d"};
        char which[60];
        snprintf(which, sizeof which, of[p], n, a->cols);
        return snprintf(text, size, "matches the max of %s scores alone: %s", which, advice) > 0;
    }
    return 0;
}
