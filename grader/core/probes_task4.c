// probes_task4.c: the TODOs of task 4, one by one: what a probe (grader/probes/task4.cu) computes, and its claims.
#include "cases.h"
#include "formula.h"
#include "probes_task4.h"

#include <math.h>

// ---- load_tile: src [seq_kv, D] into a tile of seq_q rows. The row behind it comes out as 0 if it was left

SIZES(load_tile, s.seq_q + 1, s.head_dim, s.seq_kv *s.head_dim)

ORACLE(load_tile) {
    const int D = s.head_dim, size = s.seq_q;
    for (int i = 0; i < (size + 1) * D; i++) {
        const int r = i / D, there = r < s.seq_kv && (r < size || mistake == 1);
        out[i] = there ? in[1][r * D + i % D] : 0;
    }
    return 1;
}

// A tile with a row for each dim, rows `apart` floats from each other. What is not written is NaN.
static int is_turned(const lab_symptom *s, int apart) {
    const int D = s->shape.head_dim, rows = s->shape.seq_kv, tile = s->shape.seq_q;
    int written = 0, beyond = 0;
    for (int i = 0; i < tile * D; i++) {
        const int n = i / D * (D + 1) + i % D, d = n / apart, r = n % apart;
        const int there = d < D && r < tile, real = there && r < rows;
        if (real ? s->got[i] != s->in[1][r * D + d] : !isnan(s->got[i]) && !(there && s->got[i] == 0)) return 0;
        written += real, beyond += !there;
    }
    return 2 * written > rows && written > beyond;
}

// Tiles that are neither complete nor wrong: rows without the float of padding, or one round of the block's threads.
static int other_tile(const lab_symptom *s, char *text, size_t size) {
    const int D = s->shape.head_dim, rows = s->shape.seq_kv, tile = s->shape.seq_q;
    int packed = 1, written = 0, all = 1, real = 1;  // real: the rows that exist, and none besides
    for (int i = 0; i < tile * D; i++) {
        const int n = i / D * (D + 1) + i % D;  // what stands there if rows are D floats apart
        const float x = n / D < rows ? s->in[1][n < rows * D ? n : 0] : 0;
        packed &= n < tile * D ? s->got[i] == x : isnan(s->got[i]) != 0;
        all &= isnan(s->got[i]) || written == i, written += !isnan(s->got[i]);
        real &= i / D < rows ? s->got[i] == s->want[i] : isnan(s->got[i]) != 0;
    }
    if (packed)
        return snprintf(text, size,
                        "matches a tile whose rows are D floats apart: element n of src has r = n / D and d = n %% D, "
                        "and stands at tile[r * STRIDE(D) + d]") > 0;
    for (int i = 0; i < 3; i++)
        if (is_turned(s, i ? i == 2 ? D + 1 : tile : tile + 1))
            return snprintf(text, size,
                            "matches a tile with a row for each dim, src[r][d] at d * %d + r: it has a row for each "
                            "row of src, tile[r * STRIDE(D) + d]",
                            i ? i == 2 ? D + 1 : tile : tile + 1) > 0;
    if (real && rows < tile)
        return snprintf(text, size,
                        "rows that do not exist hold NaN: they are not written, or are made of what is read there, as "
                        "0 times "
                        "NaN is NaN. They must hold zeros, and nothing of src is read for them") > 0;
    int columns = 0, only = 1;  // of each row as many, by threads that walk along rows
    while (columns < D && !isnan(s->got[columns])) columns++;
    for (int i = 0; i < tile * D && only; i++)
        only = i % D < columns ? s->got[i] == (float)s->want[i] : isnan(s->got[i]) != 0;
    if (only && columns && columns < D)
        return snprintf(text, size,
                        "matches a copy of the first %d columns alone: a row has D, so the threads of a row go on with "
                        "the next ones, in a loop over d",
                        columns) > 0;
    if (!all || !written || written == tile * D) return 0;
    return snprintf(text, size, "matches a copy of %d elements: each thread goes on with every THREADS-th, in a loop",
                    written) > 0;
}
KNOWN_OR(load_tile, other_tile, "rows behind the tile are written: it has `size` rows, however many src has");
PROBE(load_tile, load_tile, 2, .tensors = {"tile", "src"});

// ---- compute_scores, score_tile: S [BR, BC] = Q K^T / sqrt(D)

SIZES(compute_scores, BR, BC, BR *s.head_dim, BC *s.head_dim)

ORACLE(compute_scores) {
    const int D = s.head_dim;
    const double scale = mistake == 1 ? 1 : mistake == 2 ? 1.0 / D : 1 / sqrt(D);
    for (int i = 0; i < BR * BC; i++) {
        const int a = i / BC % TILE_ROWS, first = i / BC - a, to = a * (BC + 1) + i % BC;
        const int r = mistake == 6 ? first + to / BC : i / BC, c = mistake == 6 ? to % BC : i % BC;
        double sum = 0, of_q = 0, of_k = 0;
        if (mistake == 6 && to / BC == TILE_ROWS) {
            out[i] = NAN;  // nothing was written there
            continue;
        }
        for (int j = mistake == 3 ? c % LANES : c; j <= c; j += LANES)  // 3: the sums of earlier keys are carried on
            for (int d = mistake == 10 || mistake == 11 ? c % LANES : 0; d < D;
                 d += mistake == 10 || mistake == 11 ? LANES : 1)
                sum += lab_of_tile(in[1], D,
                                   mistake == 12  ? first * (D + 1) + d
                                   : mistake == 4 ? first * (D + 1) + a * D + d
                                                  : r * (D + 1) + d) *
                       lab_of_tile(in[2], D, mistake == 5 ? j * D + d : j * (D + 1) + d);
        for (int d = 0; mistake == 13 && d < D; d++) {
            const double q = lab_of_tile(in[1], D, r * (D + 1) + d), k = lab_of_tile(in[2], D, c * (D + 1) + d);
            of_q += q * q, of_k += k * k;
        }
        if (mistake == 13) sum /= scale * sqrt(of_q * of_k);
        const int key = i % BC;  // 7 .. 9: written by other threads, too, or by them alone
        const int others = (mistake == 7 && key > 0) || mistake == 8 || mistake == 10,
                  alone = mistake == 9 && key / (BC / LANES) != key % LANES;
        out[i] = scale * sum + (others ? 1000 : alone ? -1000 : 0);
    }
    return 1;
}
KNOWN(compute_scores, "matches scores without 1/sqrt(D): multiply by scale",
      "matches scores multiplied by 1/D: scale is already 1/sqrt(D), apply it once",
      "matches a sum that goes on from one key to the next: it starts at 0 for each key",
      "matches queries that are read D floats apart: rows of Qs are STRIDE(D) apart",
      "matches keys that are read D floats apart: rows of Ks are STRIDE(D) apart",
      "matches scores that are written with rows BC floats apart: rows of s are BC + 1 apart",
      "each thread writes all scores from its first key on: its keys are t, t + 8, ..., the others belong to others",
      "each thread writes the scores of all keys: its keys are t, t + 8, ..., the others belong to others",
      "each thread writes the scores of neighbouring keys: its keys are t, t + 8, ...",
      "matches sums over the dims t, t + 8, ... of all keys: a thread has the keys t, t + 8, ..., and all dims of each",
      "matches sums over the dims t, t + 8, ... alone: of its own keys a thread takes all dims",
      "matches the query of row 0 for all rows of a register tile: row a has its own, at q + a * STRIDE(D)",
      "matches scores that are cosines, divided by the lengths of q and k: a score is scale * q . k");
PROBE(compute_scores, compute_scores, 3, .tensors = {"s", "Q", "K"});
PROBE(score_tile, compute_scores, 3, .tensors = {"s", "Q", "K"});

// ---- mask_scores: S [BR, BC] of queries i0 + r and keys k0 + c; extra = {i0, k0}. -INFINITY comes out as -100

SIZES(mask_scores, BR, BC, BR *BC)

#define MASKS_ONE_TILE                                                                                                 \
    "matches a mask in the one tile alone in which the keys that a query sees end: of a tile wholly behind them, "     \
    "which is visited for later queries, it hides nothing, and all is to be hidden"

#define BY_LAST_KEY                                                                                                    \
    "matches a tile that is hidden as a whole where its last key is not seen: each key k0 + c is hidden, or not, by "  \
    "itself"
#define BY_FIRST_KEY                                                                                                   \
    "matches a tile that is hidden as a whole where its first key is not seen, and else not at all: each key k0 + c "  \
    "is hidden, or not, by itself"

#define CUTS_EVERY_TILE                                                                                                \
    "matches places c >= seq_kv % BC that are hidden in every tile: only the last tile is narrower, so hide key k0 + " \
    "c where it is >= seq_kv"

static int hidden(attn_shape s, int i, int j, int c, int mistake) {
    const int last = i + (mistake == 4 ? 0 : s.seq_kv - s.seq_q);
    if (mistake == 14 || mistake == 15) {  // in the tile of the first key that is not seen, or of the last that is
        const int seen = s.causal && last + 1 < s.seq_kv ? last + 1 : s.seq_kv;
        return (j - c) / BC == (seen - (mistake == 15)) / BC && j >= seen;
    }
    if (mistake == 23) return hidden(s, i, c, c, 4);
    if (mistake >=
        19) {  // a whole tile is hidden as its last key is, by both rules or one; or by the causal one as its first
        const int edge = mistake == 22 ? j - c : j - c + BC - 1;
        return (s.causal && (mistake == 20 ? j : edge) > last) || (mistake > 20 ? j : edge) >= s.seq_kv;
    }
    if (mistake >= 16) {  // every tile is cut: where the last one ends, or where the query's own does
        const int rest = s.seq_kv % BC, behind = mistake == 16 && !rest ? BC : rest;
        if (mistake == 18) return j >= s.seq_kv || (s.causal && c > last % BC);
        return c >= behind || (s.causal && j > last);
    }
    if (mistake == 10) {  // r and c change places
        const int k0 = j - c, r = i % BR, i0 = i - r;
        return (s.causal && k0 + r > i0 + c + s.seq_kv - s.seq_q) || j >= s.seq_kv;
    }
    if (mistake == 7) return (s.causal && j > last) || c >= s.seq_kv;
    if (mistake == 8) return s.causal && j > last;
    if (mistake == 9) return j >= s.seq_kv;
    if (mistake == 12) return hidden(s, i, j - c + c % LANES, c, 0);
    if (mistake == 13) return hidden(s, i, c, c, 0);
    if (mistake == 11) return j > i - (s.seq_kv - s.seq_q) || j >= s.seq_kv;
    return (mistake == 1 ? j > last : s.causal && j > last - (mistake == 2) + (mistake == 3)) || j >= s.seq_kv;
}

ORACLE(mask_scores) {
    for (int i = 0; i < BR * BC; i++) {
        const int c = i % BC, hide = hidden(s, extra[0] + i / BC, extra[1] + c, c, mistake);
        out[i] = !hide ? in[1][i] : mistake == 5 ? 0 : mistake == 6 ? -3.402823466e38 : -100;
    }
    return 1;
}
KNOWN(
    mask_scores, "matches a causal mask that was not asked for: look at shape.causal",
    "matches a causal mask that is off by one: each query misses its last key",
    "matches a causal mask that is off by one: each query sees one key too many",
    "matches a mask aligned top-left: query i must see keys 0 .. i + (seq_kv - seq_q)",
    "hidden scores are 0: exp(0) is 1, so they would still count; set them to -INFINITY",
    "hidden scores are -FLT_MAX: set them to -INFINITY",
    "keys behind the last one are not hidden, causal or not: hide key j = k0 + c of the head, and not place c of its "
    "tile, where j >= seq_kv",
    "keys behind the last one are not hidden: hide j = k0 + c >= seq_kv, causal or not",
    "no later key is hidden where causal: hide j > i + seq_kv - seq_q, where j is k0 + c, not place c of the tile",
    "matches r and c exchanged in the causal rule: query i0 + r sees key k0 + c where it is not behind it",
    "matches seq_q - seq_kv in place of seq_kv - seq_q: query i must see keys 0 .. i + (seq_kv - seq_q)",
    "matches key k0 + t for all scores of a thread, where only the first has it: score c is of key k0 + c",
    "matches keys that are counted within the tile: score c is of key k0 + c of the head", MASKS_ONE_TILE,
    MASKS_ONE_TILE, CUTS_EVERY_TILE, CUTS_EVERY_TILE,
    "matches places c > (i + seq_kv - seq_q) % BC that are hidden in every tile: only the tile on the diagonal is cut "
    "there, so hide key k0 + c where it is > i + seq_kv - seq_q",
    BY_LAST_KEY, BY_LAST_KEY, BY_LAST_KEY, BY_FIRST_KEY,
    "matches keys that are counted within the tile, and a mask aligned top-left: score c is of key k0 + c of the head, "
    "and query i must see keys 0 .. i + (seq_kv - seq_q)");
PROBE(mask_scores, mask_scores, 2, .tensors = {"s", "scores"});

// ---- rescale: out [BR, D + LANES], o and then l; from o, l, m and m_new. extra[0]: m is -INFINITY, no tile was seen yet

SIZES(rescale, BR, s.head_dim + LANES, BR *s.head_dim, BR *LANES, BR, BR)

FILL(rescale) {
    lab_fill_scaled(x, rescale_elements(s, t), t < 3 ? 1 : 0.25f, key);
    for (int r = 0; t > 2 && r < BR; r++) x[r] = t == 4 ? x[r] + 1 : extra[0] ? -INFINITY : x[r];
    for (int r = 0; t > 2 && kind == LAB_LARGE && r < BR; r++) x[r] += r % 2 ? 150 : -150;
}

ORACLE(rescale) {
    const int D = s.head_dim;
    for (int r = 0; r < BR; r++) {
        const double grown = (double)in[4][r] - in[3][r], alpha = mistake == 4   ? 1
                                                                  : mistake == 5 ? 0
                                                                                 : exp(mistake == 3 ? grown : -grown);
        for (int d = 0; d < D; d++) *out++ = in[1][r * D + d] * (mistake == 2 ? 1 : alpha);
        for (int t = 0; t < LANES; t++) *out++ = in[2][r * LANES + t] * (mistake == 1 ? 1 : alpha);
    }
    return 1;
}
static int rescale_else(const lab_symptom *s, char *text, size_t size) {
    const size_t D = s->shape.head_dim, row = D + LANES;
    const lab_formula o = {"o[e]", "o * exp(m_old - m_new)",
                           0,      D,
                           row,    {{"o", LAB_OF_ELEMENT, 1}, {"m_old", LAB_OF_ROW, 3}, {"m_new", LAB_OF_ROW, 4}}},
                      l = {"l", "l * exp(m_old - m_new)",
                           D,   LANES,
                           row, {{"l", LAB_OF_ELEMENT, 2}, {"m_old", LAB_OF_ROW, 3}, {"m_new", LAB_OF_ROW, 4}}};
    return lab_explain_two_exponentials(s, "o[e]", text, size) || lab_explain_formula(s, &o, text, size) ||
           lab_explain_formula(s, &l, text, size);
}
KNOWN_OR(rescale, rescale_else, "matches o rescaled and l not: both hold terms exp(s_j - m_old)",
         "matches l rescaled and o not: both hold terms exp(s_j - m_old)",
         "matches exp(m_new - m_old): alpha is exp(m_old - m_new), at most 1",
         "l and o stay as they were: multiply both by exp(m_old - m_new), while row->m is still m_old",
         "l and o begin anew with 0 where the max grows: both are multiplied by exp(m_old - m_new)");
PROBE(rescale, rescale, 5, .tensors = {"o and l", "o", "l", "m_old", "m_new"}, .fill = rescale_fill);

// ---- The claims

#define SMALL                                                                                                          \
    { 1, 1, BR, BC, 40, 0 }
#define WIDE                                                                                                           \
    { 1, 1, BR, BC, 128, 0 }
// clang-format off
const lab_case lab_todos_task4[] = {
    {"task4", TODO("4.1"), .claim = "a_whole_tile_is_loaded", .op = &probe_load_tile, .shape = {1, 1, BC, BC, 64, 0}},
    {"task4", TODO("4.1"), .claim = "rows_that_do_not_exist_become_zeros", .op = &probe_load_tile, .shape = {1, 1, BC, 13, 80, 0}},
    {"task4", TODO("4.1"), .claim = "nothing_behind_the_tile_is_written", .op = &probe_load_tile, .shape = {1, 1, BR, BR + 5, 128, 0}},
    {"task4", TODO("4.2"), .claim = "scores_are_scaled_dot_products", .op = &probe_compute_scores, .shape = SMALL},
    {"task4", TODO("4.2"), .claim = "scores_of_the_largest_head", .op = &probe_compute_scores, .shape = WIDE},
    {"task4", TODO("4.3"), .claim = "keys_behind_the_last_are_hidden", .op = &probe_mask_scores, .shape = {1, 1, 64, 29, 8, 0}, .extra = {16, 24}},
    {"task4", TODO("4.3"), .claim = "later_keys_are_hidden_where_causal", .op = &probe_mask_scores, .shape = {1, 1, 48, 48, 8, 1}, .extra = {16, 24}},
    {"task4", TODO("4.3"), .claim = "the_mask_is_aligned_bottom_right", .op = &probe_mask_scores, .shape = {1, 1, 24, 30, 8, 1}, .extra = {8, 0}},
    {"task4", TODO("4.3"), .claim = "nothing_is_hidden_from_whom_sees_all", .op = &probe_mask_scores, .shape = {1, 1, 48, 48, 8, 0}, .extra = {0, 24}},
    {"task4", TODO("4.4"), .claim = "all_threads_of_a_row_have_its_max", .op = &probe_new_max, .shape = SMALL},
    {"task4", TODO("4.5"), .claim = "l_and_o_are_rescaled_when_the_max_grows", .op = &probe_rescale, .shape = SMALL},
    {"task4", TODO("4.5"), .claim = "all_dims_of_the_largest_head_are_rescaled", .op = &probe_rescale, .shape = WIDE},
    {"task4", TODO("4.5"), .claim = "large_maxima_are_rescaled", .op = &probe_rescale, .shape = SMALL, .kind = LAB_LARGE},
    {"task4", TODO("4.5"), .claim = "nothing_is_left_of_what_no_tile_has_given", .op = &probe_rescale, .shape = SMALL, .extra = {1}},
    {"task4", TODO("4.6"), .claim = "scores_become_probabilities_and_l_their_sum", .op = &probe_add_probabilities, .shape = SMALL},
    {"task4", TODO("4.7"), .claim = "values_are_added_with_their_weights", .op = &probe_add_values, .shape = SMALL},
    {"task4", TODO("4.7"), .claim = "values_of_the_largest_head", .op = &probe_add_values, .shape = WIDE},
    {"task4", TODO("4.8"), .claim = "a_row_is_divided_by_its_sum_and_stored", .op = &probe_store_row, .shape = {1, 1, BR, 1, 40, 0}},
    {"task4", TODO("4.8"), .claim = "rows_that_do_not_exist_are_not_stored", .op = &probe_store_row, .shape = {1, 1, 13, 1, 128, 0}},
    {"task4", TODO("4.9"), .claim = "all_keys_are_visited_without_a_mask", .op = &probe_keys_to_visit, .shape = {1, 1, 50, 70, 8, 0}},
    {"task4", TODO("4.9"), .claim = "hidden_keys_are_not_visited_where_causal", .op = &probe_keys_to_visit, .shape = {1, 1, 50, 50, 8, 1}},
    {"task4", TODO("4.9"), .claim = "the_walk_ends_bottom_right", .op = &probe_keys_to_visit, .shape = {1, 1, 50, 70, 8, 1}},
    {"task4", TODO("4.10"), .claim = "one_tile_is_complete_before_it_is_read", .op = &lab_flash_launch, .shape = {1, 1, BR, BC, 40, 0}},
    {"task4", TODO("4.10"), .claim = "no_tile_is_overwritten_while_it_is_read", .op = &lab_flash_launch, .shape = {1, 2, 2 * BR, 4 * BC, 40, 0}},
    {"task4", TODO("4.10"), .claim = "a_small_ragged_sequence", .op = &lab_flash_launch, .shape = {2, 1, 19, 41, 64, 0}},
    {"task4", TODO("4.10"), .claim = "a_small_causal_sequence", .op = &lab_flash_launch, .shape = {1, 2, 37, 53, 32, 1}},
    {"task4", TODO("4.11"), .claim = "a_register_tile_of_scores", .op = &probe_score_tile, .shape = SMALL},
    {"task4", TODO("4.11"), .claim = "a_register_tile_of_scores_of_the_largest_head", .op = &probe_score_tile, .shape = WIDE},
    {"task4", TODO("4.11"), .claim = "a_register_tile_of_values", .op = &probe_value_tile, .shape = SMALL},
    {"task4", TODO("4.11"), .claim = "a_register_tile_of_values_of_the_largest_head", .op = &probe_value_tile, .shape = WIDE},
    {0},
};
