// exponential_parts.c: task 3, TODO 3.13: the whole n and the rest r into which y = x log2(e) is split are those of another
// number, or n is rounded another way. What is made of them, 2^n times the polynomial of r, is right.
#include <math.h>
#include <stdio.h>

#include "pointwise.h"

#define LOG2_E 1.44269504

double lab_power_of_rest(double r) {
    return 1 + r * (0.693147 + r * (0.24022242 + r * (0.055507336 + r * (0.009671513 + r * 0.0013264727))));
}

// What stands in place of n and r.
typedef enum {
    CUT,
    DOWN,
    N_OF_X,
    N_OF_X_BEFORE,
    R_OF_X,
    R_SCALED,
    SCALED_TWICE,
    LN_2,
    LOG_10,
    NO_SIGN,
    N_SPLITS
} split;

static const struct {
    double near;  // as near as that to what is due
    const char *words;
} splits[N_SPLITS] = {
    [CUT] = {1e-5, "matches 2^n 2^r where n is y cut toward 0: r = y - n runs to -1, and the polynomial is good from "
                   "-1/2 to 1/2 alone: round y to the nearest whole number"},
    [DOWN] = {1e-5, "matches 2^n 2^r where n is y rounded down: r = y - n runs to 1, and the polynomial is good from "
                    "-1/2 to 1/2 alone: round y to the nearest whole number"},
    [N_OF_X] = {2e-3, "matches 2^n 2^r where n is x rounded and r = x log2(e) - n, which leaves -1/2 .. 1/2: multiply "
                      "x by log2(e) first, and then round y = x log2(e) to n"},
    [N_OF_X_BEFORE] = {2e-3, "matches 2^n 2^r where n is x rounded and r = (x - n) log2(e): log2(e) is missing in n. "
                             "Multiply x by it first, and then round y = x log2(e) to n"},
    [R_OF_X] = {2e-3, "matches 2^n 2^r where n is y rounded and r = x - n: r is what is left of y, y - n"},
    [R_SCALED] = {2e-3, "matches 2^n 2^r where r = (y - n) log2(e): y is x log2(e) already, so r = y - n"},
    [SCALED_TWICE] = {2e-3, "matches 2^y with x log2(e)^2 as y: multiply x by log2(e) once"},
    [LN_2] = {2e-3, "matches 2^y with y = x ln(2), which is x / log2(e): multiply x by log2(e) = 1.4427"},
    [LOG_10] = {2e-3, "matches 10^x: y = x log2(10); multiply x by log2(e) = 1.4427"},
    [NO_SIGN] = {2e-3, "matches exp(-x): y = x log2(e) is below 0 where x is, and so is n"},
};

static double value_of(split way, double x) {
    const double y = x * LOG2_E;
    double of = y;  // what is split into n and r
    switch (way) {
    case CUT: return exp2(trunc(y)) * lab_power_of_rest(y - trunc(y));
    case DOWN: return exp2(floor(y)) * lab_power_of_rest(y - floor(y));
    case N_OF_X: return exp2(rint(x)) * lab_power_of_rest(y - rint(x));
    case N_OF_X_BEFORE: return exp2(rint(x)) * lab_power_of_rest((x - rint(x)) * LOG2_E);
    case R_OF_X: return exp2(rint(y)) * lab_power_of_rest(x - rint(y));
    case R_SCALED: return exp2(rint(y)) * lab_power_of_rest((y - rint(y)) * LOG2_E);
    case SCALED_TWICE: of = y * LOG2_E; break;
    case LN_2: of = x / LOG2_E; break;
    case LOG_10: of = x * 3.32192809; break;
    default: of = -y;
    }
    return exp2(rint(of)) * lab_power_of_rest(of - rint(of));
}

// y + shift has other digits than those of whole numbers, as shift is too small, or too large, or no number is added at all:
// n is y rounded to multiples of `unit`, of which an int keeps the whole part. Of unit 0 n is y itself.
static double value_of_units(double unit, int rounds_down, double x) {
    const double y = x * LOG2_E, n = unit > 0 ? unit * rint(y / unit) : y;
    return exp2(rounds_down ? floor(n) : trunc(n)) * lab_power_of_rest(y - n);
}

static int explain_units(const lab_symptom *s, char *text, size_t size) {
    static const double units[] = {0.5, 0.25, 0.125, 0.0625, 0, 2, 4, 8};
    for (size_t i = 0; i < 2 * sizeof units / sizeof *units; i++) {
        const double unit = units[i / 2];
        const double near = unit > 1   ? 3e-6
                            : unit > 0 ? 1e-4
                                       : 2e-3;  // 2: |r| <= 1, where the polynomial is nearly right
        int told = 0, fits = 1;
        for (int k = 0; k < s->shape.seq_q && fits; k++) {
            const double x = s->in[1][k], is = 1 + (s->got[k] - 1) / 50, due = value_of_units(unit, i % 2, x) / exp(x);
            if (!(x > -11)) continue;
            fits = fabs(is - due) < near * fmax(1, fabs(due));
            told += fabs(due - 1) > 5 * near;
        }
        if (!fits || told < 3) continue;
        if (unit == 0)
            return snprintf(text, size,
                            "matches 2^n alone, with y cut to a whole number as n: 2^r is missing, or r = y - n is 0, "
                            "as n keeps what y has after the point. Round y to the nearest whole number first") > 0;
        char name[20];
        snprintf(name, sizeof name, unit < 1 ? "1/%g" : "%g", unit < 1 ? 1 / unit : unit);
        return snprintf(text, size,
                        "matches y rounded to multiples of %s, and not of 1, as y + shift has them where shift is too "
                        "%s: y is below 0, and y + shift lies in 2^23 .. 2^24 if shift is 1.5 * 2^23",
                        name, unit < 1 ? "small" : "large") > 0;
    }
    return 0;
}

// Down to x = -11: below, some of them are too large or too small to be told apart.
int lab_explain_exponential_parts(const lab_symptom *s, char *text, size_t size) {
    if (explain_units(s, text, size)) return 1;
    for (split way = 0; way < N_SPLITS; way++) {
        int told = 0, fits = 1;
        for (int i = 0; i < s->shape.seq_q && fits; i++) {
            const double x = s->in[1][i], is = 1 + (s->got[i] - 1) / 50, due = value_of(way, x) / exp(x);
            if (!(x > -11)) continue;
            fits = fabs(is - due) < splits[way].near * fmax(1, fabs(due));
            told += fabs(due - 1) > 5 * splits[way].near;
        }
        if (fits && told > 2) return snprintf(text, size, "%s", splits[way].words) > 0;
    }
    return 0;
}
