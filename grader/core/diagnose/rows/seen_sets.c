// seen_sets.c: with fewer keys than dims the weights of a row can be solved for. Where each is 0, or that of a softmax over
// those that are not, the row tells which keys it sees, whatever the mask or the walk that left the others out.
#include "seen_sets.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "reductions.h"

static const double NEAR = 0.03;  // of a key's share

static int weights_of(const float *v, const float *got, int keys, int D, double *x) {
    double *g = malloc((size_t)keys * (keys + 1) * sizeof *g);
    int known = g != NULL;
    for (int i = 0; i < keys && g; i++)
        for (int j = 0; j <= keys; j++) {
            double *sum = &g[i * (keys + 1) + j];
            *sum = 0;
            for (int c = 0; c < D; c++) *sum += v[i * D + c] * (double)(j < keys ? v[j * D + c] : got[c]);
        }
    known = known && lab_solve(keys, g, x);
    free(g);
    for (int c = 0; c < D && known; c++) {
        double sum = 0;
        for (int j = 0; j < keys; j++) sum += x[j] * v[j * D + c];
        known = fabs(sum - got[c]) < 1e-4 * (1 + fabs(sum));
    }
    return known;
}

int lab_keys_seen(const float *q, const float *k, const float *v, const float *got, int keys, int D, char sees[]) {
    double x[LAB_MOST_SOLVED_KEYS], e[LAB_MOST_SOLVED_KEYS], sum = 0, l = 0;
    if (keys > LAB_MOST_SOLVED_KEYS || 4 * keys > 3 * D || !weights_of(v, got, keys, D, x)) return 0;
    for (int j = 0; j < keys; j++) {
        double s = 0;
        for (int c = 0; c < D; c++) s += (double)q[c] * k[j * D + c];
        e[j] = exp(s / sqrt((double)D)), sum += x[j];
    }
    if (!(fabs(sum - 1) < 1e-3)) return 0;
    double share = 0;  // of the key with the largest weight, which counts
    for (int j = 0, best = -1; j < keys; j++)
        if (best < 0 || x[j] > x[best]) best = j, share = x[j] / e[j];
    for (int j = 0; j < keys; j++) {
        const double times = x[j] / (share * e[j]);
        sees[j] = times > 0.5;
        if (!(fabs(times - sees[j]) < NEAR)) return 0;
        l += sees[j] ? e[j] : 0;
    }
    return fabs(l * share - 1) < NEAR;
}

void lab_list_keys(const char sees[], int keys, char *text, unsigned long size) {
    size_t used = 0;
    int runs = 0, n = 0, many = 0;
    for (int j = 0; j < keys; j++) runs += sees[j] && (!j || !sees[j - 1]), many += sees[j];
    text[0] = 0;
    if (!many) snprintf(text, size, "no key");
    for (int j = 0, to; j < keys && used + 40 < size; j = to + 1) {
        for (to = j; to + 1 < keys && sees[j] && sees[to + 1];) to++;
        if (!sees[j]) continue;
        used += (size_t)snprintf(text + used, size - used, "%s%d",
                                 !n++        ? many > 1 ? "keys " : "key "
                                 : n == runs ? " and "
                                             : ", ",
                                 j);
        if (to > j) used += (size_t)snprintf(text + used, size - used, " .. %d", to);
    }
}
