// checked_run.h: what simt's checked mode says of a claim that has failed in fast mode: the race, the stray access or the
// read of memory that nobody wrote, by line.
#ifndef LAB_CHECKED_RUN_H
#define LAB_CHECKED_RUN_H

#include "judge.h"
#include "tasks.h"

typedef struct {
    const lab_task *task;
    const char *source;  // the student's file
    const char *stage;   // of fast mode: STAGE.so. Beside it STAGE.checked.so is kept, where make has it, too
    const char *runner;  // of checked mode. Where there is none, nothing is said
    uint64_t seed;
    double seconds;
} lab_checked_ask;

// Compiles the file for checked mode if need be, and judges the claim once. Returns 1 if checked mode has found something;
// r then has its verdict and its report.
int lab_checked_run(const lab_checked_ask *ask, const lab_case *c, lab_result *r);

// Compiles it on another processor, if need be: lab_checked_run is likely to be called. drop: nobody is going to any more.
void lab_checked_ahead(const lab_checked_ask *ask);
void lab_checked_drop(void);

// A program of the lab that is built when it is first needed: a test that finds nothing wrong does without. Returns 0 if it
// cannot be had.
int lab_is_built(const char *program, const char *why);

#endif
