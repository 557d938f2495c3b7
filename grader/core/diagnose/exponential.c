// exponential.c: what is wrong with an exponential made of 2^n and a polynomial (task 3, TODO 3.13).
#include <math.h>
#include <stdio.h>

#include "pointwise.h"

// Of x = in[1]: y = x log2(e), and how far it is from a whole number.
static double rest_of(double y) { return y - rint(y); }

// How far the polynomial is from c r^k, as a share of its error; of y down to -16, where y itself is exact enough.
static double fit_power(const lab_symptom *s, int k, double *c) {
    double above = 0, below = 0, left = 0, all = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < s->shape.seq_q; i++) {
            const double y = s->in[1][i] * 1.44269504, r = rest_of(y), power = pow(r, k);
            const double off = (s->got[i] - 1) / 50 * exp2(r);
            if (!(y > -16)) continue;
            if (pass)
                left += pow(off - *c * power, 2), all += off * off;
            else
                above += off * power, below += power * power, *c = above / below;
        }
    return left / all;
}

// One coefficient is another. ln(2)^k / k! is what 2^r has there.
static int explain_coefficient(const lab_symptom *s, char *text, size_t size) {
    double due = 1, best = 0.01, is = 0, right = 0;
    int of = 0;
    for (int k = 1; k <= 5; k++) {
        double c = 0;
        const double left = fit_power(s, k, &c);
        due *= 0.69314718 / k;
        if (left < best) best = left, of = k, is = due + c, right = due;
    }
    if (!of) return 0;
    if (fabs(is) < 0.02 * right)
        return snprintf(text, size, "the term of r^%d is missing: its coefficient is about %.4g", of, right) > 0;
    return snprintf(
               text, size,
               "right where y is whole; between, all is off by a multiple of r^%d: its coefficient is %.4g, and must "
               "be about %.4g",
               of, is, right) > 0;
}

// What is left: right at whole y, or near 0 alone, or nowhere. Each half of a sentence is looked at before it is said.
static int explain_the_rest(const lab_symptom *s, double most, char *text, size_t size) {
    int whole_bad = 0, near_bad = 0, near = 0;
    double from = -INFINITY;  // the largest x that is wrong
    for (int i = 0; i < s->shape.seq_q; i++) {
        const double x = s->in[1][i], y = x * 1.44269504;
        const int bad = lab_element_bad(s, i, 0);
        whole_bad += bad && y >= -126 && fabs(rest_of(y)) < 0.01;
        near += fabs(x) < 0.3, near_bad += bad && fabs(x) < 0.3;
        if (bad) from = fmax(from, x);
    }
    if (!whole_bad && explain_coefficient(s, text, size)) return 1;
    if (!whole_bad)
        return snprintf(
                   text, size,
                   "right where y is whole, and off by up to %.2g between: look at the polynomial of r, at all its "
                   "terms and coefficients",
                   most) > 0;
    if (near && !near_bad)
        return snprintf(text, size,
                        "right near x = 0, and wrong from x = %.2g down: a polynomial of x is good near 0 alone. Split "
                        "off 2^n first, and give it the rest r, of at most 1/2",
                        from) > 0;
    return 0;
}

int lab_explain_exponential(const lab_symptom *s, char *text, size_t size) {
    int bad = 0, low = 0;
    double above = 0, below = 0, whole = 0;  // largest errors: r above 0, below 0, close to 0
    for (int i = 0; i < s->shape.seq_q; i++) {
        const double y = s->in[1][i] * 1.44269504, r = rest_of(y), error = fabs(s->got[i] - 1) / 50;
        if (!lab_element_bad(s, i, 0)) continue;
        bad++;
        if (y < -126)
            low++;
        else if (fabs(r) < 0.01 && i == 0)
            whole = fmax(whole, error);
        else if (r > 0)
            above = fmax(above, error);
        else
            below = fmax(below, error);
    }
    if (bad == 0) return 0;
    if (low == bad)
        return snprintf(text, size,
                        "right down to x = -87, and wrong below: y below -127 counts as -127, whose bits are 0; "
                        "-INFINITY, a masked score, is there, too") > 0;
    if (whole > 0.01)
        return snprintf(text, size,
                        "exp(0) is off by %.3g: 2^n has the bits (n + 127) << 23, and the polynomial begins with 1",
                        whole) > 0;
    if (above > 10 * below)
        return snprintf(
                   text, size,
                   "right where r is in -1/2 .. 0, and wrong beyond: n is y cut toward 0, so r runs to -1: round y "
                   "to the nearest whole number") > 0;
    if (below > 10 * above)
        return snprintf(
                   text, size,
                   "right where r is in 0 .. 1/2, and wrong beyond: n is y rounded down, so r runs to 1: round y to "
                   "the nearest whole number") > 0;
    return explain_the_rest(s, fmax(above, below), text, size);
}
