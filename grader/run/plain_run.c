// plain_run.c: compiled without optimisation, called once, and removed.
#include "plain_run.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "build.h"
#include "checked_run.h"
#include "text.h"

enum { COMPILE_SECONDS = 60, MOST_RUNS = 4 };

lab_verdict lab_plain_run(const lab_task *task, const char *source, const lab_stage_options *options, char *runner,
                          const lab_case *c, uint64_t seed, double seconds, lab_stage *stage) {
    char plain[4200], reason[4300], message[1024];
    const lab_build_options build = {
        .lab = ".", .source = source, .output = plain, .seconds = COMPILE_SECONDS, .plain = 1};
    snprintf(plain, sizeof plain, "%s.plain.so", options->stage);
    const int built = c->todo ? lab_build_probe(task, build)
                              : lab_build(task, &build, message, sizeof message, NULL, 0) == LAB_PASSED;
    char *const command[] = {runner, plain, NULL};
    lab_stage_options again = *options;
    again.runner = command, again.stage = plain;
    lab_result second = {.verdict = LAB_GRADER_ERROR};
    if (built && lab_stage_open(stage, &again, message, sizeof message) == LAB_PASSED)
        lab_judge(stage, c, seed, seconds, &second);
    lab_stage_close(stage);
    snprintf(reason, sizeof reason, "%s.txt", plain);
    unlink(plain), unlink(reason);
    return second.verdict;
}

// A crash, what differs from call to call, and NaN that no oracle knows may come of memory that is not the stage's.
static int may_be_memory(const lab_result *r) {
    if (r->verdict == LAB_CRASH || r->verdict == LAB_NONDETERMINISTIC) return 1;
    return (r->verdict == LAB_NOT_FINITE || r->verdict == LAB_WRONG_ANSWER) && r->guesses.n == 0;
}

// In place of what is said about the heap; behind what else is said if `always`.
static void say(lab_result *r, const char *start, const char *what, int always) {
    char *const heap = strstr(r->diagnosis, "the heap is damaged");
    const size_t used = heap ? (size_t)(heap - r->diagnosis) : strlen(r->diagnosis);
    if (!heap && !always) return;
    snprintf(r->diagnosis + used, sizeof r->diagnosis - used, "%s%s%s", used && !heap ? "; " : "", start, what);
    lab_clean_text(r->diagnosis);
}

void lab_memory_seen(const lab_task *task, const char *source, const lab_stage_options *options, const lab_case *c,
                     uint64_t seed, lab_result *r) {
    static lab_stage stage;
    static int runs;
    static const char *found;  // the claim of which it is known: the others have the same cause
    char runner[4200];
    const char *const slash = strrchr(options->runner[0], '/');
    if (task->language == LAB_CUDA || !source || !slash || !may_be_memory(r)) return;
    if (found) say(r, "the heap is damaged, as in ", found, 0);
    if (found || runs++ == MOST_RUNS) return;
    snprintf(runner, sizeof runner, "%.*s/guarded_runner", (int)(slash - options->runner[0]), options->runner[0]);
    if (!lab_is_built(runner, "looking at its memory once more")) return;
    memset(&stage, 0, sizeof stage);
    if (lab_plain_run(task, source, options, runner, c, seed, options->load_seconds, &stage) != LAB_CRASH) return;
    if (*stage.memory) say(r, "", stage.memory, 1), found = c->claim;
}
