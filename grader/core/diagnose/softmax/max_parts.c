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

// One walk over the numbers that does not go on to the end, or compares with something else than the largest so far.
typedef enum { STOPS, STOPS_EARLIER, NEIGHBOURS, WITH_FIRST, LEAST, ADDED, ADDED_TO_START, N_WALKS } walk;
#define ALL_ADDED "matches the sum of the scores: look for the largest"
static const char *const walk_text[N_WALKS] = {
    "matches a walk that ends at the first score that is not larger than those before: the largest may come later, so "
    "all are looked at",
    "matches a walk that ends at the first score that is larger than those before: a larger one may come later, so all "
    "are looked at",
    "matches the last score that is larger than its neighbour: compare it with the largest so far",
    "matches the last score that is larger than the first one: compare it with the largest so far",
    "matches the smallest score: look for the largest",
    ALL_ADDED,
    ALL_ADDED};

static double walk_over(walk w, const float *x, int cols, double start) {
    double m = start > -INFINITY || w == STOPS ? start : x[0];
    for (int c = 0; c < cols; c++) switch (w) {
        case STOPS:
            if (!(x[c] > m)) return m;
            m = x[c];
            break;
        case STOPS_EARLIER:
            if (x[c] > m) return x[c];
            break;
        case NEIGHBOURS: m = c && x[c] > x[c - 1] ? x[c] : m; break;
        case WITH_FIRST: m = x[c] > x[0] ? x[c] : m; break;
        case ADDED: m = c ? m + x[c] : x[0]; break;
        case ADDED_TO_START: m = c || start > -INFINITY ? m + x[c] : x[0]; break;
        default: m = fmin(m, x[c]);
        }
    return m;
}

static int explain_walk(const lab_max *a, char *text, size_t size) {
    for (walk w = STOPS; w < N_WALKS && a->copies == 1; w++) {
        int told = 0, fits = 1;
        for (int r = 0; r < a->rows && fits; r++) {
            const float *x = a->x + (size_t)r * a->cols;
            const double start = a->start ? a->start[r] : -INFINITY, m = walk_over(w, x, a->cols, start);
            fits = fabs(a->got[r] - (isfinite(m) ? m : a->nothing)) < LAB_TOLERANCE * (1 + fabs(a->got[r]));
            told += m != max_of(FIRST, a->cols, x, a->cols, start);
        }
        if (fits && told > 1) return snprintf(text, size, "%s", walk_text[w]) > 0;
    }
    return 0;
}

int lab_explain_max(const lab_max *a, const char *advice, char *text, size_t size) {
    for (part p = FIRST; p < N_PARTS; p++) {
        int n = 0;  // of those that fit, the roundest number: loops go in steps of 8, of 32, ...
        for (int k = p == EVERY ? 2 : 1; k < a->cols; k++)
            if (is_max_of(p, k, a) && (!n || (k & -k) > (n & -n))) n = k;
        if (!n) continue;
        static const char *const of[] = {"the first %d of %d", "all but the first %d of %d", "every %d. of %d"};
        char which[60];
        snprintf(which, sizeof which, of[p], n, a->cols);
        return snprintf(text, size, "matches the max of %s scores alone: %s", which, advice) > 0;
    }
    return explain_walk(a, text, size);
}
