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

// Checked mode is slow, and takes more memory: what is due to that says nothing.
static int says_something(const json_t *found) {
    static const char *const silent[] = {"PASSED", "TIMEOUT", "OUT_OF_MEMORY", "SKIPPED", "GRADER_ERROR", "MISSING"};
    const char *verdict = json_string_value(json_object_get(found, "verdict"));
    for (size_t i = 0; verdict && i < sizeof silent / sizeof *silent; i++)
        if (strcmp(verdict, silent[i]) == 0) return 0;
    return verdict != NULL;
}

static void take(json_t *cases, const json_t *found) {
    const char *name = json_string_value(json_object_get(found, "name"));
    const char *why = json_string_value(json_object_get(found, "diagnosis"));
    char text[1024];
    size_t i;
    json_t *c;
    json_array_foreach(cases, i, c) {
        const char *own = json_string_value(json_object_get(c, "name"));
        if (!own || !name || strcmp(own, name)) continue;
        if (strcmp(json_string_value(json_object_get(c, "verdict")), "PASSED")) continue;
        snprintf(text, sizeof text, "in checked mode: %s", why ? why : "it fails");
        json_object_set(c, "verdict", json_object_get(found, "verdict"));
        json_object_set_new(c, "diagnosis", json_string_nocheck(text));
    }
}

void lab_judge_checked(const lab_graded *s, const lab_task *t, const char *source, json_t *cases) {
    char stage[4600], results[4600], runner[4200], message[1024];
    const char *usual = lab_enter_checked_mode();
    if (lab_build_checked(s, t, source, stage, message, sizeof message) == LAB_PASSED) {
        snprintf(results, sizeof results, "%s/%s.checked.cases", s->work, t->id);
        lab_runner_of(t, "build", runner, sizeof runner);
        char *const argv[] = {"build/bin/claims", (char *)t->id, "--stage",   stage, "--runner",  runner, "--smallest",
                              "--results",        results,       "--timeout", "30",  "--seed-fd", "3",    NULL};
        lab_tool_with_seed(argv, s->log, s->g->seed);
        json_t *lines = lab_read_lines(results), *line;
        size_t i;
        json_array_foreach(lines, i, line) if (says_something(line)) take(cases, line);
        json_decref(lines);
    }
    lab_leave_checked_mode(usual);
}
