// unit_cause_todos.c: one layout that explains several TODOs or functions; what the first TODO that fails matches.
// grader/claims: cause_layout.c, first_todo.c.
#include "scene.h"

#include "cause_layout.h"

static void todo_fails(const char *todo, const char *diagnosis) {
    const lab_case c = {
        .task = "task1", .criterion = "", .claim = "a claim", .op = &lab_sdpa, .shape = shape, .todo = todo};
    const lab_result r = failed(diagnosis);
    lab_cause_todo(&c, &r);
}

// ---- Of several TODOs that fail, one layout

static const char of_tokens[] = "matches tensors read as [B, S, H, D]: the layout is [B, H, S, D]";

static void one_layout(void) { todo_fails("1.6", "wrong: rows 0.."), fails(&lab_sdpa, of_tokens, 3); }

static void one_layout_in_some(void) { one_layout(), fails(&lab_sdpa, "", 1); }

static void one_layout_without_todos(void) { fails(&lab_sdpa, of_tokens, 3); }

static void say_layout(char *is, size_t size) {
    *is = 0;
    lab_cause_layout(is, size);
}

static void a_layout_is_one_cause_of_several_todos(void **state) {
    (void)state;
    play(one_layout, say_layout);
    assert_non_null(strstr(text, "attn_sdpa as a whole matches tensors read as [B, S, H, D]: the layout is [B, H, S"));
    play(one_layout_in_some, say_layout);
    assert_string_equal(text, "");
    play(one_layout_without_todos, say_layout);
    assert_string_equal(text, "");
}

static void cache_fails(const lab_op *op, const char *diagnosis) {
    const lab_case c = {.task = "task5", .criterion = "", .claim = "a claim", .op = op, .shape = shape};
    const lab_result r = failed(diagnosis);
    lab_cause_add(&c, &r);
}

static void a_cache_is_written(void) {
    cache_fails(&lab_cache_append, "matches a cache that is laid out [B, max_seq, H, D]: it is [B, H, max_seq, D]");
}

static void a_cache_is_written_and_read(void) {
    a_cache_is_written();
    cache_fails(&lab_decode, "matches a cache that is read as [B, max_seq, H, D]: it is [B, H, max_seq, D]");
}

static void heads_come_first(void) {
    cache_fails(&lab_cache_append, "matches head h of sequence b at number h * batch + b: it is b * heads + h");
}

static void heads_come_first_for_both(void) {
    heads_come_first();
    cache_fails(&lab_decode, "matches K and V of a head that begins at (h * batch + b) * seq_kv * D: it begins at (b");
}

static void of_one_layout_that_is_written_and_read_one_cause_is_said(void **state) {
    (void)state;
    play(a_cache_is_written_and_read, say_layout);
    assert_says(text, "the cache is taken as [B, max_seq, H, D], where a token is stored and where keys");
    play(heads_come_first_for_both, say_layout);
    assert_says(text, "the cache is taken as [H, B, max_seq, D], where a token is stored and where keys");
    play(a_cache_is_written, say_layout);
    assert_string_equal(text, "");
    play(heads_come_first, say_layout);
    assert_string_equal(text, "");
}

// ---- The first TODO that fails

static void todo_with_one_cause(void) {
    todo_fails("1.2", "matches A"), todo_fails("1.2", "matches A"), todo_fails("1.3", "matches B");
    fails(&lab_sdpa, "matches C", 2);
}

static void todo_with_two_sentences(void) { todo_fails("1.2", "matches A"), todo_fails("1.2", "matches B"); }

static void matched(char *said, size_t size) { lab_cause_matched(said, size); }

static void a_todo_is_matched_by_all_of_its_claims(void **state) {
    (void)state;
    play(todo_with_one_cause, matched);
    assert_string_equal(text, "TODO 1.2: matches A");
    play(todo_with_one_cause, lab_cause_say);  // of the whole nothing is guessed
    assert_string_equal(text, "");
    play(todo_with_two_sentences, matched);
    assert_string_equal(text, "");
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(a_layout_is_one_cause_of_several_todos),
        CLAIM(of_one_layout_that_is_written_and_read_one_cause_is_said),
        CLAIM(a_todo_is_matched_by_all_of_its_claims),
    };
    return cmocka_run_group_tests_name("cause_todos", claims, NULL, NULL);
}
