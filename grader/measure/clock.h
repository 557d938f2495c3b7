// clock.h: how long does a call take? The checker's clock: rounds of timed calls, as many as a budget allows.
//
// Three timers share it: time_host.h (a stage in C), time_device.h (a stage on a GPU), time_tokens.h (a model, token by
// token). Each prepares fresh inputs, times one call in the checker's process and checks the output; the clock decides
// who has how many rounds.
#ifndef LAB_CLOCK_H
#define LAB_CLOCK_H

#include "verdict.h"

enum { LAB_MOST_ROUNDS = 30 };

typedef struct {
    lab_verdict verdict;  // PASSED, or why there is no time; SKIPPED: over the budget
    int rounds;           // -1: has no place in this point
    double median_s, iqr_s;
    long extra_bytes;  // peak memory beyond the tensors; -1 unknown
    char why[640];
} lab_timing;

// The rounds of each contender, by the seconds that its calls take. It goes on until enough is known: `usual` rounds,
// and either a spread below `spread` or `seconds` on the clock. `longest` seconds end it earlier, after `sure` rounds.
// settles: until three rounds are undisturbed, too, even if that takes some times `longest`.
typedef struct {
    int sure, usual, most;
    double seconds, longest, spread;  // spread: (third - first quartile) / median
    int settles;
    double base;  // of each round's seconds: no part of the calls
} lab_budget;

typedef struct {
    double seconds[LAB_MOST_ROUNDS], used;  // used: their sum
} lab_samples;

typedef struct {
    void *context;
    void (*draw)(void *context, int round);  // inputs that all contenders of a round get; NULL: nothing to do
    // Times contender i. Returns seconds; 0 when timing->verdict says that there are none.
    double (*time)(void *context, int i, int round, lab_timing *timing);
} lab_timer;

// Times contenders 0 .. n - 1 in turn, round by round, so that a drifting machine drifts for all. A contender takes
// part while its timing's verdict is PASSED. timings[i].rounds counts up from what it is, and samples[i] with it.
void lab_clock(const lab_timer *timer, int n, const lab_budget *budget, lab_samples *samples, lab_timing *timings);

// Quantile q of n numbers in ascending order, and the 99th percentile as one of them; lab_sort makes them so.
double lab_quantile(const double *sorted, int n, double q);
double lab_p99(const double *sorted, int n);
void lab_sort(double *x, int n);

// A machine that is at work for others adds milliseconds to some rounds, and takes none away. Sorts, and brings to the
// front the rounds within 5 % of the fastest (of what they have beyond base), if they are three or more; otherwise those
// within 5 % of the second fastest, and so on. Returns how many they are; n where no three lie so close.
int lab_undisturbed(double *seconds, int n, double base);

// Are three rounds within 5 % of the fastest?
int lab_settled(const double *seconds, int n, double base);

// Median and quartiles of t->rounds times, each of `calls` calls. Sorts them.
void lab_summarise(lab_timing *t, double *seconds, double calls);

#endif
