// unit_spent.c: what counts as time of a search for a change, in seconds of a processor. grader/repair/attempt.
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "attempt.h"

static void work(double seconds) {
    for (const double end = lab_attempts_left() - seconds; lab_attempts_left() > end;) continue;
}

// What is ruled out costs the changes behind it nothing, and a search ends all the same.
static void the_time_of_what_is_ruled_out_does_not_count_up_to_a_bound(void **state) {
    (void)state;
    lab_attempts_begin(1);
    const double before = lab_attempts_left();
    work(0.1);
    lab_attempts_forgive_since(before);
    const double left = lab_attempts_left();
    if (left < before - 0.05 || left > before) fail_msg("%g s left of %g", left, before);
    for (int i = 0; i < 10; i++) lab_attempts_forgive_since(lab_attempts_left() + 1);
    if (lab_attempts_left() > left + 3) fail_msg("%g s more than %g", lab_attempts_left() - left, left);
    lab_attempts_forgive_since(lab_attempts_left() - 1);  // time that came back is not taken
    if (lab_attempts_left() < left + 2.5) fail_msg("%g s left", lab_attempts_left());
}

// In a new tree, in which the runner of checked mode is not built yet: here a make of our own takes two thirds of a second.
static void the_time_of_a_build_does_not_count(void **state) {
    (void)state;
    static const char folder[] = "build/tests/unit_spent", make[] = "build/tests/unit_spent/make",
                      program[] = "build/tests/unit_spent/program";
    char was[8200], path[8300];
    mkdir("build/tests", 0777), mkdir(folder, 0777), unlink(program);
    FILE *f = fopen(make, "w");
    assert_non_null(f);
    fprintf(f, "#!/bin/sh\ni=0\nwhile [ $i -lt 300000 ]; do i=$((i + 1)); done\ncp \"$0\" %s\n", program);
    fclose(f), chmod(make, 0755);
    snprintf(was, sizeof was, "%s", getenv("PATH")), snprintf(path, sizeof path, "%s:%s", folder, was);
    setenv("PATH", path, 1);
    lab_attempts_begin(1);
    const int there = lab_attempts_need(program, "a test");
    const double left = lab_attempts_left();
    setenv("PATH", was, 1);
    assert_true(there);
    if (left < 0.8) fail_msg("%g s of 1 left", left);
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(the_time_of_what_is_ruled_out_does_not_count_up_to_a_bound),
        CLAIM(the_time_of_a_build_does_not_count),
    };
    return cmocka_run_group_tests(claims, NULL, NULL);
}
