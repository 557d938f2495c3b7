// unit_explain_first_keys.c: attention that leaves out the first keys of each row. grader/core: diagnose/last_keys.c.
#include "unit.h"

#include <math.h>
#include <string.h>

#include "symptom.h"

enum { D = 16, MOST = 96, BC = 16 };

static int group = 1;  // queries that see as many keys as the first of them

static int seen_by(attn_shape s, int i) { return s.causal ? i / group * group + 1 + s.seq_kv - s.seq_q : s.seq_kv; }

// Which key query i begins with.
static int shift(attn_shape s, int i) { return i < s.seq_q ? s.seq_kv - s.seq_q : 0; }
static int second(attn_shape s, int i) { return i < s.seq_q ? 1 : 0; }
static int third(attn_shape s, int i) { return i < s.seq_q ? 3 : 0; }
static int window(attn_shape s, int i) { return seen_by(s, i) > 7 ? seen_by(s, i) - 7 : 0; }
static int own(attn_shape s, int i) { return s.causal ? i : 0; }
static int last_tile(attn_shape s, int i) { return (seen_by(s, i) - 1) / BC * BC; }
static int odd(attn_shape s, int i) { return seen_by(s, i) - 1 - i % 3; }

static void attend(const lab_op *op, attn_shape s, int (*first)(attn_shape, int)) {
    begin(op, s);
    for (int r = 0; r < s.batch * s.heads * s.seq_q; r++) {
        const int i = r % s.seq_q, end = seen_by(s, i), from = first(s, i);
        const float *q = wrong.in[1] + r * D, *k = wrong.in[2] + r / s.seq_q * s.seq_kv * D,
                    *v = wrong.in[3] + r / s.seq_q * s.seq_kv * D;
        double weight[MOST], sum = 0, o[D] = {0};
        for (int j = from; j < end; j++) {
            double dot = 0;
            for (int d = 0; d < D; d++) dot += q[d] * k[j * D + d];
            sum += weight[j] = exp(dot / sqrt(D));
        }
        for (int j = from; j < end; j++)
            for (int d = 0; d < D; d++) o[d] += weight[j] / sum * v[j * D + d];
        for (int d = 0; d < D; d++) wrong.got[r * D + d] = (float)o[d];
    }
}

// Is it among what fits?
static int fits(const char *words) {
    static lab_guesses all;
    int found = 0;
    all.n = 0, wrong.guesses = &all;
    examine();
    wrong.guesses = NULL;
    for (int i = 0; i < all.n; i++) found |= strstr(all.text[i], words) != NULL;
    return found;
}

static const attn_shape LONGER = {1, 2, 12, 31, D, 1}, FULL = {1, 2, 9, 40, D, 0}, CAUSAL = {2, 1, 40, 40, D, 1};

static void as_many_as_there_are_more_than_queries_is_named(void **state) {
    (void)state;
    attend(&lab_sdpa, LONGER, shift), says("matches attention without the first seq_kv - seq_q keys: query i sees");
    release(NULL);
    attend(&lab_flash, FULL, shift), says("matches attention without the first seq_kv - seq_q keys");
}

static void a_walk_that_begins_late_is_named(void **state) {
    (void)state;
    attend(&lab_flash, FULL, third), says("matches attention without the first 3 keys: the walk over the keys begins");
    release(NULL);
    attend(&lab_sdpa, LONGER, third), says("matches attention without the first 3 keys");
    release(NULL);
    attend(&lab_sdpa, FULL, second), says("matches attention without key 0: the walk over the keys begins with it");
    release(NULL);
    begin(&lab_sdpa, (attn_shape){1, 1, 3, 1, D, 0});
    for (size_t i = 0; i < wrong.n; i++) wrong.got[i] = 0;
    assert_true(fits("matches attention without key 0"));
}

static void a_window_is_named(void **state) {
    (void)state;
    attend(&lab_flash, CAUSAL, window), says("matches a window of 7 keys, up to the last one that each query sees");
    release(NULL);
    attend(&lab_sdpa, (attn_shape){1, 2, 1, 33, D, 1}, window);
    assert_true(fits("matches a window of 7 keys"));
}

// From its own key on: with as many keys as queries that is the only one.
static void a_window_that_begins_with_the_query_is_named(void **state) {
    (void)state;
    attend(&lab_sdpa, LONGER, own), says("matches a window of seq_kv - seq_q + 1 keys that begins at key i");
    release(NULL);
    attend(&lab_tiled, CAUSAL, own), says("matches a window of seq_kv - seq_q + 1 keys that begins at key i");
}

static int none(attn_shape s, int i) { return s.causal ? 0 : i; }

// The mask of four lanes, or of all queries of a tile.
static void a_mask_that_queries_share_is_named(void **state) {
    (void)state;
    group = 4;
    attend(&lab_tiled, CAUSAL, none);
    wrong.extra[0] = 16, wrong.extra[1] = 8;
    says("matches a mask that is the same for 4 queries side by side, that of the first of them");
    release(NULL);
    group = 16;
    attend(&lab_tiled, CAUSAL, none);
    wrong.extra[0] = 16, wrong.extra[1] = 8;
    assert_true(fits("ends with the last key that the first query of a tile sees"));
    assert_false(fits("side by side"));
    group = 1, wrong.extra[0] = wrong.extra[1] = 0;
}

// What is known of tiles is said where rows begin as tiles do.
static void what_earlier_tiles_gave_is_lost_in_tiles_alone(void **state) {
    (void)state;
    attend(&lab_flash, CAUSAL, last_tile), says("what earlier tiles gave is lost");
    release(NULL);
    attend(&lab_flash, CAUSAL, odd), says("does the walk begin with key 0, and is what it gave kept?");
    assert_null(strstr(wrong.text, "tile"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(as_many_as_there_are_more_than_queries_is_named, release),
        cmocka_unit_test_teardown(a_walk_that_begins_late_is_named, release),
        cmocka_unit_test_teardown(a_window_is_named, release),
        cmocka_unit_test_teardown(a_window_that_begins_with_the_query_is_named, release),
        cmocka_unit_test_teardown(a_mask_that_queries_share_is_named, release),
        cmocka_unit_test_teardown(what_earlier_tiles_gave_is_lost_in_tiles_alone, release),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
