// unit_explain_appends.c: where an append's token lies, and how often it is counted. grader/core: diagnose/append_slots.c,
// diagnose_append.c.
#include "unit.h"

#include <string.h>

#include "symptom.h"

// 3 sequences, 2 heads, 12 slots, 8 dims

enum { B = 3, H = 2, SLOTS = 12, D = 8, KV = B * H * SLOTS * D };

static int length_of(int b) { return lab_int_at(wrong.in[1] + 2 * KV, b); }

static void append_at(int (*row)(int b, int h), const char *words) {
    const attn_shape s = {B, H, 1, SLOTS, D, 0};
    begin(&lab_cache_append, s);
    memcpy(wrong.got, wrong.in[1], wrong.n * sizeof *wrong.got);
    for (int b = 0; b < B; b++) {
        const int32_t grown = length_of(b) + (length_of(b) < SLOTS);
        for (int h = 0; h < H && length_of(b) < SLOTS; h++)
            for (int v = 0; v < 2; v++)
                memcpy(wrong.got + v * KV + row(b, h) * D, wrong.in[2 + v] + (b * H + h) * D, D * sizeof(float));
        memcpy(wrong.got + 2 * KV + b, &grown, sizeof grown);
    }
    lab_op_to_floats(wrong.op, s, wrong.got);
    examine();
    assert_says(wrong.text, words);
}

static int first_length(int b, int h) { return (b * H + h) * SLOTS + length_of(0); }
static int tokens_first(int b, int h) { return (b * SLOTS + length_of(b)) * H + h; }
static int swapped(int b, int h) { return (h * B + b) * SLOTS + length_of(b); }
static int without_b(int b, int h) { return h * SLOTS + length_of(b); }
static int slot_0(int b, int h) { return (b * H + h) * SLOTS; }

static void an_append_names_the_formula(void **state) {
    (void)state;
    append_at(first_length, "matches lengths[0] used for every sequence");
    append_at(tokens_first, "laid out [B, max_seq, H, D]");
    append_at(swapped, "at number h * batch + b");
    append_at(without_b, "an offset without b");
    append_at(slot_0, "slot 0 for every token");
}

// A token is counted n times, and stored nowhere.
static void counted(int heads, int n, const char *words) {
    const attn_shape s = {B, heads, 1, SLOTS, D, 0};
    const size_t kv = lab_elements_kv(s);
    begin(&lab_cache_append, s);
    memcpy(wrong.got, wrong.in[1], wrong.n * sizeof *wrong.got);
    for (int b = 0; b < B; b++) {
        const int length = lab_int_at(wrong.in[1] + 2 * kv, b);
        const int32_t grown = length + n < SLOTS ? length + n : SLOTS;
        memcpy(wrong.got + 2 * kv + b, &grown, sizeof grown);
    }
    lab_op_to_floats(wrong.op, s, wrong.got);
    examine();
    assert_says(wrong.text, words);
}

static void a_token_that_every_head_counts_is_named(void **state) {
    (void)state;
    static const char head[] =
        "matches lengths[b] that grow more than once for a token, as where each head counts it: ",
                      both[] =
                          "matches lengths[b] that grow more than once for a token, as where K and V each count it";
    counted(4, 4, head);
    counted(4, 2, both);
    counted(20, 20, head);
    counted(2, 2, "as where each head counts it, or K and V each do: one thread counts it, once for all heads");
    is_among_what_fits(head);
    is_among_what_fits(both);
    counted(4, 1, "k_new of sequence 0, head 0 belongs into slot");
    counted(4, 3, "k_new of sequence 0, head 0 belongs into slot");
}

// Of each sequence some heads are stored, and the token is counted.
static void heads_stored(int sequences, int heads, int by_block, int n, const char *words) {
    const attn_shape s = {sequences, heads, 1, SLOTS, D, 0};
    const size_t kv = lab_elements_kv(s);
    begin(&lab_cache_append, s);
    for (int bh = 0; bh < sequences * heads; bh++) {
        const int b = bh / heads, h = bh % heads, slot = lab_int_at(wrong.in[1] + 2 * kv, b);
        for (int v = 0; v < 2 && slot < SLOTS && (by_block ? h != b % heads : h >= n); v++) {
            const size_t at = v * kv + ((size_t)bh * SLOTS + slot) * D;
            memcpy(wrong.got + at, wrong.in[1] + at, D * sizeof *wrong.got);
        }
    }
    lab_op_to_floats(wrong.op, s, wrong.got);
    is_among_what_fits(words);
}

static void heads_that_are_left_out_are_named(void **state) {
    (void)state;
    heads_stored(3, 2, 1, 0, "matches one head of each sequence that is stored, head b % H, and no other");
    heads_stored(1, 5, 1, 0, "matches one head of each sequence that is stored, head b % H, and no other");
    heads_stored(1, 5, 0, 1, "matches heads 0 .. 0 of each sequence that are stored alone: the rows of all 5 are");
    heads_stored(3, 5, 0, 3, "matches heads 0 .. 2 of each sequence that are stored alone: the rows of all 5 are");
}

// Number i of sequence b's new row: where it comes from in k_new and v_new, and where it goes in K_cache and V_cache.
static void append_numbers(int (*from)(int b, int i), int (*to)(int b, int i)) {
    const attn_shape s = {B, H, 1, SLOTS, D, 0};
    begin(&lab_cache_append, s);
    memcpy(wrong.got, wrong.in[1], wrong.n * sizeof *wrong.got);
    for (int b = 0; b < B; b++) {
        const int32_t grown = length_of(b) + (length_of(b) < SLOTS);
        for (int i = 0; i < H * D && length_of(b) < SLOTS; i++)
            for (int v = 0; v < 2; v++) wrong.got[v * KV + to(b, i)] = wrong.in[2 + v][from(b, i)];
        memcpy(wrong.got + 2 * KV + b, &grown, sizeof grown);
    }
    lab_op_to_floats(wrong.op, s, wrong.got);
    examine();
}

static int in_order(int b, int i) { return b * H * D + i; }
static int heads_inside(int b, int i) { return b * H * D + i % D * H + i / D; }
static int in_its_slot(int b, int i) { return ((b * H + i / D) * SLOTS + length_of(b)) * D + i % D; }
static int slots_apart(int b, int i) { return (b * H * D + i) * SLOTS + length_of(b); }

static void an_append_of_numbers_in_another_order_is_named(void **state) {
    (void)state;
    append_numbers(heads_inside, in_its_slot);
    assert_says(wrong.text, "matches k_new read at b * heads * D + d * heads + h");
}

static void an_append_of_numbers_that_stand_apart_is_named(void **state) {
    (void)state;
    append_numbers(in_order, slots_apart);
    assert_says(wrong.text, "laid out [B, H, D, max_seq]");
}

// Head n of all is taken for one of sequence n % B.
static void an_append_of_heads_in_another_order_is_named(void **state) {
    (void)state;
    const attn_shape s = {B, H, 1, SLOTS, D, 0};
    begin(&lab_cache_append, s);
    memcpy(wrong.got, wrong.in[1], wrong.n * sizeof *wrong.got);
    for (int n = 0; n < B * H; n++) {
        const int32_t length = length_of(n % B), grown = length + 1;
        if (length == SLOTS) continue;
        for (int v = 0; v < 2; v++)
            memcpy(wrong.got + v * KV + (n * SLOTS + length) * D, wrong.in[2 + v] + n * D, D * sizeof(float));
        memcpy(wrong.got + 2 * KV + n % B, &grown, sizeof grown);
    }
    lab_op_to_floats(wrong.op, s, wrong.got);
    examine();
    assert_says(wrong.text, "at number h * batch + b of the cache and of k_new alike");
}

static void a_slot_that_is_cleared_has_changed(void **state) {
    (void)state;
    append_numbers(in_order, in_its_slot);
    assert_int_equal(wrong.text[0], 0);  // and nothing is said of what is right
    for (int d = 0; d < D; d++) wrong.got[KV - D + d] = 0;
    examine();
    assert_says(wrong.text, "of K_cache has changed: only slot lengths[b] is written");
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(an_append_names_the_formula),
        CLAIM(a_token_that_every_head_counts_is_named),
        CLAIM(an_append_of_numbers_in_another_order_is_named),
        CLAIM(an_append_of_numbers_that_stand_apart_is_named),
        CLAIM(an_append_of_heads_in_another_order_is_named),
        CLAIM(heads_that_are_left_out_are_named),
        CLAIM(a_slot_that_is_cleared_has_changed),
    };
    return cmocka_run_group_tests_name("explain_appends", claims, NULL, release);
}
