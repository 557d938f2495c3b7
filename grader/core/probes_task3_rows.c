// probes_task3_rows.c: task 3, what happens to the rows of a tile: the maximum, l and O, the division. The claims stand in
// probes_task3.c.
#include "formula.h"
#include "max_parts.h"
#include "probes_task3.h"
#include "row_number.h"
#include "wrong_rows.h"

#include <math.h>
#include <string.h>

// ---- raise_max: out [seq_q], from S and the row max of earlier tiles

SIZES(raise_max, s.seq_q, 1, (size_t)s.seq_q *s.seq_kv, s.seq_q)

// A row is longer than all lanes of a vector together, and its max stands anywhere. Every third row holds only scores
// below 0; earlier tiles had none, a larger one, or a smaller one. Of the other rows the first score is the max, or the last.
FILL(raise_max) {
    lab_fill(x, raise_max_elements(s, t), s.seq_kv, t == 1 ? kind : LAB_NORMAL, key);
    for (int i = 0; t == 1 && i < s.seq_q * s.seq_kv; i++)
        if (i / s.seq_kv % 3 == 0) x[i] = -fabsf(x[i]) - 1;
    for (int r = 1; t == 1 && r < s.seq_q; r += 3) x[r * s.seq_kv + s.seq_kv - 1] = 5.25f + r;
    for (int r = 2; t == 1 && r < s.seq_q; r += 3) x[r * s.seq_kv] = 6.25f + r;
    for (int r = 0; t == 2 && r < s.seq_q; r++) x[r] = r % 4 == 1 ? x[r] + 30 : r % 4 == 2 ? x[r] - 30 : -INFINITY;
}

ORACLE(raise_max) {
    const int nk = s.seq_kv;
    for (int r = 0; r < s.seq_q; r++) {
        const float *x = in[1] + r * nk;
        double m = mistake == 1 ? -INFINITY : mistake == 2 ? fmax(0, in[2][r]) : in[2][r];
        const int end = mistake == 4 ? nk - 1 : mistake == 11 ? nk / 4 * 4 : mistake == 12 ? nk / 32 * 32 : nk;
        for (int c = mistake == 6; c < end; c++)
            m = mistake == 3 ? fmin(m, x[c]) : fmax(m, mistake == 5 ? fabs(x[c]) : x[c]);
        if (mistake == 7) m = r + 1 < s.seq_q ? fmax(m, x[nk]) : NAN;
        if (mistake == 8) m = x[nk - 1];
        for (int c = 1; c < nk && mistake == 10; c++) m = c == 1 ? fmax(in[2][r], x[0]) : c % 2 ? m : fmax(m, x[c]);
        for (int c = 0; c < nk && mistake == 9; c++) m = c == 0 ? in[2][r] : m, m = x[c] > in[2][r] ? x[c] : m;
        double mean = 0;
        for (int c = 0; c < nk; c++) mean += x[c] / nk;
        if (mistake == 13) m = fmax(in[2][r], mean);
        if (mistake == 14) m = lab_largest(x, nk, 1) + (isfinite(in[2][r]) ? in[2][r] : 0);
        for (int c = 1; c < nk && mistake == 15; c++) m = c == 1 ? in[2][r] : m, m = x[c] > x[c - 1] ? x[c] : m;
        for (int c = 1; c < nk && mistake == 16; c++) m = fmax(x[c], x[c - 1]);
        out[r] = isfinite(m) || mistake == 5 || mistake == 7 ? m : -1e30;
    }
    return 1;
}
static int raise_max_else(const lab_symptom *s, char *text, size_t size) {
    const lab_max all = {s->in[1], s->in[2], s->got, s->shape.seq_q, s->shape.seq_kv, 1, -1e30};
    return lab_explain_max(&all, "c runs from 0 to nk - 1", text, size);
}
KNOWN_OR(raise_max, raise_max_else, "matches the max of this tile alone: start from what max was before",
         "matches a max that starts at 0: a row whose scores are all below 0 has another one",
         "matches the smallest score: look for the largest", "the last score is not looked at: c runs to nk - 1",
         "matches the largest |s|: a large negative score is no maximum",
         "the first score is not looked at: c must start at 0",
         "s[nk] is looked at, too, which is beyond the tile: c runs to nk - 1",
         "matches the last score: max only grows",
         "matches the last score that is larger than the old max: compare s[c] with max, not with *m",
         "every second score is left out: c grows by 1",
         "matches the max of whole groups alone, as of 4, or of nk / 4 scores each: those left over behind them count, "
         "too",
         "matches the max of whole groups of 32 alone: those left over behind them count, too",
         "matches the mean of the tile's scores: look for the largest",
         "matches the old max and that of the tile added up: the larger one of the two is the new max",
         "matches the last score that is larger than the one before it: compare s[c] with max, not with s[c - 1], from "
         "c = 0 on",
         "matches the larger one of the last two scores: compare s[c] with max, not with s[c - 1], from c = 0 on");
SHARED_PROBE(raise_max, raise_max, 3, .tensors = {"m", "S", "m_old"}, .fill = raise_max_fill);

// ---- rescale: out [seq_q, head_dim + 1], o and then l; from o, l, m_old and m_new. extra[0]: m_old is -INFINITY

SIZES(rescale, s.seq_q, s.head_dim + 1, (size_t)s.seq_q *s.head_dim, s.seq_q, s.seq_q, s.seq_q)

FILL(rescale) {
    lab_fill_scaled(x, rescale_elements(s, t), t < 3 ? 1 : 0.25f, key);
    for (int r = 0; t > 2 && r < s.seq_q; r++) x[r] = t == 4 ? x[r] + 1 : extra[0] ? -INFINITY : x[r];
    for (int r = 0; t > 2 && kind == LAB_LARGE && r < s.seq_q; r++) x[r] += r % 2 ? 150 : -150;
    for (int r = 0; t == 2 && r < s.seq_q; r++) x[r] = 1 + fabsf(x[r]);  // l: the row's largest score gave 1
}

ORACLE(rescale) {
    const int D = s.head_dim;
    for (int r = 0; r < s.seq_q; r++) {
        const double grown = (double)in[4][r] - in[3][r];
        const double alpha = mistake == 13   ? 1
                             : mistake >= 18 ? 0
                             : mistake == 7  ? -grown
                             : mistake == 8  ? exp2(-grown)
                                             : exp(mistake == 3 ? grown : -grown);
        for (int d = 0; d < D; d++) {
            const double o = in[1][r * D + d];
            *out++ = mistake == 9 && d == D - 1            ? o
                     : mistake == 10 && !d                 ? o
                     : mistake == 2 || (mistake == 5 && d) ? o
                     : mistake == 4                        ? o / alpha
                     : mistake == 14                       ? o / in[2][r]
                     : mistake == 20                       ? o * exp(-grown)
                     : mistake == 16                       ? o * in[2][r] * alpha
                     : mistake == 17                       ? o * in[2][r]
                     : mistake == 15                       ? o * alpha / in[2][r]
                                                           : o * alpha;
        }
        *out++ = in[2][r] * (mistake == 1    ? 1
                             : mistake == 6  ? pow(alpha, D)
                             : mistake == 11 ? alpha * alpha
                             : mistake == 12 ? 1 / alpha
                             : mistake == 19 ? exp(-grown)
                                             : alpha);
    }
    return 1;
}
static int rescale_else(const lab_symptom *s, char *text, size_t size) {
    if (lab_explain_two_exponentials(s, "o[d]", text, size)) return 1;
    const size_t D = s->shape.head_dim;
    if (s->extra[0]) {  // there is no number for m_old; an l of 0 may be a reason to leave o alone
        const lab_formula first = {
            "o[d]", "o * exp(m_old - m_new)", 0, D, D + 1, {{"o", LAB_OF_ELEMENT, 1}, {"m_new", LAB_OF_ROW, 4}}};
        char is[320] = "";
        lab_symptom alone = *s;
        alone.guesses = NULL;
        const int known = lab_explain_formula(&alone, &first, is, sizeof is);
        return known && strstr(is, "m_new):") && lab_guess(s->guesses, is, text, size);
    }
    const lab_formula o = {"o[d]", "o * exp(m_old - m_new)",
                           0,      D,
                           D + 1,  {{"o", LAB_OF_ELEMENT, 1}, {"m_old", LAB_OF_ROW, 3}, {"m_new", LAB_OF_ROW, 4}}},
                      l = {"l",   "l * exp(m_old - m_new)",
                           D,     1,
                           D + 1, {{"l", LAB_OF_ELEMENT, 2}, {"m_old", LAB_OF_ROW, 3}, {"m_new", LAB_OF_ROW, 4}}};
    return lab_explain_left(s, (lab_left){"o", 1, s->shape.head_dim, s->shape.head_dim + 1}, text, size) ||
           lab_explain_formula(s, &o, text, size) || lab_explain_formula(s, &l, text, size);
}
KNOWN_OR(
    rescale, rescale_else, "matches o rescaled and l not: both hold terms exp(s_j - m_old)",
    "matches l rescaled and o not: both hold terms exp(s_j - m_old)",
    "matches exp(m_new - m_old): alpha is exp(m_old - m_new), at most 1",
    "o is divided by alpha, as the paper prints: it must be multiplied", "only o[0] is rescaled: o has D elements",
    "l is multiplied by alpha D times: once, outside of the loop over d",
    "alpha is m_old - m_new: its exponential is missing", "matches 2^(m_old - m_new): alpha is e^(m_old - m_new)",
    "o[D - 1] is not rescaled: d runs to D - 1", "o[0] is not rescaled: d runs from 0",
    "l is multiplied by alpha twice", "l is divided by alpha: both are multiplied by it",
    "o and l stay as they were where the max grows: both are multiplied by alpha = exp(m_old - m_new)",
    "matches o that is divided by the new l, too: o stays as it is summed, and is divided once, at the end (TODO 3.8)",
    "matches o that is divided by l: o is multiplied by alpha, and is divided once, at the end (TODO 3.8)",
    "matches o multiplied by the new l: both are multiplied by alpha, exp(m_old - m_new)",
    "matches o multiplied by l: both are multiplied by alpha, exp(m_old - m_new)",
    "l and o begin anew with 0 where the max grows: both are multiplied by exp(m_old - m_new)",
    "o begins anew with 0 where the max grows: it is multiplied by exp(m_old - m_new), as l is",
    "l begins anew with 0 where the max grows: it is multiplied by exp(m_old - m_new), as o is");
SHARED_PROBE(rescale, rescale, 5, .tensors = {"o and l", "o", "l", "m_old", "m_new"}, .fill = rescale_fill);

// ---- exponentiate: out [seq_q, seq_kv + 1], the probabilities and then l; from S, l and m. extra[0]: no score is hidden,
// so that sums of few scores are numbers which tell how they are made.

SIZES(exponentiate, s.seq_q, s.seq_kv + 1, (size_t)s.seq_q *s.seq_kv, s.seq_q, s.seq_q)

FILL(exponentiate) {
    lab_fill_scaled(x, exponentiate_elements(s, t), 0.5f, key);
    for (int r = 0; t == 3 && r < s.seq_q; r++) x[r] += 1;
    for (int i = 0; t == 1 && i < s.seq_q * s.seq_kv; i++)
        if (i % 5 == 3 && !extra[0]) x[i] = -INFINITY;
}

ORACLE(exponentiate) {
    const int nk = s.seq_kv;
    for (int r = 0; r < s.seq_q; r++, out += nk + 1) {
        const double less = mistake == 1 ? 0 : mistake > 13 ? lab_largest(in[1] + r * nk, nk, 1) : in[3][r];
        out[nk] = mistake == 2 ? 0 : in[2][r];
        for (int c = 0; c < nk; c++) {
            const double score = in[1][r * nk + c], p = exp(score - less);
            const int left_out = (mistake == 6 && !c) || (mistake == 7 && c == nk - 1);
            out[c] = mistake == 4 || left_out ? score : mistake == 8 ? score - in[3][r] : p;
            if (mistake == 9) out[c] = exp2(score - in[3][r]);
            out[nk] += mistake == 3 || left_out ? 0
                       : mistake == 5           ? 2 * p
                       : mistake == 10          ? score
                       : mistake == 9           ? out[c]
                                                : p;
            if (mistake == 11) out[nk] = p;
        }
        for (int c = 0; c < nk && (mistake == 12 || mistake == 15); c++) out[c] /= out[nk] - in[2][r];
        for (int c = 0; c < nk && mistake == 13; c++) out[c] /= out[nk];
    }
    return 1;
}
static int exponentiate_else(const lab_symptom *s, char *text, size_t size) {
    return lab_explain_power(s, (lab_powers){s->shape.seq_kv, s->shape.seq_kv + 1, 3}, text, size);
}
KNOWN_OR(
    known_exponentiate, exponentiate_else, "matches exp(s): subtract the row max m before exp",
    "l is set to this tile's sum: it holds earlier tiles, too", "l stays as it was: add each probability to sum",
    "the scores stay as they are: s[c] becomes the probability",
    "l grows by twice this tile's sum: sum is added to *l below, so add each probability to sum alone",
    "s[0] is left out: c runs from 0", "s[nk - 1] is left out: c runs to nk - 1",
    "s[c] becomes s[c] - m: the exponential is missing", "matches 2^(s - m): it is e^(s - m), expf and not exp2f",
    "matches l = " LAB_SUM_OF_SCORES, "l is the last probability: add each of them to sum",
    "matches probabilities that are divided by this tile's sum: nothing is divided before the last tile (TODO 3.8)",
    "matches probabilities that are divided by l: nothing is divided before the last tile (TODO 3.8)",
    LAB_TILES_OWN_MAX, LAB_TILES_OWN_SOFTMAX " (TODO 3.8)");
static int exponentiate_diagnose(const lab_symptom *s, char *text, size_t size) {
    const int nk = s->shape.seq_kv;
    const lab_row_numbers l = {s->shape.seq_q, nk, 1, nk + 1, nk, .m = 3, .kept = 2, .sums = 1};
    return lab_explain_row_numbers(s, l, text, size) || known_exponentiate_diagnose(s, text, size);
}
SHARED_PROBE(exponentiate, exponentiate, 4, .tensors = {"s and l", "scores", "l_old", "m"}, .fill = exponentiate_fill);

// ---- divide: O [seq_q + 1, head_dim], from o and l; the last row untouched

SIZES(divide, s.seq_q + 1, s.head_dim, (size_t)s.seq_q *s.head_dim, s.seq_q)

FILL(divide) {
    lab_fill(x, divide_elements(s, t), s.head_dim, LAB_NORMAL, key);
    for (int r = 0; t == 2 && r < s.seq_q; r++) x[r] = 1 + fabsf(x[r]);
}

ORACLE(divide) {
    const int D = s.head_dim;
    for (int i = 0; i < (s.seq_q + 1) * D; i++) {
        const double l = i < s.seq_q * D ? in[2][mistake == 2 ? 0 : i / D] : 1;
        out[i] = i >= s.seq_q * D ? UNTOUCHED
                                  : in[1][i] * (mistake == 1   ? 1
                                                : mistake == 3 ? l
                                                : mistake == 5 ? 1 / (3.0 + i / D)
                                                : mistake == 9 ? 1 / sqrt(l)
                                                               : 1 / l);
        if (mistake == 6 && i < s.seq_q * D) out[i] = i % D < s.seq_q ? in[1][i] / in[2][i % D] : NAN;
        if (mistake == 7) out[i] = UNTOUCHED;
        if (mistake == 10) out[i] = UNTOUCHED / l;
        if (mistake == 8 && i < s.seq_q * D) out[i] = in[1][i] / in[2][i % D % s.seq_q];
        if (mistake == 4) out[i] = i < D ? UNTOUCHED : in[1][i - D] / in[2][i / D - 1];
    }
    return 1;
}
// All rows by one number, whatever their sums are.
static int divided_alike(const lab_symptom *s, char *text, size_t size) {
    const double by = s->in[1][0] / s->got[0];
    double all = 0;
    char sentence[160];
    for (int r = 0; r < s->shape.seq_q; r++) all += s->in[2][r];
    for (int i = 0; i < s->shape.seq_q * s->shape.head_dim; i++)
        if (!(fabs(s->in[1][i] / s->got[i] - by) < 1e-3 * fabs(by))) return 0;
    snprintf(sentence, sizeof sentence, "matches a division of every row by %.4g%s: row r has a sum of its own, l[r]",
             by, fabs(by - all) < 1e-3 * all ? ", the sum of all l" : "");
    return s->shape.seq_q > 1 && lab_guess(s->guesses, sentence, text, size);
}
// Each row by one number, which its own outputs make.
static int divided_otherwise(const lab_symptom *s, char *text, size_t size) {
    const int D = s->shape.head_dim, rows = s->shape.seq_q;
    const float *row[LAB_MOST_ROWS];
    char sentence[240];
    int known = rows <= LAB_MOST_ROWS;
    for (int r = 0; r < rows && known; r++) {
        const float *o = s->in[1] + r * D;
        row[r] = s->got + r * D;
        for (int d = 1; d < D; d++) known = known && fabs(row[r][d] * o[0] - row[r][0] * o[d]) < 1e-4 * fabs(row[r][0]);
    }
    known = known && lab_say_divided_by_own(row, rows, D, sentence, sizeof sentence);
    return known ? lab_guess(s->guesses, sentence, text, size) : divided_alike(s, text, size);
}
KNOWN_OR(divide, divided_otherwise, LAB_NO_DIVISION_TEXT, "every row is divided by the sum of row 0: row r has l[r]",
         "matches a multiplication by l: divide by it",
         "the rows stand i0 too far down: O is where the tile's first query goes, so row r is O + r * D",
         "every row is divided by its maximum m[r]: divide by the row sum l[r]",
         "matches l[d] in place of l[r]: all of row r is divided by l[r]",
         "O is never written: the result goes to O, not to t.O",
         "matches l[d] in place of l[r]: all of row r is divided by l[r]",
         "matches a division by sqrt(l): divide by l[r]",
         "matches what stood in O before, divided by l: the sums stand in t.O, and O gets them, divided");
SHARED_PROBE(divide, divide, 3, .tensors = {"O", "o", "l"}, .fill = divide_fill);
