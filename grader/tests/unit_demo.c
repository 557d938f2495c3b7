// unit_demo.c: books are what the model was trained on; what reaches the terminal is text. grader/demo: phonebook.c,
// stream.c, options.c, ask.c.
#include "unit.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "ask.h"
#include "options.h"
#include "phonebook.h"
#include "stream.h"

// ---- books

static void names_are_pairs_and_differ(void **state) {
    (void)state;
    for (uint64_t key = 0; key < 50; key++) {
        phonebook b;
        phonebook_draw(&b, BOOK_ENTRIES, key);
        for (int i = 0; i < BOOK_ENTRIES; i++) {
            const char *name = b.entry[i].name;
            assert_true(strlen(name) == 4 || strlen(name) == 6);
            for (int c = 0; name[c]; c++) assert_non_null(strchr(c % 2 ? "aeiou" : "bcdfghjklmnprstvwz", name[c]));
            assert_int_equal(strlen(b.entry[i].number), BOOK_DIGITS);
            for (int d = 0; d < BOOK_DIGITS; d++) assert_true(isdigit(b.entry[i].number[d]));
            for (int j = 0; j < i; j++) assert_string_not_equal(name, b.entry[j].name);
        }
        for (int i = 0; i < BOOK_QUESTIONS; i++)
            for (int j = 0; j < i; j++) assert_int_not_equal(b.asked[i], b.asked[j]);
    }
}

static void a_prompt_begins_like_the_one_before(void **state) {
    (void)state;
    phonebook b;
    char text[BOOK_TEXT], next[BOOK_TEXT];
    phonebook_draw(&b, BOOK_ENTRIES, 7);
    for (int i = 0; i + 1 < BOOK_QUESTIONS; i++) {
        const size_t n = phonebook_prompt(&b, i, text), m = phonebook_prompt(&b, i + 1, next);
        assert_true(n == strlen(text) && n < m && m < BOOK_TEXT - 1);
        assert_memory_equal(text, next, n);
        assert_memory_equal(next + n, b.entry[b.asked[i]].number, BOOK_DIGITS);
        assert_string_equal(text + n - 2, "? ");
    }
}

static void another_key_is_another_book(void **state) {
    (void)state;
    phonebook a, b, again;
    memset(&a, 0, sizeof a), memset(&b, 0, sizeof b), memset(&again, 0, sizeof again);
    phonebook_draw(&a, 16, 1), phonebook_draw(&again, 16, 1), phonebook_draw(&b, 16, 2);
    assert_memory_equal(&a, &again, sizeof a);
    assert_memory_not_equal(&a, &b, sizeof a);
}

// ---- text

static void control_characters_do_not_reach_the_terminal(void **state) {
    (void)state;
    char text[] = "a\x1b[2J\r\x7f\n\t\xc2\x9b\xc2\xa0\xe2\x82\xac";
    demo_clean(text, strlen(text));
    assert_string_equal(text, "a?[2J??\n\t??\xc2\xa0\xe2\x82\xac");
}

static void a_line_break_can_be_spelled(void **state) {
    (void)state;
    char *text = demo_unescape("a 1\\n\\nb\\t\\x\\");
    assert_string_equal(text, "a 1\n\nb\t\\x\\");
    free(text);
}

// ---- times

static void times_between_tokens(void **state) {
    (void)state;
    double at[] = {3, 4, 6, 9};
    const lab_answer a = {.steps = 4, .at = at};
    const lab_token_times t = lab_times_of(&a);
    assert_true(t.ttft == 3 && t.tbt == 2 && t.tbt_p99 == 3);
    const lab_answer one = {.steps = 1, .at = at};
    assert_true(lab_times_of(&one).ttft == 3 && lab_times_of(&one).tbt == 0);
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(names_are_pairs_and_differ),  CLAIM(a_prompt_begins_like_the_one_before),
        CLAIM(another_key_is_another_book), CLAIM(control_characters_do_not_reach_the_terminal),
        CLAIM(a_line_break_can_be_spelled), CLAIM(times_between_tokens),
    };
    return cmocka_run_group_tests_name("demo", claims, NULL, NULL);
}
