// op_softmax.c: the softmax of rows, in tasks 1 and 2.
#include "other_weights.h"
#include "pieces.h"
#include "row_number.h"
#include "row_sums.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static size_t elements(attn_shape s, int t) { return (size_t)s.seq_q * s.seq_kv; }

static void extent(attn_shape s, size_t extent[4]) { extent[0] = extent[1] = 1, extent[3] = s.seq_kv; }

static double flops(attn_shape s) { return 4.0 * s.seq_q * s.seq_kv; }  // subtract, exp, add, divide

static int oracle(attn_shape s, const int extra[2], const float *const in[LAB_MAX_TENSORS], int mistake, double *out) {
    for (size_t r = 0; r < (size_t)s.seq_q; r++)
        lab_oracle_softmax(out + r * s.seq_kv, in[1] + r * s.seq_kv, s.seq_kv, mistake);
    return 1;
}

// ---- Which mistake was it?

static void row_with_mistake(const lab_symptom *s, size_t r, int mistake, double *out, double *scratch) {
    lab_oracle_softmax(out, s->in[1] + r * s->shape.seq_kv, s->shape.seq_kv, mistake);
}

static double largest_score(const lab_symptom *s, size_t r) {
    const int cols = s->shape.seq_kv;
    double max = -INFINITY;
    for (int c = 0; c < cols; c++) max = fmax(max, s->in[1][r * cols + c]);
    return max;
}

static int columns_sum_to_one(const lab_symptom *s) {
    const size_t rows = s->shape.seq_q, cols = s->shape.seq_kv;
    for (size_t c = 0; c < cols; c++) {
        double sum = 0;
        for (size_t r = 0; r < rows; r++) sum += s->got[r * cols + c];
        if (!(fabs(sum - 1) < LAB_TOLERANCE)) return 0;
    }
    return rows > 1;
}

// The ratio log(p_i / p_j) / (s_i - s_j) of two numbers of a row that are far apart; 0: there are none. A softmax has 1.
static double base_of(const lab_symptom *s, size_t r) {
    const size_t cols = s->shape.seq_kv;
    const float *x = s->in[1] + r * cols, *p = s->got + r * cols;
    size_t low = cols, high = cols;
    for (size_t c = 0; c < cols; c++) {
        if (!(p[c] > 1e-4f)) continue;
        if (low == cols || x[c] < x[low]) low = c;
        if (high == cols || x[c] > x[high]) high = c;
    }
    return low < cols && x[high] > x[low] + 0.1f ? log(p[high] / p[low]) / (x[high] - x[low]) : 0;
}

static int explain_base(const lab_symptom *s, const lab_sample *bad, char *text, size_t size) {
    const double t = bad->n ? base_of(s, bad->row[0]) : 0;
    for (int i = 0; i < bad->n; i++)
        if (!(fabs(base_of(s, bad->row[i]) / t - 1) < 0.002)) return 0;
    if (!(t > 0) || fabs(t - 1) < 0.01) return 0;
    if (fabs(t / log(2) - 1) < 0.002)
        snprintf(text, size,
                 "matches 2^x in place of e^x: exp2f needs numbers that are multiplied by log2(e) = 1.4427");
    else
        snprintf(text, size, "matches exp(%.4g x) in place of exp(x)", t);
    return 1;
}

// The number n for which each row is divided by the sum over its first n columns alone. Returns 0 if there is none.
static int explain_short_sum(const lab_symptom *s, const lab_sample *bad, char *text, size_t size) {
    const size_t cols = s->shape.seq_kv;
    size_t first = 0;
    for (int i = 0; i < bad->n; i++) {
        const float *got = s->got + bad->row[i] * cols;
        const double *want = s->want + bad->row[i] * cols;
        double got_sum = 0, sum = 0;
        size_t n = 0;
        for (size_t c = 0; c < cols; c++) got_sum += got[c];
        while (n < cols && fabs(sum * got_sum - 1) > 1e-5) sum += want[n++];
        if (n == 0 || n == cols || (first && n != first)) return 0;
        first = n;
    }
    if (bad->n < 2) return 0;
    snprintf(text, size, "matches a division by the sum over the first %zu columns alone: a row has %zu", first, cols);
    return 1;
}

#define OWN_SUMS                                                                                                       \
    "matches a row sum whose parts count from a maximum of their own: before it is added, a part's sum is multiplied " \
    "by exp(its own maximum - the row's)"

// The first rows, one after the other, so that a sum that runs on is seen.
static void explain_divisor(const lab_symptom *s, char text[5][240]) {
    const size_t cols = s->shape.seq_kv;
    const int rows = s->shape.seq_q < LAB_MOST_ROWS ? s->shape.seq_q : LAB_MOST_ROWS;
    double *score = malloc(rows * cols * sizeof *score), factor[LAB_MOST_ROWS];
    const double *of[LAB_MOST_ROWS];
    int n[LAB_MOST_ROWS], known = score != NULL;
    for (int r = 0; r < rows && known; r++) {
        double gw = 0, ww = 0, rest = 0;
        of[r] = score + r * cols, n[r] = (int)cols;
        for (size_t c = r * cols; c < (r + 1) * cols; c++)
            score[c] = s->in[1][c], gw += s->got[c] * s->want[c], ww += s->want[c] * s->want[c];
        factor[r] = gw / ww;
        for (size_t c = r * cols; c < (r + 1) * cols; c++) rest += pow(s->got[c] - factor[r] * s->want[c], 2);
        known = rest < 1e-6 * factor[r] * factor[r] * ww;
    }
    if (known) {
        if (s->op == &lab_softmax_batched) lab_explain_idle_threads(s, of, n, factor, rows, text[3], sizeof text[3]);
        if (!*text[3]) lab_name_divisor(of, n, factor, rows, text[0], sizeof text[0]);
        lab_explain_own_sums(of, n, factor, rows, OWN_SUMS, text[1], sizeof text[1]);
        if (s->op == &lab_softmax_batched) lab_explain_thread_sums(of, n, factor, rows, text[2], sizeof text[2]);
        if (s->op == &lab_softmax_batched) lab_explain_plain_sums(of, n, factor, rows, text[4], sizeof text[4]);
    }
    free(score);
}

// The maximum so far in place of the row's: exp(s - it), divided by the sum of these, or by one that is rescaled.
static int explain_running_max(const lab_symptom *s, const lab_sample *bad, int rescaled, char *text, size_t size) {
    const size_t cols = s->shape.seq_kv;
    for (int i = 0; i < bad->n; i++) {
        const float *x = s->in[1] + bad->row[i] * cols, *got = s->got + bad->row[i] * cols;
        double sum = 0, max = -INFINITY;
        int grows = 0;
        for (size_t c = 0; c < cols; c++) {
            const double old = max;
            max = fmax(max, x[c]);
            grows += c && max > old;
            if (rescaled && max > old) sum *= exp(old - max);
            if (max > -INFINITY) sum += exp(x[c] - max);
        }
        max = -INFINITY;
        for (size_t c = 0; c < cols; c++) {
            max = fmax(max, x[c]);
            const double is = max > -INFINITY ? exp(x[c] - max) / sum : 0;
            if (!(fabs(got[c] - is) < LAB_TOLERANCE / 10) || !grows) return 0;
        }
    }
    if (!bad->n) return 0;
    snprintf(text, size,
             rescaled
                 ? "matches a sum that is rescaled each time the maximum grows, and exponentials that are not: take "
                   "them in a second loop, with the maximum of the whole row"
                 : "matches exponentials taken with the largest score so far: the maximum of the whole row comes "
                   "first, or what was computed is multiplied by exp(m_old - m_new) each time it grows");
    return 1;
}

// Divided by the sum up to the own column, of those columns that a thread has: 0 / 0 where no score so far counts beside
// the maximum.
static int fits_sum_so_far(const lab_symptom *s, const lab_sample *bad, size_t threads) {
    const size_t cols = s->shape.seq_kv;
    for (int i = 0; i < bad->n; i++) {
        const float *x = s->in[1] + bad->row[i] * cols, *got = s->got + bad->row[i] * cols;
        double max = -INFINITY;
        for (size_t c = 0; c < cols; c++) max = fmax(max, x[c]);
        for (size_t first = 0; first < threads; first++) {
            double sum = 0;
            for (size_t c = first; c < cols; c += threads) {
                const double p = exp(x[c] - max);
                sum += p;
                if (sum > 1e-36 ? !(fabs(got[c] - p / sum) < LAB_TOLERANCE / 10) : isfinite(got[c]) && !(got[c] >= 0))
                    return 0;
            }
        }
    }
    return bad->n > 0;
}

static int explain_sum_so_far(const lab_symptom *s, const lab_sample *bad, char *text, size_t size) {
    if (fits_sum_so_far(s, bad, 1))
        return lab_guess(s->guesses,
                         "matches exponentials divided by the sum up to their own column: divide by the sum of all, "
                         "in a loop behind the one that adds it up",
                         text, size);
    for (size_t threads = 32; threads <= 1024 && s->op == &lab_softmax_batched; threads *= 2)
        if (fits_sum_so_far(s, bad, threads))
            return lab_guess(s->guesses,
                             "matches exponentials divided by what their own thread has added up so far: divide by the "
                             "sum of all threads, in a loop behind the one that adds up",
                             text, size);
    return 0;
}

// exp(s - m - l) in place of exp(s - m) / l. Where l is large all of a row is 0, which tells nothing alone.
static int explain_missing_log(const lab_symptom *s, const lab_sample *bad, char *text, size_t size) {
    const size_t cols = s->shape.seq_kv;
    int telling = 0;
    for (int i = 0; i < bad->n; i++) {
        const float *x = s->in[1] + bad->row[i] * cols, *got = s->got + bad->row[i] * cols;
        double sum = 0, max = -INFINITY;
        for (size_t c = 0; c < cols; c++) max = fmax(max, x[c]);
        for (size_t c = 0; c < cols; c++) sum += exp(x[c] - max);
        for (size_t c = 0; c < cols; c++) {
            const double is = exp(x[c] - max - sum);
            if (!(fabs(got[c] - is) <= LAB_TOLERANCE * is + 1e-37)) return 0;
            telling += is > 1e-30;
        }
    }
    char aside[240];
    return bad->n &&
           lab_guess(s->guesses, "matches a division by " LAB_EXP_OF_L, telling ? text : aside,
                     telling ? size : sizeof aside) &&
           telling;
}

static int has_masked(const lab_symptom *s) {
    for (size_t i = 0; i < s->op->elements(s->shape, 1); i++)
        if (s->in[1][i] == -INFINITY) return 1;
    return 0;
}

// Every exponential is divided by 0: Inf where it is above 0, and no number is right.
static int is_divided_by_0(const lab_symptom *s) {
    for (size_t i = 0; i < elements(s->shape, 0); i++)
        if (!isinf(s->got[i]) || s->got[i] < 0) return 0;
    return s->shape.seq_kv > 1;
}
#define DIVIDED_BY_0                                                                                                   \
    "each row is divided by 0, or by what is as small: its sum is at least 1, as the largest score alone adds "        \
    "exp(0). Is each exponential added to it, and not s - m, whose sum has an exponential of 0?"

static int diagnose(const lab_symptom *s, char *text, size_t size) {
    static const char *const sentence[LAB_N_MISTAKES] = {
        [LAB_NO_DIVISION] = LAB_NO_DIVISION_TEXT, [LAB_FIRST_IS_ONE] = LAB_FIRST_IS_ONE_TEXT};
    const lab_sample bad = lab_sample_bad_rows(s);
    if (explain_sum_so_far(s, &bad, text, size)) return 1;
    if (is_divided_by_0(s)) return lab_guess(s->guesses, DIVIDED_BY_0, text, size);
    if (lab_explain_pieces(s, 0, text, size)) {  // of a row of few columns a warp has a piece
        char aside[240] = "";
        lab_explain_own_parts(s, aside, sizeof aside);
        return 1;
    }
    if (s->cmp.not_finite > s->cmp.unwritten)
        return lab_explain_own_parts(s, text, size) || lab_explain_pooled_max(s, largest_score, text, size) ||
               lab_explain_not_finite(s, &bad, largest_score, has_masked(s), text, size);
    if (lab_recognise_rows(s, &bad, sentence, LAB_N_MISTAKES, row_with_mistake, text, size)) return 1;
    int known = 0;  // all that fits: other claims tell which it is
    char said[7][240] = {""};
    for (int rescaled = 0; rescaled < 2; rescaled++)
        if (explain_running_max(s, &bad, rescaled, text, size)) return lab_guess(s->guesses, text, text, size);
    known |= explain_missing_log(s, &bad, text, size);
    if (explain_base(s, &bad, said[0], sizeof *said)) known = lab_guess(s->guesses, said[0], text, size);
    if (explain_short_sum(s, &bad, said[1], sizeof *said)) known = lab_guess(s->guesses, said[1], text, size);
    explain_divisor(s, said + 2);
    for (int i = 2; i < 7; i++)
        if (*said[i]) known = lab_guess(s->guesses, said[i], text, size);
    known |= lab_explain_one_sum_of_softmax(s, &bad, text, size);
    known |= lab_explain_padded_row(s, &bad, text, size);
    known = known || lab_explain_other_softmax(s, &bad, text, size);
    known = known || lab_explain_approximated_softmax(s, &bad, text, size);
    if (known || lab_explain_own_parts(s, text, size)) return 1;
    if (!columns_sum_to_one(s)) return lab_explain_factor(s, &bad, text, size);
    snprintf(text, size, "its columns sum to 1: the softmax goes along rows");
    return 1;
}

// ---- The rows

// clang-format off
#define SOFTMAX \
    .n_tensors = 2, .tensors = {"P", "S"}, .elements = elements, .extent = extent, .flops = flops, \
    .oracle = oracle, .diagnose = diagnose
const lab_op lab_softmax_rows = {.name = "softmax_rows", .symbol = "attn_softmax_rows", SOFTMAX};
const lab_op lab_softmax_batched = {.name = "softmax_batched", .symbol = "attn_softmax_batched", SOFTMAX};
