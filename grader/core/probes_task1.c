// probes_task1.c: the TODOs of task 1, one by one: what a probe (grader/probes/task1.c) computes, and its claims.
//
// Softmax: seq_q rows of seq_kv columns. Projection: seq_q rows of head_dim features.
#include "cases.h"
#include "formula.h"
#include "probes.h"

#include <math.h>

// ---- row_max: out [seq_q], from S

SIZES(row_max, s.seq_q, 1, (size_t)s.seq_q *s.seq_kv)

// Every third row holds only scores below 0; of the others, some have their largest score at the end.
FILL(row_max) {
    const int cols = s.seq_kv;
    lab_fill(x, row_max_elements(s, t), cols, kind, key);
    for (int i = 0; i < s.seq_q * cols; i++)
        if (i / cols % 3 == 0) x[i] = -fabsf(x[i]) - 1;
    for (int r = 1; r < s.seq_q; r += 3) x[r * cols + cols - 1] = 5.25f + r;
}

static double sum_of(const float *x, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i];
    return sum;
}

ORACLE(row_max) {
    const int cols = s.seq_kv;
    for (int r = 0; r < s.seq_q; r++) {
        const float *x = in[1] + (size_t)r * cols;
        double m = mistake == 1 ? fmax(0, x[0]) : mistake == 5 ? in[1][0] : x[0];
        if (mistake == 7) m = fabs(m);
        if (mistake == 9) m = -1e30;
        for (int c = 1; c < cols - (mistake == 4); c++)
            m = mistake == 2    ? fmin(m, x[c])
                : mistake == 3  ? x[c]
                : mistake == 6  ? m
                : mistake == 7  ? fmax(m, fabs(x[c]))
                : mistake == 10 ? fmax(x[c - 1], x[c])
                                : fmax(m, x[c]);
        if (mistake == 11) m = sum_of(x, cols) / cols;
        if (mistake == 12)
            for (int c = cols - 1; c >= 0; c--)
                if (x[c] == (float)m) out[r] = c;
        if (mistake == 12) continue;
        for (int c = 0; c < cols && mistake > 12; c++) {  // compared with the score before; one that falls back to s[0]
            m = !c ? x[0] : mistake == 13 && x[c] > x[c - 1] ? x[c] : m;
            if (mistake == 14) m = x[c] > m ? x[c] : x[0];
        }
        out[r] = mistake == 8 ? trunc(m) : isfinite(m) || mistake == 7 ? m : -1e30;
    }
    return 1;
}
KNOWN(row_max, "matches a maximum that starts at 0: a row whose scores are all below 0 has another one",
      "matches the smallest score: look for the largest", "matches the last score: m only grows",
      "the last score is not looked at: c runs to cols - 1", "matches the first row's scores in all rows",
      "matches the first score: compare m with s[c]", "matches the largest |s|: a large negative score is no maximum",
      "matches a maximum that is kept in an int: it has lost its digits after the point",
      "the first score is not looked at: m starts at s[0]",
      "matches the larger one of the last two scores: compare s[c] with m, not with s[c - 1]",
      "matches the mean of the scores: look for the largest",
      "matches the index of the largest score: m is the score itself, s[c]",
      "matches the last score that is larger than the one before it: compare s[c] with m, not with s[c - 1]",
      "m falls back to s[0] where a score is no larger: there m stays as it is, without an else");
PROBE(row_max, row_max, 2, .tensors = {"m", "S"}, .fill = row_max_fill);

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
static int exponentials_else(const lab_symptom *s, char *text, size_t size) {
    const size_t cols = s->shape.seq_kv;
    const lab_formula p = {"p[c]", "exp(s - m)", 0, cols, cols + 1, {{"s", LAB_OF_ELEMENT, 1}, {"m", LAB_ROW_MAX, 1}}};
    return lab_explain_power(s, (lab_powers){(int)cols, (int)cols + 1, 0}, text, size) ||
           lab_explain_formula(s, &p, text, size);
}
KNOWN_OR(exponentials, exponentials_else, "matches exp(s): subtract the row maximum m before exp",
         "l is the last exponential: add each one to it", "l stays 0: add each exponential to it",
         "l is the sum of the scores: add up the exponentials, p[c]",
         "matches exp(s) - m: m is subtracted before the exponential, exp(s - m)",
         "matches exp(m - s): the exponent is s - m, at most 0",
         "matches 2^(s - m): it is e^(s - m), expf and not exp2f",
         "l is the sum of s - m: add up the exponentials, p[c]", "the first exponential is not in l: c runs from 0",
         "the last exponential is not in l: c runs to cols - 1", "each exponential is added to l twice",
         "p holds s - m: the exponential is missing", "l is the sum of exp(s): subtract m there, too, add up p[c]",
         "matches exponents that are cut to an int: keep s - m in a float",
         "matches exp(s + m): the exponent is s - m, at most 0", "l starts at 1: it is 0 before the first exponential");
PROBE(exponentials, exponentials, 2, .tensors = {"p and l", "S"});

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
PROBE(normalise, normalise, 2, .tensors = {"p", "exponentials"}, .fill = normalise_fill);

// ---- compute_scores: out [seq_q, seq_kv], from Q and K

SIZES(compute_scores, s.seq_q, s.seq_kv, (size_t)s.seq_q *s.head_dim, (size_t)s.seq_kv *s.head_dim)

ORACLE(compute_scores) {
    const int D = s.head_dim;
    const double scale = mistake == 1   ? 1
                         : mistake == 2 ? 1.0 / D
                         : mistake == 3 ? 0
                         : mistake == 6 ? 1 / sqrt(s.seq_kv)
                                        : 1 / sqrt(D);
    double carried = 0;
    for (int i = 0; i < s.seq_q; i++)
        for (int j = 0; j < s.seq_kv; j++) {
            double dot = mistake == 4 ? carried : 0;
            for (int d = 0; d < D - (mistake == 5); d++) dot += (double)in[1][i * D + d] * in[2][j * D + d];
            *out++ = scale * (carried = dot);
        }
    return 1;
}
KNOWN_OR(compute_scores, lab_scores_else, "matches scores without 1/sqrt(D)",
         "matches scores multiplied by 1/D: it must be 1/sqrt(D)", "every score is 0: 1 / D of two integers is 0",
         "matches a sum that goes on from one score to the next", "the last feature is left out: d runs to D - 1",
         "matches 1/sqrt(Sk): the scale follows D, the length of a dot "
         "product");
PROBE(compute_scores, compute_scores, 3, .tensors = {"S", "Q", "K"});

// ---- mask_scores: out [seq_q, seq_kv], from S. -INFINITY comes out as LAB_HIDDEN

SIZES(mask_scores, s.seq_q, s.seq_kv, (size_t)s.seq_q *s.seq_kv)

ORACLE(mask_scores) {
    for (int i = 0; i < s.seq_q * s.seq_kv; i++) {
        const int last = i / s.seq_kv + (mistake == 4 ? 0 : s.seq_kv - s.seq_q) - (mistake == 2) + (mistake == 3);
        const int hide = (mistake == 1 || s.causal) && i % s.seq_kv > last;
        out[i] = !hide || mistake == 6 ? in[1][i] : mistake == 5 ? 0 : LAB_HIDDEN;
    }
    return 1;
}
static int mask_else(const lab_symptom *s, char *text, size_t size) {
    return lab_explain_mask(s, "i", "Sk - Sq", text, size);
}
KNOWN_OR(mask_scores, mask_else, "matches a causal mask that was not asked for: look at shape.causal",
         "matches a causal mask that is off by one: each query misses its last key",
         "matches a causal mask that is off by one: each query sees one key too many",
         "matches a mask aligned top-left: query i must see keys 0 .. i + (Sk - Sq)",
         "hidden scores are 0: exp(0) is 1, so they would still count; set them to -INFINITY",
         "nothing is hidden: where shape.causal, query i sees keys 0 .. i + (Sk - Sq)");
PROBE(mask_scores, mask_scores, 2, .tensors = {"S", "scores"});

// ---- weighted_sum: O [seq_q, head_dim], from P and V

SIZES(weighted_sum, s.seq_q, s.head_dim, (size_t)s.seq_q *s.seq_kv, (size_t)s.seq_kv *s.head_dim)

ORACLE(weighted_sum) {
    const int D = s.head_dim, Sk = s.seq_kv;
    for (int i = 0; i < s.seq_q * D; i++) {
        const int r = i / D;
        out[i] = 0;
        for (int j = 0; j < Sk; j++) {
            const double p = in[1][mistake == 2 ? j % s.seq_q * Sk + r % Sk : r * Sk + j];
            out[i] = (mistake == 1 ? 0 : out[i]) + p * in[2][j * D + i % D];
        }
    }
    return 1;
}
KNOWN_OR(weighted_sum, lab_weighted_sum_else, "only the last value is in the sum: add with +=",
         "matches P[j][i]: the weight of value j for query i is P[i][j]");
PROBE(weighted_sum, weighted_sum, 3, .tensors = {"O", "P", "V"});

// ---- project: Y [seq_q, head_dim] = X W^T, from X and W

SIZES(project, s.seq_q, s.head_dim, (size_t)s.seq_q *s.head_dim, (size_t)s.head_dim *s.head_dim)

ORACLE(project) {
    const int E = s.head_dim;
    for (int i = 0; i < s.seq_q * E; i++) {
        const int r = mistake == 2 ? 0 : i / E, e = i % E;
        out[i] = 0;
        for (int k = 0; k < E; k++) out[i] += (double)in[1][r * E + k] * in[2][mistake == 1 ? k * E + e : e * E + k];
    }
    return 1;
}
KNOWN_OR(project, lab_project_else, "matches X W in place of X W^T: row e of W makes output feature e",
         "matches the first token in every row: X[r][k] stands at X[r * E + k]");
PROBE(project, project, 3, .tensors = {"Y", "X", "W"});

// ---- memory: blocks that attn_mha and what it calls have not given back; scratch: Y

SIZES(memory, 1, 1, lab_elements_q(s), (size_t)s.heads *s.head_dim *s.heads *s.head_dim, lab_elements_q(s))

ORACLE(memory) {
    out[0] = 0;
    return 1;
}
static int memory_diagnose(const lab_symptom *s, char *text, size_t size) {
    return snprintf(text, size, "%.0f block%s of memory not freed: free on every way out, after the last use",
                    s->got[0], s->got[0] == 1 ? " is" : "s are") > 0;
}
PROBE(memory, memory, 4, .tensors = {"blocks", "X", "W", "Y"}, .scratch = 3);

// ---- The claims

// clang-format off
const lab_case lab_todos_task1[] = {
    {"task1", TODO("1.1"), .claim = "each_row_has_its_own_maximum", .op = &probe_row_max, .shape = {1, 1, 9, 23, 8, 0}},
    {"task1", TODO("1.1"), .claim = "masked_scores_are_no_maximum", .op = &probe_row_max, .shape = {1, 1, 9, 23, 8, 0}, .kind = LAB_SCORES},
    {"task1", TODO("1.2"), .claim = "exponentials_and_their_sum", .op = &probe_exponentials, .shape = {1, 1, 9, 23, 8, 0}},
    {"task1", TODO("1.2"), .claim = "exponentials_of_large_scores", .op = &probe_exponentials, .shape = {1, 1, 9, 23, 8, 0}, .kind = LAB_OFFSET},
    {"task1", TODO("1.2"), .claim = "exponentials_of_masked_scores_are_0", .op = &probe_exponentials, .shape = {1, 1, 9, 23, 8, 0}, .kind = LAB_SCORES},
    {"task1", TODO("1.3"), .claim = "probabilities_sum_to_1", .op = &probe_normalise, .shape = {1, 1, 9, 23, 8, 0}},
    {"task1", TODO("1.4"), .claim = "a_small_tensor_is_split", .op = &lab_split_probe, .shape = {2, 3, 5, 5, 8, 0}},
    {"task1", TODO("1.5"), .claim = "a_small_tensor_is_merged", .op = &lab_merge_probe, .shape = {2, 3, 5, 5, 8, 0}},
    {"task1", TODO("1.6"), .claim = "scores_are_scaled_dot_products", .op = &probe_compute_scores, .shape = {1, 1, 7, 11, 40, 0}},
    {"task1", TODO("1.7"), .claim = "later_keys_are_hidden_where_causal", .op = &probe_mask_scores, .shape = {1, 1, 9, 9, 8, 1}},
    {"task1", TODO("1.7"), .claim = "the_mask_is_aligned_bottom_right", .op = &probe_mask_scores, .shape = {1, 1, 5, 11, 8, 1}},
    {"task1", TODO("1.7"), .claim = "nothing_is_hidden_where_not_causal", .op = &probe_mask_scores, .shape = {1, 1, 5, 11, 8, 0}},
    {"task1", TODO("1.8"), .claim = "values_are_summed_with_their_weights", .op = &probe_weighted_sum, .shape = {1, 1, 7, 11, 40, 0}},
    {"task1", TODO("1.9"), .claim = "each_feature_has_its_own_weights", .op = &probe_project, .shape = {1, 1, 7, 7, 24, 0}},
    {"task1", TODO("1.10"), .claim = "a_small_multi_head_attention", .op = &lab_mha_probe, .shape = {2, 2, 7, 7, 16, 0}},
    {"task1", TODO("1.10"), .claim = "a_small_causal_multi_head_attention", .op = &lab_mha_probe, .shape = {1, 3, 9, 9, 8, 1}},
    {"task1", TODO("1.10"), .claim = "all_memory_is_given_back", .op = &probe_memory, .shape = {1, 2, 5, 5, 8, 0}},
    {0},
};
