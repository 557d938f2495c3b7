// joined_factors.c: rows of m, l and o that are joined to one (TODOs 5.7 and 5.10): another maximum, or parts that count
// by another factor than exp(m - max).
#include "joined.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "approximations.h"

enum { MOST = 64 };

typedef struct {
    const float *x;
    int n, width, first, last;  // rows with keys: the first, the last
    double top, sum;            // the largest m, the sum of exp(m - top) l
} parts;

static int parts_of(const lab_symptom *s, parts *p) {
    *p = (parts){s->in[1], s->shape.seq_kv, 2 + s->shape.head_dim, -1, -1, -INFINITY, 0};
    for (int j = 0; j < p->n; j++) {
        const double m = p->x[j * p->width];
        if (m == -INFINITY) continue;
        p->last = j, p->first = p->first < 0 ? j : p->first;
        p->top = fmax(p->top, m);
    }
    for (int j = 0; j < p->n; j++)
        if (p->x[j * p->width] != -INFINITY) p->sum += exp(p->x[j * p->width] - p->top) * p->x[j * p->width + 1];
    return p->first >= 0 && p->last > p->first;
}

static int is_near(double due, double got) { return fabs(due - got) < 1e-3 * (1 + fabs(due)); }

// ---- The maximum

int lab_explain_maximum(const lab_symptom *s, const char *part, char *text, size_t size) {
    const int key = strcmp(part, "key") == 0;
    const char *const m = key ? "p->m" : "all.m", *const score = key ? "score" : *part == 's' ? "L" : "m";
    double least = INFINITY, sum = 0, all_but_first = -INFINITY, all_but_last = -INFINITY;
    char said[200] = "";
    parts p;
    if (!parts_of(s, &p) || !lab_is_finite(s->got[0]) || is_near(s->want[0], s->got[0])) return 0;
    for (int j = p.first; j <= p.last; j++) {
        const double x = p.x[j * p.width];
        least = fmin(least, x), sum += x;
        if (j > p.first) all_but_first = fmax(all_but_first, x);
        if (j < p.last) all_but_last = fmax(all_but_last, x);
    }
    const double got = s->got[0], first = p.x[p.first * p.width], last = p.x[p.last * p.width];
    const int ends = p.last < p.n - 1;  // those behind have no keys
    const struct {
        int fits;
        const char *text;
    } mistake[] = {
        {got == LAB_NO_KEYS,
         "%s that stays -INFINITY: the largest %s is not stored in it, or that of a %s without keys is added to it"},
        {is_near(all_but_first, got), "%s without the %s of the first %s: a loop begins at 0"},
        {!ends && is_near(all_but_last, got), "%s without the %s of the last %s: does its loop end too early?"},
        {ends ? got == LAB_NO_KEYS : is_near(last, got), "%s = the %s of the last %s alone: it is the largest of all"},
        {!ends && is_near(least, got), "%s = the smallest %s: it is the largest"},
        {is_near(first, got), "%s = the %s of the first %s alone: it is the largest of all"},
        {is_near(sum, got), "%s = the sum of all %s: it is the largest"},
    };
    int found = 0;
    for (size_t i = 0; i < sizeof mistake / sizeof *mistake; i++) {
        char with[160];
        if (!mistake[i].fits) continue;
        snprintf(with, sizeof with, mistake[i].text, m, score, part);
        snprintf(said, sizeof said, "matches %s", with);
        found |= lab_guess(s->guesses, said, text, size);
    }
    return found;
}

// ---- The factors

typedef enum {
    SWAPPED,
    FROM_FIRST,
    RATIO,
    DIFFERENCE,
    TIMES_M,
    OVER_L,
    OVER_SUM,
    OVER_SUM_SO_FAR,
    WITHOUT_FIRST,
    LAST_ALONE,
    FIRST_ALONE,
    SQUARED,
    SO_FAR,
    N_FACTORS
} factor;

static const char *const factor_text[N_FACTORS] = {
    "exp(max - m): the arguments of weight are exchanged, it is exp(m - max)",
    "exp(m - m of the first %s): it is exp(m - max), with the largest of all",
    "m / max: it is exp(m - max)",
    "m - max, without exp: it is exp(m - max)",
    "exp(m - max) * m: the factor is exp(m - max) alone",
    "exp(m - max) / l of the %s: it is exp(m - max), and the kernel divides at the end",
    "exp(m - max) / (the whole sum l): it is exp(m - max), and the kernel divides at the end",
    "exp(m - max) / (the sum l so far): it is exp(m - max), and the kernel divides at the end",
    "0 for the first %s: a loop begins at 0",
    "0 for all but the last %s: it is set, and must be added to",
    "0 for all but the first %s with keys: does the loop end at one without keys?",
    "exp(m - max) twice: once is enough",
    "exp(max so far - max): that brings the sum so far to the new maximum, and the %s that comes has its own"};

static double factor_of(factor f, const parts *p, int j, double so_far, double top_so_far) {
    const double m = p->x[j * p->width], e = exp(m - p->top);
    switch (f) {
    case SWAPPED: return 1 / e;
    case FROM_FIRST: return exp(m - p->x[p->first * p->width]);
    case RATIO: return m / p->top;
    case DIFFERENCE: return m - p->top;
    case TIMES_M: return e * m;
    case OVER_L: return e / p->x[j * p->width + 1];
    case OVER_SUM: return e / p->sum;
    case OVER_SUM_SO_FAR: return e / so_far;
    case WITHOUT_FIRST: return j == p->first ? 0 : e;
    case LAST_ALONE: return j == p->n - 1 ? e : 0;
    case FIRST_ALONE: return j == p->first ? e : 0;
    case SO_FAR: return exp(top_so_far - p->top);
    default: return e * e;
    }
}

// f: a factor, or N_FACTORS and more: what is taken for exp(m - max).
static int gives(const lab_symptom *s, const parts *p, int f, int column) {
    double sum = 0, so_far = 0, top = -INFINITY;
    for (int j = p->first; j <= p->last; j++) {
        const float *x = p->x + j * p->width;
        if (x[0] == -INFINITY && f >= N_FACTORS) continue;
        top = fmax(top, x[0]), so_far += exp(x[0] - p->top) * x[1];
        sum += (f < N_FACTORS ? factor_of((factor)f, p, j, so_far, top)
                              : lab_approximation(f - N_FACTORS, x[0] - p->top)) *
               x[column];
    }
    return is_near(sum, s->got[column]);
}

static const char *text_of(int f, const char *part, char *text, size_t size) {
    char name[80];
    if (f < N_FACTORS)
        snprintf(text, size, factor_text[f], part);
    else
        snprintf(text, size, "%s, x = m - max: it is exp(x), which that comes close to near 0 alone",
                 lab_approximation_name(f - N_FACTORS, name, sizeof name));
    return text;
}

int lab_explain_factors(const lab_symptom *s, const char *part, char *text, size_t size) {
    int found = 0, wrong_l, wrong_o = 0;
    parts p;
    if (!parts_of(s, &p) || s->cmp.not_finite || lab_element_bad(s, 0, 0)) return 0;
    wrong_l = lab_element_bad(s, 1, 0);
    for (int i = 2; i < p.width; i++) wrong_o |= lab_element_bad(s, (size_t)i, 0);
    for (int f = 0; f < N_FACTORS + LAB_APPROXIMATIONS; f++) {
        int l = wrong_l && gives(s, &p, f, 1), o = wrong_o;
        for (int i = 2; i < p.width && o; i++) o = gives(s, &p, f, i);
        char said[240], with[160];
        if (l != wrong_l || o != wrong_o) continue;
        if (f == OVER_SUM && !o) {  // the whole sum / itself
            found |= lab_guess(s->guesses, "matches all.l = 1, the largest factor: all.l is the sum over all of them",
                               text, size);
            continue;
        }
        snprintf(said, sizeof said, "matches %s with the factor %s",
                 l && o ? "all.l and all.o"
                 : l    ? "all.l"
                        : "all.o",
                 text_of(f, part, with, sizeof with));
        found |= lab_guess(s->guesses, said, text, size);
    }
    return found;
}

// ---- What is not finite. Where somebody has keys, no difference of two infinities is to blame.

// m and l are what they must be, and o is no number: its factors are right.
static int say_o_alone(int split, char *text, size_t size) {
    return snprintf(text, size, "all.m and all.l are right, and all.o is NaN or Inf: %s",
                    split ? "O is read outside of its rows (number d of split s is O[s * D + d]), or divided by 0"
                          : "o is read elsewhere than in o[w][d], or divided by the l of a warp without keys, 0") > 0;
}

int lab_explain_joined_nan(const lab_symptom *s, const char *part, char *text, size_t size) {
    const int split = *part == 's';
    const int right = !lab_element_bad(s, 0, 0) && !lab_element_bad(s, 1, 0);
    int wrong_o = 0, large = 0;
    parts p;
    const int has_keys = parts_of(s, &p);
    for (int i = 2; i < p.width; i++) wrong_o += !lab_is_finite(s->got[i]);
    if (s->cmp.not_finite <= s->cmp.unwritten) return 0;
    // Of a factor that is none all dims are.
    if (!has_keys) return right && wrong_o && wrong_o < p.width - 2 ? say_o_alone(split, text, size) : 0;
    if (lab_explain_maximum(s, part, text, size)) return 1;
    for (int j = p.first; j <= p.last; j++) large |= fabs(p.x[j * p.width]) > 80;
    if (large) return 0;
    if (!lab_element_bad(s, 0, 0) && lab_element_bad(s, 1, 0) && !lab_is_finite(s->got[1]))
        return snprintf(text, size,
                        "a guess: all.m is right, and NaN or Inf comes from the factor of a %s: it is weight(%s, "
                        "all.m), in this order, a number up to 1, and 0 without keys",
                        part, split ? "L[s]" : "m[w]") > 0;
    if (right && wrong_o) return say_o_alone(split, text, size);
    if (!split)
        return snprintf(text, size,
                        "a guess: NaN from a warp without keys, where its l, 0, divides something; or something is "
                        "read that is no warp: does a loop end with the last one, and is each index in its place?") > 0;
    return snprintf(text, size,
                    "a guess: something is read that is no %s: does a loop end with the last one, and is each index "
                    "in its place?",
                    part) > 0;
}
