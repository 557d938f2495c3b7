// unit_where.c: the evidence of many claims: what explains most of them, and what those that fail have in common. And what a
// task forbids, which numbers do not show. grader/run: common_cause.c, where_it_fails.c, contract.c.
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "common_cause.h"
#include "contract.h"
#include "where_it_fails.h"

static const attn_shape CAUSAL = {2, 3, 48, 48, 32, 1}, WIDE = {2, 3, 24, 40, 32, 0}, LATE = {1, 2, 24, 56, 32, 1};

static void add(const char *claim, const lab_op *op, attn_shape shape, lab_verdict verdict, const char *diagnosis) {
    static const lab_result none;
    lab_result r = none;
    const lab_case c = {.task = "task1", .criterion = "", .claim = claim, .op = op, .shape = shape};
    r.verdict = verdict;
    snprintf(r.diagnosis, sizeof r.diagnosis, "%s", diagnosis);
    lab_cause_add(&c, &r);
}

static void claims_are_looked_at_together(void **state) {
    (void)state;
    char text[400];
    add("one", &lab_sdpa, WIDE, LAB_WRONG_ANSWER, "matches A; wrong: row 1");
    add("two", &lab_sdpa, LATE, LAB_WRONG_ANSWER, "matches B of 17; wrong: row 1");
    for (int i = 0; i < 3; i++)
        add("three", &lab_sdpa, WIDE, LAB_WRONG_ANSWER, "matches B of 18 (tiles of 4); wrong: row 1");
    add("four", &lab_sdpa, CAUSAL, LAB_PASSED, "");
    add("five", &lab_sdpa, CAUSAL, LAB_PASSED, "");
    lab_cause_say(text, sizeof text);
    assert_says(text, "a guess, which explains 4 of the 5: matches B of");
    lab_cause_where(text, sizeof text);
    assert_says(text, "attn_sdpa fails where seq_q differs from seq_kv, and nowhere else");
    add("six", &lab_softmax_rows, WIDE, LAB_WRONG_ANSWER, "matches C; wrong: row 1");
    lab_cause_say(text, sizeof text);
    assert_says(text, "one cause would explain all 6 (5 of them about what may use attn_softmax_rows): matches C");
}

static void short_rows_that_are_nan_are_told(void **state) {
    (void)state;
    char text[400];
    const lab_tried tried[] = {
        {{.op = &lab_softmax_batched, .shape = {1, 1, 64, 17, 8, 0}}, LAB_NOT_FINITE, 0},
        {{.op = &lab_softmax_batched, .shape = {1, 1, 33, 97, 8, 0}}, LAB_NOT_FINITE, 0},
        {{.op = &lab_softmax_batched, .shape = {1, 1, 7, 1009, 8, 0}}, LAB_PASSED, 0},
    };
    lab_where_it_fails(&lab_softmax_batched, tried, 3, text, sizeof text);
    assert_says(text, "NaN where rows have 97 columns or fewer, and none where they have 1009");
    text[0] = 0;
    lab_where_it_fails(&lab_softmax_batched, tried, 2, text, sizeof text);
    assert_string_equal(text, "");
}

// What is refused was not computed: nothing is said of where the keys end.
static void a_shape_that_is_refused_is_told(void **state) {
    (void)state;
    char text[400] = "";
    lab_tried tried[] = {
        {{.op = &lab_sdpa, .shape = LATE}, LAB_WRONG_ANSWER, 1},
        {{.op = &lab_sdpa, .shape = LATE}, LAB_WRONG_ANSWER, 1},
        {{.op = &lab_sdpa, .shape = WIDE}, LAB_PASSED, 0},
        {{.op = &lab_sdpa, .shape = CAUSAL}, LAB_PASSED, 0},
    };
    lab_where_it_fails(&lab_sdpa, tried, 4, text, sizeof text);
    assert_says(text,
                "attn_sdpa refuses what it is given where attention is causal and seq_q differs from seq_kv, and");
    assert_null(strstr(text, "query i sees key"));
    tried[1].refuses = 0;
    lab_where_it_fails(&lab_sdpa, tried, 4, text, sizeof text);
    assert_says(text, "and nowhere else: query i sees key j <= i + seq_kv - seq_q");
}

// Claims of one head each; the last of them, with head_dim or Bc as it is right, hold.
static void of_sizes(const lab_op *op, const attn_shape shape[4], int Bc, int right, char *text, size_t size) {
    lab_tried tried[4];
    memset(tried, 0, sizeof tried);
    for (int i = 0; i < 4; i++) {
        tried[i].c = (lab_case){.op = op, .shape = shape[i], .extra = {8, Bc}};
        tried[i].verdict = i < 4 - right ? LAB_WRONG_ANSWER : LAB_PASSED;
    }
    text[0] = 0;
    lab_where_it_fails(op, tried, 4, text, size);
}

static void rows_of_the_largest_head_and_a_narrow_last_tile_are_told(void **state) {
    (void)state;
    char text[400];
    attn_shape s[] = {{1, 1, 40, 40, 64, 0}, {1, 1, 9, 33, 32, 0}, {1, 1, 70, 70, 96, 0}, {1, 1, 40, 40, 128, 0}};
    of_sizes(&lab_sdpa, s, 0, 1, text, sizeof text);
    assert_says(text, "attn_sdpa fails where head_dim is below 128, and nowhere else: are rows taken to be 128 floats");
    s[2].head_dim = 128;
    of_sizes(&lab_sdpa, s, 0, 1, text, sizeof text);
    assert_null(strstr(text, "below 128"));
    const attn_shape narrow[] = {
        {1, 1, 24, 40, 64, 0}, {1, 1, 24, 60, 64, 0}, {1, 1, 24, 20, 64, 0}, {1, 1, 24, 64, 64, 0}};
    of_sizes(&lab_tiled, narrow, 32, 2, text, sizeof text);
    assert_says(text, "attn_tiled fails where the last of several key tiles is narrower, and nowhere else");
    assert_says(
        text,
        "is it visited, does it begin where the one before it ended");  // a step from row to row is one of many causes
}

// That heads are several, too, is said where a claim of one head holds: else a loop over the heads alone fits as well.
static void batches_of_several_heads_are_told_apart(void **state) {
    (void)state;
    char text[400];
    const attn_shape s[] = {{2, 4, 32, 32, 64, 0}, {2, 2, 32, 32, 64, 0}, {1, 3, 32, 32, 64, 0}, {1, 1, 32, 32, 64, 0}};
    of_sizes(&lab_sdpa, s, 0, 2, text, sizeof text);
    assert_says(text, "attn_sdpa fails where batch is above 1, and nowhere else");
    assert_says(text, "are all batch * heads of them reached?");
    const attn_shape apart[] = {
        {2, 4, 32, 32, 64, 0}, {2, 2, 32, 32, 64, 0}, {1, 3, 32, 32, 64, 0}, {2, 1, 32, 32, 64, 0}};
    of_sizes(&lab_sdpa, apart, 0, 2, text, sizeof text);
    assert_says(text, "attn_sdpa fails where batch and heads are both above 1, and nowhere else");
}

// A claim of one tile fails, and one of a single key does not.
static void one_tile_that_is_wrong_is_not_called_right(void **state) {
    (void)state;
    char text[400];
    const attn_shape long_ones[] = {
        {1, 1, 24, 64, 64, 0}, {1, 1, 24, 96, 64, 0}, {1, 1, 24, 8, 64, 0}, {1, 1, 24, 16, 64, 0}};
    of_sizes(&lab_tiled, long_ones, 32, 2, text, sizeof text);
    assert_says(text, "one tile is right");
    of_sizes(&lab_tiled, long_ones, 128, 2, text, sizeof text);
    assert_null(strstr(text, "one tile is right"));
}

// Which of the lengths between is the border nobody has tried.
static void from_which_length_on_it_fails_is_said(void **state) {
    (void)state;
    char text[400];
    const attn_shape s[] = {{1, 1, 24, 64, 64, 0}, {1, 1, 24, 96, 64, 0}, {1, 1, 24, 24, 64, 0}, {1, 1, 24, 8, 64, 0}};
    of_sizes(&lab_sdpa, s, 0, 2, text, sizeof text);
    assert_string_equal(text,
                        "attn_sdpa holds up to seq_kv = 24, and fails from 64 on: look at what goes from tile to tile");
}

// Tiles of 0: the size is the file's own choice.
static void tiles_that_the_file_chooses_are_told(void **state) {
    (void)state;
    char text[400] = "";
    lab_tried tried[4];
    memset(tried, 0, sizeof tried);
    for (int i = 0; i < 4; i++) {
        tried[i].c = (lab_case){.op = &lab_tiled, .shape = {1, 1, 24, 40, 64, 0}};
        if (i > 1) tried[i].c.tiles.Br = 8, tried[i].c.tiles.Bc = 16;
        tried[i].verdict = i > 1 ? LAB_PASSED : LAB_CRASH;
    }
    lab_where_it_fails(&lab_tiled, tried, 4, text, sizeof text);
    assert_says(text,
                "attn_tiled fails where the size of the tiles is left to the file (Br = Bc = 0), and nowhere else");
}

// ---- What numbers do not show

static void what_a_task_forbids_is_found_in_the_text(void **state) {
    (void)state;
    char text[400] = "";
    static const char *const right =
        "void f() {\n kernel<<<dim3(1, 2), 3, g(4, 5), stream>>>(x);\n my_cudaMalloc(1);\n}\n";
    assert_int_equal(lab_breaks_contract(right, text, sizeof text), 0);
    assert_int_equal(lab_breaks_contract("\n\n cudaMalloc(&p, 4);", text, sizeof text), 1);
    assert_says(text, "line 3 calls cudaMalloc");
    assert_int_equal(lab_breaks_contract("cudaStreamSynchronize (stream);", text, sizeof text), 1);
    assert_says(text, "does not wait");
    assert_int_equal(lab_breaks_contract("\nk<<<grid, dim3(1, 2), 4>>>(x);", text, sizeof text), 1);
    assert_says(text, "line 2 launches a kernel on the default stream");
    assert_int_equal(lab_breaks_contract("k<<<grid, dim3(1, 2), 4, nullptr>>>(x);", text, sizeof text), 1);
    assert_int_equal(lab_breaks_contract("k<<<grid, 1, 4, 0 >>>(x); m<<<1, 1, 0, stream>>>();", text, sizeof text), 1);
    assert_int_equal(lab_breaks_contract("k<<<grid, 1, 0, streams[0]>>>(x);", text, sizeof text), 0);
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(claims_are_looked_at_together),
        CLAIM(short_rows_that_are_nan_are_told),
        CLAIM(a_shape_that_is_refused_is_told),
        CLAIM(rows_of_the_largest_head_and_a_narrow_last_tile_are_told),
        CLAIM(batches_of_several_heads_are_told_apart),
        CLAIM(one_tile_that_is_wrong_is_not_called_right),
        CLAIM(from_which_length_on_it_fails_is_said),
        CLAIM(tiles_that_the_file_chooses_are_told),
        CLAIM(what_a_task_forbids_is_found_in_the_text),
    };
    return cmocka_run_group_tests_name("where", claims, NULL, NULL);
}
