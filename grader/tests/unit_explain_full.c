// unit_explain_full.c: what an append leaves in its slot, and does with a sequence that is full. grader/core: diagnose/diagnose_append.c.
#include "unit.h"

#include <string.h>

#include "symptom.h"

// Of three sequences the second is full. It is written to all the same: with its token, or with something else.
static void write_to_full(int token) {
    const attn_shape s = {3, 2, 1, 9, 8, 0};
    begin(&lab_cache_append, s);
    const size_t kv = lab_elements_kv(s);
    const int32_t full = s.seq_kv;
    memcpy(wrong.in[1] + 2 * kv + 1, &full, sizeof full);
    for (size_t i = 0; i < 2 * kv; i++) wrong.in[1][i] = (float)i;
    assert_true(wrong.op->oracle(s, NULL, (const float *const *)wrong.in, LAB_NO_MISTAKE, wrong.want));
    hand_in(wrong.want);
    for (int v = 0; v < 2; v++)
        for (int h = 0; h < s.heads; h++)
            for (int d = 0; d < 8; d++)
                wrong.got[v * kv + (size_t)(s.heads + h) * s.seq_kv * 8 + d] =
                    token ? wrong.in[2 + v][(s.heads + h) * 8 + d] : 0.5f;
    assert_int_not_equal(examine().verdict, LAB_PASSED);
}

static void a_full_sequence_that_is_written_to_is_named(void **state) {
    (void)state;
    write_to_full(1);
    assert_says(wrong.text, "matches a token of a full sequence that is stored all the same, in slot 0 of sequence 1");
    write_to_full(0);
    assert_null(strstr(wrong.text, "token of a full sequence"));
    assert_says(wrong.text, "slot 0 of sequence 1, head 0 of K_cache has changed");
}

static void a_cache_taken_for_a_ring_is_named(void **state) {
    (void)state;
    write_to_full(1);
    wrong.got[2 * lab_elements_kv(wrong.shape) + 1] = 10;
    says("matches a cache that is taken for a ring: the token of a full sequence is stored over its oldest");
    write_to_full(0);
    wrong.got[2 * lab_elements_kv(wrong.shape) + 1] = 10;
    says("lengths[1] was 9 and is 10, not 9: a sequence that is full stays as it is");
}

static void a_full_sequence_that_makes_room_is_named(void **state) {
    (void)state;
    enum { SLOTS = 9, WIDTH = 8, HEADS = 2 };
    write_to_full(1);
    hand_in(wrong.want);
    for (int v = 0; v < 2; v++)
        for (int h = HEADS; h < 2 * HEADS; h++) {
            float *const slot = wrong.got + v * lab_elements_kv(wrong.shape) + h * SLOTS * WIDTH;
            memmove(slot, slot + WIDTH, (SLOTS - 1) * WIDTH * sizeof *slot);
            memcpy(slot + (SLOTS - 1) * WIDTH, wrong.in[2 + v] + h * WIDTH, WIDTH * sizeof *slot);
        }
    says("matches a full sequence whose oldest token makes room for the new one, sequence 1");
}

static void an_appends_slot_says_what_it_holds(void **state) {
    (void)state;
    const attn_shape s = {1, 2, 1, 12, 8, 0};
    const size_t kv = 2 * 12 * 8;
    for (int kind = 0; kind < 2; kind++) {
        begin(&lab_cache_append, s);
        memcpy(wrong.got, wrong.in[1], wrong.n * sizeof *wrong.got);
        const int length = lab_int_at(wrong.in[1] + 2 * kv, 0);
        const int32_t grown = length + 1;
        for (size_t h = 0; h < 2; h++)
            for (size_t v = 0; v < 2; v++)
                memcpy(wrong.got + v * kv + (h * 12 + length) * 8, wrong.in[kind == 0 ? 2 : 2 + v] + h * 8,
                       (kind == 0 ? 8 : 5) * sizeof(float));
        memcpy(wrong.got + 2 * kv, &grown, sizeof grown);
        lab_op_to_floats(wrong.op, s, wrong.got);
        examine();
        assert_says(wrong.text,
                    kind == 0 ? "k_new of sequence 0, head 0 lies there" : "its first 5 of 8 dims lie there alone");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_full_sequence_that_is_written_to_is_named, release),
        cmocka_unit_test_teardown(a_cache_taken_for_a_ring_is_named, release),
        cmocka_unit_test_teardown(a_full_sequence_that_makes_room_is_named, release),
        cmocka_unit_test_teardown(an_appends_slot_says_what_it_holds, release),
    };
    return cmocka_run_group_tests_name("explain_full", tests, NULL, NULL);
}
