// unit_explain_masks.c: a causal mask that is turned, stretched or laid elsewhere. grader/core: diagnose/turned_masks.c,
// seen_keys.c, tile_steps.c.
#include "unit.h"

#include <math.h>
#include <string.h>

#include "pointwise.h"
#include "symptom.h"

enum { H = 2, D = 24, MOST_Q = 20, MOST_K = 31 };
static const attn_shape WIDE = {1, H, 12, MOST_K, D, 1}, NEARLY_SQUARE = {1, H, MOST_Q, 25, D, 1};

// Attention in which these scores, of [H, seq_q, seq_kv], are hidden, and no others.
static char hidden[H * MOST_Q * MOST_K];

static void attend(const lab_op *op, attn_shape s) {
    begin(op, s);
    for (int r = 0; r < s.heads * s.seq_q; r++) {
        const float *q = wrong.in[1] + r * D, *K = wrong.in[2] + r / s.seq_q * s.seq_kv * D;
        const float *V = wrong.in[3] + (K - wrong.in[2]);
        double o[D] = {0}, sum = 0;
        for (int j = 0; j < s.seq_kv; j++) {
            double dot = 0;
            for (int d = 0; d < D; d++) dot += q[d] * K[j * D + d];
            const double p = hidden[r * s.seq_kv + j] ? 0 : exp(dot / sqrt(D));
            sum += p;
            for (int d = 0; d < D; d++) o[d] += p * V[j * D + d];
        }
        for (int d = 0; d < D; d++) wrong.got[r * D + d] = (float)(o[d] / sum);
    }
}

// ---- Does query i see key j?

typedef int (*mask)(attn_shape s, int i, int j);

static int from_corner(attn_shape s, int i, int j) { return j < (i + 1) * s.seq_kv / s.seq_q; }
static int evenly(attn_shape s, int i, int j) { return j < (i + 1) * (s.seq_kv / s.seq_q); }
static int rest_first(attn_shape s, int i, int j) {
    const int rest = s.seq_kv % s.seq_q;
    return j < (i + 1) * (s.seq_kv / s.seq_q) + (i < rest ? i + 1 : rest);
}
static int upside_down(attn_shape s, int i, int j) { return j < s.seq_kv - i; }
static int exchanged(attn_shape s, int i, int j) { return i <= j + s.seq_kv - s.seq_q; }
static int exchanged_top_left(attn_shape s, int i, int j) { return (void)s, i <= j; }

static void mask_says(attn_shape s, mask sees, const char *words) {
    for (int n = 0; n < H * s.seq_q * s.seq_kv; n++) hidden[n] = !sees(s, n / s.seq_kv % s.seq_q, n % s.seq_kv);
    attend(&lab_sdpa, s);
    says(words);
    release(NULL);
}

static void a_mask_from_corner_to_corner_is_named(void **state) {
    (void)state;
    const mask masks[] = {from_corner, evenly, rest_first};
    for (int i = 0; i < 3; i++) mask_says(WIDE, masks[i], "matches a mask whose edge goes from corner to corner");
}

// The same of a TODO's scores, with the names of its file: (i + 1) * Sk / Sq, also rounded up, i * Sk / Sq,
// (i + 1) * (Sk / Sq).
static void a_mask_of_scores_from_corner_to_corner_is_named(void **state) {
    (void)state;
    for (int way = 0; way < 8; way++) {
        begin_claim(way % 2 ? "task3" : "task1", "the_mask_is_aligned_bottom_right");
        const int Sk = wrong.shape.seq_kv, Sq = wrong.shape.seq_q;
        for (int i = 0; i < (int)wrong.n; i++) {
            const int q = i / Sk,
                      seen[] = {(q + 1) * Sk / Sq, ((q + 1) * Sk + Sq - 1) / Sq, q * Sk / Sq, (q + 1) * (Sk / Sq)};
            wrong.got[i] = i % Sk < seen[way / 2] ? wrong.in[1][i] : (float)LAB_HIDDEN;
        }
        says(way % 2 ? "goes from corner to corner, by seq_kv / seq_q keys"
                     : "goes from corner to corner, by Sk / Sq keys");
        release(NULL);
    }
}

static void a_mask_upside_down_is_named(void **state) {
    (void)state;
    mask_says(WIDE, upside_down, "matches a mask turned upside down");
}

static void a_mask_of_exchanged_places_is_named(void **state) {
    (void)state;
    mask_says(NEARLY_SQUARE, exchanged, "matches a mask in which query and key are exchanged");
    mask_says(NEARLY_SQUARE, exchanged_top_left, "matches a mask with query and key exchanged: it hides key j");
}

// Each tile of 16 keys is cut where the last one ends, where the query's own does, or where a step of 4 ends.
static int ragged_in_each(attn_shape s, int i, int j) { return j % 16 < s.seq_kv % 16 && j <= i + s.seq_kv - s.seq_q; }
static int own_in_each(attn_shape s, int i, int j) {
    const int last = i + s.seq_kv - s.seq_q;
    return j <= last && j % 16 <= last % 16;
}
static int own_to_last(attn_shape s, int i, int j) {  // of tiles of 4 queries
    const int last = i + s.seq_kv - s.seq_q;
    return j < (i / 4 + 1) * 4 + s.seq_kv - s.seq_q && j % 16 <= last % 16;
}
static int the_first_four(attn_shape s, int i, int j) { return j % 12 < 4 && j <= i + s.seq_kv - s.seq_q; }

static void a_mask_that_cuts_every_tile_is_named(void **state) {
    (void)state;
    mask_says(NEARLY_SQUARE, ragged_in_each, "matches a mask that hides places c >= seq_kv % 16 in every tile of 16");
    mask_says(WIDE, own_in_each, "matches a mask that hides places c > last % 16 in every tile");
    mask_says(WIDE, own_to_last, "matches a mask that hides places c > last % 16 in every tile");
    for (int n = 0; n < H * WIDE.seq_q * WIDE.seq_kv; n++)
        hidden[n] = !the_first_four(WIDE, n / WIDE.seq_kv % WIDE.seq_q, n % WIDE.seq_kv);
    attend(&lab_sdpa, WIDE);  // 31 keys are few for such steps: other claims tell
    is_among_what_fits("matches a walk over the keys that goes on by 12 and takes 4 in each step");
    release(NULL);
    begin_claim("task4", "the_mask_is_aligned_bottom_right");  // 24 keys in a tile, and 30 in all
    for (int n = 0; n < (int)wrong.n; n++)
        if (n % 24 >= 30 % 24) wrong.got[n] = -100;
    says("matches places c >= seq_kv % BC that are hidden in every tile");
}

// The mask takes the scores for [seq_kv, seq_q], for rows of seq_q scores, or heads for longer than they are.
static void a_mask_that_lands_elsewhere_is_named(void **state) {
    (void)state;
    const attn_shape s = NEARLY_SQUARE;
    const int Sq = s.seq_q, Sk = s.seq_kv, all = H * Sq * Sk;
    static const char *const said[] = {"matches a mask that hides S[j * seq_q + i], as if each key had a row",
                                       "matches a mask that hides S[i * seq_q + j], as if a row had seq_q scores",
                                       "matches a mask that hides the scores of head h from S[h * seq_kv * seq_kv] on"};
    for (int way = 0; way < 3; way++) {
        memset(hidden, 0, sizeof hidden);
        for (int n = 0; n < all; n++) {
            const int h = n / Sk / Sq, i = n / Sk % Sq, j = n % Sk;
            const int at = way == 2   ? h * Sk * Sk + i * Sk + j
                           : way == 1 ? h * Sq * Sk + i * Sq + j
                                      : h * Sq * Sk + j * Sq + i;
            if (j > i + Sk - Sq && at < all) hidden[at] = 1;
        }
        attend(&lab_naive, s);
        says(said[way]);
        release(NULL);
    }
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(a_mask_from_corner_to_corner_is_named), CLAIM(a_mask_of_scores_from_corner_to_corner_is_named),
        CLAIM(a_mask_upside_down_is_named),           CLAIM(a_mask_of_exchanged_places_is_named),
        CLAIM(a_mask_that_lands_elsewhere_is_named),  CLAIM(a_mask_that_cuts_every_tile_is_named),
    };
    return cmocka_run_group_tests_name("explain_masks", claims, NULL, release);
}
