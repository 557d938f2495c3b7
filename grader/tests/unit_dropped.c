// unit_dropped.c: which changes go because of what a compiler says. grader/repair/dropped.c.
#include "unit.h"

#include <string.h>

#include "candidates.h"

enum { EDITS = 4 };

static int dropped_by(const char *log, int dropped[EDITS]) {
    lab_edit edits[EDITS] = {{.id = 1, .line = 3, .function = "f"},
                             {.id = 2, .line = 5, .function = "f"},
                             {.id = 3, .line = 5, .function = "f"},
                             {.id = 4, .line = 9, .function = "g"}};
    lab_candidates c = {.edit = edits, .n = EDITS};
    strcpy(edits[3].also, "7,5");
    const int n = lab_candidates_drop(&c, "/x/flash.cu", log);
    for (int i = 0; i < EDITS; i++) dropped[i] = edits[i].dropped;
    return n;
}

static void what_does_not_compile_is_dropped_and_nothing_else(void **state) {
    (void)state;
    int d[EDITS];
    assert_int_equal(dropped_by("edit-2:1:4: error: 'c' undeclared\n/x/flash.cu:3:1: error: y\n", d), 1);
    assert_true(!d[0] && d[1] && !d[2] && !d[3]);
    // two changes of a line that do not go together: all of that line, as no change is named
    assert_int_equal(dropped_by("/x/flash.cu: In function 'f':\n/x/flash.cu:5:22: error: void value\n", d), 3);
    assert_true(!d[0] && d[1] && d[2] && d[3]);
    // nothing is changed in that line: all of its function
    assert_int_equal(dropped_by("/x/flash.cu:6:1: error: expected '}' before 'else'\n", d), 3);
    assert_true(d[0] && d[1] && d[2] && !d[3]);
    assert_int_equal(dropped_by("/x/flash.cu:5:22: warning: unused\n", d), 0);
    assert_int_equal(dropped_by("in /x/flash.cu:5:22: error: quoted\n", d), 0);
    // in a macro of the student's: the change that uses it goes, and not all of that line
    static const char in_macro[] = "/x/flash.cu:5:33: error: subscripted value is no array\n"
                                   "edit-4:1:10: note: in expansion of macro 'AT'\n";
    assert_int_equal(dropped_by(in_macro, d), 1);
    assert_true(!d[0] && !d[1] && !d[2] && d[3]);
    // in a template: the change that asks for it goes
    static const char in_template[] = "/x/flash.cu: In instantiation of 'void f() [with int D = -120]':\n"
                                      "edit-4:1:17:   required from 'int go() [with int D = 128]'\n"
                                      "/x/flash.cu:5:12: error: size of array exceeds maximum object size\n";
    assert_int_equal(dropped_by(in_template, d), 1);
    assert_true(!d[0] && !d[1] && !d[2] && d[3]);
}

// tcc ends at its first error: what alters the same words in the same way will not compile, either; another kind may.
static void what_goes_with_a_change_is_of_its_place_and_kind(void **state) {
    (void)state;
    lab_edit edits[EDITS] = {{.id = 1, .line = 5, .column = 4, .kind = "name", .was = "p", .now = "q"},
                             {.id = 2, .line = 5, .column = 4, .kind = "name", .was = "p", .now = "r"},
                             {.id = 3, .line = 5, .column = 9, .kind = "name", .was = "p", .now = "q"},
                             {.id = 4, .line = 5, .column = 4, .kind = "operator", .was = "p", .now = "-p"}};
    lab_candidates c = {.edit = edits, .n = EDITS};
    static const char log[] = "/room/edit-2:1: error: lvalue expected\n";
    assert_int_equal(lab_candidates_drop_named(&c, log, LAB_ALONE), 1);
    assert_true(!edits[0].dropped && edits[1].dropped);
    assert_int_equal(lab_candidates_drop_named(&c, log, LAB_ITS_KIND), 1);
    assert_true(edits[0].dropped && !edits[2].dropped && !edits[3].dropped);
    assert_int_equal(lab_candidates_drop_named(&c, log, LAB_ITS_LINE), 2);
    strcpy(edits[0].was, ""), strcpy(edits[1].was, ""), edits[0].dropped = edits[1].dropped = 0;
    assert_int_equal(lab_candidates_drop_named(&c, log, LAB_ITS_KIND), 1);  // what comes there is all kinds of things
}

// The compiler names it once in a function.
static void a_method_that_is_no_function_goes_wherever_another_function_calls_it(void **state) {
    (void)state;
    lab_edit edits[EDITS + 1] = {
        {.id = 1, .line = 5, .column = 4, .function = "f", .now = "sees(n)"},
        {.id = 2, .line = 7, .column = 9, .function = "f", .now = "n + sees(k, n)"},
        {.id = 3, .line = 7, .column = 9, .function = "f", .now = "mask.sees(n) + oversees(n)"},
        {.id = 4, .line = 2, .column = 9, .function = "of_mask", .now = "sees(k)"},
        {.id = 5, .line = 8, .column = 1, .function = "f", .now = "n + sees"}};
    lab_candidates c = {.edit = edits, .n = EDITS + 1};
    static const char log[] = "edit-1:1:9: error: 'sees' was not declared in this scope\n";
    assert_int_equal(lab_candidates_drop(&c, "/x/flash.cu", log), 2);
    assert_true(edits[0].dropped && edits[1].dropped && !edits[2].dropped && !edits[3].dropped && !edits[4].dropped);
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(what_does_not_compile_is_dropped_and_nothing_else),
        CLAIM(what_goes_with_a_change_is_of_its_place_and_kind),
        CLAIM(a_method_that_is_no_function_goes_wherever_another_function_calls_it),
    };
    return cmocka_run_group_tests_name("dropped", claims, NULL, NULL);
}
