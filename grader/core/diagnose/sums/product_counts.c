// product_counts.c: how often each product of a GEMM's sums counts. Every element gives an equation, and there are more of
// them than products: so the counts are solved for, whatever made them wrong.
#include "heuristics.h"
#include "reductions.h"
#include "wrong_rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_PRODUCTS = 128, MOST_TIMES = 64 };

typedef struct {
    const lab_symptom *s;
    int nt;
    size_t m, n, k;
} product;

// Product l of element e.
static double term(const product *p, size_t e, size_t l) {
    const size_t g = e / p->n / p->m, j = e % p->n;
    const float *const b = p->s->in[2] + g * p->n * p->k;
    return (double)p->s->in[1][e / p->n * p->k + l] * (p->nt ? b[j * p->k + l] : b[l * p->n + j]);
}

// The normal equations of some of the elements.
static int solve(const product *p, const size_t *e, size_t elements, double *g, double *x) {
    const size_t width = p->k + 1;
    for (size_t i = 0; i < p->k * width; i++) g[i] = 0;
    for (size_t at = 0; at < elements; at++) {
        double t[MOST_PRODUCTS + 1];
        for (size_t l = 0; l < p->k; l++) t[l] = term(p, e[at], l);
        t[p->k] = p->s->got[e[at]];
        for (size_t i = 0; i < p->k; i++)
            for (size_t l = 0; l < width; l++) g[i * width + l] += t[i] * t[l];
    }
    return lab_solve((int)p->k, g, x);
}

// Do these counts give the other elements, too?
static int gives(const product *p, const size_t *e, size_t elements, const int count[]) {
    for (size_t at = 0; at < elements; at++) {
        double sum = 0;
        for (size_t l = 0; l < p->k; l++) sum += count[l] * term(p, e[at], l);
        if (!(fabs(sum - p->s->got[e[at]]) < LAB_TOLERANCE / 2)) return 0;
    }
    return 1;
}

// Wrong elements that are finite, evenly spread, up to `most`.
static size_t choose(const lab_symptom *s, size_t *e, size_t most) {
    const size_t all = s->op->elements(s->shape, 0);
    size_t bad = 0, seen = 0, n = 0;
    for (size_t i = 0; i < all; i++) bad += lab_element_bad(s, i, 0) && lab_is_finite(s->got[i]);
    for (size_t i = 0; i < all && n < most; i++)
        if (lab_element_bad(s, i, 0) && lab_is_finite(s->got[i]) && seen++ * most / (bad > most ? bad : most) >= n)
            e[n++] = i;
    return n;
}

// Behind the end of k the places of a tile keep what the step before has left there, in both tiles: those products count once
// more. Returns how many numbers a tile has along k; 0: it is not so.
static int stale_tile(const int count[], int k, int *first, int *behind) {
    int from = 0, to;
    while (from < k && count[from] == 1) from++;
    for (to = from; to < k && count[to] == 2;) to++;
    for (int l = to; l < k; l++)
        if (count[l] != 1) return 0;
    *first = from, *behind = to;
    for (int four = 1; four <= 4 && from < to && to < k; four += 3) {  // numbers are loaded one by one, or by four
        const int tile = to - from + (k - to + four - 1) / four * four;
        if (to % tile == 0) return tile;
    }
    return 0;
}

// Each step loads the next tile over its own, and the last one finds none: the first tile counts never, the last one twice.
// Returns how many numbers a tile has along k; 0: it is not so.
static int early_tile(const int count[], int k) {
    int tile = 0;
    while (tile < k && !count[tile]) tile++;
    if (!tile || tile == k) return 0;
    for (int l = tile; l < k; l++)
        if (count[l] != 1 + (l >= (k - 1) / tile * tile)) return 0;
    return tile;
}

// The sum of a step goes on from step to step, and is added to the whole in each: a product counts once more in every step
// behind its own. Returns how many numbers a tile has along k; 0: it is not so.
static int kept_tile(const int count[], int k) {
    int tile = 0;
    while (tile < k && count[tile] == count[0]) tile++;
    for (int l = 0; l < k; l++)
        if (count[l] != (k + tile - 1) / tile - l / tile) return 0;
    return tile < k ? tile : 0;
}

// The sum so far is added to itself in each step, or two parts add each other's: a step's products count twice as often as
// those of the step behind it. Returns how many numbers a tile has along k; 0: it is not so.
static int doubled_tile(const int count[], int k) {
    int tile = 0;
    while (tile < k && count[tile] == count[0]) tile++;
    const int steps = (k + tile - 1) / tile;
    for (int l = 0; l < k; l++)
        if (count[l] != 1 << (steps - 1 - l / tile)) return 0;
    return tile < k ? tile : 0;
}

// The only walk over k in steps of `step` that multiplies `tile` numbers in each and gives these counts, and has a second step. 0: there is none.
static int by_steps(const int count[], int k, int *step, int *tile) {
    for (*step = 2; *step < k; ++*step)
        for (*tile = 1; *tile <= 4 * *step && *tile < k; ++*tile) {
            int l = 0;
            while (l < k && count[l] == lab_times_walked(l, *step, *tile)) l++;
            if (l == k && *tile != *step) return 1;
        }
    return 0;
}

static void say_steps(int step, int tile, char *text, size_t size) {
    if (tile < step)
        snprintf(text, size,
                 "matches a loop over k that goes on by %d and multiplies %d in each step: of every %d products the "
                 "last %d are left out. It goes on by as many as a step multiplies",
                 step, tile, step, step - tile);
    else
        snprintf(text, size,
                 "matches a loop over k that goes on by %d and multiplies %d in each step: products count twice and "
                 "more. It goes on by as many as a step multiplies",
                 step, tile);
}

void lab_guess_first_step(const lab_symptom *s, int tile) {
    char sentence[240], aside[240] = "";
    for (int step = 16; step <= 128; step *= 2) {
        if (step <= tile || step < s->shape.head_dim) continue;
        say_steps(step, tile, sentence, sizeof sentence);
        lab_guess(s->guesses, sentence, aside, sizeof aside);
    }
}

int lab_explain_product_counts(const lab_symptom *s, int nt, char *text, size_t size) {
    const product p = {s, nt, s->shape.seq_q, s->shape.seq_kv, s->shape.head_dim};
    const size_t due = 2 * p.k + 16, rest = 64;
    int count[MOST_PRODUCTS], differ = 0;
    char list[160];
    if (p.k < 2 || p.k > MOST_PRODUCTS) return 0;
    size_t *const e = malloc((due + rest) * sizeof *e);
    double *const g = malloc(p.k * (p.k + 2) * sizeof *g), *const x = g ? g + p.k * (p.k + 1) : NULL;
    int known = e && g && choose(s, e, due + rest) == due + rest && solve(&p, e, due, g, x);
    for (size_t l = 0; l < p.k && known; l++) {
        count[l] = (int)round(x[l]);
        known = fabs(x[l] - count[l]) < 0.02 && count[l] >= 0 && count[l] <= MOST_TIMES;
        differ |= count[l] != count[0];
    }
    known = known && differ && gives(&p, e, due + rest, count);
    free(e), free(g);
    if (!known) return 0;
    int first, behind;
    const int tile = stale_tile(count, (int)p.k, &first, &behind);
    if (tile) {
        snprintf(
            text, size,
            "matches tiles of %d along k that keep, behind the end of k = %zu, what the step before has left there%s: "
            "products %d..%d count twice. What is outside of a matrix is stored as 0 in each step",
            tile, p.k, first + tile == (int)p.k ? ", or of which the last begins earlier, to end with k" : "", first,
            behind - 1);
        return 1;
    }
    const int over = early_tile(count, (int)p.k);
    if (over) {
        snprintf(
            text, size,
            "matches tiles of %d along k of which the first is never multiplied, and the last one twice: each step "
            "loads the next tile over its own before it multiplies",
            over);
        return 1;
    }
    const int kept = kept_tile(count, (int)p.k), doubled = doubled_tile(count, (int)p.k);
    if (doubled) {
        char sentence[320];
        snprintf(sentence, sizeof sentence,
                 "matches a running sum that is added to itself in each step along k (tiles of %d): what was summed "
                 "before counts twice in every step behind it. Parts of a sum that several threads have are added to "
                 "each other once, behind the last step",
                 doubled);
        lab_guess(s->guesses, sentence, text, size);
        if (!kept) return 1;
    }
    if (kept) {
        char sentence[240];
        snprintf(sentence, sizeof sentence,
                 "matches a step's own sum that goes on from step to step: its products count once more in each step "
                 "behind it (tiles of %d along k). Set it to 0 in each step, or add it once, behind the last one",
                 kept);
        return lab_guess(s->guesses, sentence, text, size);
    }
    int step, many;
    char walk[240];
    const int steps = by_steps(count, (int)p.k, &step, &many);
    if (steps) say_steps(step, many, walk, sizeof walk);
    if (steps && 2 * step <= (int)p.k) return lab_guess(s->guesses, walk, text, size);
    lab_list_counts(count, (int)p.k, "product", "l", list, sizeof list);
    snprintf(text, size, "matches sums in which the products do not count once each (of k = %zu, %s)", p.k, list);
    if (steps)
        lab_guess(s->guesses, text, text, size), lab_guess(s->guesses, walk, text, size);  // another claim may tell
    return 1;
}

// Behind the end of k the index is held at its last value: that product counts once more for each place of the tile that
// is left over. A tile has a multiple of 4 places.
int lab_explain_product_held(const lab_symptom *s, int nt, char *text, size_t size) {
    const product p = {s, nt, s->shape.seq_q, s->shape.seq_kv, s->shape.head_dim};
    double off = 0, all = 0;
    const size_t n = s->op->elements(s->shape, 0);
    for (size_t e = 0; e < n; e++) {
        const double last = term(&p, e, p.k - 1);
        if (!lab_is_finite(s->got[e])) return 0;
        off += (s->got[e] - s->want[e]) * last, all += last * last;
    }
    const double more = all > 0 ? round(off / all) : 0;
    if (more < 1 || more > 127 || (p.k + (size_t)more) % 4) return 0;
    for (size_t e = 0; e < n; e++)
        if (!(fabs(s->want[e] + more * term(&p, e, p.k - 1) - s->got[e]) < LAB_TOLERANCE)) return 0;
    char sentence[240];
    snprintf(
        sentence, sizeof sentence,
        "matches an index that is held at the last of k = %zu where it goes on: product k - 1 counts %.0f times in "
        "all, and behind the end of k a tile holds 0",
        p.k, more + 1);
    return lab_guess(s->guesses, sentence, text, size);
}
