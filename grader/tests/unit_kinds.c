// unit_kinds.c: a whole layer of task 6 that was asked which calls it takes for a prefill, for decode, or for neither, and for
// which it finds room: by which rule? grader/core/diagnose/cache/kinds_asked.c, room_asked.c, call_rows.h, room_rows.h.
#include "unit.h"

#include <string.h>

#include "call_rows.h"
#include "call_tables.h"
#include "room_rows.h"

enum { B = LAB_CALL_SEQUENCES };

typedef struct {
    int S, past[B], count[B], fresh, many;
} call;

typedef int rule(const call *c);

static int right(const call *c) { return c->fresh == B ? 1 : c->fresh == 0 && c->S == 1 ? 2 : 0; }
static int by_S(const call *c) { return 1 + (c->S == 1); }
static int by_first(const call *c) { return c->past[0] == 0 ? 1 : c->S == 1 ? 2 : 0; }
static int by_count(const call *c) { return c->many == B ? 1 : c->many == 0 && c->S == 1 ? 2 : 0; }
static int by_first_count(const call *c) { return c->count[0] > 1 ? 1 : c->S == 1 ? 2 : 0; }
static int at_the_first(const call *c) {
    for (int b = 0; b < B; b++) {
        if (c->past[b] == 0) return 1;
        if (c->S == 1) return 2;
    }
    return 0;
}
static int by_chance(const call *c) { return (c->S + c->past[0] + c->past[2]) % 3; }

static int code_of(rule *r) {
    int code = 0;
    for (int row = LAB_CALL_ROWS - 1; row >= 0; row--) {
        call c = {.S = lab_call_rows[row].S};
        for (int b = 0; b < B; b++) {
            c.past[b] = lab_call_past(row, b, B, lab_call_some(row, b)), c.count[b] = lab_call_count(row, b);
            c.fresh += c.past[b] == 0, c.many += c.count[b] > 1;
        }
        code = 3 * code + r(&c);
    }
    return code;
}

static void the_rule_is_named(void **state) {
    (void)state;
    const struct {
        rule *r;
        const char *words;
    } known[] = {{by_S, "17 calls: matches S alone"},
                 {by_first, "17 calls: matches past[0] alone"},
                 {by_count, "17 calls: matches count alone"},
                 {by_first_count, "17 calls: matches count alone"},
                 {at_the_first, "a loop that returns at the first sequence"},
                 {by_chance, "17 calls: S = "}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        char text[400] = "";
        assert_true(lab_say_kinds(code_of(known[i].r), text, sizeof text));
        assert_says(text, known[i].words);
    }
}

static void of_what_is_right_or_no_answer_nothing_is_said(void **state) {
    (void)state;
    char text[400];
    assert_false(lab_say_kinds(code_of(right), text, sizeof text));
    assert_false(lab_say_kinds(0x7fffffff - (1 << 28), text, sizeof text));
}

typedef int room_rule(const lab_room_row *r, int b);

enum { SLOTS = LAB_ROOM_SLOTS };

static int has_room(const lab_room_row *r, int b) { return r->past[b] + r->count[b] <= SLOTS; }
static int count_alone(const lab_room_row *r, int b) { return r->count[b] <= SLOTS; }
static int prompts_alone(const lab_room_row *r, int b) { return r->past[b] ? 1 : r->count[b] <= SLOTS; }
static int padded(const lab_room_row *r, int b) { return r->past[b] + r->S <= SLOTS; }
static int no_question(const lab_room_row *r, int b) { return r && b >= 0; }
static int one_less(const lab_room_row *r, int b) { return r->past[b] + r->count[b] < SLOTS; }
static int the_first(const lab_room_row *r, int b) { return has_room(r, 0 * b); }
static int the_last(const lab_room_row *r, int b) { return has_room(r, B - 1 + 0 * b); }
static int the_room_of_all(const lab_room_row *r, int b) { return r->past[b] + r->count[b] <= B * SLOTS; }
static int tokens_alone(const lab_room_row *r, int b) { return r->past[b] ? has_room(r, b) : 1; }

static int room_code(room_rule *of) {
    int code = 0;
    for (int row = LAB_CALL_ROWS - 1; row >= 0; row--) {
        int fits = 1;
        for (int b = 0; b < B; b++) fits &= of(&lab_room_rows[row], b);
        code = 2 * code + fits;
    }
    return code;
}

static void the_rule_of_room_is_named(void **state) {
    (void)state;
    const struct {
        room_rule *r;
        const char *words;
    } known[] = {{count_alone, "17 calls: matches count alone: the tokens that the cache holds already, past"},
                 {prompts_alone, "17 calls: matches count alone: the tokens that the cache holds already, past"},
                 {padded, "17 calls: matches S in place of count[b]: padding takes no slot"},
                 {no_question, "17 calls: matches past alone, or no check at all"},
                 {one_less, "17 calls: matches >= in place of >"},
                 {the_first, "17 calls: matches sequence 0 alone"},
                 {the_last, "17 calls: matches the last sequence alone"},
                 {the_room_of_all, "17 calls: matches past[b] + count[b] held against batch * max_seq"},
                 {tokens_alone, "17 calls: matches only sequences with a past checked: a prompt may be too long"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        char text[400] = "";
        assert_true(lab_say_room(room_code(known[i].r), text, sizeof text));
        assert_says(text, known[i].words);
    }
    char text[400];
    assert_false(lab_say_room(room_code(has_room), text, sizeof text));
    assert_false(lab_say_room(0x15555, text, sizeof text));
}

int main(void) {
    const struct CMUnitTest claims[] = {
        cmocka_unit_test(the_rule_is_named),
        cmocka_unit_test(of_what_is_right_or_no_answer_nothing_is_said),
        cmocka_unit_test(the_rule_of_room_is_named),
    };
    return cmocka_run_group_tests_name("kinds", claims, NULL, NULL);
}
