// heuristics.c: compares a wrong output with what known mistakes give, and looks for weaker signs.
#include "heuristics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is_bad(const lab_symptom *s, size_t row, int only_finite) {
    const size_t width = lab_op_row(s->op, s->shape);
    int bad = 0, finite = 1;
    for (size_t i = row * width; i < (row + 1) * width; i++) {
        bad = bad || lab_element_bad(s, i, 0);
        finite = finite && lab_is_finite(s->got[i]);
        if (bad && !only_finite) return 1;
    }
    return bad && finite;
}

lab_sample lab_sample_right_rows(const lab_symptom *s) {
    const size_t n = s->op->elements(s->shape, 0) / lab_op_row(s->op, s->shape);
    size_t right = 0, seen = 0;
    lab_sample sample = {.n = 0};
    for (size_t r = 0; r < n; r++) right += !is_bad(s, r, 0);
    for (size_t r = 0; r < n && sample.n < LAB_SAMPLES; r++)
        if (!is_bad(s, r, 0) && seen++ * LAB_SAMPLES / right >= (size_t)sample.n) sample.row[sample.n++] = r;
    return sample;
}

static lab_sample sample_rows(const lab_symptom *s, int only_finite) {
    const size_t n = s->op->elements(s->shape, 0) / lab_op_row(s->op, s->shape);
    size_t bad_rows = 0, seen = 0;
    lab_sample sample = {.n = 0};
    for (size_t r = 0; r < n; r++) bad_rows += is_bad(s, r, only_finite);
    for (size_t r = 0; r < n && sample.n < LAB_SAMPLES; r++)
        if (is_bad(s, r, only_finite) && seen++ * LAB_SAMPLES / bad_rows >= (size_t)sample.n)
            sample.row[sample.n++] = r;
    return sample;
}

lab_sample lab_sample_bad_rows(const lab_symptom *s) { return sample_rows(s, 0); }
lab_sample lab_sample_finite_bad_rows(const lab_symptom *s) { return sample_rows(s, 1); }

// Nearer than the truth is: where the numbers are hardly wrong, much else is within the tolerance of them, too.
static double nearer(const float *got, const double *truth, size_t n) {
    double off = 0;
    for (size_t i = 0; i < n; i++)
        if (lab_is_finite(got[i]) && !isnan(truth[i])) off = fmax(off, fabs(got[i] - truth[i]) / (1 + fabs(truth[i])));
    return off > 0 ? fmin(LAB_TOLERANCE, off / 4) : LAB_TOLERANCE;
}

// NAN: a mistake may read there what nobody knows. An eighth of the elements must be known.
static int close_enough(const float *got, const double *want, size_t n, double near) {
    size_t known = 0;
    for (size_t i = 0; i < n; i++) known += !isnan(want[i]);
    if (8 * known < n) return 0;
    for (size_t i = 0; i < n; i++)
        if (!isnan(want[i]) && !(fabs((double)got[i] - want[i]) < near * (1 + fabs(want[i]))) &&
            got[i] != (float)want[i])
            return 0;
    return 1;
}

// An element of which it says that nobody knows what is read there, and which is right all the same.
static int is_right_by_chance(const lab_symptom *s, const double *out, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (isnan(out[i]) && !isnan(s->want[i]) && !lab_element_bad(s, i, 0)) return 1;
    return 0;
}

// Does it say what wrong elements are, eight or all of them? What it says nothing of may be wrong in any way.
static int tells_of_wrong(const lab_symptom *s, const double *out, size_t n) {
    size_t bad = 0, told = 0;
    for (size_t i = 0; i < n; i++) {
        if (!lab_element_bad(s, i, 0)) continue;
        bad++, told += !isnan(out[i]) || isnan(s->got[i]);
    }
    return told >= 8 || told == bad;
}

// ---- Which mistake a sentence is about

enum { MOST_KNOWN = 64 };

static struct {
    const lab_op *op;
    const char *sentence;
    int mistake;
} known[MOST_KNOWN];
static int n_known;

static void remember(const lab_op *op, int mistake, const char *sentence) {
    for (int i = 0; i < n_known; i++)
        if (known[i].op == op && known[i].mistake == mistake) return;
    if (n_known < MOST_KNOWN)
        known[n_known].op = op, known[n_known].sentence = sentence, known[n_known++].mistake = mistake;
}

int lab_would_show(const char *sentence, const lab_op *op, attn_shape shape, const int extra[2],
                   const float *const in[LAB_MAX_TENSORS], const double *want) {
    int shows = 0, is_known = 0;
    const size_t elements = op->elements(shape, 0);
    double *out = malloc(elements * sizeof *out);
    for (int i = 0; out && i < n_known; i++) {
        if (known[i].op != op || strcmp(known[i].sentence, sentence)) continue;
        int differs = 0;  // several may have the same words
        const int made = op->oracle(shape, extra, in, known[i].mistake, out);
        for (size_t e = 0; e < elements && made && !differs; e++)
            differs =
                !isnan(out[e]) && !(fabs(out[e] - want[e]) <= LAB_TOLERANCE * (1 + fabs(want[e]))) && out[e] != want[e];
        shows = (!is_known || shows) && differs, is_known = 1;
    }
    free(out);
    return shows;
}

int lab_recognise(const lab_symptom *s, const char *const sentence[], int n, char *text, size_t size) {
    const size_t elements = s->op->elements(s->shape, 0);
    double *out = malloc(elements * sizeof *out);
    int found = 0;
    if (close_enough(s->got, s->want, elements, LAB_TOLERANCE)) n = 0;  // so would the truth
    const double near = nearer(s->got, s->want, elements);
    for (int m = 1; out && m < n; m++)
        if (sentence[m] && s->op->oracle(s->shape, s->extra, s->in, m, out) &&
            close_enough(s->got, out, elements, near) && tells_of_wrong(s, out, elements) &&
            !is_right_by_chance(s, out, elements))
            remember(s->op, m, sentence[m]), found = lab_guess(s->guesses, sentence[m], text, size);
    free(out);
    return found;
}

// It says itself that other rows are right.
static int of_some_rows(const char *sentence) {
    return !sentence || strstr(sentence, "in the rows that are wrong alone") ||
           strstr(sentence, "from head b * heads + h");
}

// The row of each head, a multiple of a warp, from which on all are wrong, and none before; 0: it is not so.
static size_t wrong_from(const lab_symptom *s) {
    const size_t length = (size_t)s->shape.seq_q, rows = s->op->elements(s->shape, 0) / lab_op_row(s->op, s->shape);
    size_t from = length;
    for (size_t r = 0; r < rows; r++)
        if (is_bad(s, r, 0) && r % length < from) from = r % length;
    for (size_t r = 0; r < rows; r++)
        if (is_bad(s, r, 0) != (r % length >= from)) return 0;
    return from < length && from % 32 == 0 ? from : 0;
}

int lab_recognise_rows(const lab_symptom *s, const lab_sample *bad, const char *const sentence[], int n,
                       void (*row)(const lab_symptom *s, size_t r, int mistake, double *out, double *scratch),
                       char *text, size_t size) {
    const size_t width = lab_op_row(s->op, s->shape), longest = width + s->shape.seq_kv;
    const lab_sample right = lab_sample_right_rows(s);
    double *out = malloc(2 * longest * sizeof *out);
    int found = 0;
    for (int m = 1; out && m < n; m++) {
        int matches = sentence[m] != NULL && bad->n > 0;
        for (int i = 0; i < bad->n && matches; i++) {
            row(s, bad->row[i], m, out, out + longest);
            const size_t at = bad->row[i] * width;
            matches = close_enough(s->got + at, out, width, nearer(s->got + at, s->want + at, width));
        }
        int all = matches;
        for (int i = 0; i < right.n && all; i++) {
            row(s, right.row[i], m, out, out + longest);
            const size_t at = right.row[i] * width;
            all = close_enough(s->got + at, out, width, LAB_TOLERANCE);
        }
        char some[240];
        snprintf(some, sizeof some, "%s%s", sentence[m] ? sentence[m] : "",
                 all || of_some_rows(sentence[m]) ? "" : LAB_NOT_IN_RIGHT_ROWS);
        const size_t from = all || s->op != &lab_naive ? 0 : wrong_from(s), used = strlen(some);
        if (from && !of_some_rows(sentence[m]))
            snprintf(some + used, sizeof some - used, ", which are those from %zu on: who has them?", from);
        if (matches) found = lab_guess(s->guesses, some, text, size);
    }
    free(out);
    return found;
}

// The vectors point in the right direction and have the wrong length: a sum that was built or rescaled wrongly.
int lab_explain_factor(const lab_symptom *s, const lab_sample *bad, char *text, size_t size) {
    const size_t width = lab_op_row(s->op, s->shape);
    double factor = 1;
    size_t last = 0;
    for (size_t r = 0; r < s->op->elements(s->shape, 0) / width; r++) {
        const float *g = s->got + r * width;
        const double *w = s->want + r * width;
        if (!is_bad(s, r, 0)) continue;
        last = r;
        double gw = 0, ww = 0, rest = 0;
        for (size_t c = 0; c < width; c++) gw += g[c] * w[c], ww += w[c] * w[c];
        factor = gw / ww;
        for (size_t c = 0; c < width; c++) rest += (g[c] - factor * w[c]) * (g[c] - factor * w[c]);
        if (!(rest < 1e-6 * factor * factor * ww)) return 0;
    }
    if (bad->n == 0 || width < 2) return 0;
    snprintf(
        text, size,
        "each wrong row is the right one times a number (row %zu: %.4g): is what it is divided by, or multiplied by, "
        "right?",
        last % s->shape.seq_q, factor);
    return 1;
}

// Where a sum is Inf, all of its row is NaN or 0.
static int has_numbers(const lab_symptom *s, size_t row) {
    const size_t width = lab_op_row(s->op, s->shape);
    for (size_t i = row * width; i < (row + 1) * width; i++)
        if (isfinite(s->got[i]) && s->got[i] != 0) return 1;
    return 0;
}

// Of 0 / 0 every element is NaN.
static int has_none(const lab_symptom *s, size_t row) {
    const size_t width = lab_op_row(s->op, s->shape);
    for (size_t i = row * width; i < (row + 1) * width; i++)
        if (isfinite(s->got[i])) return 0;
    return 1;
}

// Are the rows NaN whose scores are all so far below 0 that exp(s - 0) is 0, and no others? A maximum of another row
// would be too large for some rows of both kinds.
static int are_those_below_0(const lab_symptom *s, double (*largest)(const lab_symptom *s, size_t r)) {
    enum { MOST = 512 };
    const double is_0 = -104, is_not = -80;
    const size_t rows = s->op->elements(s->shape, 0) / lab_op_row(s->op, s->shape), step = rows / MOST + 1;
    int above = 0, below = 0;
    for (size_t r = 0; r < rows; r += step) {
        const double max = largest(s, r);
        if (!isfinite(max) || (max >= is_0 && max <= is_not)) continue;
        if ((max < is_0) != has_none(s, r)) return 0;
        above += max > is_not, below += max < is_0;
    }
    return above && below;
}

int lab_explain_not_finite(const lab_symptom *s, const lab_sample *bad,
                           double (*largest)(const lab_symptom *s, size_t r), int masked, char *text, size_t size) {
    const double most = log(3.4e38);  // exp overflows above, and gives 0 far below
    int large = 0, small = 0;
    for (int i = 0; i < bad->n; i++) {
        const double max = largest(s, bad->row[i]);
        large += max > most - 8 && !has_numbers(s, bad->row[i]);
        small += max < -most + 8 && has_none(s, bad->row[i]);
    }
    if (large && large + small == bad->n)
        snprintf(text, size,
                 "exp overflows where scores are large: what is subtracted before exp must be the largest score of the "
                 "row");
    else if (small && small == bad->n && are_those_below_0(s, largest))
        snprintf(text, size,
                 "every exponential of a row is 0 if all its scores are far below 0: its maximum begins with 0, or "
                 "another number (FLT_MIN is the smallest float above 0), and not with -INFINITY, or keys that it does "
                 "not see count as 0 for it");
    else if (small && small == bad->n)
        snprintf(text, size,
                 "every exponential of a row is 0, and so is their sum: is its maximum that of the same row, and does "
                 "it start at -INFINITY? FLT_MIN is the smallest float above 0");
    else if (masked)
        snprintf(text, size,
                 "a guess: NaN where scores are masked, as -INFINITY - (-INFINITY) is NaN: a row or tile with every "
                 "score masked needs care. Is the maximum that of all keys so far?");
    else
        snprintf(text, size, "NaN: 0 * INFINITY, a division by a row sum of 0, or memory that was never written");
    return 1;
}

// Is the head of the first bad row right for another head or batch?
int lab_explain_misplaced(const lab_symptom *s, const lab_sample *bad, char *text, size_t size) {
    const attn_shape a = s->shape;
    const size_t d = a.head_dim, heads = (size_t)a.batch * a.heads, row = bad->row[0];
    if (bad->n == 0) return 0;
    const size_t here = row / a.seq_q, query = row % a.seq_q;
    for (size_t other = 0; other < heads; other++) {
        int same = other != here;
        double size_of = 0;  // an empty sequence's zeros belong to nobody
        for (size_t c = 0; c < d; c++) size_of += fabs(s->want[(other * a.seq_q + query) * d + c]);
        same = same && size_of > d * LAB_TOLERANCE;
        for (size_t i = 0; i < a.seq_q * d && same; i++)  // all rows of the head
            same = fabs(s->got[here * a.seq_q * d + i] - s->want[other * a.seq_q * d + i]) < LAB_TOLERANCE;
        if (!same) continue;
        snprintf(text, size,
                 "batch %zu, head %zu holds what belongs to batch %zu, head %zu: look at the offset of a head",
                 here / a.heads, here % a.heads, other / a.heads, other % a.heads);
        return 1;
    }
    return 0;
}
