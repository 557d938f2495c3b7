// folded.c: the terms of a sum are multiplied, or the largest or the smallest of them is kept.
#include "folded.h"

#include <math.h>
#include <stdio.h>

typedef enum { PRODUCT, LARGEST, LARGEST_FROM_0, SMALLEST, SMALLEST_FROM_0, N_JOINS } join;

enum { FEWEST = 4 };
#define NEARLY_NOTHING 1e-30  // a product of floats that small has lost its digits

static double joined(const lab_fold *f, join by, int i) {
    const int n = f->terms(f->of, i);
    double x = by == PRODUCT ? 1 : by == LARGEST ? -INFINITY : by == SMALLEST ? INFINITY : 0;
    if (f->before) x = f->before(f->of, i);
    for (int t = 0; t < n; t++) {
        const double term = f->term(f->of, i, t);
        x = by == PRODUCT ? x * term : by == LARGEST || by == LARGEST_FROM_0 ? fmax(x, term) : fmin(x, term);
    }
    return x;
}

static int is_near(join by, double got, double due) {
    if (by == PRODUCT && fabs(due) < NEARLY_NOTHING) return fabs(got) < NEARLY_NOTHING;
    return fabs(got - due) <= 2e-3 * fabs(due) + (by == PRODUCT ? 0 : LAB_TOLERANCE / 10);
}

// How many of the numbers tell that it is so; -1: it is not so.
static int telling(const lab_fold *f, join by) {
    int tell = 0;
    for (int i = 0; i < f->numbers; i++) {
        const double due = joined(f, by, i);
        if (!is_near(by, f->got(f->of, i), due)) return -1;
        tell += f->terms(f->of, i) > 1 && fabs(due) >= NEARLY_NOTHING;
    }
    return tell;
}

int lab_explain_fold(const lab_fold *f, lab_guesses *guesses, char *text, size_t size) {
    static const char *const words[N_JOINS] = {"product", "largest", "largest", "smallest", "smallest"};
    for (join by = 0; by < N_JOINS && f->numbers >= FEWEST; by++) {
        const int tell = telling(f, by);
        char sentence[240];
        if (tell < FEWEST) continue;  // a product of many is nothing, and so is much else
        snprintf(sentence, sizeof sentence, "matches the %s of all %s: they are added up, from 0 on", words[by],
                 f->name);
        return lab_guess(guesses, sentence, text, size);
    }
    return 0;
}
