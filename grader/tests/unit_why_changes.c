// unit_why_changes.c: which changes mend by luck beside a known cause, and what is said of a return that goes.
// grader/claims: why_changes.c, core/diagnose/rules_out.c.
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "agrees.h"
#include "why_changes.h"

static void one_change_is_not_said_where_a_whole_step_is_another(void **state) {
    (void)state;
    const char *const product = "TODO 3.5: matches l = exp(sum of (s - m)), which is the product of all exp(s - m): "
                                "the exponential of each score is taken first, and then they are added up";
    const char *const carried = "matches a row sum that goes on from row to row: set it to 0 for each row";
    assert_true(lab_change_is_by_luck(product, "before line 3, this is missing:\n*l += s[c];"));
    assert_true(lab_change_is_by_luck("matches a division by the square root of the sum of p * p, a length, with p = "
                                      "exp(s - m): it is the sum of p itself",
                                      "With l in place of the first p[c], every claim passes."));
    assert_true(lab_change_is_by_luck(carried, "With = in place of each +=, every claim passes."));
    assert_true(lab_change_is_by_luck("matches lengths[b] = count[0] + ... + count[b] after a prompt",
                                      "lines 2 and 4, in f:\nWith = in place of += in both, every claim passes."));
    assert_true(lab_change_is_by_luck("matches rows that go on with the m, l and O of a row done before",
                                      "decode<<<1, 128>>>(O); With heads in place of 1, every claim passes."));
    assert_true(lab_change_is_by_luck("matches tiles whose keys behind the last whole group of 4 are left out",
                                      "With batch in place of seq_kv, every claim passes."));
    assert_true(lab_change_is_by_luck("matches pieces of the numbers, one for each of 16 threads, which are 16 long",
                                      "const int share = 16; With 1 in place of 16, every claim passes."));
    assert_false(lab_change_is_by_luck("matches pieces of the numbers, one for each of 16 threads, which are 16 long",
                                       "With t * share in place of t, every claim passes."));
    assert_true(lab_change_is_by_luck("matches the plain mean of the parts: a part counts with its weight",
                                      "With !half in place of the second half, every claim passes."));
    assert_false(lab_change_is_by_luck("matches the plain mean of the parts: a part counts with its weight",
                                       "With weight in place of 1, every claim passes."));
    const char *const grouped = "matches scores that are computed 4 at a time: all of them are the first one's";
    assert_true(lab_change_is_by_luck(grouped, "for (; j + 4 <= n; j += 4) {\nWithout the loop, whose work"));
    assert_false(
        lab_change_is_by_luck(grouped, "for (d = 0; d < D; d += 4)\nWith 1 in place of 4, every claim passes."));
    const char *const first = "matches O of the first part over the l of all: add the O of the other parts, too";
    assert_true(lab_change_is_by_luck(first, "With D / NT in place of NT / D, every claim passes."));
    assert_false(lab_change_is_by_luck(first, "With D / NT in place of NT / B, every claim passes."));
    assert_true(lab_change_is_by_luck("matches a window of 8 keys, up to the last one that each query sees",
                                      "With head in place of the first visible, every claim passes."));
    const char *const ends = "matches a walk over the keys that ends with tile y of keys for tile y of queries";
    assert_true(
        lab_change_is_by_luck(ends, "for (k = 0; k < n; k++) {\nWith n * M in place of n, every claim passes."));
    assert_false(lab_change_is_by_luck(ends, "for (k = 0; k < n; k++) {\nWith M in place of n, every claim passes."));
    assert_false(lab_change_is_by_luck(ends, "n = y + 1;\nWith y * Br in place of y, every claim passes."));
    assert_false(lab_change_is_by_luck(carried, "before line 9, this is missing:\nsum = 0;"));
    assert_false(lab_change_is_by_luck("matches l = the sum of s - m", "With expf(s - m) in place of s - m"));
}

static void what_a_function_does_not_read_settles_which_reading_it_is(void **state) {
    (void)state;
    char cause[] =
        "matches offsets without b, both where a number is read and where it is stored: every sequence reads "
        "and writes where sequence 0 does. Or the sequences from 1 on are left out";
    lab_settle_reading("store_token is given h (line 37) and does not read it", cause);
    assert_says(cause, "Or the sequences");
    lab_settle_reading("store_token is given b (line 37) and does not read it", cause);
    assert_null(strstr(cause, "Or the sequences"));
    assert_says(cause, "where sequence 0 does");
}

static void a_return_that_goes_says_what_it_left_undone(void **state) {
    (void)state;
    static const char text[] =
        "__global__ void f(float *x, int n) {\n  const int i = threadIdx.x;\n  if (i >= n) return;\n"
        "  s[i] = x[i];\n  __syncthreads();\n  x[i] = s[0];\n}\n";
    static const char *const changes[] = {
        "line 3, in f:\nif (i >= n) return;\nWithout it, every claim passes.",
        "line 4, in f:\nif (i >= n) return;\nWithout it, every claim passes.",
        "line 3, in f:\nif (i >= n) return;\nWith >= in place of >, every claim passes.",
        "line 3, in f:\ns[i] = x[i];\nWithout it, every claim passes.",
        "line 3, in f:\nif (i >= n) return;\nWith > in place of >=, every claim passes."};
    for (int i = 0; i < 5; i++) {
        char change[LAB_NOTE];
        snprintf(change, sizeof change, "%s", changes[i]);
        lab_say_who_leaves(text, change);
        if (i == 4)
            assert_says(change, "line 3 sends threads away");
        else if (i)
            assert_string_equal(change, changes[i]);
        else
            assert_says(change, "load no share of what the block has loaded by the barrier of line 5: let them stay");
    }
}

static void what_the_line_counts_settles_how_a_prompt_is_taken(void **state) {
    (void)state;
    static const char both[] =
        "TODO 6.3: matches X and X_cache taken for [B, S, H, D] and [B, max_seq, H, D], or heads "
        "that begin count * D numbers apart in both: head bh begins",
                      tokens[] =
                          "TODO 6.3: matches X and X_cache taken for [B, S, H, D] and [B, max_seq, H, D]: head bh",
                      packed[] = "TODO 6.3: matches heads that begin count * D numbers apart in both: head bh begins";
    static const char *const rows[][2] = {
        {"X_cache[((b * size.max_seq + s) * size.heads + h) * D + d] = X[i];", tokens},
        {"X_cache[bh * count * D + i] = X[bh * count * D + i];", packed},
        {"X_cache[to] = X[from];", both},
        {"if (i < count * D) put(X_cache, X);", both}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char cause[400];
        strcpy(cause, both), lab_settle_run(rows[i][0], cause);
        assert_memory_equal(cause, rows[i][1], strlen(rows[i][1]));
    }
}

static lab_changes change_of(const char *text) {
    lab_changes found = {.n = 1, .all = 1};
    snprintf(found.text[0], LAB_NOTE, "%s", text);
    return found;
}

// Beside a change after which all holds, of what else looks odd only what is about the same thing is said.
static void what_speaks_of_something_else_is_not_said_beside_a_change(void **state) {
    (void)state;
    const char *const rows = "line 58 takes the rows of o for D numbers long, and line 69 for head_dim: those of one "
                             "array have one length";
    lab_changes found =
        change_of("line 58, in finish:\nO[i] = w.o[i] / l;\nWith w.l[i] in place of l, every claim passes.");
    assert_false(lab_hint_agrees(rows, &found));
    found = change_of("line 69, in finish:\nw.o[i * head_dim] = 0;\nWith D in place of head_dim, every claim passes.");
    assert_true(lab_hint_agrees(rows, &found));
    found = change_of("line 90, in finish:\nw.o[i * head_dim] = 0;\nWith D in place of head_dim, every claim passes.");
    assert_false(lab_hint_agrees(rows, &found));
    found = change_of("line 58, in f, stands in the wrong place:\nx = 0;\nWith it before line 57, every claim passes.");
    assert_true(lab_hint_agrees(rows, &found));

    const char *const groups = "matches splits behind the last whole group of 4 that are left out: they want a loop";
    found = change_of("line 9, in f:\nfor (int s = 0; s < WARPS; s++) {\nWith n_splits in place of WARPS, every claim");
    assert_false(lab_cause_agrees(groups, &found));
    assert_true(lab_cause_agrees("matches the plain mean of the parts", &found));
    const char *const ends = "matches loops whose ends are exchanged: r runs to nq, and c to nk";
    assert_false(lab_cause_agrees(ends, &found));  // one loop alone ends elsewhere
    found = change_of("line 9, in f:\nconst int end = n / 4 * 4;\nWith n in place of n / 4 * 4, every claim passes.");
    assert_true(lab_cause_agrees(groups, &found));

    const char *const layout = "one cause would explain all 4: matches X as [S, B, H, D]: it is [B, S, H, D]";
    found = change_of("line 9, in f:\nif (++h <= H) continue;\nWith < in place of <=, every claim passes.");
    assert_false(lab_cause_agrees(layout, &found));
    assert_true(lab_cause_agrees(ends, &found));
    found = change_of("line 9, in f:\nx = X[s * B + b];\nWith b * S + s in place of s * B + b, every claim passes.");
    assert_true(lab_cause_agrees(layout, &found));
}

static void what_is_divided_within_the_walk_is_not_taken_for_another_maximum(void **state) {
    (void)state;
    const char *const adds =
        "line 79, in f, adds up what belongs to different maxima: in thread 3, key 0 against key 1";
    assert_false(lab_parts_agree(adds,
                                 "one cause would explain all 9: matches O that is divided by l after every tile, "
                                 "and an l that is 1 again"));
    assert_true(lab_parts_agree(adds, "a guess: matches O that is divided by l after every tile"));
    assert_true(lab_parts_agree(adds, "one cause would explain all 9: matches an l that is not rescaled"));
    assert_true(lab_parts_agree("line 79, in f, stores a part as if it were all",
                                "one cause would explain all 9: matches O that is divided by l after every tile"));
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(what_the_line_counts_settles_how_a_prompt_is_taken),
        CLAIM(one_change_is_not_said_where_a_whole_step_is_another),
        CLAIM(what_a_function_does_not_read_settles_which_reading_it_is),
        CLAIM(a_return_that_goes_says_what_it_left_undone),
        CLAIM(what_speaks_of_something_else_is_not_said_beside_a_change),
        CLAIM(what_is_divided_within_the_walk_is_not_taken_for_another_maximum),
    };
    return cmocka_run_group_tests_name("why_changes", claims, NULL, NULL);
}
