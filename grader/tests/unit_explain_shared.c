// unit_explain_shared.c: multi-head attention in a style of its own whose steps share memory, or come in another order.
// grader/core: op_heads.c, diagnose/overlaps.c.
#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "symptom.h"

enum { B = 2, H = 3, S = 7, D = 8, E = H * D, N = B * S * E };

// y = x w^T
static void project(float *y, const float *x, const float *w) {
    for (int r = 0; r < B * S; r++)
        for (int e = 0; e < E; e++) {
            float sum = 0;
            for (int k = 0; k < E; k++) sum += x[r * E + k] * w[e * E + k];
            y[r * E + e] = sum;
        }
}

static void split(float *y, const float *x) {
    for (int b = 0; b < B; b++)
        for (int h = 0; h < H; h++)
            for (int s = 0; s < S; s++, y += D) memmove(y, x + (b * S + s) * E + h * D, D * sizeof *y);
}

static void merge(float *x, const float *y) {
    for (int b = 0; b < B; b++)
        for (int s = 0; s < S; s++)
            for (int h = 0; h < H; h++, x += D) memmove(x, y + ((b * H + h) * S + s) * D, D * sizeof *x);
}

static void merge_by_heads(float *x, const float *y) {
    for (int r = 0; r < B * H * S; r++, y += D)
        memmove(x + (r / S / H * S + r % S) * E + r / S % H * D, y, D * sizeof *y);
}

static void attend(float *o, const float *q, const float *k, const float *v) {
    float p[S];
    for (int r = 0; r < B * H * S; r++) {
        const int from = r / S * S, end = wrong.shape.causal ? r + 1 : from + S;
        float sum = 0;
        for (int j = from; j < end; j++) {
            float dot = 0;
            for (int d = 0; d < D; d++) dot += q[r * D + d] * k[j * D + d];
            sum += p[j - from] = expf(dot / sqrtf(D));
        }
        for (int d = 0; d < D; d++) o[r * D + d] = 0;
        for (int j = from; j < end; j++)
            for (int d = 0; d < D; d++) o[r * D + d] += p[j - from] / sum * v[j * D + d];
    }
}

// The memory in which each step leaves what it makes.
typedef struct {
    int split, out, merged;  // 0: of its own; split: 1: where it reads; out: 1 K's, 2 V's; merged: 1: where it reads
    int late, early, by_heads;
    int flat;   // 1: what a projection leaves is taken for heads; 2: and what they give for Y's rows
    int after;  // all are split when all are made, in one buffer
} sharing;

static float memory[8][N];

static void answer(sharing how) {
    float *const heads[] = {memory[0], memory[1], memory[2]}, *const wide = memory[3];
    begin(&lab_mha, (attn_shape){B, H, S, S, D, how.out == 1});
    for (int t = 0; t < 3; t++) {
        float *const from = how.split ? heads[t] : wide;
        if (how.early) split(memory[7], wrong.in[1]);
        project(how.early ? heads[t] : from, how.early ? memory[7] : wrong.in[1], wrong.in[2 + t]);
        if (!how.early && !how.flat) split(heads[t], from);
        if (how.flat) memcpy(heads[t], from, sizeof *memory);
    }
    for (int t = 0; how.after && t < 3; t++) split(heads[t], wide);
    float *const o = how.out ? heads[how.out] : memory[4], *const merged = how.merged ? o : memory[5];
    attend(o, heads[0], heads[1], heads[2]);
    if (how.flat == 2)
        project(wrong.got, o, wrong.in[5]);
    else if (how.late)
        project(memory[6], o, wrong.in[5]), merge(wrong.got, memory[6]);
    else
        (how.by_heads ? merge_by_heads : merge)(merged, o), project(wrong.got, merged, wrong.in[5]);
}

static void steps_apart_are_right(void **state) {
    (void)state;
    answer((sharing){0});
    assert_int_equal(examine().verdict, LAB_PASSED);
}

static void a_step_in_place_is_named(void **state) {
    (void)state;
    answer((sharing){.merged = 1}), says("matches a merge in place");
    release(NULL);
    answer((sharing){.merged = 1, .by_heads = 1}), says("matches a merge in place");
    release(NULL);
    answer((sharing){.split = 1}), says("matches a split in place");
}

static void an_output_over_an_input_is_named(void **state) {
    (void)state;
    answer((sharing){.out = 1}), says("writes O into the memory of K");
    release(NULL);
    answer((sharing){.out = 2}), says("writes O into the memory of V");
}

static void steps_in_another_order_are_named(void **state) {
    (void)state;
    answer((sharing){.late = 1}), says("projected by Wo first and merged then");
    release(NULL);
    answer((sharing){.early = 1}), says("split into heads first and projected then");
}

static void heads_that_are_never_moved_are_named(void **state) {
    (void)state;
    answer((sharing){.flat = 1}), says("matches projections that are read as [B, H, S, D]");
    release(NULL);
    answer((sharing){.flat = 2}), says("matches projections, and an output, that are taken for [B, H, S, D]");
    release(NULL);
    answer((sharing){.after = 1}), says("attn_sdpa of V, V, V in place of Q, K, V: where one buffer has all three");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(steps_apart_are_right, release),
        cmocka_unit_test_teardown(a_step_in_place_is_named, release),
        cmocka_unit_test_teardown(an_output_over_an_input_is_named, release),
        cmocka_unit_test_teardown(steps_in_another_order_are_named, release),
        cmocka_unit_test_teardown(heads_that_are_never_moved_are_named, release),
    };
    return cmocka_run_group_tests_name("explain_shared", tests, NULL, NULL);
}
