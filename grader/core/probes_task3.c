// probes_task3.c: the TODOs of task 3, one by one: what a probe (grader/probes/task3.c) computes, and its claims.
//
// A tile has seq_q queries and seq_kv keys. Rows of S, Kt, A, B and C are longer by PAD; what a function must not write
// comes out as UNTOUCHED.
#include "cases.h"
#include "probes.h"

#include <math.h>
#include <stdio.h>

enum { PAD = 5, UNTOUCHED = 5 };

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
            carried = dot(in[1] + r * D, in[2] + c * D, D) + (mistake == 4 ? carried : 0);
            out[r * step + c] = scale * carried;
        }
    return 1;
}
KNOWN_OR(compute_scores, lab_scores_of_tile_else, "matches scores without 1/sqrt(D)",
         "matches scores multiplied by 1/D: it must be 1/sqrt(D)", "every score is 0: 1 / D of two integers is 0",
         "matches a sum that goes on from one score to the next",
         "rows of S are taken as nk long: they are Bc apart, also in a narrow tile");
PROBE(compute_scores, compute_scores, 3, .tensors = {"S", "Q", "K"});

// ---- transpose_keys: Kt [head_dim, seq_kv + PAD], from K

SIZES(transpose_keys, s.head_dim, s.seq_kv + PAD, (size_t)s.seq_kv *s.head_dim)

ORACLE(transpose_keys) {
    const int D = s.head_dim, nk = s.seq_kv, Bc = nk + PAD;
    const double scale = mistake == 1 ? 1 : mistake == 2 ? 1.0 / D : 1 / sqrt(D);
    for (int i = 0; i < D * Bc; i++) out[i] = UNTOUCHED;
    for (int c = 0; c < nk; c++)
        for (int d = 0; d < D; d++)
            out[mistake == 3 ? c * D + d : d * (mistake == 4 ? nk : Bc) + c] = scale * in[1][c * D + d];
    return 1;
}
KNOWN(transpose_keys, "matches Kt without 1/sqrt(D)", "matches Kt multiplied by 1/D: it must be 1/sqrt(D)",
      "the keys are copied as they lie: Kt[d * Bc + c] = K[c * D + d]",
      "rows of Kt are taken as nk long: they are Bc apart, also in a narrow tile");
PROBE(transpose_keys, transpose_keys, 2, .tensors = {"Kt", "K"});

// ---- mask_scores: S [seq_q, seq_kv], in tiles of extra = {Br, Bc}. -INFINITY comes out as LAB_HIDDEN

SIZES(mask_scores, s.seq_q, s.seq_kv, (size_t)s.seq_q *s.seq_kv)

ORACLE(mask_scores) {
    for (int n = 0; n < s.seq_q * s.seq_kv; n++) {
        const int i = n / s.seq_kv % (mistake == 6 || mistake == 9 ? extra[0] : s.seq_q);
        const int j = n % s.seq_kv % (mistake == 7 || mistake == 9 ? extra[1] : s.seq_kv);
        const int i_at = mistake == 11 ? i / extra[0] * extra[0] : i,
                  j_at = mistake == 10 ? j / extra[1] * extra[1] : j;
        const int turned = mistake == 12 ? j % extra[1] - i % extra[0] : 0;  // r and c change places
        const int last = i_at + turned + (mistake == 4 ? 0 : s.seq_kv - s.seq_q) - (mistake == 2) + (mistake == 3);
        const int hide = (mistake == 1 || s.causal) && j_at - turned > last && mistake != 8;
        out[n] = !hide ? in[1][n] : mistake == 5 ? 0 : LAB_HIDDEN;
    }
    return 1;
}
KNOWN_OR(mask_scores, lab_tile_mask_else, "matches a causal mask that was not asked for: look at shape.causal",
         "matches a causal mask that is off by one: each query misses its last key",
         "matches a causal mask that is off by one: each query sees one key too many",
         "matches a mask aligned top-left: query i sees keys 0 .. i + (seq_kv - seq_q)",
         "hidden scores are 0: exp(0) is 1, so they would still count; set them to -INFINITY",
         "r is a place in the tile: the query's place in its head is i0 + r",
         "c is a place in the tile: the key's place in its head is j0 + c",
         "nothing is hidden: where shape.causal, query i sees keys 0 .. i + (seq_kv - seq_q)",
         "r and c are places in the tile: compare key j0 + c with query i0 + r",
         "c is not in the comparison: key j0 + c is hidden or not, each for itself",
         "r is not in the comparison: query i0 + r sees one key more than the one before",
         "matches r and c exchanged, in the comparison or in the index: r counts the queries, c the keys of a tile");
PROBE(mask_scores, mask_scores, 2, .tensors = {"S", "scores"});

// ---- raise_max: out [seq_q], from S and the row max of earlier tiles

SIZES(raise_max, s.seq_q, 1, (size_t)s.seq_q *s.seq_kv, s.seq_q)

// Every third row holds only scores below 0; earlier tiles had none, a larger one, or a smaller one.
FILL(raise_max) {
    lab_fill(x, raise_max_elements(s, t), s.seq_kv, t == 1 ? kind : LAB_NORMAL, key);
    for (int i = 0; t == 1 && i < s.seq_q * s.seq_kv; i++)
        if (i / s.seq_kv % 3 == 0) x[i] = -fabsf(x[i]) - 1;
    for (int r = 1; t == 1 && r < s.seq_q; r += 3) x[r * s.seq_kv + s.seq_kv - 1] = 5.25f + r;
    for (int r = 0; t == 2 && r < s.seq_q; r++) x[r] = r % 4 == 1 ? x[r] + 30 : r % 4 == 2 ? x[r] - 30 : -INFINITY;
}

ORACLE(raise_max) {
    const int nk = s.seq_kv;
    for (int r = 0; r < s.seq_q; r++) {
        const float *x = in[1] + r * nk;
        double m = mistake == 1 ? -INFINITY : mistake == 2 ? fmax(0, in[2][r]) : in[2][r];
        for (int c = mistake == 6; c < nk - (mistake == 4); c++)
            m = mistake == 3 ? fmin(m, x[c]) : fmax(m, mistake == 5 ? fabs(x[c]) : x[c]);
        if (mistake == 7) m = r + 1 < s.seq_q ? fmax(m, x[nk]) : NAN;
        if (mistake == 8) m = x[nk - 1];
        for (int c = 1; c < nk && mistake == 10; c++) m = c == 1 ? fmax(in[2][r], x[0]) : c % 2 ? m : fmax(m, x[c]);
        for (int c = 0; c < nk && mistake == 9; c++) m = c == 0 ? in[2][r] : m, m = x[c] > in[2][r] ? x[c] : m;
        out[r] = isfinite(m) || mistake == 5 || mistake == 7 ? m : -1e30;
    }
    return 1;
}
KNOWN(raise_max, "matches the max of this tile alone: start from what max was before",
      "matches a max that starts at 0: a row whose scores are all below 0 has another one",
      "matches the smallest score: look for the largest", "the last score is not looked at: c runs to nk - 1",
      "matches the largest |s|: a large negative score is no maximum",
      "the first score is not looked at: c starts at 0",
      "s[nk] is looked at, too, which is beyond the tile: c runs to nk - 1", "matches the last score: max only grows",
      "matches the last score that is larger than the old max: compare s[c] with max, not with *m",
      "every second score is left out: c grows by 1");
PROBE(raise_max, raise_max, 3, .tensors = {"m", "S", "m_old"}, .fill = raise_max_fill);

// ---- rescale: out [seq_q, head_dim + 1], o and then l; from o, l, m_old and m_new. extra[0]: m_old is -INFINITY

SIZES(rescale, s.seq_q, s.head_dim + 1, (size_t)s.seq_q *s.head_dim, s.seq_q, s.seq_q, s.seq_q)

FILL(rescale) {
    lab_fill_scaled(x, rescale_elements(s, t), t < 3 ? 1 : 0.25f, key);
    for (int r = 0; t > 2 && r < s.seq_q; r++) x[r] = t == 4 ? x[r] + 1 : extra[0] ? -INFINITY : x[r];
    for (int r = 0; t == 2 && r < s.seq_q; r++) x[r] = 1 + fabsf(x[r]);  // l: the row's largest score gave 1
}

ORACLE(rescale) {
    const int D = s.head_dim;
    for (int r = 0; r < s.seq_q; r++) {
        const double grown = (double)in[4][r] - in[3][r];
        const double alpha = mistake == 13  ? 1
                             : mistake == 7 ? -grown
                             : mistake == 8 ? exp2(-grown)
                                            : exp(mistake == 3 ? grown : -grown);
        for (int d = 0; d < D; d++) {
            const double o = in[1][r * D + d];
            *out++ = mistake == 9 && d == D - 1            ? o
                     : mistake == 10 && !d                 ? o
                     : mistake == 2 || (mistake == 5 && d) ? (mistake == 2 && extra[0] ? NAN : o)
                     : mistake == 4                        ? o / alpha
                     : mistake == 14                       ? o / in[2][r]
                     : mistake == 16                       ? o * in[2][r] * alpha
                     : mistake == 17                       ? o * in[2][r]
                     : mistake == 15                       ? o * alpha / in[2][r]
                                                           : o * alpha;
        }
        *out++ = in[2][r] * (mistake == 1    ? 1
                             : mistake == 6  ? pow(alpha, D)
                             : mistake == 11 ? alpha * alpha
                             : mistake == 12 ? 1 / alpha
                                             : alpha);
    }
    return 1;
}
static int rescale_else(const lab_symptom *s, char *text, size_t size) {
    if (s->extra[0]) return 0;  // an l of 0 may be a reason to leave o alone
    return lab_explain_left(s, (lab_left){"o", 1, s->shape.head_dim, s->shape.head_dim + 1}, text, size);
}
KNOWN_OR(
    rescale, rescale_else, "o is rescaled and l is not: both hold terms exp(s_j - m_old)",
    "l is rescaled and o is not: both hold terms exp(s_j - m_old)",
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
    "matches o multiplied by l: both are multiplied by alpha, exp(m_old - m_new)");
PROBE(rescale, rescale, 5, .tensors = {"o and l", "o", "l", "m_old", "m_new"}, .fill = rescale_fill);

// ---- exponentiate: out [seq_q, seq_kv + 1], the probabilities and then l; from S, l and m

SIZES(exponentiate, s.seq_q, s.seq_kv + 1, (size_t)s.seq_q *s.seq_kv, s.seq_q, s.seq_q)

FILL(exponentiate) {
    lab_fill_scaled(x, exponentiate_elements(s, t), 0.5f, key);
    for (int r = 0; t == 3 && r < s.seq_q; r++) x[r] += 1;
    for (int i = 0; t == 1 && i < s.seq_q * s.seq_kv; i++)
        if (i % 5 == 3) x[i] = -INFINITY;
}

ORACLE(exponentiate) {
    const int nk = s.seq_kv;
    for (int r = 0; r < s.seq_q; r++, out += nk + 1) {
        out[nk] = mistake == 2 ? 0 : in[2][r];
        for (int c = 0; c < nk; c++) {
            const double score = in[1][r * nk + c], p = exp(mistake == 1 ? score : score - in[3][r]);
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
        for (int c = 0; c < nk && mistake == 12; c++) out[c] /= out[nk] - in[2][r];
        for (int c = 0; c < nk && mistake == 13; c++) out[c] /= out[nk];
    }
    return 1;
}
static int exponentiate_else(const lab_symptom *s, char *text, size_t size) {
    return lab_explain_power(s, (lab_powers){s->shape.seq_kv, s->shape.seq_kv + 1, 3}, text, size);
}
KNOWN_OR(
    exponentiate, exponentiate_else, "matches exp(s): subtract the row max m before exp",
    "l is set to this tile's sum: it holds earlier tiles, too", "l stays as it was: add each probability to sum",
    "the scores stay as they are: s[c] becomes the probability",
    "l grows by twice this tile's sum: sum is added to *l below, so add each probability to sum alone",
    "s[0] is left out: c runs from 0", "s[nk - 1] is left out: c runs to nk - 1",
    "s[c] becomes s[c] - m: the exponential is missing", "matches 2^(s - m): it is e^(s - m), expf and not exp2f",
    "the scores are added up: add the probabilities to sum", "l is the last probability: add each of them to sum",
    "matches probabilities that are divided by this tile's sum: nothing is divided before the last tile (TODO 3.8)",
    "matches probabilities that are divided by l: nothing is divided before the last tile (TODO 3.8)");
PROBE(exponentiate, exponentiate, 4, .tensors = {"s and l", "scores", "l_old", "m"}, .fill = exponentiate_fill);

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
         "only the last k is in the sum: add with +=", "rows of A are taken as n long: they are a_step apart",
         "rows of B are taken as cols long: they are bc_step apart",
         "rows of C are taken as cols long: they are bc_step apart");
PROBE(multiply_add, multiply_add, 4, .tensors = {"C", "A", "B", "C_old"});
PROBE(multiply_block, multiply_add, 4, .tensors = {"C", "A", "B", "C_old"});

// ---- walk_visible_keys: attention, where key tiles that a query tile does not see hold NaN

SIZES(walk_visible_keys, lab_elements_q(s) / s.head_dim, s.head_dim, lab_elements_q(s), lab_elements_kv(s),
      lab_elements_kv(s))

ORACLE(walk_visible_keys) { return lab_sdpa.oracle(s, extra, in, mistake, out); }

static int walk_visible_keys_diagnose(const lab_symptom *s, char *text, size_t size) {
    const size_t D = s->shape.head_dim, n = s->op->elements(s->shape, 0);
    int visited = s->cmp.not_finite > s->cmp.unwritten;
    for (size_t i = n - D; i < n; i++) visited = visited && !lab_element_bad(s, i, 0);  // the last query sees all keys
    if (visited)
        snprintf(text, size,
                 "right or not, every tile is visited: where causal, those behind the tile's last query are "
                 "hidden from all of it");
    return visited;
}
PROBE(walk_visible_keys, walk_visible_keys, 4, .tensors = {"O", "Q", "K", "V"});

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
        if (mistake == 8 && i < s.seq_q * D) out[i] = in[1][i] / in[2][i % D % s.seq_q];
        if (mistake == 4) out[i] = i < D ? UNTOUCHED : in[1][i - D] / in[2][i / D - 1];
    }
    return 1;
}
KNOWN(divide, LAB_NO_DIVISION_TEXT, "every row is divided by the sum of row 0: row r has l[r]",
      "matches a multiplication by l: divide by it",
      "the rows stand i0 too far down: O is where the tile's first query goes, so row r is O + r * D",
      "every row is divided by its maximum m[r]: divide by the row sum l[r]",
      "matches l[d] in place of l[r]: all of row r is divided by l[r]",
      "O is never written: the result goes to O, not to t.O",
      "matches l[d] in place of l[r]: all of row r is divided by l[r]",
      "matches a division by sqrt(l): divide by l[r]");
PROBE(divide, divide, 3, .tensors = {"O", "o", "l"}, .fill = divide_fill);

// ---- threads: of 4 that are offered, how many have working memory of their own; pairs that do the same jobs; 1: not freed

SIZES(threads, 1, 3, lab_elements_q(s), lab_elements_kv(s), lab_elements_kv(s), lab_elements_q(s))

ORACLE(threads) {
    out[0] = mistake == 2 ? 2 : 4;
    out[1] = mistake == 1 ? 6 : 0;
    out[2] = mistake == 4;
    if (mistake == 3) out[0] = 1;
    return 1;
}
KNOWN(threads, "every thread does every job: `omp for` shares the loop's jobs among them",
      "4 threads are offered and 2 take part: leave their number to OpenMP",
      "several threads work in the memory of one tile: make_tile belongs into the parallel region, so that each has "
      "its own",
      "working memory is not freed: each thread frees its own");
PROBE(threads, threads, 5, .tensors = {"threads", "Q", "K", "V", "O"}, .scratch = 4);

// ---- lanes: a score that is above 1 by less than rounding shows, if its sum runs in lanes

SIZES(lanes, 1, 1, 1)

ORACLE(lanes) {
    out[0] = 1;
    return 1;
}
KNOWN(lanes, NULL);
PROBE(lanes, lanes, 1, .tensors = {"score"});
PROBE(max_in_lanes, lanes, 1, .tensors = {"max"});

// ---- exp_of: for each x, 1 + 50 times the relative error; 0 for an exponential of 0

SIZES(exp_of, s.seq_q, 1, s.seq_q)

FILL(exp_of) {
    for (int i = 0; i < s.seq_q; i++) x[i] = -100.0f * (float)(lab_bits(key, i) >> 40) * 0x1p-24f;
    x[0] = 0, x[1] = -INFINITY, x[2] = -1e30f;
}

ORACLE(exp_of) {
    for (int i = 0; i < s.seq_q; i++) {
        const double want = exp(in[1][i]), got = mistake == 1 ? exp2(in[1][i]) : want;
        out[i] = want < 0x1p-126 && got < 0x1p-126 ? 0 : 1 + 50 * (got / want - 1);
    }
    return 1;
}
KNOWN_OR(exp_of, lab_explain_exponential, "matches 2^x: e^x is 2^y with y = x log2(e)");
PROBE(exp_of, exp_of, 2, .tensors = {"accuracy", "x"}, .fill = exp_of_fill);

// ---- The claims

// clang-format off
const lab_case lab_todos_task3[] = {
    {"task3", TODO("3.1"), .claim = "scores_are_scaled_dot_products", .op = &probe_compute_scores, .shape = {1, 1, 7, 11, 40, 0}},
    {"task3", TODO("3.2"), .claim = "later_keys_are_hidden_whatever_the_tiles", .op = &probe_mask_scores, .shape = {1, 1, 23, 23, 8, 1}, .tiles = {4, 6}},
    {"task3", TODO("3.2"), .claim = "the_mask_is_aligned_bottom_right", .op = &probe_mask_scores, .shape = {1, 1, 13, 29, 8, 1}, .tiles = {5, 8}},
    {"task3", TODO("3.2"), .claim = "nothing_is_hidden_where_not_causal", .op = &probe_mask_scores, .shape = {1, 1, 13, 29, 8, 0}, .tiles = {5, 8}},
    {"task3", TODO("3.3"), .claim = "the_row_max_counts_earlier_tiles", .op = &probe_raise_max, .shape = {1, 1, 13, 19, 8, 0}},
    {"task3", TODO("3.3"), .claim = "masked_scores_do_not_raise_the_max", .op = &probe_raise_max, .shape = {1, 1, 13, 19, 8, 0}, .kind = LAB_SCORES},
    {"task3", TODO("3.4"), .claim = "l_and_o_are_rescaled_when_the_max_grows", .op = &probe_rescale, .shape = {1, 1, 5, 5, 40, 0}},
    {"task3", TODO("3.4"), .claim = "nothing_is_left_of_what_no_tile_has_given", .op = &probe_rescale, .shape = {1, 1, 5, 5, 40, 0}, .extra = {1}},
    {"task3", TODO("3.5"), .claim = "scores_become_probabilities_and_l_their_sum", .op = &probe_exponentiate, .shape = {1, 1, 5, 37, 8, 0}},
    {"task3", TODO("3.6"), .claim = "a_product_is_added", .op = &probe_multiply_add, .shape = {1, 1, 13, 11, 24, 0}},
    {"task3", TODO("3.7"), .claim = "one_tile_holds_all_keys", .op = &lab_walk_probe, .shape = {1, 1, 8, 8, 16, 0}, .tiles = {8, 8}},
    {"task3", TODO("3.7"), .claim = "several_tiles_are_walked", .op = &lab_walk_probe, .shape = {1, 1, 8, 32, 16, 0}, .tiles = {8, 8}},
    {"task3", TODO("3.7"), .claim = "the_last_tile_may_be_narrow", .op = &lab_walk_probe, .shape = {1, 2, 7, 29, 16, 0}, .tiles = {4, 8}},
    {"task3", TODO("3.7"), .claim = "the_walk_reaches_the_diagonal", .op = &lab_walk_probe, .shape = {1, 2, 21, 37, 16, 1}, .tiles = {4, 8}},
    {"task3", TODO("3.7"), .claim = "hidden_tiles_are_not_visited", .op = &probe_walk_visible_keys, .shape = {1, 2, 21, 37, 16, 1}, .tiles = {4, 8}},
    {"task3", TODO("3.8"), .claim = "each_row_is_divided_by_its_sum", .op = &probe_divide, .shape = {1, 1, 5, 5, 24, 0}},
    {"task3", TODO("3.9"), .claim = "each_thread_has_its_own_tile_and_jobs", .op = &probe_threads, .shape = {2, 3, 64, 64, 16, 0}},
    {"task3", TODO("3.10"), .claim = "dot_products_run_in_lanes", .op = &probe_lanes, .shape = {1, 1, 1, 1, 8, 0}},
    {"task3", TODO("3.10"), .claim = "the_row_max_calls_no_function", .op = &probe_max_in_lanes, .shape = {1, 1, 1, 1, 8, 0}},
    {"task3", TODO("3.11"), .claim = "keys_lie_side_by_side", .op = &probe_transpose_keys, .shape = {1, 1, 1, 11, 40, 0}},
    {"task3", TODO("3.12"), .claim = "a_block_is_added", .op = &probe_multiply_block, .shape = {1, 1, 16, 11, 64, 0}},
    {"task3", TODO("3.12"), .claim = "nothing_beside_a_block_is_touched", .op = &probe_multiply_block, .shape = {1, 1, 17, 11, 72, 0}},
    {"task3", TODO("3.13"), .claim = "exp_of_is_exact_and_calls_nothing", .op = &probe_exp_of, .shape = {1, 1, 500, 1, 8, 0}},
    {0},
};
