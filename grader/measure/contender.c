// contender.c: processes of what is measured.
#include "contender.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

int lab_contender_start(lab_contender *c) {
    if (*c->why || (c->started && c->process.alive)) return !*c->why;
    const lab_stage_options options = {.runner = c->runner,
                                       .stage = c->stage,
                                       .threads = c->threads,
                                       .arena_bytes = c->arena_bytes,
                                       .load_seconds = c->load_seconds,
                                       .trusted = c->missing != NULL};
    lab_contender_stop(c);
    c->verdict = LAB_SKIPPED;
    if (access(c->stage, R_OK)) {
        snprintf(c->why, sizeof c->why, "%.500s is not built on this machine", c->stage);
        return 0;
    }
    c->started = 1;
    c->verdict = lab_stage_open(&c->process, &options, c->why, sizeof c->why);
    if (c->verdict == LAB_PASSED) return 1;
    if (c->missing && c->process.process.exit_status == 3) {
        c->verdict = LAB_SKIPPED;
        snprintf(c->why, sizeof c->why, "%s", c->missing);
    }
    return 0;
}

void lab_contender_stop(lab_contender *c) {
    if (c->started) lab_stage_close(&c->process);
    c->started = 0;
}

void lab_contender_without_answers(lab_contender *c, const char *task, const char *stage) {
    c->verdict = LAB_SKIPPED;
    if (strstr(c->stage, "/grader+solutions/") || strcmp(c->stage, stage) == 0)
        snprintf(c->why, sizeof c->why, "the lab's answer, which is the measure, is not in this tree");
    else if (access(c->stage, R_OK))
        snprintf(c->why, sizeof c->why, "your %s is not compiled yet: make %s compile", task, task);
}
