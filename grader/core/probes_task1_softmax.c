// probes_task1_softmax.c: task 1, the three steps of the softmax: seq_q rows of seq_kv columns. The claims stand in
// probes_task1.c.
#include "formula.h"
#include "pieces.h"
#include "probes_task1.h"
#include "row_number.h"

#include <math.h>
#include <string.h>

// ---- row_max: out [seq_q], from S

SIZES(row_max, s.seq_q, 1, (size_t)s.seq_q *s.seq_kv)

// Every third row holds only scores below 0. Each column is the largest in some row, so that none can be left out.
static int largest_at(int row, int cols) { return (5 * row + 4) % cols; }

FILL(row_max) {
    const int cols = s.seq_kv;
    lab_fill(x, row_max_elements(s, t), cols, kind, key);
    for (int i = 0; i < s.seq_q * cols; i++)
        if (i / cols % 3 == 0) x[i] = -fabsf(x[i]) - 1;
    for (int r = 0; r < s.seq_q; r++) x[r * cols + largest_at(r, cols)] = r % 3 ? 5.25f + r : -0.5f - 0.01f * r;
}

// The largest |x| of those that are finite; what the first one begins with may be infinite.
static double largest_finite_size(const float *x, int n, double begin) {
    double m = begin;
    for (int i = 0; i < n; i++)
        if (isfinite(x[i])) m = fmax(m, fabs(x[i]));
    return m;
}

static double sum_of(const float *x, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i];
    return sum;
}

static double log_of_sum(const float *x, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += exp(x[i]);
    return log(sum);
}

ORACLE(row_max) {
    const int cols = s.seq_kv;
    for (int r = 0; r < s.seq_q; r++) {
        const float *x = in[1] + (size_t)r * cols;
        double m = mistake == 1 ? fmax(0, x[0]) : mistake == 5 && r ? fmax(out[r - 1], x[0]) : x[0];
        if (mistake == 7) m = fabs(m);
        if (mistake == 9) m = -1e30;
        if (mistake == 15) m = 0;  // and goes on with s[1]
        for (int c = 1; c < cols - (mistake == 4); c++)
            m = mistake == 2    ? fmin(m, x[c])
                : mistake == 3  ? x[c]
                : mistake == 6  ? m
                : mistake == 7  ? fmax(m, fabs(x[c]))
                : mistake == 10 ? fmax(x[c - 1], x[c])
                                : fmax(m, x[c]);
        if (mistake == 11) m = sum_of(x, cols) / cols;
        if (mistake == 18) m = log_of_sum(x, cols);
        if (mistake == 16) m = largest_finite_size(x, cols, fabs(x[0]));
        if (mistake == 17) m = largest_finite_size(x, cols, 0);
        if (mistake == 12)
            for (int c = cols - 1; c >= 0; c--)
                if (x[c] == (float)m) out[r] = c;
        if (mistake == 12) continue;
        const int compares = mistake == 13 || mistake == 14;  // with the score before; m falls back to s[0]
        for (int c = 0; c < cols && compares; c++) {
            m = !c ? x[0] : mistake == 13 && x[c] > x[c - 1] ? x[c] : m;
            if (mistake == 14) m = x[c] > m ? x[c] : x[0];
        }
        out[r] = mistake == 8 ? trunc(m) : isfinite(m) || mistake == 7 || mistake == 16 ? m : -1e30;
    }
    return 1;
}
// The columns that no row's maximum takes into account: those of the others are all that counts.
static int row_max_else(const lab_symptom *s, char *text, size_t size) {
    const int cols = s->shape.seq_kv;
    int left[cols], n = 0, first = cols, last = 0, even = 1;
    memset(left, 0, sizeof left);
    for (int r = 0; r < s->shape.seq_q; r++) left[largest_at(r, cols)] |= lab_element_bad(s, r, 0);
    for (int r = 0; r < s->shape.seq_q; r++) {
        double m = -INFINITY;
        for (int c = 0; c < cols; c++) m = left[c] ? m : fmax(m, s->in[1][r * cols + c]);
        if (!(fabs(m - s->got[r]) < LAB_TOLERANCE) && !(m < -1e29 && s->got[r] < -1e29)) return 0;
    }
    for (int c = 0; c < cols; c++)
        if (left[c]) first = c < first ? c : first, last = c, even &= (c - first) % 2 == 0, n++;
    if (n == 0 || n == cols) return 0;
    if (n == 1)
        snprintf(text, size, "s[%d] is not looked at, alone: does the loop over the columns reach it?", first);
    else if (n == last - first + 1)
        snprintf(text, size, "s[%d .. %d] are not looked at: does the loop over the columns reach them?", first, last);
    else if (even && n == (last - first) / 2 + 1 && first < 3 && last > cols - 3)
        snprintf(text, size, "every second score is not looked at: c takes each column, in steps of 1");
    else
        return 0;
    return 1;
}
#define LARGEST_SIZE "matches the largest |s|, where that is finite: a large negative score is no maximum"
#define STARTS_AT_0 "matches a maximum that starts at 0: a row whose scores are all below 0 has another one"
KNOWN_OR(row_max, row_max_else, STARTS_AT_0, "matches the smallest score: look for the largest",
         "matches the last score: m only grows", "the last score is not looked at: c runs to cols - 1",
         "matches a maximum that goes on from row to row: it begins with s[0] in each",
         "matches the first score: m is the largest of all columns",
         "matches the largest |s|: a large negative score is no maximum",
         "matches a maximum that is kept in an int: it has lost its digits after the point",
         "the first score is not looked at: m starts at s[0]",
         "matches the larger one of the last two scores: compare s[c] with m, not with s[c - 1]",
         "matches the mean of the scores: look for the largest",
         "matches the index of the largest score: m is the score itself, s[c]",
         "matches the last score that is larger than the one before it: compare s[c] with m, not with s[c - 1]",
         "m falls back to s[0] where a score is no larger: there m stays as it is, without an else", STARTS_AT_0,
         LARGEST_SIZE, LARGEST_SIZE,
         "matches log(sum of exp(s)), a log-sum-exp: it is the largest score itself, and nothing is added up");
SHARED_PROBE(row_max, row_max, 2, .tensors = {"m", "S"}, .fill = row_max_fill);

// ---- exponentials: out [seq_q, seq_kv + 1], p and then l, from S

SIZES(exponentials, s.seq_q, s.seq_kv + 1, (size_t)s.seq_q *s.seq_kv)

ORACLE(exponentials) {
    const int cols = s.seq_kv;
    for (int r = 0; r < s.seq_q; r++, out += cols + 1) {
        const float *x = in[1] + (size_t)r * cols;
        double m = x[0];
        for (int c = 1; c < cols; c++) m = fmax(m, x[c]);
        out[cols] = 0;
        for (int c = 0; c < cols; c++) {
            out[c] = mistake == 5    ? exp(x[c]) - m
                     : mistake == 6  ? exp(m - x[c])
                     : mistake == 15 ? exp(x[c] + m)
                     : mistake == 7  ? exp2(x[c] - m)
                     : mistake == 12 ? (float)x[c] - m
                                     : exp(mistake == 1    ? x[c]
                                           : mistake == 14 ? trunc(x[c] - m)
                                                           : x[c] - m);
            if (mistake == 16 && !c) out[cols] = 1;
            if (mistake == 17 && !c) out[0] = 1;
            out[cols] = mistake == 2                                               ? out[c]
                        : mistake == 3                                             ? 0
                        : mistake == 4                                             ? out[cols] + x[c]
                        : mistake == 8                                             ? out[cols] + x[c] - m
                        : (mistake == 9 && !c) || (mistake == 10 && c == cols - 1) ? out[cols]
                        : mistake == 13                                            ? out[cols] + exp(x[c])
                        : mistake == 11                                            ? out[cols] + 2 * out[c]
                                                                                   : out[cols] + out[c];
        }
    }
    return 1;
}
// What is not finite stands where the exponential of a score, or of the maximum, is too large for a float.
static int overflows(const lab_symptom *s, char *text, size_t size) {
    const int cols = s->shape.seq_kv;
    int odd = 0;
    for (int r = 0; r < s->shape.seq_q; r++) {
        const float *x = s->in[1] + (size_t)r * cols;
        float m = x[0];
        for (int c = 1; c < cols; c++) m = fmaxf(m, x[c]);
        for (int c = 0; c <= cols; c++) {
            if (lab_is_finite(s->got[r * (cols + 1) + c])) continue;
            if (!(expf(m) > 3e38f) && !(expf(-m) > 3e38f)) return 0;
            odd++;
        }
    }
    return odd && !s->cmp.unwritten &&
           snprintf(text, size,
                    "exp overflows where scores are large: m is subtracted from each score first, exp(s - m), and no "
                    "exponential of s or m alone is taken") > 0;
}

// The sum has one exponential too many, or one too few.
static int one_too_many(const lab_symptom *s, char *text, size_t size) {
    const int cols = s->shape.seq_kv;
    for (int code = 0; code < 2 * cols; code++) {
        const int c = code / 2, twice = code % 2;
        int fits = 1;
        for (int i = 0; i < s->shape.seq_q * (cols + 1) && fits; i++) {
            const double due = s->want[i] + (i % (cols + 1) < cols ? 0 : (twice ? 1 : -1) * s->want[i - cols + c]);
            fits = fabs(due - s->got[i]) < LAB_TOLERANCE / 10 * (1 + fabs(due));
        }
        if (fits)
            return snprintf(text, size,
                            twice ? "matches a sum in which p[%d] counts twice: l is 0 before the first one is added"
                                  : "matches a sum without p[%d]: each exponential is added to l",
                            c) > 0;
    }
    return 0;
}

static int exponentials_else(const lab_symptom *s, char *text, size_t size) {
    const size_t cols = s->shape.seq_kv;
    if (overflows(s, text, size) || one_too_many(s, text, size)) return 1;
    const lab_formula p = {"p[c]", "exp(s - m)", 0, cols, cols + 1, {{"s", LAB_OF_ELEMENT, 1}, {"m", LAB_ROW_MAX, 1}}};
    return lab_explain_power(s, (lab_powers){(int)cols, (int)cols + 1, 0}, text, size) ||
           lab_explain_formula(s, &p, text, size);
}
KNOWN_OR(known_exponentials, exponentials_else, "matches exp(s): subtract the row maximum m before exp",
         "l is the last exponential: add each one to it", "l stays 0: add each exponential to it",
         "matches l = " LAB_SUM_OF_SCORES, "matches exp(s) - m: m is subtracted before the exponential, exp(s - m)",
         "matches exp(m - s): the exponent is s - m, at most 0",
         "matches 2^(s - m): it is e^(s - m), expf and not exp2f",
         "l is the sum of s - m: add up the exponentials, p[c]", "the first exponential is not in l: c runs from 0",
         "the last exponential is not in l: c runs to cols - 1", "each exponential is added to l twice",
         "p holds s - m: the exponential is missing", "l is the sum of exp(s): subtract m there, too, add up p[c]",
         "matches exponents that are cut to an int: keep s - m in a float",
         "matches exp(s + m): the exponent is s - m, at most 0", "l starts at 1: it is 0 before the first exponential",
         LAB_FIRST_IS_ONE_TEXT);
// A product of small numbers is nearly 0, and l does not stay 0 for that.
static int nearly_zero(const lab_symptom *s, char *text, size_t size) {
    const int cols = s->shape.seq_kv;
    int zero = 1;
    for (int i = 0; i < s->shape.seq_q * (cols + 1); i++) {
        const float l = s->got[i];
        if (i % (cols + 1) < cols ? lab_element_bad(s, (size_t)i, 0) : !(fabsf(l) < LAB_TOLERANCE)) return 0;
        zero &= i % (cols + 1) < cols || l == 0;
    }
    return !zero && snprintf(text, size,
                             "every l is nearly 0, and not 0: are the exponentials multiplied? Each is added to l") > 0;
}
static int exponentials_diagnose(const lab_symptom *s, char *text, size_t size) {
    const int cols = s->shape.seq_kv;
    const lab_row_numbers l = {.rows = s->shape.seq_q, .columns = cols, .threads = 1, .out_row = cols + 1, .at = cols};
    return lab_explain_row_numbers(s, l, text, size) || nearly_zero(s, text, size) ||
           known_exponentials_diagnose(s, text, size);
}
SHARED_PROBE(exponentials, exponentials, 2, .tensors = {"p and l", "S"});

// ---- normalise: out [seq_q, seq_kv], from exponentials

SIZES(normalise, s.seq_q, s.seq_kv, (size_t)s.seq_q *s.seq_kv)

FILL(normalise) {
    lab_fill_scaled(x, normalise_elements(s, t), 1, key);
    const int cols = s.seq_kv;
    for (int i = 0; i < s.seq_q * cols; i++)  // in every second row the sum is little above 1
        x[i] = i / cols % 2 && i % cols == 0 ? 1 : expf(-fabsf(x[i]) * (i / cols % 2 ? 9 : 1));
}

ORACLE(normalise) {
    const int cols = s.seq_kv;
    for (int r = 0; r < s.seq_q; r++) {
        const float *e = in[1] + (size_t)r * cols;
        double l = 0;
        for (int c = 0; c < cols; c++) l += e[c];
        for (int c = 0; c < cols; c++, out++)
            *out = mistake == 1   ? e[c]
                   : mistake == 2 ? e[c] / cols
                   : mistake == 3 ? e[c] * l
                   : mistake == 5 ? e[c] / trunc(l)
                   : mistake == 6 ? 1 / l
                   : mistake == 7 ? e[c] / sqrt(l)
                   : mistake == 8 ? e[c] - l
                   : mistake == 9 ? e[c] / (l - sum_of(e, c))
                   : mistake == 4 ? (c < cols - 1 ? e[c] / l : e[c])
                                  : e[c] / l;
    }
    return 1;
}
static int normalise_else(const lab_symptom *s, char *text, size_t size) {
    const int cols = s->shape.seq_kv;
    double more = 0;
    int same = 1, none = 1;
    for (int i = 0; i < s->shape.seq_q * cols; i++) none = none && s->got[i] == 0;
    if (none) return snprintf(text, size, "every p is 0: is 1 / l kept in an int? It is at most 1, so 0 is left") > 0;
    for (int i = 0; i < s->shape.seq_q * cols && same; i++) {  // e / (l + more)
        const double is = s->in[1][i] / s->got[i] - s->in[1][i] / s->want[i];
        if (i == 0) more = is;
        same = fabs(is - more) < 1e-3 * (1 + fabs(more));
    }
    if (same) return snprintf(text, size, "matches a division by l + %.3g: divide by l", more) > 0;
    if (lab_explain_pieces(s, 1, text, size) || lab_explain_row_divided(s, s->shape.seq_q, cols, text, size)) return 1;
    const lab_formula p = {
        "p[c]",       "p / l",      0,
        (size_t)cols, (size_t)cols, {{"p", LAB_OF_ELEMENT, 1}, {"l", LAB_ROW_SUM, 1}, {"cols", LAB_COLUMNS, 1}}};
    return lab_explain_left(s, (lab_left){"p", 1, s->shape.seq_kv, s->shape.seq_kv}, text, size) ||
           lab_explain_formula(s, &p, text, size);
}
KNOWN_OR(normalise, normalise_else, "nothing is divided: divide each p[c] by l",
         "matches a division by cols: divide by the row's sum l", "matches a multiplication by l: divide by it",
         "the last probability is not divided: c runs to cols - 1",
         "matches a division by l cut to an int: keep it in a float", "matches 1 / l: divide p[c] by l",
         "matches a division by sqrt(l): divide by l", "l is subtracted: divide by it",
         "l gets smaller in the loop: divide every p[c] by the complete sum");
SHARED_PROBE(normalise, normalise, 2, .tensors = {"p", "exponentials"}, .fill = normalise_fill);
