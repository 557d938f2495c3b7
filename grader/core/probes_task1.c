// probes_task1.c: the TODOs of task 1, one by one: what a probe (grader/probes/task1.c) computes, and its claims.
//
// Projection: seq_q rows of head_dim features. The softmax is in probes_task1_softmax.c.
#include "cases.h"
#include "probes_task1.h"

#include <math.h>

// ---- compute_scores: out [seq_q, seq_kv], from Q and K

SIZES(compute_scores, s.seq_q, s.seq_kv, (size_t)s.seq_q *s.head_dim, (size_t)s.seq_kv *s.head_dim)

ORACLE(compute_scores) {
    const int D = s.head_dim;
    const double scale = mistake == 1   ? 1
                         : mistake == 2 ? 1.0 / D
                         : mistake == 3 ? 0
                         : mistake == 6 ? 1 / sqrt(s.seq_kv)
                         : mistake == 7 ? 1 / sqrt(s.heads * D)
                                        : 1 / sqrt(D);
    double carried = 0;
    for (int i = 0; i < s.seq_q; i++)
        for (int j = 0; j < s.seq_kv; j++) {
            const int other = mistake == 8 && j < i && i < s.seq_kv, q = other ? j : i, k = other ? i : j;
            double dot = mistake == 4 ? carried : 0;
            for (int d = 0; d < D - (mistake == 5); d++) dot += (double)in[1][q * D + d] * in[2][k * D + d];
            *out++ = scale * (carried = dot);
        }
    return 1;
}
KNOWN_OR(compute_scores, lab_scores_else, "matches scores without 1/sqrt(D)",
         "matches scores multiplied by 1/D: it must be 1/sqrt(D)",
         "every score is 0: is the scale 1 / D of two integers, which is 0, or is nothing added up?",
         "matches a sum that goes on from one score to the next", "the last feature is left out: d runs to D - 1",
         "matches 1/sqrt(Sk): the scale follows D, the length of a dot product",
         "matches 1/sqrt(E), with E = H * D: the scale follows D, the length of a head's dot product",
         LAB_SCORES_FROM_OTHER_SIDE);
PROBE(compute_scores, compute_scores, 3, .tensors = {"S", "Q", "K"});

// ---- mask_scores: out [seq_q, seq_kv], from S. -INFINITY comes out as LAB_HIDDEN

SIZES(mask_scores, s.seq_q, s.seq_kv, (size_t)s.seq_q *s.seq_kv)

ORACLE(mask_scores) {
    for (int i = 0; i < s.seq_q * s.seq_kv; i++) {
        const int last = i / s.seq_kv + (mistake == 4 ? 0 : s.seq_kv - s.seq_q) - (mistake == 2) + (mistake == 3);
        const int unseen = mistake != 8 || i < s.seq_kv;
        const int hide = unseen && (mistake == 1 || (mistake == 7 ? !s.causal : s.causal)) && i % s.seq_kv > last;
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
         "nothing is hidden here: where shape.causal, each query i sees the keys 0 .. i + (Sk - Sq); all behind, up to "
         "Sk - 1, are "
         "-INFINITY",
         "hidden where not causal, and nothing where causal: is the test of shape.causal turned round?",
         "matches a mask of query 0 alone: for each query i, j begins anew behind i + (Sk - Sq)");
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
KNOWN_OR(weighted_sum, lab_weighted_sum_else,
         "only the last value is in the sum: add with +=, and set to 0 before the loop",
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

// ---- refused: how many calls of malloc failed in attn_mha, or in what it calls, without its saying so; scratch: Y

SIZES(refused, 1, 1, lab_elements_q(s), (size_t)s.heads *s.head_dim *s.heads *s.head_dim, lab_elements_q(s))

ORACLE(refused) {
    out[0] = 0;
    return 1;
}
static int refused_diagnose(const lab_symptom *s, char *text, size_t size) {
    (void)s;
    return snprintf(
               text, size,
               "malloc failed in a step, and attn_mha did not return ATTN_NO_MEMORY: keep the status of every step, "
               "as in the lines that are given") > 0;
}
PROBE(refused, refused, 4, .tensors = {"statuses", "X", "W", "Y"}, .scratch = 3);

// ---- The claims

// clang-format off
const lab_case lab_todos_task1[] = {
    {"task1", TODO("1.1"), .claim = "each_row_has_its_own_maximum", .op = &probe_row_max, .shape = {1, 1, 27, 23, 8, 0}},
    {"task1", TODO("1.1"), .claim = "masked_scores_are_no_maximum", .op = &probe_row_max, .shape = {1, 1, 27, 23, 8, 0}, .kind = LAB_SCORES},
    {"task1", TODO("1.2"), .claim = "exponentials_and_their_sum", .op = &probe_exponentials, .shape = {1, 1, 9, 23, 8, 0}},
    {"task1", TODO("1.2"), .claim = "exponentials_of_large_scores", .op = &probe_exponentials, .shape = {1, 1, 9, 23, 8, 0}, .kind = LAB_OFFSET},
    {"task1", TODO("1.2"), .claim = "exponentials_of_masked_scores_are_0", .op = &probe_exponentials, .shape = {1, 1, 9, 23, 8, 0}, .kind = LAB_SCORES},
    {"task1", TODO("1.3"), .claim = "probabilities_sum_to_1", .op = &probe_normalise, .shape = {1, 1, 9, 23, 8, 0}},
    {"task1", TODO("1.4"), .claim = "a_small_tensor_is_split", .op = &lab_split_probe, .shape = {2, 3, 5, 5, 8, 0}},
    {"task1", TODO("1.5"), .claim = "a_small_tensor_is_merged", .op = &lab_merge_probe, .shape = {2, 3, 5, 5, 8, 0}},
    {"task1", TODO("1.6"), .claim = "scores_are_scaled_dot_products", .op = &probe_compute_scores, .shape = {2, 3, 7, 11, 40, 0}},
    {"task1", TODO("1.7"), .claim = "later_keys_are_hidden_where_causal", .op = &probe_mask_scores, .shape = {2, 3, 9, 9, 8, 1}},
    {"task1", TODO("1.7"), .claim = "the_mask_is_aligned_bottom_right", .op = &probe_mask_scores, .shape = {1, 1, 5, 11, 8, 1}},
    {"task1", TODO("1.7"), .claim = "nothing_is_hidden_where_not_causal", .op = &probe_mask_scores, .shape = {1, 1, 5, 11, 8, 0}},
    {"task1", TODO("1.8"), .claim = "values_are_summed_with_their_weights", .op = &probe_weighted_sum, .shape = {2, 3, 7, 11, 40, 0}},
    {"task1", TODO("1.9"), .claim = "each_feature_has_its_own_weights", .op = &probe_project, .shape = {1, 1, 7, 7, 24, 0}},
    {"task1", TODO("1.10"), .claim = "a_small_multi_head_attention", .op = &lab_mha_probe, .shape = {2, 2, 7, 7, 16, 0}},
    {"task1", TODO("1.10"), .claim = "a_small_causal_multi_head_attention", .op = &lab_mha_probe, .shape = {1, 3, 9, 9, 8, 1}},
    {"task1", TODO("1.10"), .claim = "all_memory_is_given_back", .op = &probe_memory, .shape = {1, 2, 5, 5, 8, 0}},
    {"task1", TODO("1.10"), .claim = "a_step_that_fails_ends_the_call", .op = &probe_refused, .shape = {1, 2, 5, 5, 8, 0}},
    {0},
};
