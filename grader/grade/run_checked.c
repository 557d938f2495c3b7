// run_checked.c: what right answers hide. One claim of each criterion is judged once more in simt's checked mode: a race, or
// a kernel that writes past its tile or into the host's memory, is no right answer even where the numbers are. On a machine
// with a GPU a process of its own does so on the processor, beside the claims on the GPU.
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "backend.h"
#include "build.h"
#include "child.h"
#include "device.h"
#include "grade.h"
#include "journal_lines.h"
#include "lock.h"
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

// What it takes for a task is there. grade_all builds it; on a machine with a GPU it goes on without.
int lab_has_checked_mode(const lab_task *t) {
    static const char *const needed[] = {"build/bin/runner_simt_checked", "build/model/model_simt_checked.so",
                                         "build/model/fallback_simt_checked.so"};
    for (int i = 0; i < (t->parts[0] ? 3 : 1); i++)
        if (access(needed[i], R_OK)) return 0;
    return 1;
}

// ---- What it has found

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

// On a GPU the numbers are right, and simt may lack what the file uses: only what it reports of a kernel counts.
static int counts(const json_t *found, double usual_seconds) {
    if (!lab_backend()->on_gpu) return says_something(found, usual_seconds);
    return lab_is_report_of_kernel(lab_text_of(found, "verdict"), lab_text_of(found, "diagnosis"));
}

static void set_verdict(json_t *c, const char *verdict, const char *why) {
    char text[1024];
    snprintf(text, sizeof text, "in checked mode%s: %s", lab_backend()->on_gpu ? ", on the processor" : "", why);
    json_object_set_new(c, "verdict", json_string(verdict));
    json_object_set_new(c, "diagnosis", json_string_nocheck(text));
}

static int is(const json_t *o, const char *verdict) { return strcmp(lab_text_of(o, "verdict"), verdict) == 0; }

// What the claim that was looked at tells of the one among the cases.
static void take(json_t *cases, const json_t *found, char *unlooked, size_t size) {
    const char *name = lab_text_of(found, "name"), *why = lab_text_of(found, "diagnosis");
    size_t i;
    json_t *c;
    json_array_foreach(cases, i, c) {
        if (!*name || strcmp(lab_text_of(c, "name"), name) || !is(c, "PASSED")) continue;
        if (counts(found, json_number_value(json_object_get(c, "seconds"))))
            set_verdict(c, lab_text_of(found, "verdict"), *why ? why : "it fails");
        else if (!is(found, "PASSED") && !is(found, "SKIPPED") && !*unlooked)
            snprintf(unlooked, size, "%s ended with %s on the processor%s%s", name, lab_text_of(found, "verdict"),
                     *why ? ": " : "", why);
    }
}

// A file that is compiled, but not for checked mode, would hide there what it does. On a GPU it may only use what simt does
// not have.
static void take_refusal(json_t *cases, const json_t *refused, char *unlooked, size_t size) {
    const char *message = lab_text_of(refused, "diagnosis");
    size_t i;
    json_t *c;
    if (!*message) message = "it is not compiled";
    snprintf(unlooked, size, "simt does not compile the file: %s", message);
    if (is(refused, "GRADER_ERROR") || lab_backend()->on_gpu) return;
    json_array_foreach(cases, i, c) {
        const char *criterion = lab_text_of(c, "criterion");
        if (*criterion && strcmp(criterion, "todo") && is(c, "PASSED"))
            set_verdict(c, lab_text_of(refused, "verdict"), message);
    }
}

static int has_passed(const json_t *cases) {
    size_t i;
    json_t *c;
    json_array_foreach(cases, i, c) if (is(c, "PASSED")) return 1;
    return 0;
}

static void take_all(const lab_task *t, json_t *cases, const char *results, char *unlooked, size_t size) {
    json_t *lines = lab_read_lines(results), *line;
    int ended = 0;
    size_t i;
    json_array_foreach(lines, i, line) {
        ended |= json_object_get(line, "explained") || json_object_get(line, "refused");
        if (json_object_get(line, "refused"))
            take_refusal(cases, line, unlooked, size);
        else
            take(cases, line, unlooked, size);
    }
    json_decref(lines);
    if (!ended && !*unlooked)
        snprintf(unlooked, size, "%s",
                 lab_has_checked_mode(t) ? "the program that does so has ended, see log.txt"
                                         : "simt's checked mode is not built on this machine");
    if (!has_passed(cases)) *unlooked = 0;  // then there is nothing that right numbers hide
}

// ---- To look

static void look(const lab_graded *s, const lab_task *t, const char *source, char *results) {
    char stage[4600], runner[4200], message[1024];
    const char *usual = lab_enter_checked_mode();
    const lab_verdict built = lab_build_checked(s, t, source, stage, message, sizeof message);
    lab_runner_of(t, "build", runner, sizeof runner);
    char *const argv[] = {"build/bin/claims", (char *)t->id, "--stage",   stage, "--runner",  runner, "--smallest",
                          "--results",        results,       "--timeout", "30",  "--seed-fd", "3",    NULL};
    if (built == LAB_PASSED)
        lab_tool_with_seed(argv, s->log, s->g->seed);
    else {
        json_t *line = json_pack("{s:b, s:s, s:o}", "refused", 1, "verdict", lab_verdict_name(built), "diagnosis",
                                 json_string_nocheck(message));
        lab_append_line(results, line);
        json_decref(line);
    }
    lab_leave_checked_mode(usual);
}

static void results_of(const lab_graded *s, const lab_task *t, char results[4600]) {
    snprintf(results, 4600, "%s/%s.checked.cases", s->work, t->id);
}

pid_t lab_look_beside(const lab_graded *s, const lab_task *t, const char *source) {
    char results[4600];
    if (!lab_has_checked_mode(t)) return 0;
    results_of(s, t, results);
    fflush(NULL);
    const int share = lab_lock_share();
    const pid_t pid = lab_child();
    if (pid) {
        if (share >= 0) close(share);
        return pid;
    }
    if (lab_child_ends_with_parent()) look(s, t, source, results);
    _exit(0);
}

void lab_judge_checked(const lab_graded *s, const lab_task *t, const char *source, pid_t beside, json_t *cases,
                       char *unlooked, size_t size) {
    char results[4600];
    results_of(s, t, results);
    *unlooked = 0;
    if (beside > 0) waitpid(beside, NULL, 0);
    if (!lab_backend()->on_gpu) look(s, t, source, results);
    take_all(t, cases, results, unlooked, size);
    if (!lab_backend()->on_gpu) *unlooked = 0;  // it cost points, or was the lab's
}
