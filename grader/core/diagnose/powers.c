// powers.c: exponentials that are powers of another base than e, or are not there where a score is masked.
#include <math.h>
#include <stdio.h>

#include "approximations.h"
#include "pointwise.h"

static double exponent(const lab_symptom *s, lab_powers p, int r, int c) {
    const float *x = s->in[1] + (size_t)r * p.columns;
    double m = p.m ? s->in[p.m][r] : x[0];
    for (int k = 1; k < p.columns && !p.m; k++) m = fmax(m, x[k]);
    return x[c] - m;
}

// Is nothing written where scores are masked, and nowhere else?
static int skips_masked(const lab_symptom *s, lab_powers p) {
    size_t skipped = 0;
    for (int r = 0; r < s->shape.seq_q; r++)
        for (int c = 0; c < p.columns; c++) {
            const int masked = isinf(s->in[1][(size_t)r * p.columns + c]) != 0;
            if (lab_element_bad(s, (size_t)r * p.out_row + c, 1) != masked) return 0;
            skipped += masked;
        }
    return skipped == s->cmp.unwritten;
}

// The first terms of the series, or (1 + x / n)^n.
static int explain_approximation(const lab_symptom *s, lab_powers p, char *text, size_t size) {
    char sentence[240], name[80];
    int wrong = 0;  // of the exponentials themselves: where they are right, their sum is not
    for (int i = 0; i < s->shape.seq_q * p.columns && !wrong; i++)
        wrong = lab_element_bad(s, (size_t)(i / p.columns) * p.out_row + i % p.columns, 0);
    for (int f = 0; f < LAB_APPROXIMATIONS && wrong; f++) {
        int fits = 0, all = 1;
        for (int r = 0; r < s->shape.seq_q && all; r++)
            for (int c = 0; c < p.columns && all; c++) {
                const double x = exponent(s, p, r, c), due = lab_approximation(f, x);
                if (!isfinite(x)) continue;
                all = fabs(s->got[(size_t)r * p.out_row + c] - due) <= 1e-5 + 1e-3 * fabs(due), fits += all;
            }
        if (!all || !fits) continue;
        snprintf(sentence, sizeof sentence, "matches %s" LAB_NEAR_0, lab_approximation_name(f, name, sizeof name));
        return lab_guess(s->guesses, sentence, text, size);
    }
    return 0;
}

int lab_explain_power(const lab_symptom *s, lab_powers p, char *text, size_t size) {
    double xy = 0, xx = 0;
    char sentence[240];
    if (s->cmp.unwritten && skips_masked(s, p))
        return snprintf(text, size,
                        "matches a loop that skips masked scores: p is 0 there, and that 0 has to be stored, too") > 0;
    if (explain_approximation(s, p, text, size)) return 1;
    for (int pass = 0; pass < 2; pass++)  // the factor of the exponent, by least squares; then whether it fits
        for (int r = 0; r < s->shape.seq_q; r++)
            for (int c = 0; c < p.columns; c++) {
                const double x = exponent(s, p, r, c), got = s->got[(size_t)r * p.out_row + c];
                if (!isfinite(x)) continue;
                if (!(got > 0) && x > -20) return 0;
                if (pass ? fabs(got - exp(xy / xx * x)) > 1e-4 * (1 + got) : 0) return 0;
                if (!pass && x > -10 && x < 10) xy += x * log(got), xx += x * x;
            }
    const double factor = xy / xx;
    if (!(xx > 0) || !isfinite(factor) || fabs(factor - 1) < 3e-4) return 0;
    snprintf(sentence, sizeof sentence,
             "matches %.4g^(s - m), or exp(%.4g (s - m)): it is exp(s - m), a power of e = 2.7182818", exp(factor),
             factor);
    return lab_guess(s->guesses, sentence, text, size);
}
