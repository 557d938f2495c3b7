// exponential.c: what is wrong with an exponential made of 2^n and a polynomial (task 3, TODO 3.13).
#include <math.h>
#include <stdio.h>

#include "pointwise.h"
#include "reductions.h"

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

enum { TERMS = 6 };

// 2^r, as it is, as a polynomial of r. Returns 0 if it is none.
static int find_polynomial(const lab_symptom *s, double c[TERMS]) {
    double g[TERMS * (TERMS + 1)] = {0};
    for (int i = 0; i < s->shape.seq_q; i++) {
        const double y = s->in[1][i] * 1.44269504, r = rest_of(y);
        if (!(y > -16)) continue;
        const double is = exp2(r) * (1 + (s->got[i] - 1) / 50);
        for (int a = 0; a < TERMS; a++)
            for (int b = 0; b <= TERMS; b++) g[a * (TERMS + 1) + b] += pow(r, a) * (b < TERMS ? pow(r, b) : is);
    }
    if (!lab_solve(TERMS, g, c)) return 0;
    for (int i = 0; i < s->shape.seq_q; i++) {
        const double y = s->in[1][i] * 1.44269504, r = rest_of(y);
        double sum = 0;
        for (int k = TERMS; k-- > 0;) sum = sum * r + c[k];
        if (y > -16 && !(fabs(sum - exp2(r) * (1 + (s->got[i] - 1) / 50)) < 1e-4)) return 0;
    }
    return 1;
}

// What is left: right at whole y, or near 0 alone, or nowhere. Each half of a sentence is looked at before it is said.
static int explain_the_rest(const lab_symptom *s, double most, char *text, size_t size) {
    int whole_bad = 0, near_bad = 0, near = 0;
    double from = -INFINITY, c[TERMS];  // from: the largest x that is wrong
    for (int i = 0; i < s->shape.seq_q; i++) {
        const double x = s->in[1][i], y = x * 1.44269504;
        const int bad = lab_element_bad(s, i, 0);
        whole_bad += bad && y >= -126 && fabs(rest_of(y)) < 0.01;
        near += fabs(x) < 0.3, near_bad += bad && fabs(x) < 0.3;
        if (bad) from = fmax(from, x);
    }
    if (!whole_bad && explain_coefficient(s, text, size)) return 1;
    if (!whole_bad && !find_polynomial(s, c))
        return snprintf(text, size,
                        "right where y is whole, and off by up to %.2g between, by no polynomial of r: is r what is "
                        "left of y beside the n that 2^n has, a whole number?",
                        most) > 0;
    if (!whole_bad)
        return snprintf(
                   text, size,
                   "right where y is whole, and off by up to %.2g between: look at the polynomial of r, at all its "
                   "terms and coefficients",
                   most) > 0;
    if (near && !near_bad)
        return snprintf(
                   text, size,
                   "right near x = 0, and wrong from x = %.2g down, as a polynomial of x is, good near 0 alone. Split "
                   "off 2^n first, and give it the rest r, of at most 1/2",
                   from) > 0;
    return 0;
}

// What stands in place of 2^n 2^r, n + r = y.
typedef enum { NO_POWER, NO_REST, ADDED, LESS_ONE, INVERSE, OF_X, LINEAR, POWER_OF_Y, N_FORMULAS } formula;
static const char *const formula_text[N_FORMULAS] = {
    "matches 2^r, the polynomial alone: multiply it by 2^n",
    "matches 2^n alone: multiply it by 2^r, the polynomial",
    "matches 2^n + 2^r: the two are multiplied",
    "matches 2^n (2^r - 1): the polynomial begins with 1, the term of r^0",
    "matches 2^r / 2^n: multiply by 2^n, whose bits are (n + 127) << 23",
    "matches 2^n times the polynomial of x: it is one of r, what is left of y = x log2(e) beside the whole n",
    "matches a float whose bits are (y + 127) 2^23, a straight line between the powers of 2: n is y rounded, and the "
    "rest r goes into the polynomial",
    "matches 2^n times the polynomial of y: it is one of r = y - n"};

static double value_of(formula f, double x) {
    const double y = x * 1.44269504, n = rint(y), r = y - n;
    switch (f) {
    case NO_POWER: return exp2(r);
    case NO_REST: return exp2(n);
    case ADDED: return exp2(n) + exp2(r);
    case LESS_ONE: return exp2(n) * (exp2(r) - 1);
    case INVERSE: return exp2(r - n);
    case OF_X: return exp2(n) * lab_power_of_rest(x);
    case LINEAR: return exp2(floor(y)) * (1 + y - floor(y));
    default: return exp2(n) * lab_power_of_rest(y);
    }
}

// Down to y = -16: below, some of them are too large or too small to be told apart.
static int explain_formula(const lab_symptom *s, char *text, size_t size) {
    for (formula f = NO_POWER; f < N_FORMULAS; f++) {
        int told = 0, fits = 1;
        for (int i = 0; i < s->shape.seq_q && fits; i++) {
            const double x = s->in[1][i], is = 1 + (s->got[i] - 1) / 50, due = value_of(f, x) / exp(x);
            if (!(x > -11)) continue;
            fits = fabs(is - due) < 1e-3 * fabs(due) + 1e-4;
            told += fabs(due - 1) > 0.01;
        }
        if (fits && told > 9) return snprintf(text, size, "%s", formula_text[f]) > 0;
    }
    return 0;
}

// The coefficients are those of 2^(f r), with one and the same f: r is another number, and the polynomial is right.
static int explain_other_r(const double *c, char *text, size_t size) {
    const double f = c[1] / 0.69314718;
    double due = 1;
    for (int k = 0; k <= 3; due *= 0.69314718 * f / ++k)
        if (!(fabs(c[k] - due) < 0.02 * fabs(due) + 1e-3)) return 0;
    if (fabs(f - 1) < 0.02 || fabs(f) < 0.1) return 0;
    if (fabs(f + 1) < 0.02)
        return snprintf(text, size, "matches 2^n 2^-r: r has the wrong sign, it is y - n and not n - y") > 0;
    return snprintf(text, size, "matches 2^n 2^(%.3g r): r = y - n is what is left of y = x log2(e) beside n", f) > 0;
}

// 2^r, as it is, is a polynomial of r: which? Where one coefficient alone is another, explain_coefficient says it.
static int explain_polynomial(const lab_symptom *s, char *text, size_t size) {
    static const char *const power[TERMS] = {"", " r", " r^2", " r^3", " r^4", " r^5"};
    double c[TERMS], due = 1;
    if (!find_polynomial(s, c) || fabs(c[0] - 1) > 0.01) return 0;
    if (explain_other_r(c, text, size)) return 1;
    int used = snprintf(text, size, "matches 2^r taken for"), other = 0;
    char right[160] = "";
    for (int k = 0, at = 0; k < TERMS; k++, due *= 0.69314718 / k) {
        other += fabs(c[k] - due) > 0.02 * due + 1e-3;
        used += snprintf(text + used, size - used, "%s%.3g%s", k ? " + " : " ", fabs(c[k]) < 5e-4 ? 0 : c[k], power[k]);
        at += snprintf(right + at, sizeof right - at, "%s%.3g%s", k ? " + " : "", due, power[k]);
    }
    snprintf(text + used, size - used, ": it is %s", right);
    return other > 1;
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
    if (explain_formula(s, text, size) || lab_explain_exponential_parts(s, text, size) ||
        explain_polynomial(s, text, size))
        return 1;
    text[0] = 0;
    if (low == bad)
        return snprintf(text, size,
                        "right down to x = -87, and wrong below: y below -127 counts as -127, whose bits are 0; "
                        "-INFINITY, a masked score, is there, too") > 0;
    if (whole > 0.01)
        return snprintf(text, size,
                        "exp(0) is off by %.3g: 2^n has the bits (n + 127) << 23, and the polynomial begins with 1",
                        whole) > 0;
    if (above > 10 * below)
        return snprintf(text, size,
                        "right where r is in -1/2 .. 0, and wrong beyond, as where n is y cut toward 0 and r runs to "
                        "-1: round y "
                        "to the nearest whole number") > 0;
    if (below > 10 * above)
        return snprintf(text, size,
                        "right where r is in 0 .. 1/2, and wrong beyond, as where n is y rounded down and r runs to 1: "
                        "round y to "
                        "the nearest whole number") > 0;
    return explain_the_rest(s, fmax(above, below), text, size);
}
