// log_factor.c: TODO 5.9: m + c log(l) with the same c in all pairs of m and l. That of a wrong change of the base, and of
// log10, has its name.
#include "joined.h"

#include <math.h>
#include <stdio.h>

int lab_explain_log_factor(const lab_symptom *s, char *text, size_t size) {
    static const double LOG2E = 1.4426950408889634, LN10 = 2.302585092994046;
    double xy = 0, xx = 0, far = 0;
    char said[200];
    for (int pass = 0; pass < 2; pass++)  // c, by least squares; then whether it fits
        for (int j = 0; j < s->shape.seq_kv; j++) {
            const double m = s->in[1][2 * j], l = s->in[1][2 * j + 1], x = log(l), y = s->got[j] - m;
            if (!(l > 0)) {
                if (s->got[j] != (float)LAB_NO_KEYS) return 0;
                continue;
            }
            if (pass ? !(fabs(y - xy / xx * x) < 1e-5 * (1 + fabs(m)) + 1e-3 * fabs(x)) : 0) return 0;
            if (!pass) xy += x * y, xx += x * x, far += fabs(x) > 0.1;
        }
    const double c = xy / xx;
    if (!(far > 1) || !(fabs(c - 1) > 0.01) || !(fabs(c) > 0.01)) return 0;
    if (fabs(c - LOG2E * LOG2E) < 2e-3)
        snprintf(said, sizeof said,
                 "matches m + 1.4427 log2(l): log(l) is log2(l) times ln(2) = 0.6931, and not times log2(e) = 1.4427");
    else if (fabs(c - 1 / LN10) < 1e-3)
        snprintf(said, sizeof said, "matches log10 in place of log, which is the natural logarithm");
    else
        snprintf(said, sizeof said, "matches m + %.4g log(l): it is m + log(l), with the natural logarithm", c);
    return lab_guess(s->guesses, said, text, size);
}
