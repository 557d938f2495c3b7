// product_factor.c: a product all of whose elements are the right ones times the same number, which its sizes make: the
// scale of the scores belongs to the chain, and an average is no sum.
#include "heuristics.h"

#include <math.h>
#include <stdio.h>

enum { FEWEST = 8 };

// got = f * want in every element; 0: it is not.
static double factor_of(const lab_symptom *s) {
    const size_t n = s->op->elements(s->shape, 0);
    double off = 0, all = 0;
    size_t large = 0;
    for (size_t i = 0; i < n; i++) {
        if (!lab_is_finite(s->got[i])) return 0;
        off += s->got[i] * s->want[i], all += s->want[i] * s->want[i];
        large += fabs(s->want[i]) > 0.1;
    }
    const double f = all > 0 ? off / all : 0;
    for (size_t i = 0; i < n; i++)
        if (!(fabs(s->got[i] - f * s->want[i]) < LAB_TOLERANCE / 10 * (1 + fabs(f * s->want[i])))) return 0;
    return large < FEWEST && large < n ? 0 : f;
}

static int same(double a, double b) { return fabs(a - b) < 0.005 * fabs(b); }

int lab_explain_product_factor(const lab_symptom *s, int nt, char *text, size_t size) {
    const double m = s->shape.seq_q, n = s->shape.seq_kv, k = s->shape.head_dim, f = factor_of(s);
    const struct {
        const char *name;
        double value;
        int of_scores;
    } known[] = {{"1/sqrt(k)", 1 / sqrt(k), 1},
                 {"log2(e)/sqrt(k)", 1 / log(2) / sqrt(k), 1},
                 {"1/sqrt(n)", 1 / sqrt(n), 1},
                 {"1/sqrt(m)", 1 / sqrt(m), 1},
                 {"sqrt(k)", sqrt(k), 1},
                 {"1/k", 1 / k, 0},
                 {"1/n", 1 / n, 0},
                 {"1/m", 1 / m, 0},
                 {"k", k, 0},
                 {"-1", -1, 0}};
    int found = 0;
    if (f == 0 || same(f, 1)) return 0;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        char sentence[240];
        if (!same(f, known[i].value) || same(1, known[i].value)) continue;
        snprintf(sentence, sizeof sentence, "matches A B%s times %s: C is the sum of the products alone%s",
                 nt ? "^T" : "", known[i].name,
                 known[i].of_scores ? ", and the chain scales the scores behind it" : "");
        found = lab_guess(s->guesses, sentence, text, size);
    }
    return found;
}
