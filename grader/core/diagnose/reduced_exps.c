// reduced_exps.c: exp(x) = 2^n exp(f), where n is x / ln(2) as a whole number and exp(f) = 1 + f (1 + f/2 (1 + f/3 (...))).
// 2^r is the same with f = r ln(2). Students lose one of these factors, a divisor or a sign, or take exp(f) for 2^r.
#include "reduced_exps.h"

#include <math.h>
#include <stdio.h>

enum { LONGEST = 8, WAYS = 3, KINDS = LAB_REDUCED_EXPS / WAYS };  // n is x / ln(2) rounded, cut, rounded down

typedef enum { LOST_FACTOR, LOST_DIVISOR, LOST_SIGN, ENDS, NO_FACTORIALS, NO_DIVISORS, OF_R, ALONE, SCALED } mistake;

// Kinds 0 .. KINDS - 1: factor k lost (1 to 5), divisor k lost (2 to 5), sign of k turned (1 to 5), the last term k (1 to 5).
static mistake mistake_of(int kind, int *k) {
    static const struct {
        mistake is;
        int from, n;
    } of[] = {{LOST_FACTOR, 1, 5},   {LOST_DIVISOR, 2, 4}, {LOST_SIGN, 1, 5}, {ENDS, 1, 4},
              {NO_FACTORIALS, 0, 1}, {NO_DIVISORS, 0, 1},  {OF_R, 0, 1},      {ALONE, 0, 1}};
    for (size_t i = 0; i < sizeof of / sizeof *of; kind -= of[i++].n)
        if (kind < of[i].n) return *k = of[i].from + kind, of[i].is;
    return *k = 0, SCALED;
}

static double series(mistake is, int k, double f) {
    double sum = 1, power = 1;
    if (is == NO_FACTORIALS || is == NO_DIVISORS) {  // 1 + f + f^2 / 2 + f^3 / 3 + ...; 1 + f + f^2 + ...
        for (int j = 1; j <= LONGEST; j++) power *= f, sum += power / (is == NO_FACTORIALS ? j : 1);
        return sum;
    }
    for (int j = is == ENDS ? k : LONGEST; j > 0; j--) {
        const double factor = is == LOST_DIVISOR && j == k ? f : is == LOST_SIGN && j == k ? -f / j : f / j;
        if (is != LOST_FACTOR || j != k) sum = 1 + factor * sum;
    }
    return sum;
}

double lab_reduced_exp(int i, double x) {
    static double (*const rounds[WAYS])(double) = {rint, trunc, floor};
    int k;
    const mistake is = mistake_of(i % KINDS, &k);
    const double ln2 = log(2), n = rounds[i / KINDS](x / ln2), f = x - n * ln2;
    const double of = is == OF_R ? f / ln2 : is == SCALED ? f * ln2 : f;
    return (is == ALONE ? 1 : exp2(n)) * series(is, k, of);
}

const char *lab_reduced_exp_name(int i, char *text, size_t size) {
    int k;
    switch (mistake_of(i % KINDS, &k)) {
    case LOST_FACTOR: snprintf(text, size, k > 1 ? "lacks its factor f/%d" : "lacks its factor f", k); break;
    case LOST_DIVISOR: snprintf(text, size, "has f in place of f/%d", k); break;
    case LOST_SIGN: snprintf(text, size, k > 1 ? "has -f/%d in place of f/%d" : "has -f in place of f", k, k); break;
    case ENDS: snprintf(text, size, k > 1 ? "ends with f/%d" : "ends with f", k); break;
    case NO_FACTORIALS: snprintf(text, size, "has f^k / k as its terms, and not f^k / k!"); break;
    case NO_DIVISORS: snprintf(text, size, "has f^k as its terms, and not f^k / k!"); break;
    case OF_R: snprintf(text, size, "is one of f / ln(2), the rest of x / ln(2)"); break;
    case ALONE: snprintf(text, size, "stands alone, without 2^n"); break;
    default: snprintf(text, size, "is one of f ln(2)");
    }
    return text;
}
