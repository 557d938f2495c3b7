// unit_explain_outputs.c: attention whose numbers are right and are stored in another order, or divided by what they make.
// grader/core: diagnose/output_places.c, own_outputs.c.
#include "unit.h"

#include <math.h>
#include <string.h>

#include "symptom.h"

enum { B = 2, H = 3, S = 21, D = 16, BR = 8 };

// What belongs at b, h, i, d stands there.
static void store(size_t at, int b, int h, int i, int d) {
    assert_true(at < (size_t)B * H * S * D);
    wrong.got[at] = (float)wrong.want[((b * H + h) * S + i) * D + d];
}

static void stored(const lab_op *op, int way, const char *words) {
    begin(op, (attn_shape){B, H, S, S + 4, D, 0});
    if (op == &lab_tiled) wrong.extra[0] = wrong.extra[1] = BR;
    for (int b = 0; b < B; b++)
        for (int h = 0; h < H; h++)
            for (int i = 0; i < S; i++)
                for (int d = 0; d < D; d++) {
                    const int rows = S - i / BR * BR < BR ? S - i / BR * BR : BR;
                    store(way == 0   ? ((b * S + i) * H + h) * D + d
                          : way == 1 ? ((h * B + b) * S + i) * D + d
                          : way == 2 ? ((b * S + i) * D + d) * H + h
                          : way == 3 ? ((b * H + h) * D + d) * S + i
                                     : ((b * H + h) * S + i / BR * BR) * D + d * rows + i % BR,
                          b, h, i, d);
                }
    is_among_what_fits(words);
    release(NULL);
}

static void an_output_in_another_order_is_named(void **state) {
    (void)state;
    static const char *const words[] = {
        "matches O stored as [B, S, H, D]", "matches O stored as [H, B, S, D]", "matches O stored as [B, S, D, H]",
        "matches O of a head stored feature by feature", "matches O of a tile of queries stored feature by feature"};
    const lab_op *const ops[] = {&lab_sdpa, &lab_tiled, &lab_flash};
    for (int o = 0; o < 3; o++)
        for (int way = 0; way < 5; way++) stored(ops[o], way, words[way]);
}

// A row that was not stored, and all rows one further: no order explains them.
static void other_outputs_are_not(void **state) {
    (void)state;
    begin(&lab_sdpa, (attn_shape){B, H, S, S, D, 0});
    memset(wrong.got, 0, D * sizeof *wrong.got);
    assert_int_equal(sentences_that_fit("stored"), 0);
    release(NULL);
    begin(&lab_sdpa, (attn_shape){B, H, S, S, D, 0});
    for (int n = 0; n < B * H * S * D; n++) wrong.got[(n + D) % (B * H * S * D)] = (float)wrong.want[n];
    assert_int_equal(sentences_that_fit("matches O "), 0);
}

// Of one batch [H, B, S, D] is [B, H, S, D]: it moves nothing, and explains nothing that is nearly right.
static void an_order_that_moves_nothing_is_none(void **state) {
    (void)state;
    begin(&lab_sdpa, (attn_shape){1, H, S, S, D, 0});
    wrong.got[S * D + 3] += (float)(LAB_TOLERANCE * (1 + 0.5 * fabs(wrong.want[S * D + 3])));
    assert_int_equal(sentences_that_fit("matches O "), 0);
}

// Of whole attention, and of task 3's TODO alone.
static void a_row_divided_by_its_own_outputs_is_named(void **state) {
    (void)state;
    static const char *const words[] = {"divided by the sum of its D outputs",
                                        "divided by the sum of the absolute values", "divided by the length of the row",
                                        "divided by the largest of its D outputs"};
    for (int way = 0; way < 8; way++) {
        if (way < 4)
            begin(&lab_tiled, (attn_shape){B, H, S, S, D, 0});
        else
            begin_claim("task3", "each_row_is_divided_by_its_sum");
        const int dims = wrong.shape.head_dim, rows = way < 4 ? B * H * S : wrong.shape.seq_q;
        for (int r = 0; r < rows; r++) {
            float *o = wrong.got + r * dims, sum = 0, sizes = 0, squares = 0, most = -INFINITY;
            for (int d = 0; d < dims; d++)
                sum += o[d], sizes += fabsf(o[d]), squares += o[d] * o[d], most = fmaxf(most, o[d]);
            const float by[] = {sum, sizes, sqrtf(squares), most};
            for (int d = 0; d < dims; d++) o[d] /= by[way % 4];
        }
        is_among_what_fits(words[way % 4]);
        release(NULL);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(an_output_in_another_order_is_named, release),
        cmocka_unit_test_teardown(other_outputs_are_not, release),
        cmocka_unit_test_teardown(a_row_divided_by_its_own_outputs_is_named, release),
        cmocka_unit_test_teardown(an_order_that_moves_nothing_is_none, release),
    };
    return cmocka_run_group_tests_name("explain_outputs", tests, NULL, NULL);
}
