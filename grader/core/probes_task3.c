// probes_task3.c: the TODOs of task 3, one by one: what a probe (grader/probes/task3.c) computes, and its claims.
//
// A tile has seq_q queries and seq_kv keys. Rows of S, Kt, A, B and C are longer by PAD; what a function must not write
// comes out as UNTOUCHED.
#include "cases.h"
#include "probes_task3.h"

#include <math.h>
#include <stdio.h>

// ---- compute_scores: S [seq_q, seq_kv + PAD], from Q and K

SIZES(compute_scores, s.seq_q, s.seq_kv + PAD, (size_t)s.seq_q *s.head_dim, (size_t)s.seq_kv *s.head_dim)

static double dot(const float *a, const float *b, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += (double)a[i] * b[i];
    return sum;
}

// Rows of C end with PAD numbers that are nobody's.
ORACLE(compute_scores) {
    const int D = s.head_dim, Bc = s.seq_kv + PAD, step = mistake == 5 ? s.seq_kv : Bc;
    const double scale = mistake == 1 ? 1 : mistake == 2 ? 1.0 / D : mistake == 3 ? 0 : 1 / sqrt(D);
    double carried = 0;
    for (int i = 0; i < s.seq_q * Bc; i++) out[i] = UNTOUCHED;
    for (int r = 0; r < s.seq_q; r++)
        for (int c = 0; c < s.seq_kv; c++) {
            const float *q = in[1] + r * D, *k = in[2] + c * D;
            carried = dot(q, k, D) + (mistake == 4 ? carried : 0);
            const double of_q = sqrt(dot(q, q, D)), of_k = sqrt(dot(k, k, D));
            out[r * step + c] = mistake == 6   ? carried / of_k
                                : mistake == 7 ? carried / of_q
                                : mistake == 8 ? carried / (of_q * of_k)
                                               : scale * carried;
        }
    return 1;
}
KNOWN_OR(compute_scores, lab_scores_of_tile_else, "matches scores without 1/sqrt(D)",
         "matches scores multiplied by 1/D: it must be 1/sqrt(D)",
         "every score is 0: is the scale 1 / D of two integers, which is 0, or is nothing added up?",
         "matches a sum that goes on from one score to the next",
         "rows of S are taken as nk long: they are Bc apart, also in a narrow tile",
         "matches q . k divided by the length of k: a score is q . k / sqrt(D), whatever the lengths are",
         "matches q . k divided by the length of q: a score is q . k / sqrt(D), whatever the lengths are",
         "matches scores that are cosines, divided by the lengths of q and k: a score is q . k / sqrt(D)");
PROBE(compute_scores, compute_scores, 3, .tensors = {"S", "Q", "K"});

// ---- transpose_keys: Kt [head_dim, seq_kv + PAD], from K

SIZES(transpose_keys, s.head_dim, s.seq_kv + PAD, (size_t)s.seq_kv *s.head_dim)

ORACLE(transpose_keys) {
    const int D = s.head_dim, nk = s.seq_kv, Bc = nk + PAD;
    const double scale = mistake == 1 ? 1 : mistake == 2 ? 1.0 / D : 1 / sqrt(D);
    for (int i = 0; i < D * Bc; i++) out[i] = UNTOUCHED;
    for (int c = 0; c < nk; c++) {
        const float *k = in[1] + c * D;
        const double by = mistake == 5 ? 1 / sqrt(dot(k, k, D)) : scale;
        for (int d = 0; d < D; d++) out[mistake == 3 ? c * D + d : d * (mistake == 4 ? nk : Bc) + c] = by * k[d];
    }
    return 1;
}
KNOWN(transpose_keys, "matches Kt without 1/sqrt(D)", "matches Kt multiplied by 1/D: it must be 1/sqrt(D)",
      "the keys are copied as they lie: Kt[d * Bc + c] = K[c * D + d]",
      "rows of Kt are taken as nk long: they are Bc apart, also in a narrow tile",
      "matches keys divided by their lengths: Kt holds K / sqrt(D), whatever the lengths are");
PROBE(transpose_keys, transpose_keys, 2, .tensors = {"Kt", "K"});

// ---- mask_scores: S [seq_q, seq_kv], in tiles of extra = {Br, Bc}. -INFINITY comes out as LAB_HIDDEN

SIZES(mask_scores, s.seq_q, s.seq_kv, (size_t)s.seq_q *s.seq_kv)

ORACLE(mask_scores) {
    for (int n = 0; n < s.seq_q * s.seq_kv; n++) {
        const int i = n / s.seq_kv % (mistake == 6 || mistake == 9 ? extra[0] : s.seq_q);
        const int j = n % s.seq_kv % (mistake == 7 || mistake == 9 ? extra[1] : s.seq_kv);
        const int first = mistake == 11 || mistake == 14 ? i / extra[0] * extra[0] : i;
        const int end = first + extra[0] < s.seq_q ? first + extra[0] : s.seq_q;
        const int i_at = mistake == 14 ? end - 1 : first, j_at = mistake == 10 ? j / extra[1] * extra[1] : j;
        const int turned = mistake == 12 ? j % extra[1] - i % extra[0] : 0;  // r and c change places
        const int last = i_at + turned + (mistake == 4 ? 0 : s.seq_kv - s.seq_q) - (mistake == 2) + (mistake == 3);
        const int hide =
            (mistake == 1 || (mistake == 13 ? !s.causal : s.causal)) && j_at - turned > last && mistake != 8;
        out[n] = !hide ? in[1][n] : mistake == 5 ? 0 : LAB_HIDDEN;
    }
    return 1;
}
KNOWN_OR(
    mask_scores_plain, lab_tile_mask_else, "matches a causal mask that was not asked for: look at shape.causal",
    "matches a causal mask that is off by one: each query misses its last key",
    "matches a causal mask that is off by one: each query sees one key too many",
    "matches a mask aligned top-left: query i must see keys 0 .. i + (seq_kv - seq_q)",
    "hidden scores are 0: exp(0) is 1, so they would still count; set them to -INFINITY",
    "r is a place in the tile: the query's place in its head is i0 + r",
    "c is a place in the tile: the key's place in its head is j0 + c",
    "nothing is hidden here: where shape.causal, each query i sees the keys 0 .. i + (seq_kv - seq_q), and all behind "
    "are -INFINITY",
    "r and c are places in the tile: compare key j0 + c with query i0 + r",
    "c is not in the comparison: key j0 + c is hidden or not, each for itself",
    "r is not in the comparison: query i0 + r sees one key more than the one before",
    "matches r and c exchanged, in the comparison or in the index: r counts the queries, c the keys of a tile",
    "hidden where not causal, and nothing where causal: is the test of shape.causal turned round?",
    "matches a mask of the tile's last query for all of its rows: each query i0 + r sees the keys up to its own last "
    "one");

// What a mask of some tiles alone hides on this shape may be what a plain mistake hides, too: the other claims tell.
static int mask_scores_diagnose(const lab_symptom *s, char *text, size_t size) {
    char aside[320] = "";
    const int known = mask_scores_plain_diagnose(s, text, size);
    if (known && s->guesses) lab_explain_tile_gate(s, aside, sizeof aside);
    return known;
}
PROBE(mask_scores, mask_scores, 2, .tensors = {"S", "scores"});

// ---- multiply_add, multiply_block: C [seq_q, head_dim + PAD] = C_old + A B, n = seq_kv

SIZES(multiply_add, s.seq_q, s.head_dim + PAD, (size_t)s.seq_q *(s.seq_kv + PAD),
      (size_t)(s.seq_kv + PAD) * (s.head_dim + PAD), (size_t)s.seq_q *(s.head_dim + PAD))

ORACLE(multiply_add) {
    const int n = s.seq_kv, a_step = n + PAD, cols = s.head_dim, bc_step = cols + PAD;
    for (int i = 0; i < s.seq_q * bc_step; i++) {
        const int r = i / bc_step, c = i % bc_step;
        out[i] = (mistake == 1 || mistake == 2) && c < cols ? 0 : in[3][i];
        for (int k = mistake == 2 ? n - 1 : 0; k < n && c < cols; k++)
            out[i] +=
                (double)in[1][r * (mistake == 3 ? n : a_step) + k] * in[2][k * (mistake == 4 ? cols : bc_step) + c];
    }
    for (int i = 0; i < s.seq_q * bc_step && mistake == 5; i++) out[i] = in[3][i];
    for (int i = 0; i < s.seq_q * cols && mistake == 5; i++)
        for (int k = 0; k < n; k++) out[i] += (double)in[1][i / cols * a_step + k] * in[2][k * bc_step + i % cols];
    return 1;
}
KNOWN_OR(multiply_add, lab_multiply_add_else, "C is set to A B: add to it, it holds earlier tiles",
         "only the last k is in the sum: add with +=, and no = within the loop",
         "rows of A are taken as n long: they are a_step apart",
         "rows of B are taken as cols long: they are bc_step apart",
         "rows of C are taken as cols long: they are bc_step apart");
PROBE(multiply_add, multiply_add, 4, .tensors = {"C", "A", "B", "C_old"});
PROBE(multiply_block, multiply_add, 4, .tensors = {"C", "A", "B", "C_old"});

// ---- The claims

// clang-format off
const lab_case lab_todos_task3[] = {
    {"task3", TODO("3.1"), .claim = "scores_are_scaled_dot_products", .op = &probe_compute_scores, .shape = {1, 1, 7, 11, 40, 0}},
    {"task3", TODO("3.2"), .claim = "later_keys_are_hidden_whatever_the_tiles", .op = &probe_mask_scores, .shape = {1, 1, 23, 23, 8, 1}, .tiles = {4, 6}},
    {"task3", TODO("3.2"), .claim = "the_mask_is_aligned_bottom_right", .op = &probe_mask_scores, .shape = {1, 1, 13, 29, 8, 1}, .tiles = {3, 8}},
    {"task3", TODO("3.2"), .claim = "nothing_is_hidden_where_not_causal", .op = &probe_mask_scores, .shape = {1, 1, 13, 29, 8, 0}, .tiles = {5, 8}},
    {"task3", TODO("3.3"), .claim = "the_row_max_counts_earlier_tiles", .op = &probe_raise_max, .shape = {1, 1, 13, 131, 8, 0}},
    {"task3", TODO("3.3"), .claim = "masked_scores_do_not_raise_the_max", .op = &probe_raise_max, .shape = {1, 1, 13, 19, 8, 0}, .kind = LAB_SCORES},
    {"task3", TODO("3.4"), .claim = "l_and_o_are_rescaled_when_the_max_grows", .op = &probe_rescale, .shape = {1, 1, 5, 5, 40, 0}},
    {"task3", TODO("3.4"), .claim = "nothing_is_left_of_what_no_tile_has_given", .op = &probe_rescale, .shape = {1, 1, 5, 5, 40, 0}, .extra = {1}},
    {"task3", TODO("3.4"), .claim = "large_maxima_are_rescaled", .op = &probe_rescale, .shape = {1, 1, 5, 5, 40, 0}, .kind = LAB_LARGE},
    {"task3", TODO("3.5"), .claim = "scores_become_probabilities_and_l_their_sum", .op = &probe_exponentiate, .shape = {1, 1, 5, 37, 8, 0}},
    {"task3", TODO("3.5"), .claim = "few_scores_that_are_all_seen_and_their_sum", .op = &probe_exponentiate, .shape = {1, 1, 5, 4, 8, 0}, .extra = {1}},
    {"task3", TODO("3.6"), .claim = "a_product_is_added", .op = &probe_multiply_add, .shape = {1, 1, 13, 11, 24, 0}},
    {"task3", TODO("3.7"), .claim = "one_tile_holds_all_keys", .op = &lab_walk_probe, .shape = {1, 1, 8, 8, 16, 0}, .tiles = {8, 8}},
    {"task3", TODO("3.7"), .claim = "several_tiles_are_walked", .op = &lab_walk_probe, .shape = {1, 1, 8, 32, 16, 0}, .tiles = {8, 8}},
    {"task3", TODO("3.7"), .claim = "the_last_tile_may_be_narrow", .op = &lab_walk_probe, .shape = {1, 2, 7, 29, 16, 0}, .tiles = {4, 8}},
    {"task3", TODO("3.7"), .claim = "the_walk_reaches_the_diagonal", .op = &lab_walk_probe, .shape = {1, 2, 21, 37, 16, 1}, .tiles = {6, 4}},
    {"task3", TODO("3.7"), .claim = "hidden_tiles_are_not_visited", .op = &probe_walk_visible_keys, .shape = {1, 2, 21, 37, 16, 1}, .tiles = {4, 8}},
    {"task3", TODO("3.8"), .claim = "each_row_is_divided_by_its_sum", .op = &probe_divide, .shape = {1, 1, 5, 5, 24, 0}},
    {"task3", TODO("3.9"), .claim = "each_thread_has_its_own_tile_and_jobs", .op = &probe_threads, .shape = {2, 3, 64, 64, 16, 0}},
    {"task3", TODO("3.10"), .claim = "dot_products_run_in_lanes", .op = &probe_lanes, .shape = {1, 1, 1, 1, 8, 0}},
    {"task3", TODO("3.10"), .claim = "the_row_max_calls_no_function", .op = &probe_max_in_lanes, .shape = {1, 1, 1, 1, 8, 0}},
    {"task3", TODO("3.11"), .claim = "keys_lie_side_by_side", .op = &probe_transpose_keys, .shape = {1, 1, 1, 11, 40, 0}},
    {"task3", TODO("3.12"), .claim = "a_block_is_added", .op = &probe_multiply_block, .shape = {1, 1, 16, 13, 64, 0}},
    {"task3", TODO("3.12"), .claim = "nothing_beside_a_block_is_touched", .op = &probe_multiply_block, .shape = {1, 1, 17, 13, 72, 0}},
    {"task3", TODO("3.13"), .claim = "exp_of_is_exact_and_calls_nothing", .op = &probe_exp_of, .shape = {1, 1, 500, 1, 8, 0}},
    {0},
};
