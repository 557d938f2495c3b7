// probes_task4_rows.c: task 4, the online softmax of one row: its max, l and o, and the division at the end. The claims
// stand in probes_task4.c.
#include "formula.h"
#include "max_parts.h"
#include "probes_task4.h"
#include "row_number.h"
#include "warp_steps.h"

#include <math.h>

// ---- new_max: out [BR, LANES], the row max as each thread has it (-100: -INFINITY); from S [BR, BC] and m [BR]

SIZES(new_max, BR, LANES, BR *BC, BR)

FILL(new_max) {
    lab_fill(x, new_max_elements(s, t), BC, t == 1 ? LAB_SCORES : LAB_NORMAL, key);
    for (int r = 0; t == 1 && r < BR * BC; r += 3 * BC)  // every third row holds only scores below 0, and hides none
        for (int c = 0; c < BC; c++) x[r + c] = isfinite(x[r + c]) ? -fabsf(x[r + c]) - 1 : -2;
    for (int r = 0; t == 2 && r < BR; r++) x[r] = r % 4 == 1 ? 30 + x[r] : -INFINITY;
}

// Scores are added up in place of compared. how: 0 each thread its own to m, the largest of these sums; 1 without m; 2, 3
// the sum of the row, with m and without; 4, 5: the means of those without m.
static int added_up(const float *const in[], int how, double *out) {
    for (int i = 0; i < BR * LANES; i++) {
        double sums[LANES] = {0}, m = in[2][i / LANES], row = 0, largest = -INFINITY;
        for (int c = 0; c < BC; c++) sums[c % LANES] += in[1][i / LANES * BC + c];
        for (int t = 0; t < LANES; t++) row += sums[t], largest = fmax(largest, sums[t]);
        const double all[] = {m + largest, largest, m + row, row, largest * LANES / BC, row / BC};
        out[i] = isfinite(all[how]) ? all[how] : -100;
    }
    return 1;
}

ORACLE(new_max) {
    if (mistake >= 6) return added_up(in, mistake - 6, out);
    for (int i = 0; i < BR * LANES; i++) {
        const int r = i / LANES;
        double m = mistake == 2 ? -INFINITY : mistake == 3 ? fmax(0, in[2][r]) : in[2][r];
        double sum = 0;
        for (int c = 0; c < BC; c++) sum += in[1][r * BC + c];
        if (mistake == 5) m = fmax(m, sum / BC);
        for (int c = mistake >= 4 ? BC : 0; c < BC; c++)
            if (mistake != 1 || c % LANES == i % LANES) m = fmax(m, in[1][r * BC + c]);
        out[i] = isfinite(m) ? m : -100;
    }
    return 1;
}
static int is_near(double got, double due) { return fabs(got - due) < LAB_TOLERANCE * (1 + fabs(due)); }

static int is_max_of_lanes(const lab_symptom *s, const double *all) {
    for (int i = 0; i < BR * LANES; i++)
        if (!is_near(s->got[i], isfinite(all[i]) ? all[i] : -100)) return 0;
    return 1;
}

static int explain_steps_of_max(const lab_symptom *s, char *text, size_t size) {
    double own[BR * LANES];
    for (int i = 0; i < BR * LANES; i++)
        own[i] = fmax(s->in[2][i / LANES], lab_largest(s->in[1] + i / LANES * BC + i % LANES, BC - i % LANES, LANES));
    const lab_warp_steps w = {"the max", "row_max", BR, LANES, 1, own, is_max_of_lanes};
    return lab_explain_warp_steps(s, &w, text, size);
}

static int new_max_else(const lab_symptom *s, char *text, size_t size) {
    if (explain_steps_of_max(s, text, size)) return 1;
    const lab_max all = {s->in[1], s->in[2], s->got, BR, BC, LANES, -100};
    return lab_explain_max(&all, "a thread takes c = t, t + 8, t + 16, ... below BC, and row_max joins them", text,
                           size);
}
#define ADDED_UP                                                                                                       \
    "matches a sum of scores in place of the largest: m is raised to the largest score (fmaxf), and nothing is added " \
    "up"
#define A_MEAN                                                                                                         \
    "matches the mean of the row's scores in place of the largest: with any number below the largest exp(s[c] - m) "   \
    "may overflow. m is the largest of this thread's s[c], and then the row's, by row_max"
KNOWN_OR(new_max, new_max_else,
         "matches the max of each thread's own keys: the 8 threads of a row agree on one, through row_max",
         "matches the max of this tile alone: it also counts what m was before",
         "matches a max that starts at 0: a row whose scores are all below 0 has another one",
         "m stays as it was: raise it to the largest of this thread's s[c], and then to the row's, by row_max", A_MEAN,
         ADDED_UP, ADDED_UP, ADDED_UP, ADDED_UP, A_MEAN, A_MEAN);
SHARED_PROBE(new_max, new_max, 3, .tensors = {"m", "s", "m_old"}, .fill = new_max_fill);

// ---- add_probabilities: out [BR, BC + LANES], the probabilities and then l; from S [BR, BC], l and m

SIZES(add_probabilities, BR, BC + LANES, BR *BC, BR *LANES, BR)

FILL(add_probabilities) {
    lab_fill_scaled(x, add_probabilities_elements(s, t), 0.5f, key);
    for (int r = 0; t == 3 && r < BR; r++) x[r] += 1;
    for (int i = 0; t == 1 && i < BR * BC; i++)
        if (i % 5 == 3) x[i] = -INFINITY;
}

// The tile's probabilities divided by their sum; 1: by the l of all tiles so far; 2: by their sum, and l adds those up.
static void divide_tile(double *out, const float *l_old, int how) {
    double sum = 0, l = 0;
    for (int c = 0; c < BC; c++) sum += out[c];
    for (int t = 0; t < LANES; t++) l += out[BC + t];
    for (int c = 0; c < BC; c++) out[c] /= how == 1 ? l : sum;
    for (int t = 0; t < LANES && how == 2; t++) out[BC + t] = l_old[t];
    for (int c = 0; c < BC && how == 2; c++) out[BC + c % LANES] += out[c];
}

ORACLE(add_probabilities) {
    for (int r = 0; r < BR; r++, out += BC + LANES) {
        const float *score = in[1] + r * BC;
        for (int t = 0; t < LANES; t++) out[BC + t] = mistake == 2 ? 0 : in[2][r * LANES + t];
        for (int c = 0; c < BC; c++) {
            out[c] = exp(score[c] - (mistake == 1    ? 0
                                     : mistake == 11 ? lab_largest(score + c % LANES, BC - c % LANES, LANES)
                                     : mistake > 8   ? lab_largest(score, BC, 1)
                                                     : in[3][r]));
            for (int t = 0; t < LANES; t++)
                if (mistake == 3 ? 0 : mistake == 4 || c % LANES == t)
                    out[BC + t] = out[c] + (mistake == 5 ? 0 : out[BC + t]);
        }
        if (mistake > 5 && mistake != 9 && mistake != 11)
            divide_tile(out, in[2] + r * LANES, mistake == 10 ? 0 : mistake - 6);
    }
    return 1;
}
static int add_probabilities_else(const lab_symptom *s, char *text, size_t size) {
    const lab_formula p = {"s[c]", "exp(s - m)", 0, BC, BC + LANES, {{"s", LAB_OF_ELEMENT, 1}, {"m", LAB_OF_ROW, 3}}};
    return lab_explain_power(s, (lab_powers){BC, BC + LANES, 3}, text, size) || lab_explain_formula(s, &p, text, size);
}
#define NOT_YET ": they stay exp(s - m), and o is divided once, by the l of all tiles (TODO 4.8)"
KNOWN_OR(
    known_probabilities, add_probabilities_else, "matches exp(s): subtract the row max m before exp",
    "l is set to this tile's sum: add to it, it holds earlier tiles",
    "l stays as it was: add each probability to row->l",
    "each thread's l holds the probabilities of all keys: it takes its own alone, t, t + 8, ...",
    "l is set to one probability after the other, so the last one is left: add each to row->l (+=)",
    "matches probabilities that are divided by this tile's sum" NOT_YET,
    "matches probabilities that are divided by l" NOT_YET,
    "matches probabilities, and an l of them, that are divided by this tile's sum" NOT_YET, LAB_TILES_OWN_MAX,
    LAB_TILES_OWN_SOFTMAX " (TODO 4.8)",
    "matches exp(s - the largest score of this thread's own keys): subtract m, the maximum of the whole row, which is "
    "handed in");
static int add_probabilities_diagnose(const lab_symptom *s, char *text, size_t size) {
    const lab_row_numbers l = {BR, BC, LANES, BC + LANES, BC, .m = 3, .kept = 2, .sums = 1};
    return lab_explain_row_numbers(s, l, text, size) || known_probabilities_diagnose(s, text, size);
}
SHARED_PROBE(add_probabilities, add_probabilities, 4, .tensors = {"s and l", "scores", "l_old", "m"},
             .fill = add_probabilities_fill);

// ---- store_row: O [seq_q, D] = o / (sum of l), from o and l; rows at or beyond seq_q do not exist

SIZES(store_row, s.seq_q, s.head_dim, BR *s.head_dim, BR *LANES)

FILL(store_row) {
    lab_fill(x, store_row_elements(s, t), s.head_dim, LAB_NORMAL, key);
    for (int i = 0; t == 2 && i < BR * LANES; i++) x[i] = 0.5f + fabsf(x[i]);
}

ORACLE(store_row) {
    const int D = s.head_dim;
    for (int i = 0; i < s.seq_q * D; i++) {
        const float *l = in[2] + i / D * LANES;
        double sum = mistake == 2 ? l[i % D % LANES] : 0;
        for (int t = 0; t < LANES && mistake != 2; t++) sum += mistake == 4 ? 1 / l[t] : l[t];
        out[i] = in[1][i] * (mistake == 1 ? 1 : mistake == 3 || mistake == 4 ? sum : 1 / sum);
    }
    return 1;
}
static int is_divided_by(const lab_symptom *s, const double *all) {
    const int D = s->shape.head_dim;
    for (int i = 0; i < s->shape.seq_q * D; i++)
        if (!is_near(s->got[i], s->in[1][i] / all[i / D * LANES + i % D % LANES])) return 0;
    return 1;
}

static int store_row_else(const lab_symptom *s, char *text, size_t size) {
    double own[BR * LANES];
    for (int i = 0; i < BR * LANES; i++) own[i] = s->in[2][i];
    const lab_warp_steps w = {"a row sum", "row_sum", BR, LANES, 0, own, is_divided_by};
    return lab_explain_warp_steps(s, &w, text, size);
}
KNOWN_OR(store_row, store_row_else, LAB_NO_DIVISION_TEXT,
         "matches a division by this thread's part of l: the row sum is that of all 8 threads, from row_sum",
         "matches a multiplication by the row sum: divide by it",
         "matches 1 / l of each thread, and the 8 of them added up: first row_sum adds the parts, then o is divided by "
         "their sum");
SHARED_PROBE(store_row, store_row, 3, .tensors = {"O", "o", "l"}, .fill = store_row_fill);
