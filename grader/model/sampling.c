// sampling.c: the next token, drawn at random with the model's probabilities. On the host, in float64: the same seed draws
// the same tokens wherever the logits are the same.
#include "sampling.h"

#include <math.h>
#include <stdlib.h>

// Uniform in [0, 1). SplitMix64 (Steele, Lea, Flood 2014).
static double uniform(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

static int descending(const void *a, const void *b) {
    const float x = *(const float *)a, y = *(const float *)b;
    return (x < y) - (x > y);
}

// The k-th largest logit: smaller ones are not drawn. Without memory for sorting, all may be.
static float threshold(const float *logits, int n, int k) {
    float *sorted = k > 0 && k < n ? malloc(n * sizeof *sorted) : NULL;
    if (!sorted) return -INFINITY;
    for (int i = 0; i < n; i++) sorted[i] = logits[i] == logits[i] ? logits[i] : -INFINITY;
    qsort(sorted, n, sizeof *sorted, descending);
    const float least = sorted[k - 1];
    free(sorted);
    return least;
}

int lab_sample(const float *logits, int n, float temperature, int top_k, uint64_t *state) {
    const float least = threshold(logits, n, top_k);
    int best = 0;
    for (int i = 1; i < n; i++)
        if (logits[i] > logits[best]) best = i;
    double sum = 0;
    for (int i = 0; i < n; i++)
        if (logits[i] >= least) sum += exp((logits[i] - logits[best]) / temperature);
    double left = uniform(state) * sum;
    for (int i = 0; i < n; i++) {
        if (!(logits[i] >= least)) continue;
        left -= exp((logits[i] - logits[best]) / temperature);
        if (left < 0) return i;
    }
    return best;  // rounding, or logits that are not numbers
}
