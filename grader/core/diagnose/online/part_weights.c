// part_weights.c: which mistake gives the parts of a row such weights?
#include "part_weights.h"

#include <math.h>

// What part i subtracts if only the first n parts are asked for their maximum.
static double max_of(const lab_parts *a, int n, int i) {
    double max = a->m[i];
    for (int k = 0; k < n; k++) max = fmax(max, a->m[k]);
    return max;
}

static double max_weight(const lab_parts *a, int n, int i) {
    double below = 0;
    for (int k = 0; k < a->n; k++) below += a->l[k] * exp(a->m[k] - max_of(a, n, k));
    return a->l[i] * exp(a->m[i] - max_of(a, n, i)) / below;
}

double lab_part_weight(lab_part_mistake x, const lab_parts *a, int i) {
    const double factor = exp(a->m[i] - a->top), share = a->l[i] * factor;
    double below = 0;
    if (x == RIGHT) return share / a->sum;  // asked for n times for each of n parts
    for (int k = 0; k < a->n; k++) {
        const double f = exp(a->m[k] - a->top);
        below += x == L_KEPT ? a->l[k] : x == WITHOUT_L ? f : x == LOG_AS_WEIGHT ? a->m[k] + log(a->l[k]) : a->l[k] * f;
    }
    switch (x) {
    case O_KEPT: return a->l[i] / below;
    case WITHOUT_L:
    case L_TWICE: return factor / below;
    case LOG_AS_WEIGHT: return (a->m[i] + log(a->l[i])) / below;
    case ADDED: return 1;
    case MAX_OF_HALF: return max_weight(a, a->n / 2, i);
    case MAX_OF_FIRST: return max_weight(a, 1, i);
    default: return share / below;
    }
}

// Are the weights the right ones times one number? Then it is the row sum that is wrong.
static int is_row_sum(const lab_parts *a) {
    double low = INFINITY, high = 0;
    for (int i = 0; i < a->n; i++) {
        const double f = a->w[i] / lab_part_weight(RIGHT, a, i);
        low = fmin(low, f), high = fmax(high, f);
    }
    return low > 0.98 * high;
}

// How often part i counts, if all weights are whole multiples of one; -1 if not.
int lab_part_times(const lab_parts *a, int i) {
    double most = 0, once = INFINITY;
    if (lab_part_weight(RIGHT, a, i) < 1e-3) return -1;  // too small to tell
    for (int k = 0; k < a->n; k++) most = fmax(most, a->w[k] / lab_part_weight(RIGHT, a, k));
    for (int k = 0; k < a->n; k++) {
        const double f = a->w[k] / lab_part_weight(RIGHT, a, k);
        if (f > 0.01 * most) once = fmin(once, f);
    }
    const double f = a->w[i] / lab_part_weight(RIGHT, a, i) / once;
    return fabs(f - round(f)) < 0.02 && f < 32 ? (int)round(f) : -1;
}

static int is_uneven(const lab_parts *a) {
    int differ = 0;
    for (int i = 0; i < a->n; i++) {
        if (lab_part_times(a, i) < 0) return 0;
        differ |= lab_part_times(a, i) != lab_part_times(a, 0);
    }
    return differ;
}

int lab_parts_are(lab_part_mistake x, const lab_parts *a) {
    double off = 0, most = 0;
    int whole = 0, none = 0;
    for (int i = 0; i < a->n; i++) {
        whole += fabs(a->w[i] - 1) < 0.01, none += fabs(a->w[i]) < 0.01;
        off = fmax(off, fabs(a->w[i] - lab_part_weight(x, a, i))), most = fmax(most, fabs(a->w[i]));
    }
    if (x == UNEVEN) return is_uneven(a);
    if (x == UNKNOWN) return !is_row_sum(a);
    return x == ONE_ALONE ? whole == 1 && none == a->n - 1 : off < 0.01 * most;
}
