// parts_counted.c: keys that count several times in a sum of exp(s - m) V, told from how it grows with each value.
#include "who.h"

#include <math.h>

// How many times more a key of the sum counts than another one that it has: 1 in every right file.
typedef struct {
    double times;
    lab_set more, less;
} counts;

static double share_of(const lab_depends *d, size_t k, int row, int j) {
    const int n = d->count[LAB_OF_VALUES];
    return d->gain[k * (size_t)n + (size_t)j] / (double)d->weight[row * n + j];
}

static int row_of(number x) {
    for (int i = 0; i < LAB_OF_MOST; i++)
        if (lab_set_has(&x->of[LAB_OF_QUERIES], i)) return i;
    return 0;
}

// Some of its keys count the same, and all others a whole number of times more. Otherwise times is 0.
static counts count(const lab_depends *d, number x) {
    static const double NEAR = 0.002;
    enum { MOST = 32 };
    const size_t k = (size_t)(x - d->number);
    const int row = row_of(x);
    double least = INFINITY;
    counts c = {0};
    for (int j = 0; j < d->count[LAB_OF_VALUES]; j++)
        if (lab_set_has(&x->of[LAB_OF_VALUES], j)) least = fmin(least, share_of(d, k, row, j));
    if (!(least > 0) || isinf(least)) return c;
    for (int j = 0; j < d->count[LAB_OF_VALUES]; j++) {
        if (!lab_set_has(&x->of[LAB_OF_VALUES], j)) continue;
        const double times = share_of(d, k, row, j) / least, whole = round(times);
        if (!(fabs(times - whole) < NEAR * whole) || whole > MOST) return (counts){0};
        if (whole > 1 && c.times && whole != c.times) return (counts){0};
        if (whole > 1) c.times = whole;
        lab_set *to = whole > 1 ? &c.more : &c.less;
        to->word[j / 64] |= (uint64_t)1 << j % 64;
    }
    return c;
}

// Keys that count once are in the sum as they are, exp(s - m) with the largest score or without one, or divided by all.
// Otherwise nobody knows whether a key is added twice, or another one has a factor that it must not have.
static int is_counted(const lab_depends *d, number x, const counts *c) {
    static const double NEAR = 0.01;
    const int row = row_of(x), n = d->count[LAB_OF_VALUES];
    double once = 0, seen = 0, all = 0, sum = 0;
    for (int j = 0; j < n; j++) {
        const double weight = d->weight[row * n + j];
        if (weight > all) all = weight;
        if (!lab_set_has(&x->of[LAB_OF_VALUES], j)) continue;
        if (lab_set_has(&c->less, j)) once = share_of(d, (size_t)(x - d->number), row, j);
        if (weight > seen) seen = weight;
        sum += weight * (lab_set_has(&c->more, j) ? c->times : 1);
    }
    const double may_be[] = {1, 1 / all, 1 / seen, 1 / sum, d->mass ? exp(d->mass[row]) : 1};
    for (size_t i = 0; i < sizeof may_be / sizeof *may_be; i++)
        if (fabs(once - may_be[i]) < NEAR * may_be[i]) return 1;
    return 0;
}

static int is_of(number x, number of, const counts *c, const counts *all) {
    return is_of_block(x, of) && same(x, of, LAB_OF_COLUMNS) && same(x, of, LAB_OF_QUERIES) && c->times == all->times &&
           lab_set_within(&c->more, &all->more) && lab_set_within(&c->less, &all->less);
}

// An output of which some keys count so, as another one's, and the first number of it of which they do.
int lab_counted_twice(const lab_depends *d, char *text, size_t size) {
    enum { TRIED = 16, WANTED = 2 };
    char more[80], less[80];
    number store = NULL;
    counts all = {0};
    int alike = 0;
    if (!d->gain || !d->weight || !d->count[LAB_OF_COLUMNS]) return 0;
    for (size_t i = 0; i < TRIED && i < d->n_output && alike < WANTED; i++) {
        const number x = stored(d, &d->output[i * d->n_output / TRIED % d->n_output]);
        const counts c = x ? count(d, x) : (counts){0};
        if (!c.times) continue;
        alike = store && c.times == all.times ? alike + 1 : 1;
        store = x, all = c;
    }
    for (number x = d->number; alike >= WANTED && x <= store; x++) {
        if (size_of(x, LAB_OF_VALUES) < 2 || size_of(x, LAB_OF_COLUMNS) != 1 || !is_known(x)) continue;
        const counts c = count(d, x);
        if (!c.times || !is_of(x, store, &c, &all)) continue;
        words(d->one, &all.more, more, sizeof more), words(d->one, &all.less, less, sizeof less);
        snprintf(text, size,
                 is_counted(d, x, &c) ? "line %d, in %s, adds %s up %.0f times, and %s once"
                                      : "line %d, in %s, lets %s count %.0f times as much as %s: in one sum each key "
                                        "counts exp(s - m), and that times the same factor, or none",
                 line_of(d, x)->line, line_of(d, x)->function, more, all.times, less);
        return 1;
    }
    return 0;
}
