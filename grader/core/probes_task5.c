// probes_task5.c: the TODOs of task 5, one by one: what a probe (grader/probes/task5.cu) computes, and its claims.
#include "cases.h"
#include "probes_task5.h"
#include "reductions.h"
#include "shuffles.h"
#include "stored.h"

#include <math.h>
#include <string.h>

enum { LANES = 32, BLOCK = 64 };

// ---- store_token: x_new [B, H, D] to slot extra[0] of X_cache [B, H, seq_kv, D], of which tensor 1 is the state before

SIZES(store_token, s.batch *s.heads *s.seq_kv, s.head_dim, lab_elements_kv(s), s.batch *s.heads *s.head_dim)

ORACLE(store_token) {
    const size_t H = s.heads, D = s.head_dim, max_seq = s.seq_kv, last = max_seq - 1;
    const size_t slot = extra[0] + (mistake == 1) - (mistake == 2);
    for (size_t i = 0; i < store_token_elements(s, 0); i++) out[i] = in[1][i];
    for (size_t bh = 0; bh < s.batch * H; bh++)
        for (size_t d = 0; d < D; d++) {
            const size_t from = mistake == 3 ? bh % H : bh;
            const size_t row = mistake == 4   ? (bh / H * max_seq + slot) * H + bh % H
                               : mistake == 5 ? bh * slot + slot
                                              : bh * max_seq + (slot < last ? slot : last);
            out[row * D + d] = in[2][from * D + d];
        }
    return 1;
}
static int store_token_else(const lab_symptom *s, char *text, size_t size) {
    const attn_shape a = s->shape;
    const long D = a.head_dim, slots = a.seq_kv, slot = s->extra[0];
    const lab_stored t = {.from_tensor = s->in[2],
                          .extent = {a.batch, a.heads, 1, D},
                          .step = {a.heads * slots * D, slots * D, D, 1},
                          .first = slot * D,
                          .cache = store_token_elements(a, 0),
                          .name = {{"D", D},
                                   {"max_seq * D", slots * D},
                                   {"H * max_seq * D", a.heads * slots * D},
                                   {"slot * D", slot * D},
                                   {"max_seq", slots},
                                   {"H * D", a.heads * D},
                                   {"H * max_seq", a.heads * slots},
                                   {"slot", slot},
                                   {"B * D", a.batch * D}}};
    return lab_explain_stored(s, &t, text, size) || lab_explain_taken_from(s, &t, text, size);
}
KNOWN_OR(store_token, store_token_else,
         "matches a token that is stored one slot too far: slots count from 0, lengths[b] is the first free one",
         "matches a token that replaces the last one: the first free slot is lengths[b]",
         "matches the token of sequence 0 stored for every sequence",
         "matches [B, max_seq, H, D]: the cache is [B, H, max_seq, D]",
         "matches heads that are lengths[b] slots apart: they are max_seq slots apart")
PROBE(store_token, store_token, 3, .in_place = 1, .tensors = {"X_cache", "the cache before", "x_new"});

// ---- count_token: lengths [B], as integers, then [B, BLOCK]: the length that each thread of block b has read

SIZES(count_token, 1, s.batch *(1 + BLOCK), s.batch)

FILL(count_token) {
    for (int b = 0; b < s.batch; b++) {
        const int32_t length = (int32_t)(lab_bits(key, b) % 1000);
        memcpy(x + b, &length, sizeof length);
    }
}

static void count_token_to_floats(attn_shape s, float *out) {
    for (int b = 0; b < s.batch; b++) out[b] = (float)lab_int_at(out, b);
}

ORACLE(count_token) {
    for (int b = 0; b < s.batch; b++) {
        const int length = lab_int_at(in[1], b);
        out[b] = length + (mistake == 1 ? 0 : mistake == 2 ? BLOCK : mistake == 3 ? 2 : 1);
        for (int i = 0; i < BLOCK; i++) out[s.batch + b * BLOCK + i] = length;
    }
    return 1;
}

KNOWN(counted, "matches a length that does not grow",
      "matches a length that grows by one for each thread: one thread writes it",
      "matches a token that is counted twice: one thread adds 1, once")

// Every length has grown by more than 1, and a thread has read it in between.
static int grows_with_every_thread(const lab_symptom *s) {
    const int B = s->shape.batch;
    for (int b = 0; b < B; b++) {
        int between = 0;
        for (int i = B + b * BLOCK; i < B + (b + 1) * BLOCK; i++)
            between += s->got[i] >= s->want[b] && s->got[i] < s->got[b];
        if (!between || s->got[b] > s->want[b] - 1 + BLOCK) return 0;
    }
    return 1;
}

static int count_token_diagnose(const lab_symptom *s, char *text, size_t size) {
    if (counted_diagnose(s, text, size)) return 1;
    if (grows_with_every_thread(s))
        return snprintf(text, size,
                        "matches a length that every thread changes, and late ones read what others have written: one "
                        "thread writes it, after a barrier") > 0;
    const int B = s->shape.batch;
    int first = 0, right = 0;
    for (int b = 0; b < B; b++) right += s->got[b] == s->want[b];
    while (first < B && s->got[first] == s->want[first]) first++;
    int others_stay = first < B;
    for (int b = first; b < B; b++) others_stay &= s->got[b] == s->want[b] - 1;
    if (right && right == first && others_stay)
        return snprintf(text, size, "counts the tokens of sequences 0 to %d alone: block b counts for sequence b",
                        first - 1) > 0;
    int added = 0, others = 0;  // slot + 1 is added to the length, which is slot
    for (int b = 0; b < B; b++) {
        const double grown = s->got[b] - s->want[b] + 1;
        added += grown == s->want[b] && grown > 1, others += grown != s->want[b] && grown != 0 && grown != 1;
    }
    if (added && !others)
        return snprintf(text, size,
                        "slot + 1 is added to lengths[b], which is slot already: lengths[b] is set to slot + 1 (=), by "
                        "block b%s",
                        added < B ? ", and it is not done for every sequence" : "") > 0;
    for (int b = 0; b < B && B > 1 && first < B; b++) {  // all have the length of this one
        int of_b = 0;
        for (int i = 0; i < B; i++) of_b += s->got[i] == s->want[b];
        if (of_b == B)
            return snprintf(text, size,
                            "every length is set to that of sequence %d, with its new token: each block writes those "
                            "of all sequences, and block b counts for sequence b alone",
                            b) > 0;
    }
    if (first < B && fabs(s->got[first]) < 1e6)
        return snprintf(text, size, "sequence %d had %g tokens, and lengths[%d] is %g afterwards: it must be %g", first,
                        s->want[first] - 1, first, s->got[first], s->want[first]) > 0;
    for (size_t i = s->shape.batch; i < count_token_elements(s->shape, 0); i++)
        if (s->got[i] != s->want[i]) {
            if (s->got[i] != s->got[(i - B) / BLOCK])  // nor what it is afterwards
                return snprintf(text, size, "a thread of block %zu read %g as lengths[%zu]: it was %g", (i - B) / BLOCK,
                                s->got[i], (i - B) / BLOCK, s->want[i]) > 0;
            snprintf(text, size,
                     "a thread read lengths[b] after it was changed: a barrier must come before the change");
            return 1;
        }
    return 0;
}
PROBE(count_token, count_token, 2, .fill = count_token_fill, .to_floats = count_token_to_floats,
      .tensors = {"lengths", "the lengths before"});

// ---- multiply: q [D], K [seq_kv, D] -> [seq_kv, LANES]: each lane's part of each score

SIZES(multiply, s.seq_kv, LANES, s.head_dim, s.seq_kv *s.head_dim)

ORACLE(multiply) {
    const int D = s.head_dim, dims = 128 / LANES;
    for (int j = 0; j < s.seq_kv; j++)
        for (int lane = 0; lane < LANES; lane++) {
            double sum = 0;
            for (int t = 0, d = lane; d < D; t++, d += LANES) {
                const int key = mistake == 1 ? (lane * dims + t) % D : mistake == 2 ? t : d;
                const double product = (double)in[1][mistake == 5 ? lane : d] * in[2][j * D + key];
                sum = mistake == 3 ? product : mistake == 4 && t ? sum : sum + product;
            }
            out[j * LANES + lane] = sum;
        }
    return 1;
}
// How often each product counts in its lane's sum: as many equations as keys. Returns 0 where no numbers fit.
static int counted(const lab_symptom *s, double times[]) {
    const int D = s->shape.head_dim, keys = s->shape.seq_kv;
    for (int lane = 0; lane < LANES; lane++) {
        const int n = lane < D ? (D - lane + LANES - 1) / LANES : 0;
        double g[4 * 5], x[4];
        if (n > 4 || n > keys - 1) return 0;
        for (int i = 0; i < n; i++)
            for (int j = 0; j <= n; j++) {
                g[i * (n + 1) + j] = 0;
                for (int k = 0; k < keys; k++) {
                    const double a = (double)s->in[1][lane + i * LANES] * s->in[2][k * D + lane + i * LANES];
                    const int d = lane + j * LANES;
                    g[i * (n + 1) + j] +=
                        a * (j < n ? (double)s->in[1][d] * s->in[2][k * D + d] : s->got[k * LANES + lane]);
                }
            }
        if (n && !lab_solve(n, g, x)) return 0;
        for (int k = 0; k < keys; k++) {
            double sum = 0;
            for (int i = 0; i < n; i++) sum += x[i] * s->in[1][lane + i * LANES] * s->in[2][k * D + lane + i * LANES];
            if (!(fabs(sum - s->got[k * LANES + lane]) < LAB_TOLERANCE)) return 0;
        }
        for (int i = 0; i < n; i++) times[lane + i * LANES] = x[i];
    }
    return 1;
}
static int multiply_else(const lab_symptom *s, char *text, size_t size) {
    const int D = s->shape.head_dim;
    double times[128];
    int first = -1, last = -1;
    if (D > 128 || s->cmp.not_finite || !counted(s, times)) return 0;
    for (int d = 0; d < D; d++) {
        if (fabs(times[d] - 1) < 0.01) continue;
        if (fabs(times[d]) > 0.01 || (last >= 0 && last != d - 1)) return 0;
        last = d, first = first < 0 ? d : first;
    }
    char said[200];
    const int down = first == D / LANES * LANES && last == D - 1;
    if (first < 0) return 0;
    if (first == last)
        snprintf(said, sizeof said, "matches dim %d of %d left out of the sum", first, D);
    else
        snprintf(said, sizeof said, "matches dims %d .. %d of %d left out of the sum%s", first, last, D,
                 down ? ": D / WARP rounds down, and the dims behind it count, too" : "");
    return lab_guess(s->guesses, said, text, size);
}
KNOWN_OR_NAN(products, multiply_else,
             "NaN: dims from D on are used, where the next key begins, or more numbers of q than its DIMS",
             "matches lane i working on dims 4 i .. 4 i + 3 of the key: register t of q is dim lane + 32 t",
             "matches k[t] in place of k[d]", "matches the last product alone: the products are added up",
             "matches the first dim of each lane alone",
             "matches register q[0] for every dim of a lane: q[t] is dim lane + 32 t, which goes with k[lane + 32 t]")
// Each lane goes over all dims of the key, with the registers that it has, which belong to dims lane, lane + 32, ...:
// register d / 32 of them, or d % 4. Of a register behind the last dim the sum is NaN, and in lane 0 there is none.
static int all_dims(const lab_symptom *s, int in_turn) {
    const int D = s->shape.head_dim, dims = 128 / LANES;
    for (int i = 0; i < s->shape.seq_kv * LANES; i++) {
        double sum = 0;
        for (int d = 0; d < D; d++) {
            const int own = i % LANES + LANES * (in_turn ? d % dims : d / LANES);
            sum += own < D ? (double)s->in[1][own] * s->in[2][i / LANES * D + d] : NAN;
        }
        if (isnan(sum) ? !isnan(s->got[i]) : !(fabs(sum - s->got[i]) < LAB_TOLERANCE * (1 + fabs(sum)))) return 0;
    }
    return s->cmp.not_finite < (size_t)s->shape.seq_kv * LANES;
}
static int multiply_all(const lab_symptom *s, char *text, size_t size) {
    if (!all_dims(s, 0) && !all_dims(s, 1)) return 0;
    return lab_guess(s->guesses,
                     "matches each lane going over all D dims of the key: it has q of dims lane, lane + 32, ... alone, "
                     "takes k of the same dims, and add_up adds the lanes",
                     text, size);
}
// Where a lane has all the dims that there can be, none of them lies behind the last one.
static int multiply_nan(const lab_symptom *s, char *text, size_t size) {
    if (s->shape.head_dim < 128 || s->cmp.not_finite <= s->cmp.unwritten) return 0;
    return snprintf(text, size, "%s", LAB_SPOILED) > 0;
}
// With D = 40 the first dim of each lane alone is what a loop to D / WARP takes, too: that goes first.
static int multiply_diagnose(const lab_symptom *s, char *text, size_t size) {
    if (multiply_all(s, text, size) || multiply_nan(s, text, size)) return 1;
    if (s->shape.head_dim % LANES) multiply_else(s, text, size);
    return products_diagnose(s, text, size) || *text;
}
PROBE(multiply, multiply, 3, .tensors = {"each lane's sum", "q", "K"});

// ---- add_up: x [seq_kv, LANES] -> the sum of each row, in each lane

SIZES(add_up, s.seq_kv, LANES, s.seq_kv *LANES)

ORACLE(add_up) {
    const int group = mistake == 1 ? 1 : mistake == 2 ? LANES / 2 : mistake == 3 ? 2 : LANES;
    for (int i = 0; i < s.seq_kv * LANES; i++) {
        out[i] = 0;
        for (int k = i / group * group; k < i / group * group + group; k++) out[i] += in[1][k];
        if (mistake == 4) out[i] = in[1][i / LANES * LANES];
    }
    return 1;
}
KNOWN(sums, "matches numbers that are not added up", "matches sums over 16 lanes: the step with distance 16 is missing",
      "matches sums over pairs of lanes alone",
      "matches the x of lane 0 in every lane: __shfl_sync hands on one lane's number, and nothing is added up")
static int add_up_diagnose(const lab_symptom *s, char *text, size_t size) {
    if (sums_diagnose(s, text, size)) return 1;
    for (int j = 0; j < s->shape.seq_kv * LANES; j += LANES)
        if (!(fabs(s->got[j] - s->want[j]) < LAB_TOLERANCE)) return lab_explain_shuffles(s, text, size);
    for (int lane = 1; lane < LANES; lane++) {
        int has = 1;
        for (int j = 0; j < s->shape.seq_kv; j++) has &= !lab_element_bad(s, (size_t)j * LANES + lane, 0);
        if (has) return snprintf(text, size, "lane 0 has the sum, and not all others have: every lane needs it") > 0;
    }
    return snprintf(text, size, "lane 0 alone has the sum: every lane needs it") > 0;
}
PROBE(add_up, add_up, 2, .tensors = {"the sum", "x"});

// ---- The claims

// clang-format off
const lab_case lab_todos_task5[] = {
    {"task5", TODO("5.1"), .claim = "a_token_lands_in_its_slot", .op = &probe_store_token, .shape = {2, 3, 1, 11, 40, 0}, .extra = {4}},
    {"task5", TODO("5.1"), .claim = "a_token_lands_in_the_last_slot", .op = &probe_store_token, .shape = {1, 5, 1, 7, 128, 0}, .extra = {6}},
    {"task5", TODO("5.2"), .claim = "a_token_is_counted_once", .op = &probe_count_token, .shape = {5, 1, 1, 1, 8, 0}},
    {"task5", TODO("5.3"), .claim = "a_lane_multiplies_its_own_dims", .op = &probe_multiply, .shape = {1, 1, 1, 5, 128, 0}},
    {"task5", TODO("5.3"), .claim = "a_lane_stops_at_the_last_dim", .op = &probe_multiply, .shape = {1, 1, 1, 5, 40, 0}},
    {"task5", TODO("5.4"), .claim = "every_lane_has_the_sum_of_all", .op = &probe_add_up, .shape = {1, 1, 1, 6, 8, 0}},
    {"task5", TODO("5.5"), .claim = "the_first_key_is_the_whole_answer", .op = &probe_add_key, .shape = {1, 1, 1, 1, 72, 0}},
    {"task5", TODO("5.5"), .claim = "more_keys_are_added", .op = &probe_add_key, .shape = {1, 1, 1, 9, 128, 0}},
    {"task5", TODO("5.5"), .claim = "keys_of_large_scores_stay_finite", .op = &probe_add_key, .shape = {1, 1, 1, 9, 40, 0}, .kind = LAB_LARGE},
    {"task5", TODO("5.6"), .claim = "all_see_what_a_warp_has_found", .op = &probe_leave_part, .shape = {1, 1, 1, 4, 104, 0}, .extra = {1}},
    {"task5", TODO("5.7"), .claim = "warps_are_joined", .op = &probe_join_warps, .shape = {1, 1, 1, 4, 128, 0}},
    {"task5", TODO("5.7"), .claim = "a_warp_without_keys_adds_nothing", .op = &probe_join_warps, .shape = {1, 1, 1, 4, 40, 0}, .extra = {2}},
    {"task5", TODO("5.7"), .claim = "no_keys_at_all_are_joined", .op = &probe_join_warps, .shape = {1, 1, 1, 4, 64, 0}, .extra = {4}},
    {"task5", TODO("5.8"), .claim = "each_key_is_in_one_split", .op = &probe_first_key, .shape = {1, 1, 1, 241, 8, 0}, .extra = {7}},
    {"task5", TODO("5.8"), .claim = "equal_shares_are_equal", .op = &probe_first_key, .shape = {1, 1, 1, 207, 8, 0}, .extra = {23}},
    {"task5", TODO("5.8"), .claim = "splits_without_keys_are_fine", .op = &probe_first_key, .shape = {1, 1, 1, 9, 8, 0}, .extra = {64}},
    {"task5", TODO("5.9"), .claim = "a_split_says_its_log_sum_exp", .op = &probe_log_sum_exp, .shape = {1, 1, 1, 23, 8, 0}, .extra = {1}},
    {"task5", TODO("5.9"), .claim = "exp_of_a_score_is_not_computed", .op = &probe_log_sum_exp, .shape = {1, 1, 1, 24, 8, 0}, .kind = LAB_LARGE},
    {"task5", TODO("5.10"), .claim = "splits_are_weighed_and_joined", .op = &probe_join_splits, .shape = {1, 1, 1, 11, 128, 0}},
    {"task5", TODO("5.10"), .claim = "a_split_without_keys_has_no_weight", .op = &probe_join_splits, .shape = {1, 1, 1, 7, 40, 0}, .extra = {3}},
    {"task5", TODO("5.10"), .claim = "no_split_has_keys", .op = &probe_join_splits, .shape = {1, 1, 1, 4, 64, 0}, .extra = {4}},
    {"task5", TODO("5.10"), .claim = "splits_of_large_scores_are_joined", .op = &probe_join_splits, .shape = {1, 1, 1, 9, 72, 0}, .kind = LAB_LARGE},
    {0},
};
