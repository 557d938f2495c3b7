// unit_kinds.c: a whole layer of task 6 that was asked which calls it takes for a prefill, for decode, or for neither: by which
// rule? grader/core/diagnose/cache/kinds_asked.c, call_rows.h.
#include "unit.h"

#include <string.h>

#include "call_rows.h"
#include "call_tables.h"

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

int main(void) {
    const struct CMUnitTest claims[] = {
        cmocka_unit_test(the_rule_is_named),
        cmocka_unit_test(of_what_is_right_or_no_answer_nothing_is_said),
    };
    return cmocka_run_group_tests_name("kinds", claims, NULL, NULL);
}
