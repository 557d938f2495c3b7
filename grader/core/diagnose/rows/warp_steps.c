// warp_steps.c: a warp has the threads of several rows, one row after the other. Shuffles over other distances than those
// within a row are run on the lanes' numbers, lane by lane.
#include "warp_steps.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { WARP = 32, MOST = 512 };

typedef enum { EXCHANGED, DOWN, UP, N_WAYS } way;

static int partner(way w, int lane, int bit) {
    if (w == EXCHANGED) return lane ^ bit;
    const int from = w == DOWN ? lane + bit : lane - bit;
    return from >= 0 && from < WARP ? from : lane;  // who has no partner gets its own number
}

// mask: the distances, largest first.
static void join(const lab_warp_steps *w, way how, int mask, double *x) {
    for (int first = 0; first + WARP <= w->rows * w->lanes; first += WARP)
        for (int bit = WARP / 2; bit > 0; bit /= 2) {
            double next[WARP];
            if (!(mask & bit)) continue;
            for (int lane = 0; lane < WARP; lane++) {
                const double own = x[first + lane], other = x[first + partner(how, lane, bit)];
                next[lane] = w->is_max ? fmax(own, other) : own + other;
            }
            memcpy(x + first, next, sizeof next);
        }
}

// "8 and 16", "4, 2 and 1": the larger ones first.
static void list(int mask, char *text, size_t size) {
    size_t used = 0;
    *text = 0;
    for (int bit = WARP / 2; bit > 0; bit /= 2)
        if (mask & bit)
            used += (size_t)snprintf(text + used, size - used, "%s%d",
                                     !used              ? ""
                                     : mask & (bit - 1) ? ", "
                                                        : " and ",
                                     bit);
}

// alone: no other distances give the same.
static void say(const lab_warp_steps *w, way how, int mask, int alone, char *text, size_t size) {
    static const char *const direction[] = {"", " downwards", " upwards"};
    char is[40], due[40];
    list(mask, is, sizeof is), list(w->lanes - 1, due, sizeof due);
    if (!alone && mask >= w->lanes) snprintf(is, sizeof is, "of %d and more", w->lanes);
    const int one = *is != 'o' && (mask & (mask - 1)) == 0;
    int used = snprintf(text, size, "matches %s by shuffles%s over distance%s %s", w->what, direction[how],
                        one ? "" : "s", is);
    if (mask >= w->lanes)
        used += snprintf(text + used, size - (size_t)used, ", which joins threads of different rows");
    else if (how)
        used += snprintf(text + used, size - (size_t)used, ", which leaves all to the %s thread of a row alone",
                         how == DOWN ? "first" : "last");
    snprintf(text + used, size - (size_t)used,
             ": the %d threads of a row lie side by side in their warp, and exchange over %s, as %s does", w->lanes,
             due, w->calls);
}

static int steps_fit(const lab_symptom *s, const lab_warp_steps *w, way how, int mask) {
    double x[MOST];
    memcpy(x, w->x, (size_t)(w->rows * w->lanes) * sizeof *x);
    join(w, how, mask, x);
    return w->fits(s, x);
}

int lab_explain_warp_steps(const lab_symptom *s, const lab_warp_steps *w, char *text, size_t size) {
    const int n = w->rows * w->lanes;
    if (n > MOST || n % WARP) return 0;
    for (way how = EXCHANGED; how < N_WAYS; how++) {
        int fit = 0, first = 0;
        for (int mask = 1; mask < WARP; mask++) {
            if (how == EXCHANGED && mask == w->lanes - 1) continue;  // this is right
            if (steps_fit(s, w, how, mask) && !fit++) first = mask;
        }
        if (!fit) continue;
        say(w, how, first, fit == 1, text, size);
        return 1;
    }
    return 0;
}
