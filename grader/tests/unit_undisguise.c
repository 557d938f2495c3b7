// unit_undisguise.c: of changes that all mend what fails, the mistake comes before what hides it. grader/repair/search.c.
#include "unit.h"

#include <stdio.h>

#include "rank.h"
#include "search.h"

// if (last > count[pair]) last = count[pair]; with one of both mended the claims hold, too.
static void what_is_wrong_twice_in_a_line_is_mended_twice(void **state) {
    (void)state;
    lab_edit once = {.id = 1, .line = 34, .was = "count[pair]", .now = "count[b]"}, twice = once, other = once;
    twice.id = 2, twice.each = 1, other.line = 35, other.each = 1;
    lab_found found = {.n = 3, .mend = {{&once, 1, 0}, {&other, 1, 0}, {&twice, 1, 0}}};
    lab_search_undisguise(&found, NULL);
    assert_ptr_equal(found.mend[0].edit, &twice);
    lab_edit lines = twice;
    snprintf(lines.also, sizeof lines.also, "35,36");
    lab_found several = {.n = 2, .mend = {{&once, 1, 0}, {&lines, 1, 0}}};
    lab_search_undisguise(&several, NULL);
    assert_ptr_equal(several.mend[0].edit, &once);
    lab_found apart = {.n = 2, .mend = {{&once, 1, 0}, {&other, 1, 0}}};
    lab_search_undisguise(&apart, NULL);
    assert_ptr_equal(apart.mend[0].edit, &once);
}

// end = causal ? rows + shift : n; with all keys for rows nothing is limited.
static void where_a_tile_begins_comes_before_a_limit_of_all(void **state) {
    (void)state;
    lab_edit all = {.id = 1, .line = 25, .rank = 6, .kind = "size", .was = "rows", .now = "nk"};
    lab_edit tile = {.id = 2, .line = 25, .rank = 4, .kind = "last", .was = "rows", .now = "first + rows"}, far = tile;
    lab_found found = {.n = 2, .mend = {{&all, 1, 0}, {&tile, 1, 0}}};
    lab_search_undisguise(&found, NULL);
    assert_ptr_equal(found.mend[0].edit, &tile);
    far.line = 26, found = (lab_found){.n = 2, .mend = {{&all, 1, 0}, {&far, 1, 0}}};
    lab_search_undisguise(&found, NULL);
    assert_ptr_equal(found.mend[0].edit, &all);
}

// for (; k + 4 <= n; k += 4) { ... } with a slip in it, and a rest that comes before it, or that does all without it.
static void a_slip_in_a_loop_is_likelier_than_that_the_loop_goes(void **state) {
    (void)state;
    static const char rest[] = "for (; k < n; k++) a = max(a, s[k]);";
    lab_edit moves = {.id = 1, .line = 21, .rank = 20},
             slip = {.id = 2, .line = 17, .rank = 30, .was = "-", .now = "+"};
    lab_edit goes = {.id = 3, .line = 15, .rank = 60}, far;
    snprintf(moves.was, sizeof moves.was, "%s", rest), snprintf(moves.now, sizeof moves.now, "%s", rest);
    snprintf(moves.kind, sizeof moves.kind, "before line 15");
    snprintf(slip.whole, sizeof slip.whole, "b = max(b, s[k - 1]);");
    snprintf(goes.was, sizeof goes.was, "for (; k + 4 <= n; k += 4) { a = max(a, s[k]); b = max(b, s[k - 1]); }");
    lab_found found = {.n = 3, .mend = {{&moves, 1, 0}, {&slip, 1, 0}, {&goes, 1, 0}}};
    if (!lab_switches_off(&moves, &goes)) fail_msg("a rest that comes first is no disguise");
    lab_search_undisguise(&found, NULL);
    assert_ptr_equal(found.mend[0].edit, &slip);
    far = slip, snprintf(far.whole, sizeof far.whole, "return a - b;");
    found = (lab_found){.n = 3, .mend = {{&moves, 1, 0}, {&far, 1, 0}, {&goes, 1, 0}}};
    lab_search_undisguise(&found, NULL);
    assert_ptr_equal(found.mend[0].edit, &goes);
}

static void a_loop_that_ends_too_early_does_not_go_on_by_its_end(void **state) {
    (void)state;
    lab_edit end = {.id = 1,
                    .line = 50,
                    .was = "kThreads",
                    .now = "cols",
                    .whole = "for (c = threadIdx.x; c < kThreads; c += kThreads) m = fmaxf(m, in[c]);"};
    lab_edit both = end;
    both.id = 2, both.each = 1;
    lab_found found = {.n = 2, .mend = {{&end, 1, 0}, {&both, 1, 0}}};
    lab_search_undisguise(&found, NULL);
    assert_ptr_equal(found.mend[0].edit, &end);
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(where_a_tile_begins_comes_before_a_limit_of_all),
        CLAIM(what_is_wrong_twice_in_a_line_is_mended_twice),
        CLAIM(a_slip_in_a_loop_is_likelier_than_that_the_loop_goes),
        CLAIM(a_loop_that_ends_too_early_does_not_go_on_by_its_end),
    };
    return cmocka_run_group_tests_name("undisguise", claims, NULL, NULL);
}
