// unit_layer_cache.c: a layer whose Y is right and whose cache is not has not done what task6.h asks. core/layer_cache.c.
#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "layer.h"
#include "symptom.h"

enum { S = 9, T = 16 };
static const attn_shape SHAPE = {3, 2, T, 20, 16, 1};

static float *slot(float *work, int v, int b, int h, int t) {
    return work + (((size_t)(v * SHAPE.batch + b) * SHAPE.heads + h) * SHAPE.seq_kv + t) * SHAPE.head_dim;
}

// The cache as the calls of a right layer leave it.
static float *right_cache(void) {
    const size_t E = (size_t)SHAPE.heads * SHAPE.head_dim, D = SHAPE.head_dim, n = 2 * lab_elements_kv(SHAPE);
    float *work = malloc((n + SHAPE.batch) * sizeof *work);
    for (size_t i = 0; i < n; i++) work[i] = NAN;
    for (int b = 0; b < SHAPE.batch; b++) {
        const int prompt = lab_int_at(wrong.in[6], b);
        const int32_t length = prompt + T - S;
        memcpy(work + n + b, &length, sizeof length);
        for (int t = 0; t < length; t++)
            for (size_t e = 0; e < 2 * E; e++) {
                const float *x = wrong.in[1] + (b * T + (t < prompt ? t : S + t - prompt)) * E;
                double sum = wrong.in[3][E + e];
                for (size_t f = 0; f < E; f++) sum += (double)x[f] * wrong.in[2][f * 3 * E + E + e];
                slot(work, e / E, b, e % E / D, t)[e % D] = (float)sum;
            }
    }
    return work;
}

static const char *left(const float *work) {
    static char text[400];
    const int extra[2] = {S, 0};
    const int is_wrong = lab_layer_left(SHAPE, extra, (const float *const *)wrong.in, work, 0, text, sizeof text);
    return is_wrong ? text : NULL;
}

// What a call after the last one would find. Slots without a token may hold anything.
static void every_token_of_the_cache_is_looked_at(void **state) {
    (void)state;
    begin(&lab_layer, SHAPE);
    lab_layer_prompts(SHAPE, S, 7, wrong.in[6]);
    float *work = right_cache();
    assert_null(left(work));
    slot(work, 1, 2, 1, T - 1)[3] += 0.1f;
    assert_says(left(work), "without V of token 15 of sequence 2, head 1 in its slot");
    slot(work, 1, 2, 1, T - 1)[3] -= 0.1f;
    slot(work, 0, 1, 0, 0)[0] = NAN;
    assert_says(left(work), "without K of token 0 of sequence 1, head 0 in its slot");
    free(work);
    work = right_cache();
    work[2 * lab_elements_kv(SHAPE) + 1] = work[2 * lab_elements_kv(SHAPE) + 2];
    assert_says(left(work), "lengths[1] = ");
    free(work);
}

// The cache of which the prompt's numbers are there in part, and elsewhere: of each `unit` of a head the first `part`, and
// head h begins h * distance behind head 0.
static float *moved(long distance, int unit, int part) {
    float *work = right_cache(), *from = right_cache();
    for (int v = 0; v < 2; v++)
        for (int b = 0; b < SHAPE.batch; b++) {
            const int n = lab_int_at(wrong.in[6], b) * SHAPE.head_dim;
            for (int h = 0; h < SHAPE.heads; h++)
                for (int i = 0; i < n; i++) slot(work, v, b, h, 0)[i] = NAN;
            for (int h = 0; h < SHAPE.heads; h++)
                for (int i = 0; i < n; i++)
                    if (i % unit < part) slot(work, v, b, 0, 0)[distance * h + i] = slot(from, v, b, h, 0)[i];
        }
    free(from);
    return work;
}

static void says_of(float *work, const char *words) {
    assert_says(left(work), words);
    free(work);
}

// Copies without a kernel: cudaMemcpy2DAsync() with another distance between heads, or with a width in floats.
static void where_copies_have_put_the_prompt_is_said(void **state) {
    (void)state;
    const int D = SHAPE.head_dim, all = S * D, slots = SHAPE.seq_kv;
    const int32_t longest = S;
    begin(&lab_layer, SHAPE);
    lab_layer_prompts(SHAPE, S, 7, wrong.in[6]);
    float *work = moved(slots * D, all, all);
    assert_null(left(work));
    free(work);
    says_of(moved(S * D, all, all), "heads S slots apart, head 1 in slots S and up of head 0: in the cache heads are "
                                    "max_seq slots apart. Or K and the cache are both taken for [B, tokens, H, D]");
    says_of(moved(11 * D + 4, all, all), "head 1 begins 180 numbers behind head 0 in the cache: heads are max_seq * "
                                         "head_dim = 320 numbers apart");
    says_of(moved(slots * D, D, D / 4), "the first quarter of each token's numbers alone is stored, in K and V");
    for (int b = 0; b < SHAPE.batch; b++) memcpy(wrong.in[6] + b, &longest, sizeof longest);
    says_of(moved(slots * D, all, all / 4), "the first quarter of each head's numbers alone is stored, in K and V");
}

// One copy for each sequence, of H * count[b] rows, from K to the cache.
static void a_prompt_that_is_copied_as_one_run_is_named(void **state) {
    (void)state;
    begin(&lab_layer, SHAPE);
    lab_layer_prompts(SHAPE, S, 7, wrong.in[6]);
    const int D = SHAPE.head_dim;
    float *work = right_cache(), *from = right_cache();
    for (int n = 0; n < 2 * SHAPE.batch; n++) {
        const int v = n % 2, b = n / 2, count = lab_int_at(wrong.in[6], b);
        for (int i = 0; i < SHAPE.heads * count * D; i++) slot(work, v, b, i / D / count, i / D % count)[i % D] = NAN;
        for (int i = 0; i < SHAPE.heads * count * D; i++)
            if (i / D % S < count) slot(work, v, b, 0, 0)[i] = slot(from, v, b, i / D / S, i / D % S)[i % D];
    }
    free(from);
    says_of(work, "H * count[b] rows of each sequence are stored as one run");
}

// Where each sequence would end behind those before it.
static void lengths_that_are_added_up_are_named(void **state) {
    (void)state;
    begin(&lab_layer, SHAPE);
    lab_layer_prompts(SHAPE, S, 7, wrong.in[6]);
    float *work = right_cache();
    for (int b = 0, total = 0; b < SHAPE.batch; b++) {
        total += lab_int_at(wrong.in[6], b);
        const int room = SHAPE.seq_kv - total, end = total + (room < 0 ? 0 : room < T - S ? room : T - S);
        memcpy(work + 2 * lab_elements_kv(SHAPE) + b, &end, sizeof end);
    }
    says_of(work, "matches lengths[b] = count[0] + ... + count[b] after a prompt");
}

// Without head 1, and with its tokens in the cache, in reverse, from its last slot on.
static void a_head_that_lies_elsewhere_is_stored(void **state) {
    (void)state;
    begin(&lab_layer, SHAPE);
    lab_layer_prompts(SHAPE, S, 7, wrong.in[6]);
    for (int kept = 0; kept < 2; kept++) {
        float *work = right_cache();
        for (int b = 0; b < SHAPE.batch; b++)
            for (int i = 0; i < lab_int_at(wrong.in[6], b) * SHAPE.head_dim; i++)
                for (int v = 0; v < 2; v++) {
                    float *x = slot(work, v, b, 1, i / SHAPE.head_dim) + i % SHAPE.head_dim;
                    if (kept) slot(work, v, b, 1, SHAPE.seq_kv - 1 - i / SHAPE.head_dim)[i % SHAPE.head_dim] = *x;
                    *x = NAN;
                }
        assert_int_equal(strstr(left(work), "head 0 alone is stored") == NULL, kept);
        free(work);
    }
}

// Row t of head h of sequence b of K and V of the call: number `first` + h * apart + t of its rows.
static size_t as_laid_out(int way, int b, int h, int t) {
    size_t before = 0;
    for (int i = 0; i < b; i++) before += lab_int_at(wrong.in[6], i);
    const int H = SHAPE.heads, count = lab_int_at(wrong.in[6], b);
    return way == 0   ? (size_t)(b * H * S + h * count + t)
           : way == 1 ? before * H + h * count + t
           : way == 2 ? before * H + h * S + t
                      : (before + t) * H + h;
}

static void rows_that_are_taken_as_if_there_were_no_padding_are_named(void **state) {
    (void)state;
    begin(&lab_layer, SHAPE);
    lab_layer_prompts(SHAPE, S, 7, wrong.in[6]);
    for (int way = 0; way < 4; way++) {
        float *work = right_cache();
        for (int b = 0; b < SHAPE.batch; b++)
            for (int i = 0; i < lab_int_at(wrong.in[6], b) * SHAPE.heads * 2 * SHAPE.head_dim; i++) {
                const int D = SHAPE.head_dim, d = i % D, v = i / D % 2, h = i / D / 2 % SHAPE.heads,
                          t = i / D / 2 / SHAPE.heads, E = D * SHAPE.heads;
                const size_t at = as_laid_out(way, b, h, t), of = at / S / SHAPE.heads;
                const float *x = wrong.in[1] + (of * T + at % S) * E;
                const size_t e = (1 + v) * E + at / S % SHAPE.heads * D + d;
                double sum = wrong.in[3][e];
                for (int f = 0; f < E; f++) sum += (double)x[f] * wrong.in[2][f * 3 * E + e];
                slot(work, v, b, h, t)[d] = (float)sum;
            }
        says_of(work, "as if K and V of this call had no padding");
    }
}

int main(void) {
    const struct CMUnitTest claims[] = {CLAIM(every_token_of_the_cache_is_looked_at),
                                        CLAIM(where_copies_have_put_the_prompt_is_said),
                                        CLAIM(a_prompt_that_is_copied_as_one_run_is_named),
                                        CLAIM(lengths_that_are_added_up_are_named),
                                        CLAIM(a_head_that_lies_elsewhere_is_stored),
                                        CLAIM(rows_that_are_taken_as_if_there_were_no_padding_are_named)};
    return cmocka_run_group_tests_name("layer_cache", claims, NULL, release);
}
