// unit_explain_places.c: outputs that lie where they do not belong, or nowhere. grader/core: unwritten.c, cache_state.c,
// layouts.c, zero_mask.c.
#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "layer.h"
#include "layer_calls.h"
#include "symptom.h"

// ---- Never written

static void unwritten_by(const lab_op *op, int axis, size_t from, const char *words) {
    begin(op, (attn_shape){2, 3, 97, 20, 80, 0});
    for (size_t i = 0; i < wrong.n; i++) {
        size_t place[4];
        lab_place(wrong.op, wrong.shape, i, place);
        if (place[axis] >= from) lab_poison(wrong.got + i, 1);
    }
    examine();
    assert_says(wrong.text, words);
}

static void unwritten(int axis, size_t from, const char *words) { unwritten_by(&lab_flash, axis, from, words); }

static void what_is_not_written_in_c_tells_of_loops(void **state) {
    (void)state;
    unwritten_by(&lab_tiled, 2, 64, "rows from 64 on have no tile");
    unwritten_by(&lab_sdpa, 2, 64, "does a loop reach the rows from 64 on");
    unwritten_by(&lab_sdpa, 1, 2, "nothing is written from head 2 on: does a loop reach it");
    unwritten_by(&lab_sdpa, 0, 1, "nothing is written from batch 1 on: does a loop reach it");
    unwritten_by(&lab_mha, 0, 0, "nothing is written to Y: is the last projection, with Wo, made, and into Y?");
    unwritten_by(&lab_mha, 0, 1, "sequences from 1 on have no output");
}

static void what_is_not_written_tells_of_the_grid(void **state) {
    (void)state;
    unwritten(2, 64, "rows from 64 on have no block: is the number of tiles, of 64 queries, rounded up");
    unwritten(3, 64, "nobody writes the dims from 64 on: does a loop over dims end there, has an array room");
    assert_says(wrong.text, "or is a number of groups rounded down, as D / 64 is, and nobody has the last");
    unwritten(1, 2, "heads from 2 on have no block");
    unwritten(0, 1, "batches from 1 on have no block");
    unwritten_by(&lab_softmax_batched, 2, 1, "a grid of rows / 128 blocks, rounded up, each of which does one row");
    unwritten_by(&lab_softmax_batched, 2, 4, "a grid of rows / 32 blocks, rounded up, each of which does one row");
    unwritten_by(&lab_softmax_batched, 2, 3, "were never written");
    unwritten_by(&lab_gemm_nt, 0, 1,
                 "matches the first matrix of the batch alone, and nothing is written of the others");
    wrong.got[5] += 1, wrong.text[0] = 0, examine();
    assert_null(strstr(wrong.text, "first matrix"));
}

// ---- The layer's cache: prompts of 5, 3 and 7 tokens, then 4 more; where the tokens lie is all that the test sets

enum { B = 3, H = 2, D = 8, T = 11, S = 7, E = H * D, ROOM = 16, NOWHERE = -1000 };
static const int prompt[B] = {5, 3, 7};

static double key_or_value(int b, int t, int v, int e) {
    double sum = wrong.in[3][E + v * E + e];
    for (int f = 0; f < E; f++) sum += wrong.in[1][(b * T + t) * E + f] * wrong.in[2][f * 3 * E + E + v * E + e];
    return sum;
}

// from: the row of K and V, [B, H, S], that goes there; NULL: its own.
static int (*from)(int b, int h, int t);

static void cache_with(int (*row)(int b, int h, int t), int stored, int padded, const char *words) {
    static float work[2 * B * H * ROOM * D + B];
    begin(&lab_layer, (attn_shape){B, H, T, ROOM, D, 1});
    for (int b = 0; b < B; b++) memcpy(wrong.in[6] + b, &prompt[b], sizeof(float));
    assert_true(wrong.op->oracle(wrong.shape, NULL, (const float *const *)wrong.in, 0, wrong.want));
    for (size_t i = 0; i < wrong.n; i++) wrong.got[i] = (float)wrong.want[i];
    for (int i = 0; i < E; i++) wrong.got[(T - 1) * E + i] += 1;  // the last token of sequence 0
    memset(work, 0xff, sizeof work);
    for (int b = 0; b < B; b++) {
        const int32_t all = (padded == 2 ? H * prompt[b] : padded ? S : prompt[b]) + T - S;
        const int32_t length = all < ROOM ? all : ROOM;
        for (int h = 0; h < H; h++)
            for (int t = 0; t < prompt[b]; t++)
                for (int i = 0; i < stored * D && row(b, h, t) >= 0; i++) {
                    const int at = from ? from(b, h, t) : (b * H + h) * S + t;
                    work[(i / D * B * H * ROOM + row(b, h, t)) * D + i % D] =
                        (float)key_or_value(at / S / H, at % S, i / D, at / S % H * D + i % D);
                }
        memcpy(work + 2 * B * H * ROOM * D + b, &length, sizeof length);
    }
    wrong.work = work;
    examine();
    wrong.work = NULL;
    assert_says(wrong.text, words);
}

static int right(int b, int h, int t) { return (b * H + h) * ROOM + t; }
static int s_apart(int b, int h, int t) { return (b * H + h) * S + t; }
static int b_and_h(int b, int h, int t) { return (h * B + b) * ROOM + t; }

static int head_0_alone(int b, int h, int t) { return (b * H + h) * ROOM + (h ? NOWHERE : t); }
static int first_numbers(int b, int h, int t) { return (b * H + h) * ROOM + (b * H + h < B ? t : NOWHERE); }
static int tokens_outside(int b, int h, int t) { return (t * B + b) * H + h; }

static void a_layer_names_what_its_cache_lacks(void **state) {
    (void)state;
    cache_with(right, 2, 0, "prefill is right, decode step 4 is not");
    cache_with(right, 2, 1, "lengths[0] = 7 after a prompt of count[0] = 5 tokens: it is S");
    cache_with(right, 2, 2, "matches lengths[b] that are H * count[b] after a prompt: each head adds its tokens");
    cache_with(right, 1, 0, "Does prefill store V?");
    cache_with(s_apart, 2, 0, "heads S slots apart");
    cache_with(b_and_h, 2, 0, "number h * batch + b");
    cache_with(head_0_alone, 2, 0, "head 0 alone is stored");
    cache_with(first_numbers, 2, 0, "the first batch * S * head_dim numbers of K and V alone are stored");
    from = tokens_outside;
    cache_with(right, 2, 0, "as if K and V of this call were [S, B, H, D]");
    from = NULL;
}

// ---- Attention in another layout, and masked scores of 0

static float attend(const float *q, const float *K, const float *V, int step, int seen, int zeros, float *o) {
    float l = 0;
    for (int d = 0; d < 32; d++) o[d] = 0;
    for (int j = 0; j < seen + zeros; j++) {
        float s = 0;
        for (int d = 0; d < 32 && j < seen; d++) s += q[d] * K[j * step + d] / sqrtf(32);
        l += expf(s);
        for (int d = 0; d < 32; d++) o[d] += expf(s) * V[j * step + d];
    }
    for (int d = 0; d < 32; d++) o[d] /= l;
    return l;
}

static void a_layout_with_tokens_before_heads_is_named(void **state) {
    (void)state;
    begin(&lab_flash, (attn_shape){2, 3, 10, 14, 32, 0});
    for (int b = 0; b < 2; b++)
        for (int i = 0; i < 10; i++)
            for (int h = 0; h < 3; h++) {
                const int row = ((b * 10 + i) * 3 + h) * 32, keys = (b * 14 * 3 + h) * 32;
                attend(wrong.in[1] + row, wrong.in[2] + keys, wrong.in[3] + keys, 3 * 32, 14, 0, wrong.got + row);
            }
    examine();
    assert_says(wrong.text, "matches tensors read as [B, S, H, D]");
}

static void masked_scores_of_0_are_named_with_their_tiles(void **state) {
    (void)state;
    begin(&lab_flash, (attn_shape){1, 2, 64, 64, 32, 1});
    for (int h = 0; h < 2; h++)
        for (int i = 0; i < 64; i++) {
            const int row = (h * 64 + i) * 32, end = (i / 16 + 1) * 16;
            attend(wrong.in[1] + row, wrong.in[2] + h * 64 * 32, wrong.in[3] + h * 64 * 32, 32, i + 1, end - i - 1,
                   wrong.got + row);
        }
    examine();
    assert_says(wrong.text, "masked scores set to 0");
}

static void masked_scores_of_0_may_be_taken_out_of_the_row_sum(void **state) {
    (void)state;
    begin(&lab_flash, (attn_shape){1, 2, 64, 64, 32, 1});
    for (int row = 0; row < 2 * 64; row++) {
        const int head = row / 64 * 64 * 32, i = row % 64, hidden = (i / 16 + 1) * 16 - i - 1;
        float *o = wrong.got + row * 32;
        const float l = attend(wrong.in[1] + row * 32, wrong.in[2] + head, wrong.in[3] + head, 32, i + 1, hidden, o);
        for (int d = 0; d < 32; d++) o[d] *= l / (l - (float)hidden);
    }
    examine();
    assert_says(wrong.text, "matches hidden keys with a score of 0, which are taken out of the row sum");
}

static void masked_scores_of_0_under_another_mask_are_named_with_it(void **state) {
    (void)state;
    for (int own = 0; own < 2; own++) {
        begin(&lab_flash, (attn_shape){1, 2, 40, 64, 32, 1});
        for (int h = 0; h < 2; h++)
            for (int i = 0; i < 40; i++) {
                const int row = (h * 40 + i) * 32, seen = own ? i + 24 : i + 1;
                attend(wrong.in[1] + row, wrong.in[2] + h * 64 * 32, wrong.in[3] + h * 64 * 32, 32, seen, 64 - seen,
                       wrong.got + row);
            }
        examine();
        assert_says(wrong.text, "masked scores set to 0");
        assert_says(wrong.text, own ? "each query sees its own key, too" : "And the mask is aligned top-left");
        release(NULL);
    }
}

// ---- Decode and its cache, in which free slots hold NaN

// first(bh): in which row head bh begins, where each has 20.
static void decode_from(int (*first)(int bh), int more, const char *words) {
    begin(&lab_decode, (attn_shape){5, 2, 1, 20, 32, 0});
    for (int b = 0; b < 5; b++)
        for (int h = 0; h < 2; h++) {
            const int n = lab_int_at(wrong.in[4], b), at = first(b * 2 + h) * 32, o = (b * 2 + h) * 32;
            if (n && at / 32 + n + more <= 200)
                attend(wrong.in[1] + o, wrong.in[2] + at, wrong.in[3] + at, 32, n + more, 0, wrong.got + o);
        }
    examine();
    assert_says(wrong.text, words);
}

static int own_head(int bh) { return bh * 20; }
static int head_without_b(int bh) { return bh % 2 * 20; }
static int head_swapped(int bh) { return (bh % 2 * 5 + bh / 2) * 20; }

static void what_a_decode_has_read_is_named(void **state) {
    (void)state;
    decode_from(own_head, 1, "matches lengths[b] + 1 keys");
    decode_from(head_without_b, 0, "found without b");
    decode_from(head_swapped, 0, "(h * batch + b) * max_seq * D");
}

// From the third row on Y is as it was, or NaN has come through a product.
static void a_layer_of_too_few_rows_is_named(void **state) {
    (void)state;
    for (int through = 0; through < 2; through++) {
        const uint32_t bits = LAB_ROW_POISON + (through ? 1 : 0);
        begin(&lab_layer, (attn_shape){B, H, T, ROOM, D, 1});
        for (int b = 0; b < B; b++) memcpy(wrong.in[6] + b, &prompt[b], sizeof(float));
        assert_true(wrong.op->oracle(wrong.shape, NULL, (const float *const *)wrong.in, 0, wrong.want));
        for (size_t i = 0; i < wrong.n; i++) wrong.got[i] = (float)wrong.want[i];
        for (int b = 0; b < B; b++)
            for (int t = 0; t < prompt[b]; t++)
                for (int e = 0; e < E; e++)
                    if (b * S + t >= 3) memcpy(wrong.got + (b * T + t) * E + e, &bits, sizeof bits);
        examine();
        if (through) {
            assert_null(strstr(wrong.text, "rows of prefill's Y are written"));
            continue;
        }
        assert_says(wrong.text, "the first 3 rows of prefill's Y are written");
        assert_says(wrong.text, "B is the number of sequences");
    }
}

// ---- Decode: heads that are lengths[b] slots apart. A NaN hides where the row sum is compared with 0.

static void rows_of_zeros_are_not_explained_by_weights(void **state) {
    (void)state;
    begin(&lab_decode, (attn_shape){1, 4, 1, 60, 32, 0});
    for (int i = 32; i < 4 * 32; i++) wrong.got[i] = 0;
    examine();
    assert_says(wrong.text, "as if there were no keys");
    assert_null(strstr(wrong.text, "parts"));
}

// Rows whose largest score overflows are 0: NaN may have come from that.
static void rows_of_zeros_tell_of_scores_that_overflow(void **state) {
    (void)state;
    static lab_guesses fits;
    begin_kind(&lab_decode, (attn_shape){1, 4, 1, 60, 32, 0}, LAB_LARGE);
    for (int r = 0; r < 4; r++) {
        float most = -INFINITY;
        for (int j = 0; j < 60; j++) {
            float s = 0;
            for (int d = 0; d < 32; d++) s += wrong.in[1][r * 32 + d] * wrong.in[2][(r * 60 + j) * 32 + d];
            most = fmaxf(most, s / sqrtf(32));
        }
        for (int d = 0; d < 32 && most > 100; d++) wrong.got[r * 32 + d] = 0;
    }
    wrong.guesses = &fits;
    examine();
    wrong.guesses = NULL;
    assert_says(wrong.text, "exp overflows where scores are large: subtract the maximum of all keys so far first");
    int zeros = 0;
    for (int i = 0; i < fits.n; i++) zeros |= strstr(fits.text[i], "as if there were no keys") != NULL;
    assert_true(zeros);
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(what_is_not_written_tells_of_the_grid),
        CLAIM(what_is_not_written_in_c_tells_of_loops),
        CLAIM(a_layer_names_what_its_cache_lacks),
        CLAIM(a_layout_with_tokens_before_heads_is_named),
        CLAIM(masked_scores_of_0_are_named_with_their_tiles),
        CLAIM(masked_scores_of_0_may_be_taken_out_of_the_row_sum),
        cmocka_unit_test(masked_scores_of_0_under_another_mask_are_named_with_it),
        CLAIM(rows_of_zeros_are_not_explained_by_weights),
        CLAIM(rows_of_zeros_tell_of_scores_that_overflow),
        CLAIM(what_a_decode_has_read_is_named),
        CLAIM(a_layer_of_too_few_rows_is_named),
    };
    return cmocka_run_group_tests_name("explain_places", claims, NULL, release);
}
