// unit_collect.c: from a submitted folder, the files of the tasks are taken and no others. grader/grade/submission.c.
#define _GNU_SOURCE
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "inbox.h"
#include "names.h"

// ---- folders

static void one_file_of_each_task_is_taken_and_nothing_else(void **state) {
    (void)state;
    mkdir(in("task1_reference"), 0777), mkdir(in("task3_tiled_cpu"), 0777), mkdir(in("grader"), 0777);
    put("task1_reference/reference.c", "one"), put("task3_tiled_cpu/tiled_cpu.c", "three");
    put("task1_reference/task1.h", "x"), put("task1_reference/test_task1.c", "x"), put("Makefile", "x"),
        put("grader/rubric.json", "x");
    collect(INBOX, 1);
    task(T1, LAB_PASSED, ""), task(T3, LAB_PASSED, "");
    taken(T1, "one"), taken(T3, "three"), taken_in_all(2);
}

static void a_nickname_is_one_line_that_may_stand_on_a_page(void **state) {
    (void)state;
    mkdir(in("task1_reference"), 0777);
    collect(INBOX, 1);
    assert_string_equal(found.nickname, "");
    put("nickname", "  \n Ada\t\x1b[31m of London \r\nand more\n");
    collect(INBOX, 1);
    assert_string_equal(found.nickname, "Ada??[31m of London");
    put("nickname", "a name that is much too long for any leaderboard");
    collect(INBOX, 1);
    assert_string_equal(found.nickname, "a name that is much too");
    unlink(in("nickname")), put("secret", "secret");
    assert_int_equal(symlink("secret", in("nickname")), 0);
    collect(INBOX, 1);
    assert_string_equal(found.nickname, "");
}

static void a_missing_file_is_named(void **state) {
    (void)state;
    mkdir(in("task1_reference"), 0777);
    collect(INBOX, 1);
    task(T1, LAB_MISSING, "there is no task1_reference/reference.c"),
        task(T3, LAB_MISSING, "task3_tiled_cpu/tiled_cpu.c");
    taken_in_all(0);
}

// What stands in the place of a file that is not where it should be.
static void a_file_in_another_place_is_named(void **state) {
    (void)state;
    const char *const rows[][2] = {
        {"Task1_Reference/Reference.C", "; there is Task1_Reference/Reference.C"},
        {"reference.c", "; there is reference.c"},
        {"task1/reference.c", "; there is task1/reference.c"},
        {"task1_reference/reference (1).c", "; there is task1_reference/reference (1).c"},
        {"task1_reference/reference.c.txt", "; there is task1_reference/reference.c.txt"},
        {"a/b/task1_reference/reference.c", "; there is a/b/task1_reference/reference.c"},
        {"TASK1/mine.c", "; there is TASK1/mine.c"},
        {"solution.zip", "; there is an archive, which is not opened: solution.zip"},
        {"mine.c", "; there is mine.c"},
        {"__MACOSX/task1_reference/reference.c", ""},
        {".git/reference.c", ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        inbox_clear(state);
        char folder[200] = "", want[200];
        for (const char *slash = rows[i][0]; (slash = strchr(slash, '/')); slash++) {
            snprintf(folder, sizeof folder, "%.*s", (int)(slash - rows[i][0]), rows[i][0]);
            mkdir(in(folder), 0777);
        }
        put(rows[i][0], "x");
        collect(INBOX, 1);
        snprintf(want, sizeof want, "there is no task1_reference/reference.c%s", rows[i][1]);
        assert_string_equal(found.task[T1].message, want);
    }
    inbox_clear(state);
    mkdir(in("task1_reference"), 0777), put("task1_reference/reference.c", "x"), put("notes.c", "x");
    collect(INBOX, 1);
    assert_null(strstr(found.task[T3].message, LAB_THERE_IS));  // one task was handed in, and no other
}

static void a_folder_around_everything_is_entered(void **state) {
    (void)state;
    mkdir(in("my lab"), 0777), mkdir(in("my lab/task1_reference"), 0777), mkdir(in("other"), 0777);
    put("my lab/task1_reference/reference.c", "wrapped");
    collect(INBOX, 1);
    task(T1, LAB_PASSED, ""), taken(T1, "wrapped");
}

static void two_folders_with_tasks_are_not_guessed_between(void **state) {
    (void)state;
    mkdir(in("a"), 0777), mkdir(in("a/task1_reference"), 0777), mkdir(in("b"), 0777),
        mkdir(in("b/task1_reference"), 0777);
    put("a/task1_reference/reference.c", "a"), put("b/task1_reference/reference.c", "b");
    collect(INBOX, 1);
    task(T1, LAB_MISSING, ""), taken_in_all(0);
}

static void links_are_not_followed(void **state) {
    (void)state;
    char secret[4096];
    put("secret", "secret");
    assert_non_null(realpath(in("secret"), secret));
    mkdir(in("task1_reference"), 0777), mkdir(in("elsewhere"), 0777), put("elsewhere/tiled_cpu.c", "x");
    assert_int_equal(symlink(secret, in("task1_reference/reference.c")), 0);
    assert_int_equal(symlink("elsewhere", in("task3_tiled_cpu")), 0);
    collect(INBOX, 1);
    task(T1, LAB_FORBIDDEN_FILE, "links are not followed"), task(T3, LAB_FORBIDDEN_FILE, "links are not followed");
    taken_in_all(0);
}

static void special_and_huge_files_are_forbidden(void **state) {
    (void)state;
    mkdir(in("task1_reference"), 0777), mkdir(in("task3_tiled_cpu"), 0777);
    assert_int_equal(mkfifo(in("task1_reference/reference.c"), 0666), 0);
    put("task3_tiled_cpu/tiled_cpu.c", "");
    assert_int_equal(truncate(in("task3_tiled_cpu/tiled_cpu.c"), (1 << 20) + 1), 0);
    collect(INBOX, 1);
    task(T1, LAB_FORBIDDEN_FILE, "a special file"), task(T3, LAB_FORBIDDEN_FILE, "larger than 1024 KiB");
    unlink(in("task1_reference/reference.c"));
    mkdir(in("task1_reference/reference.c"), 0777);
    assert_int_equal(truncate(in("task3_tiled_cpu/tiled_cpu.c"), 1 << 20), 0);
    collect(INBOX, 1);
    task(T1, LAB_FORBIDDEN_FILE, "a folder, not a regular file"), task(T3, LAB_PASSED, "");
}

static void what_is_not_there_is_said(void **state) {
    (void)state;
    collect("build/tests/collect/no such thing", 0);
    assert_says(found.error, "No such file");
    assert_int_equal(mkfifo(in("pipe"), 0666), 0);
    collect(in("pipe"), 0);
    assert_says(found.error, "neither a folder nor a file");
}

// ---- names

static void names_become_folders(void **state) {
    (void)state;
    const char *const rows[][3] = {
        {"ada.zip", "ada", "ada"},
        {"ada.tar.gz", "ada", "ada"},
        {"ada.c", "ada.c", "ada.c"},
        {"a b'\"$x", "a b'\"$x", "a b'\"$x"},
        {"two\nlines", "two\nlines", "two_lines"},
        {"-rf", "-rf", "-rf"},
        {".hidden", ".hidden", "_hidden"},
        {"\x1b[31m.zip", "\x1b[31m", "_[31m"},
        {".zip", ".zip", "_zip"},
        {"gradebook.csv", "gradebook.csv", "gradebook.csv_"},
        {"Class.HTML", "Class.HTML", "Class.HTML_"},
        {"errors", "errors", "errors_"},
        {"all.tar", "all", "all_"},
        {"\xe2\x80\xae", "\xe2\x80\xae", "___"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        memset(&found, 0, sizeof found);
        put(rows[i][0], "");
        lab_submission_name(in(rows[i][0]), &found);
        assert_string_equal(found.name, rows[i][1]);
        assert_string_equal(found.folder, rows[i][2]);
    }
    char longest[256] = "", folder[256];
    for (int i = 0; i < 127; i++) strcat(longest, "\xc3\xa9");
    lab_folder_name(longest, folder);
    assert_int_equal(strlen(folder), 240);
    memmove(longest + 1, longest, 254), *longest = 'x';
    lab_folder_name(longest, folder);
    assert_int_equal(strlen(folder), 239);  // no letter is cut in two
    memset(&found, 0, sizeof found);
    lab_submission_name("build/tests/collect/in/", &found);
    assert_string_equal(found.name, "in");
    memset(&found, 0, sizeof found);
    lab_submission_name("/", &found);
    assert_true(*found.folder && !strchr(found.folder, '/'));
    put("caf\xe9", "");
    lab_submission_name(in("caf\xe9"), &found);
    assert_string_equal(found.folder, "caf_");  // not UTF-8: it could not stand in results.json
}

static void names_that_some_file_system_takes_for_one_clash(void **state) {
    (void)state;
    static const char *const same[][2] = {{"ada", "ada"},
                                          {"ada", "ADA"},
                                          {"jos\xc3\xa9", "jose\xcc\x81"},  // one letter, or a letter and its accent
                                          {"\xc3\x89va", "e\xcc\x81VA"},
                                          {"\xce\xa3\xce\xb1", "\xcf\x83\xce\x91"}};  // Greek
    static const char *const different[][2] = {
        {"ada", "adam"}, {"ada", "ad"}, {"", "a"}, {"\xe6\x9d\x8e", "\xe7\x8e\x8b"}, {"a_b", "a-b"}};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        if (!lab_same_folder(same[i][0], same[i][1])) fail_msg("%s and %s differ", same[i][0], same[i][1]);
    for (size_t i = 0; i < sizeof different / sizeof *different; i++)
        if (lab_same_folder(different[i][0], different[i][1])) fail_msg("row %zu: they are the same", i);
}

#define ON_CLEAR(function) cmocka_unit_test_setup_teardown(function, inbox_clear, inbox_clear)

int main(void) {
    const struct CMUnitTest claims[] = {
        ON_CLEAR(one_file_of_each_task_is_taken_and_nothing_else),
        ON_CLEAR(a_nickname_is_one_line_that_may_stand_on_a_page),
        ON_CLEAR(a_missing_file_is_named),
        ON_CLEAR(a_file_in_another_place_is_named),
        ON_CLEAR(a_folder_around_everything_is_entered),
        ON_CLEAR(two_folders_with_tasks_are_not_guessed_between),
        ON_CLEAR(links_are_not_followed),
        ON_CLEAR(special_and_huge_files_are_forbidden),
        ON_CLEAR(what_is_not_there_is_said),
        ON_CLEAR(names_become_folders),
        CLAIM(names_that_some_file_system_takes_for_one_clash),
    };
    return cmocka_run_group_tests_name("collect", claims, NULL, NULL);
}
