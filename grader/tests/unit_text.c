// unit_text.c: what came from a student can be shown and written. grader/core/text.c.
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include "text.h"

static const char *clean(const char *text) {
    static char copy[256];
    strcpy(copy, text);
    lab_clean_text(copy);
    return copy;
}

static void plain_and_utf8_text_stays(void **state) {
    (void)state;
    const char *const texts[] = {"",
                                 "plain ~",
                                 "caf\xc3\xa9",
                                 "\xe2\x82\xac 5",
                                 "\xf0\x9f\x98\x80",
                                 "\xed\x9f\xbf\xee\x80\x80",
                                 "\xf0\xbf\xbf\xbd"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) assert_string_equal(clean(texts[i]), texts[i]);
}

static void control_characters_are_replaced(void **state) {
    (void)state;
    assert_string_equal(clean("a\x1b[31mb\nc\td\x7f"), "a?[31mb?c?d?");
    assert_string_equal(clean("\xc2\x9b"
                              "31m"),
                        "??31m");  // the one-character escape
}

static void bytes_that_are_not_utf8_are_replaced(void **state) {
    (void)state;
    const char *const texts[] = {
        "\xe9",     "caf\xe9!",     "\xc3",         "\xe2\x82",         "\xf0\x9f\x98",     "\x80",
        "\xc0\xaf", "\xe0\x80\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff\xfe"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const char *got = clean(texts[i]);
        assert_int_equal(strlen(got), strlen(texts[i]));
        assert_non_null(strchr(got, '?'));
    }
    assert_string_equal(clean("a\xe9z"), "a?z");
}

static void every_pair_of_bytes_becomes_json(void **state) {
    (void)state;
    for (int a = 1; a < 256; a++)
        for (int b = 1; b < 256; b++) {
            const char text[] = {(char)a, (char)b, '\0'};
            json_t *o = json_string(clean(text));  // NULL unless it is UTF-8
            assert_non_null(o);
            json_decref(o);
        }
}

static void what_nobody_sees_is_replaced(void **state) {
    (void)state;
    const char *const unseen[] = {"\u202e", "\u2066", "\u200b", "\u200d", "\ufeff",    "\u00ad",
                                  "\u061c", "\u3164", "\u2028", "\ufe0f", "\U000e0041"};
    char text[64], want[64];
    for (size_t i = 0; i < sizeof unseen / sizeof *unseen; i++) {
        snprintf(text, sizeof text, "a%sz", unseen[i]);
        snprintf(want, sizeof want, "a%.*sz", (int)strlen(unseen[i]), "????");
        assert_string_equal(clean(text), want);
    }
}

static void formulas_are_known_in_every_width(void **state) {
    (void)state;
    const char *const formulas[] = {"=1",       "+1",       "-1",      "@A1",     " =1",     "\t=1",
                                    "\r\n=1",   "\"=1",     "\uff1d1", "\uff0b1", "\uff0d1", "\uff20A",
                                    "\u3000=1", "\u200b=1", "\x80=1",  "\ufe661", "\u00a0-1"};
    const char *const texts[] = {"", " ", "a=1", "1-2", "'=1", "caf\u00e9", "\u2212", "#1", "\x80"};
    for (size_t i = 0; i < sizeof formulas / sizeof *formulas; i++)
        if (!lab_is_formula(formulas[i])) fail_msg("\"%s\" is a formula", formulas[i]);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (lab_is_formula(texts[i])) fail_msg("\"%s\" is none", texts[i]);
}

static void texts_are_cut_between_characters(void **state) {
    (void)state;
    const char *const rows[][2] = {{"abc", "ab"}, {"ab", "ab"}, {"a", "a"}, {"a\xc3\xa9", "a"}, {"\xe2\x82\xac", ""}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[16];
        strcpy(text, rows[i][0]);
        lab_cut_text(text, 2);
        assert_string_equal(text, rows[i][1]);
    }
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(plain_and_utf8_text_stays),
        CLAIM(control_characters_are_replaced),
        CLAIM(bytes_that_are_not_utf8_are_replaced),
        CLAIM(what_nobody_sees_is_replaced),
        CLAIM(formulas_are_known_in_every_width),
        CLAIM(texts_are_cut_between_characters),
        CLAIM(every_pair_of_bytes_becomes_json),
    };
    return cmocka_run_group_tests_name("text", claims, NULL, NULL);
}
