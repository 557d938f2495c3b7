// unit_say_found.c: what is said of all that a search found: two lines that do not agree, how many claims pass, what
// still goes wrong. grader/repair: say.c, twice.c, own_race.c, untried.c.
#include "edit.h"

#include <stdlib.h>
#include <unistd.h>

#include "own_race.h"
#include "search.h"
#include "twice.h"
#include "untried.h"

static char path[] = "/tmp/lab-unit-say-found-XXXXXX";

static void blocks_that_begin_by_the_same_number_are_named_beside_it(void **state) {
    (void)state;
    lab_edit e = placed("name", "for (int j0 = 0; j0 < n; j0 += BR) {", "BR", "BC");
    lab_found found = {.mend = {{.edit = &e}}, .n = 1, .tried = 1, .all = 1, .ends = 1, .twice = 1};
    static lab_subject s;
    const lab_repair_ask ask = {.source = path};
    char text[900];
    s.failed = 1;
    write_file(path, "row = blockIdx.x * BC + r;\nn = min(BC, m);\nfor (int j0 = 0; j0 < n; j0 += BR) {\n"
                     "dim3 grid((m + BC - 1) / BC, heads);\n");
    lab_say_found(&ask, &found, &s, text, sizeof text);
    assert_says(text, "Two blocks still store the same elements: lines 1 and 4 begin a block every BC rows. Is that as "
                      "many as a block has?");
    found.twice = 0, lab_say_found(&ask, &found, &s, text, sizeof text);
    assert_null(strstr(text, "Two blocks"));
    found.twice = 1;
    write_file(path,
               "row = blockIdx.x * ROWS + r;\n");  // some rows again, on purpose: the change is about another number
    lab_say_found(&ask, &found, &s, text, sizeof text);
    assert_null(strstr(text, "Two blocks"));
}

static void two_blocks_that_store_the_same_are_seen(void **state) {
    (void)state;
#define RACE(where, write, says)                                                                                       \
    "simt: warning: data race: " where "\n    write     thread (0,0,0)\n    write     " write says
    static const char same[] = "\n    Both write the same value, so it does no harm\n";
    char report[600];
    snprintf(report, sizeof report, RACE("global O[0]", "another block's thread (1,0,0)", "%s"), same);
    assert_true(lab_is_stored_twice(report));
    snprintf(report, sizeof report, RACE("global O[0]", "thread (1,0,0)", "%s"), same);
    assert_false(lab_is_stored_twice(report));
    snprintf(report, sizeof report,
             RACE("global O[0]", "another block's thread (1,0,0)", "\n") RACE("shared t[0]", "thread (1,0,0)", "%s"),
             same);
    assert_false(lab_is_stored_twice(report));
}

static void a_race_is_the_same_between_the_same_two_lines(void **state) {
    (void)state;
#define OF(what, read, write)                                                                                          \
    "data race: " what "\n  kernel k, block (0,0,0)\n  read      thread (1,0,0) " read " in k\n  write     thread "    \
    "(0,0,0) " write " in k\n"
    static const char without[] = OF("shared pool[9792]", "flash.cu:81", "flash.cu:84");
    assert_true(lab_is_same_race(OF("shared pool[12]", "flash.cu:81", "flash.cu:84"), without, 80));
    assert_false(lab_is_same_race(OF("shared pool[12]", "flash.cu:81", "flash.cu:8"), without, 80));
    assert_false(lab_is_same_race(OF("shared pool[12]", "edit-7:1", "flash.cu:84"), without, 80));
    assert_true(lab_is_same_race(OF("shared pool[12]", "edit-7:1", "flash.cu:84"), without, 81));
    assert_false(lab_is_same_race(OF("shared part[12]", "flash.cu:81", "flash.cu:84"), without, 80));
    assert_false(lab_is_same_race("access out of bounds: global O[9]", without, 80));
#undef OF
}

static void two_lines_that_do_not_agree_are_both_named(void **state) {
    (void)state;
    lab_edit one = placed("share", "b[j] = B[tx * 2 + j];", "tx * 2 + j", "tx + j * 16"),
             other = placed("share", "C[tx + j * 16] = c[j];", "tx + j * 16", "tx * 2 + j");
    lab_found found = {.mend = {{.edit = &other}, {.edit = &one}}, .n = 2, .tried = 1, .all = 1, .ends = 1};
    static lab_subject s;
    char text[1000];
    other.line = 9, s.failed = 1;
    lab_repair_ask ask = {.source = path, .known = 1};  // where a known mistake fits, two other lines say nothing
    lab_say_found(&ask, &found, &s, text, sizeof text);
    assert_string_equal(text,
                        "line 3 has tx * 2 + j where line 9 has tx + j * 16: they do not agree. With one of them in "
                        "both lines, every claim passes.");
    one.rank += 3, lab_say_found(&ask, &found, &s, text, sizeof text);
    assert_non_null(strstr(text, "they do not agree"));
    one.rank++, lab_say_found(&ask, &found, &s, text, sizeof text);
    assert_null(strstr(text, "they do not agree"));
    one.rank -= 4, strcpy(other.now, "tx"), lab_say_found(&ask, &found, &s, text, sizeof text);
    assert_string_equal(text, "");
    strcpy(one.function, "f"), strcpy(other.function, "f"), lab_say_found(&ask, &found, &s, text, sizeof text);
    assert_string_equal(text, "");  // far from each other
    other.line = 4, lab_say_found(&ask, &found, &s, text, sizeof text);
    assert_non_null(strstr(text, "it passes, too"));
    other.line = 9, strcpy(other.was, "<"), strcpy(other.now, "<="), lab_say_found(&ask, &found, &s, text, sizeof text);
    assert_non_null(strstr(text, "With <= in place of <"));
}

// a; b; becomes b; a; whichever of the two moves.
static void neighbours_that_change_places_are_one_change(void **state) {
    (void)state;
    lab_edit first = replaced("before line 6", "", "f(a);", "f(a);"),
             second = replaced("before line 4", "", "g(a);", "g(a);");
    lab_found found = {.mend = {{.edit = &first}, {.edit = &second}}, .n = 2, .tried = 1, .all = 1, .ends = 1};
    static lab_subject s;
    char text[1000];
    first.line = 4, second.line = 5, s.failed = 1;
    const lab_repair_ask ask = {.source = path, .known = 1};
    lab_say_found(&ask, &found, &s, text, sizeof text);
    assert_says(text, "line 4");
    assert_null(strstr(text, "line 5"));
    strcpy(second.kind, "before line 3"), lab_say_found(&ask, &found, &s, text, sizeof text);
    assert_string_equal(text, "");
}

// What no change is tried on does not pass with one, and counts where claims are counted.
static void claims_without_an_oracle_are_counted(void **state) {
    (void)state;
    static const lab_op model = {.name = "model"};
    lab_edit e = placed("name", "x = a;", "a", "b");
    lab_found found = {.mend = {{.edit = &e}}, .n = 1, .tried = 8, .all = 1, .ends = 1};
    static lab_subject s;
    char text[1000];
    s.failed = 8;
    const lab_repair_ask ask = {.source = path};
    lab_say_found(&ask, &found, &s, text, sizeof text);
    assert_non_null(strstr(text, "every claim passes"));
    for (int i = 0; i < 2; i++) lab_untried_keep(&(lab_case){.claim = "tokens", .op = &model}, 1);
    lab_untried_keep(&(lab_case){.claim = "tokens", .op = &model}, 0);
    lab_say_found(&ask, &found, &s, text, sizeof text);
    assert_non_null(strstr(text, "8 of the 10 claims that fail pass (the others were not tried)"));
}

int main(void) {
    const int f = mkstemp(path);
    if (f >= 0) close(f);
    const struct CMUnitTest claims[] = {
        CLAIM(blocks_that_begin_by_the_same_number_are_named_beside_it),
        CLAIM(two_blocks_that_store_the_same_are_seen),
        CLAIM(a_race_is_the_same_between_the_same_two_lines),
        CLAIM(two_lines_that_do_not_agree_are_both_named),
        CLAIM(neighbours_that_change_places_are_one_change),
        CLAIM(claims_without_an_oracle_are_counted),
    };
    const int failed = cmocka_run_group_tests_name("say_found", claims, NULL, NULL);
    unlink(path);
    return failed;
}
