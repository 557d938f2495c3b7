// unit_claims_shown.c: what a page says once. grader/claims/claims_same.c, claims_todos.c and claims_text.c.
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "claims.h"
#include "claims_same.h"
#include "claims_text.h"
#include "shown.h"
#include "todo.h"

static void note(const char *label, const char *text) { lab_show_note(lab_task_find("task4"), label, text); }

static void fail_in_turn(int n, const char *diagnosis) {
    static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g"};
    for (int i = 0; i < n; i++) shows(names[i], NULL, LAB_WRONG_ANSWER, diagnosis);
    lab_show_kept();
}

static int lines_with(const char *text, const char *words) {
    int n = 0;
    for (const char *at = text; (at = strstr(at, words)); at++) n++;
    return n;
}

static void known(void) {
    note("Note", "one cause would explain all 5: matches a mask that is off by one");
    fail_in_turn(5, "matches a mask; wrong: row 3");
}

static void guessed(void) {
    note("Note", "a guess, which explains 4 of the 5: a mask that is off by one");
    fail_in_turn(5, "wrong: row 3");
}

static void unknown(void) { fail_in_turn(5, "wrong: row 3"); }

static void mixed(void) {
    known();
    shows("h", NULL, LAB_WRONG_ANSWER, "wrong: row 1"), shows("i", NULL, LAB_INPUT_MODIFIED, "input Q was modified");
    lab_show_kept();
}

static void claims_that_fail_for_one_reason_are_counted(void **state) {
    (void)state;
    const char *text = page(known);
    assert_int_equal(lines_with(text, "row 3"), 1);
    assert_non_null(strstr(text, "WRONG_ANSWER   4 claims, the first: b\n"));
    text = page(guessed);
    assert_int_equal(lines_with(text, "row 3"), 1);
    text = page(unknown);  // where nothing is known, two say where it is wrong
    assert_int_equal(lines_with(text, "row 3"), 2);
    assert_non_null(strstr(text, "WRONG_ANSWER   3 claims, the first: c\n"));
    assert_non_null(strstr(page(mixed), "FAILED         2 claims, the first: h\n"));
}

static void told(void) {
    static const char *const words[] = {"matches no scale; wrong: row 0", "matches a mask; wrong: row 1",
                                        "matches K as V; wrong: row 2",   "matches one head; wrong: row 3",
                                        "matches a mean; wrong: row 4",   "matches Q as K; wrong: row 5"};
    for (int i = 0; i < 6; i++) shows("a", NULL, LAB_WRONG_ANSWER, words[i]);
    lab_show_kept();
}

static void empty(void) {
    shows("a", NULL, LAB_WRONG_ANSWER, "only empty sequences are wrong: their output is 0; wrong: batch 1");
    lab_show_kept();
}

static void words_within_a_sentence_do_not_end_it(void **state) {
    (void)state;
    const char *text = page(empty);
    assert_int_equal(lines_with(text, "only empty sequences are wrong: their output is 0\n"), 1);
    assert_int_equal(lines_with(text, "max_err 0, wrong: batch 1\n"), 1);
}

static void four_claims_have_words_of_their_own(void **state) {
    (void)state;
    const char *text = page(told);
    assert_int_equal(lines_with(text, "matches"), 4);
    assert_non_null(strstr(text, "WRONG_ANSWER   2 claims"));
}

static void a_switch_that_stands_at_0_is_found(void **state) {
    (void)state;
    char name[40];
    lab_todo_switch_off("#define TILES 0\n#define BR 32\nif (TILES) a();\n", name);
    assert_string_equal(name, "TILES");
    lab_todo_switch_off("#define TILES 1\nif (TILES) a();\n", name);
    assert_string_equal(name, "");
    lab_todo_switch_off("#define FIRST 0\nx = a[FIRST];\n", name);
    assert_string_equal(name, "");
}

static void holding(void) {
    static const char *const todos[] = {"4.1", "4.2", "4.3", "4.5"};
    for (int i = 0; i < 3; i++) shows("it_holds", todos[i], LAB_PASSED, "");
    shows("it_fails", "4.4", LAB_WRONG_ANSWER, "matches no scale; wrong: row 1");
    shows("too", "4.4", LAB_WRONG_ANSWER, "wrong: row 2");
    note("Why", "line 3");
    shows("it_follows", "4.5", LAB_WRONG_ANSWER, "after TODO 4.4; wrong: row 2");
    shows("it_holds", "4.6", LAB_PASSED, "");
    shows("it_reads", "4.7", LAB_WRONG_ANSWER, "matches memory outside of the tensors; wrong: row 2");
    for (int i = 0; i < 3; i++) shows("a", NULL, LAB_PASSED, "");
    for (int i = 0; i < 3; i++) shows("b", NULL, LAB_ILLEGAL_ACCESS, "wrote 3 elements outside of the tensors");
    lab_show_kept();
}

static void todos_that_hold_are_one_line_and_what_follows_has_no_words(void **state) {
    (void)state;
    const char *text = page(holding);
    assert_non_null(strstr(text, "  TODO 4.1 to 4.3 hold\n  TODO 4.4   WRONG_ANSWER   it_fails\n"));
    assert_non_null(strstr(text, "  TODO 4.5   WRONG_ANSWER   it_follows  after TODO 4.4\n  TODO 4.6   holds"));
    assert_non_null(strstr(text, "PASSED         3 claims"));
    assert_non_null(strstr(text, "ILLEGAL_ACCESS 3 claims, after TODO 4.4\n"));
    assert_non_null(strstr(text, "  TODO 4.7   WRONG_ANSWER   it_reads\n"));
    assert_null(strstr(text, "outside of the tensors"));
}

static void reports(void) {
    shows(
        "a", NULL, LAB_ILLEGAL_ACCESS,
        "attn_decode: a kernel failed; stray access at decode.cu:98 in decode; called from decode.cu:8 in a lambda; in "
        "thread (0,0,0); -> cudaErrorIllegalAddress");
    shows("b", NULL, LAB_ILLEGAL_ACCESS,
          "attn_decode_split: a kernel failed; stray access at decode.cu:98 in decode; in thread (3,0,0)");
    shows("c", NULL, LAB_ILLEGAL_ACCESS, "attn_decode: a kernel failed; stray access at decode.cu:99 in decode");
    lab_show_kept();
}

static void a_report_about_a_line_is_told_once(void **state) {
    (void)state;
    const char *text = page(reports);
    assert_int_equal(lines_with(text, "decode.cu:98"), 1);
    assert_int_equal(lines_with(text, "decode.cu:99"), 1);
    assert_non_null(strstr(text, " b  as above\n"));
    assert_null(strstr(text, "lambda"));
    assert_null(strstr(text, "cudaErrorIllegalAddress"));
}

static void races(void) {
    static const struct {
        const char *array, *read, *write;
    } rows[] = {{"s", "7", "5"}, {"s", "8", "5"}, {"s", "5", "9"}, {"m", "7", "5"}, {"s", "17", "15"}};
    char report[200];
    for (int i = 0; i < 5; i++) {
        snprintf(report, sizeof report,
                 "data race: shared %s[%d]; kernel k, launched at f.cu:20; read thread (%d,0,0) f.cu:%s in k; write "
                 "thread (0,0,0) f.cu:%s in k",
                 rows[i].array, i, i, rows[i].read, rows[i].write);
        shows("a", NULL, LAB_RACE, report);
    }
    lab_show_kept();
}

// One barrier that is missing is a race of a store and of each line that reads what it stores.
static void a_race_is_told_once(void **state) {
    (void)state;
    const char *text = page(races);
    assert_int_equal(lines_with(text, "data race: "), 3);
    assert_int_equal(lines_with(text, "data race: shared s["), 2);
    assert_non_null(strstr(text, "f.cu:17 "));
}

static void printing(void) { lab_print_log("free(): invalid pointer\n\none\ntwo \x1b[31m\nthree\nfour\nfive\n"); }

static void long_line(void) {
    char line[300];
    memset(line, 'x', sizeof line - 1), line[sizeof line - 1] = 0;
    lab_print_log(line);
}

static void what_a_file_prints_is_cut(void **state) {
    (void)state;
    const char *text = page(printing);
    assert_non_null(strstr(text, "it printed: one\n"));
    assert_null(strstr(text, "invalid pointer"));
    assert_null(strchr(text, '\x1b'));
    assert_null(strstr(text, "five"));
    assert_non_null(strstr(text, "four\n"));
    assert_true(strlen(page(long_line)) <= 81);
}

static void show_code(void) {
    note("Why", "a barrier is missing before line 9 (for (l = 0; l < n; l++) {). With it, all holds; it alone: no");
    note("Note", "TODO 6.1: matches S alone: it is a prefill, too; past tells them apart; wrong: row 1");
}

static void code_and_sentences_are_not_broken_at_semicolons(void **state) {
    (void)state;
    const char *text = page(show_code);
    assert_says(text, "(for (l = 0; l < n; l++) {). With");
    assert_says(text, "too; past tells");
    assert_says(text, "\n        it alone: no");
    assert_says(text, "\n        wrong: row 1");
}

int main(void) {
    const struct CMUnitTest claims[] = {
        cmocka_unit_test(claims_that_fail_for_one_reason_are_counted),
        cmocka_unit_test(words_within_a_sentence_do_not_end_it),
        cmocka_unit_test(four_claims_have_words_of_their_own),
        cmocka_unit_test(a_switch_that_stands_at_0_is_found),
        cmocka_unit_test(todos_that_hold_are_one_line_and_what_follows_has_no_words),
        cmocka_unit_test(a_report_about_a_line_is_told_once),
        cmocka_unit_test(a_race_is_told_once),
        cmocka_unit_test(what_a_file_prints_is_cut),
        cmocka_unit_test(code_and_sentences_are_not_broken_at_semicolons),
    };
    return cmocka_run_group_tests(claims, NULL, NULL);
}
