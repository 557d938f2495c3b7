// unit_loose.c: of what mends, when nothing more than its line is said, and which of two comes first though its rank is
// the larger: loose.c of grader/repair, and what rank.c and say.c make of it.
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "rank.h"

static lab_edit edits[4];

static lab_edit *put(int i, const char *kind, const char *was, const char *now) {
    lab_edit *e = &edits[i];
    memset(e, 0, sizeof *e);
    e->id = i + 1, e->line = 69, strcpy(e->function, "flash"), strcpy(e->whole, "end = min(n, first + BR);");
    snprintf(e->kind, sizeof e->kind, "%s", kind);
    snprintf(e->was, sizeof e->was, "%s", was), snprintf(e->now, sizeof e->now, "%s", now);
    return e;
}

static lab_found found(int n) {
    lab_found f = {.n = n, .all = 1};
    for (int i = 0; i < n; i++) f.mend[i].edit = &edits[i];
    return f;
}

static int loose(int n) {
    const lab_found f = found(n);
    return lab_is_loose(&f);
}

static void any_larger_number_is_no_cure(void **state) {
    (void)state;
    put(0, "habit", "BR", "BR * Sq");
    assert_false(loose(1));
    put(1, "left out", "min(n, first + BR)", "n");
    assert_true(loose(2));  // it need not be limited at all
    put(1, "statement", "end = min(n, first + BR);", "");
    assert_true(loose(2));
    put(1, "habit", "BR", "BR * D");
    assert_false(loose(2));  // two that read alike
    put(2, "term", "(first + BR)", "(first + BR + n)");
    assert_true(loose(3));
    edits[2].line = 70;
    assert_false(loose(3));  // another line
}

static void one_factor_in_other_words_is_one_change(void **state) {
    (void)state;
    put(0, "habit", "(s + t) * D", "(s + t) * D * H"), put(1, "length", "(s + t) * D", "(s + t) * D * p.heads");
    put(2, "factor", "(s + t)", "(s + t) * H"), put(3, "factor", "(s + t)", "(s + t) * p->heads");
    assert_false(loose(4));
    put(3, "factor", "(s + t)", "(s + t) * p.head_dim");
    assert_false(loose(4));  // one other is not several
    put(2, "factor", "(s + t)", "(s + t) * S");
    assert_true(loose(4));
    put(0, "habit", "s", "s * Sq"), put(1, "habit", "s", "s * q.seq_q"), put(2, "habit", "s", "s * q.seq_k");
    assert_false(loose(3));
    put(1, "habit", "s", "s * Sq"), edits[1].column = 9;
    assert_true(loose(3));  // elsewhere
}

static void an_index_that_is_short_of_a_part_is_said(void **state) {
    (void)state;
    put(0, "left out", "min(n, first + BR)", "n"), put(1, "habit", "BR", "BR * Sq"), put(2, "habit", "BR", "BR * D");
    assert_false(loose(3));  // the first does not grow
    put(0, "name", "n", "next"), assert_false(loose(3));
    put(0, "assignment", "=", "+="), put(1, "statement", "a = b;", ""), assert_false(loose(2));
    put(0, "habit", "2", "1"), assert_false(loose(2));
    put(0, "call", "d", "sqrtf(d)"), assert_false(loose(2));
    put(0, "habit", "BR", "BR * Sq"), strcpy(edits[0].also, "70"), assert_false(loose(2));
}

static void the_last_of_several_is_a_slip_by_name(void **state) {
    (void)state;
    put(0, "last", "i0", "i0 + n - 1"), put(1, "last", "i0", "i0 + n"), put(2, "term", "i0", "i0 + Sk");
    edits[0].rank = 3, edits[1].rank = edits[2].rank = 12;
    assert_false(loose(3));
    put(2, "left out", "min(r, i0)", "r");
    assert_true(loose(3));  // no limit at all mends as well
    put(2, "term", "i0", "i0 + Sq"), edits[0].rank = 12;
    assert_true(loose(3));  // of no mask
}

static void what_is_less_likely_in_a_loose_line_is_no_cure(void **state) {
    (void)state;
    put(0, "name", "i0", "Sq"), put(1, "name", "i0", "Sk"), edits[0].line = 69, edits[1].line = 70;
    lab_found f = found(2);
    assert_true(lab_stays_loose(&f, 69));
    assert_false(lab_stays_loose(&f, 70));
    assert_false(lab_stays_loose(&f, 0));  // of no line that has been said
    f.n = 0;
    assert_false(lab_stays_loose(&f, 69));
}

static void a_question_that_is_too_much_goes(void **state) {
    (void)state;
    put(0, "last", "j0", "j0 + n - 1"), put(1, "habit", "j0", "j0 * n");
    put(2, "left out", "r < n && j0 >= i0", "r < n");
    lab_found f = found(3);
    lab_leave_question_out(&f);
    assert_ptr_equal(f.mend[0].edit, &edits[2]), assert_ptr_equal(f.mend[2].edit, &edits[1]);
    assert_false(lab_is_loose(&f));
    static const char *const limits[] = {"min(r, j0)", "r + j0"};  // which are no questions
    for (int i = 0; i < 2; i++) {
        put(2, "left out", limits[i], "r"), f = found(3);
        lab_leave_question_out(&f);
        assert_ptr_equal(f.mend[0].edit, &edits[0]);
    }
    put(0, "name", "j0", "i0"), put(2, "left out", "r < n && j0 >= i0", "r < n"), f = found(3);
    lab_leave_question_out(&f);
    assert_ptr_equal(f.mend[0].edit, &edits[0]);
}

static void the_line_is_said_and_no_change(void **state) {
    (void)state;
    char text[1000];
    put(0, "habit", "BR", "BR * Sq"), put(1, "left out", "min(n, first + BR)", "n");
    const lab_found f = found(2);
    lab_repair_ask ask = {.source = "none"};
    lab_say_loose(&ask, &f, text, sizeof text);
    assert_non_null(strstr(text, "line 69, in flash:\nend = min(n, first + BR);\nSeveral changes"));
    assert_null(strstr(text, "Sq"));
    ask.line_only = 1, lab_say_loose(&ask, &f, text, sizeof text);
    assert_string_equal(text, "one small change in line 69 is enough.");
}

static void what_is_for_a_mask_asks_for_it(void **state) {
    (void)state;
    const lab_edit *removal = put(0, "statement", "end = i + n - m;", "");
    const lab_edit *e = put(1, "guard", "end = i + n - m", "if (shape.causal) end = i + n - m");
    assert_true(lab_asks_for_mask(e, removal));
    put(1, "guard", "end = i + n - m", "if (!room) end = i + n - m"), assert_false(lab_asks_for_mask(e, removal));
    put(1, "asked", "i + n - m", "shape.causal ? i + n - m : n"), assert_true(lab_asks_for_mask(e, removal));
    put(1, "guard", "top = causal", "if (room) top = causal"), assert_false(lab_asks_for_mask(e, removal));
    put(1, "guard", "end = i + n - m", "if (shape.causal) end = i + n - m"), edits[1].line = 70;
    assert_false(lab_asks_for_mask(e, removal));
}

static void what_nothing_fails_is_meant_all_the_same(void **state) {
    (void)state;
    lab_edit goes = *put(0, "statement", "free(room);", ""), flip;
    assert_true(lab_edit_rank(&goes, NULL) >= LAB_LAST_SAID);
    goes = *put(0, "statement", "if (cudaFuncSetAttribute(f, a, n) != cudaSuccess) return ATTN_CUDA_ERROR;", "");
    assert_true(lab_edit_rank(&goes, NULL) >= LAB_LAST_SAID);
    goes = *put(0, "statement", "if (!(!ok)) continue;", ""), flip = *put(1, "negation", "!(!ok)", "(!ok)");
    assert_false(lab_switches_off(&flip, &goes));  // memory that is there in every claim
    goes = *put(0, "statement", "if (D < 8) return ATTN_BAD_SHAPE;", ""), flip = *put(1, "operator", "<", ">");
    assert_false(lab_switches_off(&flip, &goes));
    goes = *put(0, "statement", "if (max < 0) return ATTN_OK;", "");
    assert_true(lab_switches_off(&flip, &goes));  // nothing is asked, all is well
    goes = *put(0, "statement", "if (status == ATTN_OK) return ATTN_OK;", "");
    assert_false(lab_switches_off(&flip, &goes));
    goes = *put(0, "statement", "if (lo < hi) continue;", ""), assert_true(lab_switches_off(&flip, &goes));
}

static void one_more_that_is_too_much_is_left_out(void **state) {
    (void)state;
    lab_edit turned = *put(0, "operator", "+", "-"), other;
    strcpy(turned.whole, "if (key + 1 < n) {"), turned.column = 9, other = turned;
    strcpy(other.whole, "if (key + k < n) {");
    assert_true(lab_edit_rank(&turned, NULL) > lab_edit_rank(&other, NULL) + 4);
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(any_larger_number_is_no_cure),
        CLAIM(one_factor_in_other_words_is_one_change),
        CLAIM(what_is_less_likely_in_a_loose_line_is_no_cure),
        CLAIM(the_last_of_several_is_a_slip_by_name),
        CLAIM(an_index_that_is_short_of_a_part_is_said),
        CLAIM(a_question_that_is_too_much_goes),
        CLAIM(the_line_is_said_and_no_change),
        CLAIM(what_is_for_a_mask_asks_for_it),
        CLAIM(what_nothing_fails_is_meant_all_the_same),
        CLAIM(one_more_that_is_too_much_is_left_out),
    };
    return cmocka_run_group_tests_name("loose", claims, NULL, NULL);
}
