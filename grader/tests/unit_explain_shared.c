// unit_explain_shared.c: multi-head attention in a style of its own whose steps share memory, or come in another order.
// grader/core: op_mha.c, diagnose/overlaps.c, diagnose/step_order.c, diagnose/head_weights.c.
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

static int rows_that_attend = S;  // to each other

static void attend(float *o, const float *q, const float *k, const float *v) {
    float p[S];
    for (int r = 0; r < B * H * S; r++) {
        const int n = rows_that_attend, from = r / n * n, end = wrong.shape.causal ? r + 1 : from + n;
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

// One way for each of Q, K and V, and one for O: 0 right, 1 projected on the other side, 2 not moved, 3 the other way round.
static void ordered(const int way[4]) {
    begin(&lab_mha, (attn_shape){B, H, S, S, D, way[3] == 2});
    split(memory[7], wrong.in[1]);
    for (int t = 0; t < 3; t++) {
        project(memory[6], way[t] == 1 ? memory[7] : wrong.in[1], wrong.in[2 + t]);
        if (way[t] == 0) split(memory[t], memory[6]);
        if (way[t] == 3) merge(memory[t], memory[6]);
        if (way[t] % 3) memcpy(memory[t], memory[6], sizeof *memory);
    }
    float *const o = memory[4], *const moved = memory[5];
    attend(o, memory[0], memory[1], memory[2]);
    if (way[3] == 1) {
        project(moved, o, wrong.in[5]), merge(wrong.got, moved);
    } else {
        (way[3] == 3 ? split : merge)(moved, o);
        project(wrong.got, way[3] == 2 ? o : moved, wrong.in[5]);
    }
}

static void each_step_has_an_order_of_its_own(void **state) {
    (void)state;
    static const struct {
        int way[4];
        const char *says;
    } all[] = {
        {{0, 1, 1, 1},
         "matches K and V split before projected, and O projected before it is merged: project X, then split; merge O, "
         "then project"},
        {{1, 0, 0, 0}, "matches Q split before projected: project X, then split"},
        {{1, 1, 0, 0}, "matches Q and K split before projected: project X, then split"},
        {{1, 1, 1, 1}, "matches Q, K and V split before projected, and O projected before it is merged"},
        {{0, 0, 1, 2}, "matches V split before projected, and O not merged"},
        {{3, 0, 2, 3}, "matches V not split, Q merged in place of split, and O split in place of merged"}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        ordered(all[i].way), says(all[i].says);
        release(NULL);
    }
    ordered((int[4]){0});
    assert_int_equal(examine().verdict, LAB_PASSED);
}

static void heads_of_one_token_that_attend_to_each_other_are_named(void **state) {
    (void)state;
    rows_that_attend = H;
    ordered((int[4]){2, 2, 2, 2}), says("matches heads of one token that attend to each other");
    release(NULL);
    ordered((int[4]){2, 2, 2, 0}), says("matches heads of one token that attend to each other");
    release(NULL);
    ordered((int[4]){0}), says("matches attn_sdpa with heads and seq exchanged");
    rows_that_attend = S;
}

static void heads_that_are_never_moved_are_named(void **state) {
    (void)state;
    answer((sharing){.flat = 1}), says("matches projections that are read as [B, H, S, D]");
    release(NULL);
    answer((sharing){.flat = 2}), says("matches projections, and an output, that are taken for [B, H, S, D]");
    release(NULL);
    answer((sharing){.after = 1}), says("attn_sdpa of V, V, V in place of Q, K, V: where one buffer has all three");
}

// Weight e, k of what a way takes Wq, Wk, Wv (t 0 to 2) or Wo for.
static float taken(int way, int t, const float *w, int e, int k) {
    const int a = t < 3 ? e : k, h = a / D, d = a % D;
    float sum = 0;
    for (int g = 0; g < H && way > 7; g++) sum += w[e * E + g * D + d];
    switch (way) {
    case 1: return e / D == k / D ? w[e * E + k] : 0;
    case 2: return e / D == k / D ? w[e * D + k % D] : 0;
    case 3: return t < 3 ? w[d * E + k] : w[e * E + d];
    case 4: return w[h * E * D + k * D + d];
    case 5: return t < 3 ? w[(d * H + h) * E + k] : w[e * E + d * H + h];
    case 6: return k < D ? w[e * E + k] : 0;
    case 7: return e == k;
    case 8: return sum;
    case 9: return sum / H;
    default: return w[e * E + k];
    }
}

static void weights_taken_for_others_are_named(void **state) {
    (void)state;
    static const struct {
        int way[4];
        const char *says;
    } all[] = {
        {{1, 1, 1, 1},
         "matches, for Q, K, V and the output, features of a head made of the token's features of that head"},
        {{1, 1, 1, 0}, "matches, for Q, K and V, features of a head made of the token's features of that head alone"},
        {{0, 0, 0, 1}, "matches, for the output, features of a head made of the token's features of that head alone"},
        {{2, 2, 2, 0}, "matches, for Q, K and V, weights taken for a matrix [head_dim, head_dim] of each head"},
        {{3, 0, 3, 0}, "matches, for Q and V, the first head's part of the weights for every head"},
        {{4, 4, 4, 0}, "matches, for Q, K and V, weights taken for a matrix [E, head_dim] of each head"},
        {{0, 5, 0, 0}, "matches, for K, features taken for d * heads + h"},
        {{5, 5, 5, 5}, "matches, for Q, K, V and the output, features taken for d * heads + h"},
        {{6, 6, 6, 6}, "matches, for Q, K, V and the output, sums over the first head_dim numbers of a row"},
        {{7, 7, 0, 0}, "matches, for Q and K, no projection at all"},
        {{0, 0, 0, 8}, "matches, for the output, the sum of the heads in the place of each"},
        {{0, 0, 0, 9}, "matches, for the output, the mean of the heads in the place of each"}};
    static float w[4][E * E];
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        begin(&lab_mha, (attn_shape){B, H, S, S, D, i % 2});
        for (int t = 0; t < 4; t++)
            for (int n = 0; n < E * E; n++) w[t][n] = taken(all[i].way[t], t, wrong.in[2 + t], n / E, n % E);
        for (int t = 0; t < 3; t++) project(memory[3], wrong.in[1], w[t]), split(memory[t], memory[3]);
        attend(memory[4], memory[0], memory[1], memory[2]);
        merge(memory[5], memory[4]), project(wrong.got, memory[5], w[3]);
        says(all[i].says);
        release(NULL);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(steps_apart_are_right, release),
        cmocka_unit_test_teardown(a_step_in_place_is_named, release),
        cmocka_unit_test_teardown(an_output_over_an_input_is_named, release),
        cmocka_unit_test_teardown(steps_in_another_order_are_named, release),
        cmocka_unit_test_teardown(each_step_has_an_order_of_its_own, release),
        cmocka_unit_test_teardown(heads_of_one_token_that_attend_to_each_other_are_named, release),
        cmocka_unit_test_teardown(heads_that_are_never_moved_are_named, release),
        cmocka_unit_test_teardown(weights_taken_for_others_are_named, release),
    };
    return cmocka_run_group_tests_name("explain_shared", tests, NULL, NULL);
}
