// unit_explain_contracts.c: task 6, TODOs whose numbers are those of another condition or place, or another argument of a call.
// grader/core: probes_task6.c, diagnose: call_tables, room_tables, taken.
#include "unit.h"

#include <string.h>

#include "symptom.h"

// ---- 6.1 and 6.2: rows of [S, past[B], count[B]]

static int number(int row, int i) { return lab_int_at(wrong.in[1], (size_t)(row * (1 + 2 * wrong.shape.batch) + i)); }

static void kinds(int (*kind)(int S, const int past[], int B), const char *words) {
    begin_claim("task6", "past_tells_prefill_from_decode");
    for (size_t i = 0; i < wrong.n; i++) {
        int past[8];
        for (int b = 0; b < wrong.shape.batch; b++) past[b] = number((int)i, 1 + b);
        wrong.got[i] = (float)kind(number((int)i, 0), past, wrong.shape.batch);
    }
    says(words);
}

static int fresh_of(const int past[], int B) {
    int n = 0;
    for (int b = 0; b < B; b++) n += past[b] == 0;
    return n;
}
static int more_than_one(int S, const int past[], int B) {
    int old = S == 1;
    for (int b = 0; b < B; b++) old &= past[b] > 1;
    return fresh_of(past, B) == B ? 1 : 2 * old;
}
static int last_of_loop(int S, const int past[], int B) { return past[B - 1] == 0 ? 1 : 2 * (S == 1); }
static int exchanged(int S, const int past[], int B) {
    return fresh_of(past, B) == B ? 2 : !fresh_of(past, B) && S == 1;
}
static int any_then_decode(int S, const int past[], int B) {
    (void)S;
    return fresh_of(past, B) ? 1 : 2;
}

static int more_is_a_prefill(int S, const int past[], int B) { return S > 1 ? 1 : 2 * !fresh_of(past, B); }

static int returns_early(int S, const int past[], int B) {
    return S > 1 ? fresh_of(past, B) > 0 : past[0] == 0 ? 1 : 2;
}

static void another_condition_of_a_call_is_named(void **state) {
    (void)state;
    kinds(more_than_one, "DECODE only where every past is more than 1");
    kinds(last_of_loop, "matches the last past alone");
    kinds(more_is_a_prefill, "PREFILL wherever S is more than 1, and nowhere else");
    kinds(exchanged, "PREFILL and DECODE exchanged");
    kinds(returns_early, "a loop that returns at the first sequence that is either");
    kinds(any_then_decode, "PREFILL where any past is 0: it takes all of them, and DECODE whatever S is");
}

static void room(int (*is_full)(int past, int count, int first, int slots), int from, const char *words) {
    begin_claim("task6", "what_does_not_fit_is_known");
    const int B = wrong.shape.batch;
    for (int i = 0; i < (int)wrong.n; i++) {
        int full = 0;
        for (int b = from; b < B; b++)
            full |= is_full(number(i, 1 + b), number(i, 1 + B + b), number(i, 1 + B), wrong.shape.seq_kv);
        wrong.got[i] = (float)!full;
    }
    says(words);
}
static int as_due(int past, int count, int first, int slots) {
    (void)first;
    return past + count > slots;
}
static int first_count(int past, int count, int first, int slots) {
    (void)count;
    return past + first > slots;
}
static int one_more_fits(int past, int count, int first, int slots) {
    (void)first;
    return past + count - 1 > slots;
}
static int of_all(int past, int count, int first, int slots) {
    (void)first;
    return past + count > slots * wrong.shape.batch;
}

static void another_condition_of_room_is_named(void **state) {
    (void)state;
    room(as_due, 1, "sequence 0 left out");
    room(first_count, 0, "count[0] for every sequence");
    room(one_more_fits, 0, "max_seq + 1 tokens");
    room(of_all, 0, "held against batch * max_seq");
}

// ---- What is stored

static void what_is_taken_from_elsewhere_is_named(void **state) {
    (void)state;
    begin_claim("task6", "a_prompt_is_stored_without_its_padding");
    const attn_shape s = wrong.shape;
    const size_t D = s.head_dim, H = s.heads, S = s.seq_q, slots = s.seq_kv;
    for (size_t b = 0; b < (size_t)s.batch; b++)
        for (size_t i = 0; i < H * lab_int_at(wrong.in[3], b) * D; i++) {
            const size_t h = i % H, t = i / H / D, d = i / H % D;
            wrong.got[((b * H + h) * slots + t) * D + d] = wrong.in[2][((b * S + t) * H + h) * D + d];
        }
    says("matches tokens that are read H * D numbers apart");
}

// Heads that lie behind as many rows as the prompt has, in X, in the cache, or in both; of all sequences or of each.
static void prompts_that_are_taken_for_packed_are_named(void **state) {
    (void)state;
    for (int packed = 1; packed < 9; packed++) {
        begin_claim("task6", "a_prompt_is_stored_without_its_padding");
        const attn_shape s = wrong.shape;
        const size_t D = s.head_dim, H = s.heads, rows[] = {s.seq_q, s.seq_kv};
        for (size_t i = 0; i < wrong.n; i++) wrong.got[i] = wrong.in[1][i];
        for (size_t bh = 0; bh < s.batch * H; bh++) {
            const size_t count = lab_int_at(wrong.in[3], bh / H);
            size_t begin[2];
            for (int of = 0; of < 2; of++) {
                const int by = of ? packed % 3 : packed / 3;
                begin[of] = D * (by == 2 ? bh * count : by ? bh / H * H * rows[of] + bh % H * count : bh * rows[of]);
            }
            memcpy(wrong.got + begin[1], wrong.in[2] + begin[0], count * D * sizeof(float));
        }
        says(packed < 3    ? "matches heads of the cache that begin count * D numbers apart"
             : packed == 4 ? "matches X and X_cache taken for [B, S, H, D] and [B, max_seq, H, D], or heads that begin "
                             "count * D"
             : packed % 3  ? "matches heads that begin count * D numbers apart in X and in the cache"
                           : "matches heads of X that begin count * D numbers apart");
    }
}

// As grader/probes/task6.cu tells it.
static void told(int code, int is, int must, int arguments, int of_qkv) {
    const int all[] = {code, is, must, arguments, of_qkv};
    for (size_t i = 0; i < wrong.n; i++) wrong.got[i] = (float)all[i % 5];
}

static void what_is_handed_over_is_named(void **state) {
    (void)state;
    begin_claim("task6", "a_new_token_sees_all_and_itself");
    told(10000000 + 200, 5, 4, 0, 0);
    says("call->decode is given work.merged as its argument O: it takes work.O");
    begin_claim("task6", "a_prompt_attends_to_itself");
    told(10000000 + 53, 1, 7, 0, 0);
    says("call->flash is given a shape with seq_kv = 1: it must be 7");
    told(10000000 + 97, 14, 7, 0, 0);
    says("call->flash is called 14 times, with seq_q = 1: one call does the whole prompt, with seq_q = seq_kv = 7");
    told(10000000 + 50, 1, 2, 0, 0);
    says(
        "with batch = 2 it does all sequences at once, and who calls it for each moves on by heads * seq_q * head_dim");
    told(10000000 + 51, 1, 3, 0, 0);
    says("heads = 1: it must be 3. Q, K and V are [B, H, S, D], in which each head is a matrix of its own");
    begin_claim("task6", "a_new_token_sees_all_and_itself");
    const int k_new = 1 << 8, v_new = 1 << 9, q = 1 << 11;
    told(10000000 + 103, 10, 2, k_new, k_new);
    says("call->append is given a place within work.qkv as its argument k_new: it takes work.K");
    told(10000000 + 103, 10, 2, k_new | v_new | q, k_new | v_new | q);
    says("work.qkv is taken for k_new of append, v_new of append, Q of decode: in each of its rows q, k and v of");
    told(10000000 + 103, 9, 2, k_new | v_new | q, q);
    says("it takes work.K. Of the others these are wrong, too: v_new of append, Q of decode");
    told(10000000 + 103, 1 << 20, 2, k_new, 0);  // who writes such numbers is told nothing, and reads nothing
    examine();
    assert_null(strstr(wrong.text, "call->"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(another_condition_of_a_call_is_named, release),
        cmocka_unit_test_teardown(another_condition_of_room_is_named, release),
        cmocka_unit_test_teardown(what_is_taken_from_elsewhere_is_named, release),
        cmocka_unit_test_teardown(prompts_that_are_taken_for_packed_are_named, release),
        cmocka_unit_test_teardown(what_is_handed_over_is_named, release),
    };
    return cmocka_run_group_tests_name("explain_contracts", tests, NULL, NULL);
}
