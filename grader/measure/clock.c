// clock.c: who is timed once more.
#include "clock.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FEWEST = 3, PATIENCE = 4 };
static const double CLOSE = 1.05;

static int by_value(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void lab_sort(double *x, int n) { qsort(x, n, sizeof *x, by_value); }

double lab_quantile(const double *sorted, int n, double q) {
    const double at = q * (n - 1);
    const int low = (int)at;
    return low + 1 < n ? sorted[low] + (at - low) * (sorted[low + 1] - sorted[low]) : sorted[low];
}

double lab_p99(const double *sorted, int n) { return sorted[(int)ceil(0.99 * n) - 1]; }

void lab_summarise(lab_timing *t, double *seconds, double calls) {
    if (t->rounds < 1) return;
    lab_sort(seconds, t->rounds);
    t->median_s = lab_quantile(seconds, t->rounds, 0.5) / calls;
    t->iqr_s = (lab_quantile(seconds, t->rounds, 0.75) - lab_quantile(seconds, t->rounds, 0.25)) / calls;
}

// How many of the sorted rounds lie close to the first.
static int close_to_first(const double *sorted, int n, double base) {
    int k = 0;
    while (k < n && sorted[k] - base <= CLOSE * (sorted[0] - base)) k++;
    return k;
}

int lab_settled(const double *seconds, int n, double base) {
    double sorted[LAB_MOST_ROUNDS];
    memcpy(sorted, seconds, n * sizeof *sorted);
    lab_sort(sorted, n);
    return close_to_first(sorted, n, base) >= FEWEST;
}

int lab_undisturbed(double *seconds, int n, double base) {
    lab_sort(seconds, n);
    for (int from = 0; from + FEWEST <= n; from++) {
        const int kept = close_to_first(seconds + from, n - from, base);
        if (kept < FEWEST) continue;
        memmove(seconds, seconds + from, kept * sizeof *seconds);
        return kept;
    }
    return n;
}

static double spread(const lab_samples *s, int n) {
    double sorted[LAB_MOST_ROUNDS];
    lab_timing t = {.rounds = n};
    memcpy(sorted, s->seconds, n * sizeof *sorted);
    lab_summarise(&t, sorted, 1);
    return t.median_s > 0 ? t.iqr_s / t.median_s : 0;
}

static int once_more(const lab_budget *b, const lab_samples *s, int n) {
    if (n >= b->most || n >= LAB_MOST_ROUNDS) return 0;
    if (n < b->sure) return 1;
    const int settled = !b->settles || lab_settled(s->seconds, n, b->base);
    // the next round takes as long as the mean one
    if (s->used + s->used / n > b->longest * (settled ? 1 : PATIENCE)) return 0;
    return n < b->usual || !settled || (s->used < b->seconds && spread(s, n) > b->spread);
}

void lab_clock(const lab_timer *timer, int n, const lab_budget *budget, lab_samples *samples, lab_timing *timings) {
    for (int round = 0, timed = 1; timed; round++) {
        int drawn = timed = 0;
        for (int i = 0; i < n; i++) {
            lab_timing *t = &timings[i];
            if (t->verdict != LAB_PASSED || !once_more(budget, &samples[i], t->rounds)) continue;
            if (!drawn++ && timer->draw) timer->draw(timer->context, round);
            const double seconds = timer->time(timer->context, i, round, t);
            timed = 1;
            if (t->verdict != LAB_PASSED) t->rounds = 0;  // who is wrong once has no time at all
            if (t->verdict != LAB_PASSED) continue;
            samples[i].seconds[t->rounds++] = seconds;
            samples[i].used += seconds;
        }
    }
}
