// run_checked.c: what right answers hide. Under simt one claim of each criterion is judged once more in checked mode: a race,
// or a kernel that writes past its tile or into the host's memory, is no right answer even where the numbers are.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backend.h"
#include "build.h"
#include "grade.h"
#include "tool.h"

enum { COMPILE_SECONDS = 60 };
static const double AT_ONCE = 0.05;  // seconds of a claim; in checked mode it may take 600 times as long

lab_verdict lab_build_checked(const lab_graded *s, const lab_task *t, const char *source, char stage[4600],
                              char *message, size_t size) {
    const lab_build_options options = {.lab = ".", .source = source, .output = stage, .seconds = COMPILE_SECONDS};
    snprintf(stage, 4600, "%s/%s.checked.so", s->work, t->id);
    message[0] = 0;
    return access(stage, R_OK) == 0 ? LAB_PASSED : lab_build(t, &options, message, size, NULL, 0);
}

const char *lab_enter_checked_mode(void) {
    const lab_backend_row *const usual = lab_backend();
    setenv("LAB_BACKEND", "simt", 1);
    setenv("LAB_CHECKED", "1", 1);
    return usual->checked ? "checked" : usual->name;
}

void lab_leave_checked_mode(const char *usual) {
    if (strcmp(usual, "checked") == 0) return;
    unsetenv("LAB_CHECKED");
    setenv("LAB_BACKEND", usual, 1);
}

// Checked mode is slow, and takes more memory: what is due to that says nothing. But not of a claim that was a matter of
// milliseconds before: a stage can find out where it runs, and wait there, or say that it has no memory.
static int says_something(const json_t *found, double usual_seconds) {
    static const char *const silent[] = {"PASSED", "SKIPPED", "GRADER_ERROR"}, *const due[] = {"TIMEOUT",
                                                                                               "OUT_OF_MEMORY"};
    const char *verdict = json_string_value(json_object_get(found, "verdict"));
    for (size_t i = 0; verdict && i < sizeof silent / sizeof *silent; i++)
        if (strcmp(verdict, silent[i]) == 0) return 0;
    for (size_t i = 0; verdict && i < sizeof due / sizeof *due; i++)
        if (strcmp(verdict, due[i]) == 0) return usual_seconds < AT_ONCE;
    return verdict != NULL;
}

static void set_verdict(json_t *c, const char *verdict, const char *why) {
    char text[1024];
    snprintf(text, sizeof text, "in checked mode: %s", why);
    json_object_set_new(c, "verdict", json_string(verdict));
    json_object_set_new(c, "diagnosis", json_string_nocheck(text));
}

static int has_passed(const json_t *c) {
    const char *verdict = json_string_value(json_object_get(c, "verdict"));
    return verdict && strcmp(verdict, "PASSED") == 0;
}

static void take(json_t *cases, const json_t *found) {
    const char *name = json_string_value(json_object_get(found, "name"));
    const char *why = json_string_value(json_object_get(found, "diagnosis"));
    size_t i;
    json_t *c;
    json_array_foreach(cases, i, c) {
        const char *own = json_string_value(json_object_get(c, "name"));
        if (!own || !name || strcmp(own, name) || !has_passed(c)) continue;
        if (says_something(found, json_number_value(json_object_get(c, "seconds"))))
            set_verdict(c, json_string_value(json_object_get(found, "verdict")), why ? why : "it fails");
    }
}

// A file that is compiled, but not for checked mode, would hide there what it does.
static void take_refusal(json_t *cases, lab_verdict verdict, const char *message) {
    size_t i;
    json_t *c;
    if (verdict == LAB_GRADER_ERROR) return;
    json_array_foreach(cases, i, c) {
        const char *criterion = json_string_value(json_object_get(c, "criterion"));
        if (criterion && strcmp(criterion, "todo") && has_passed(c))
            set_verdict(c, lab_verdict_name(verdict), *message ? message : "it is not compiled");
    }
}

void lab_judge_checked(const lab_graded *s, const lab_task *t, const char *source, json_t *cases) {
    char stage[4600], results[4600], runner[4200], message[1024];
    const char *usual = lab_enter_checked_mode();
    const lab_verdict built = lab_build_checked(s, t, source, stage, message, sizeof message);
    if (built != LAB_PASSED)
        take_refusal(cases, built, message);
    else {
        snprintf(results, sizeof results, "%s/%s.checked.cases", s->work, t->id);
        lab_runner_of(t, "build", runner, sizeof runner);
        char *const argv[] = {"build/bin/claims", (char *)t->id, "--stage",   stage, "--runner",  runner, "--smallest",
                              "--results",        results,       "--timeout", "30",  "--seed-fd", "3",    NULL};
        lab_tool_with_seed(argv, s->log, s->g->seed);
        json_t *lines = lab_read_lines(results), *line;
        size_t i;
        json_array_foreach(lines, i, line) take(cases, line);
        json_decref(lines);
    }
    lab_leave_checked_mode(usual);
}
