// contender.h: a program that is measured, alive in a process: the student's stage, or a baseline.
#ifndef LAB_CONTENDER_H
#define LAB_CONTENDER_H

#include "implementations.h"
#include "stage.h"

typedef struct {
    const char *name;
    lab_implementation is;  // what it computes, when it is a row of that table
    char *runner[8];        // command, NULL-terminated; it speaks protocol.h
    const char *stage;      // what it loads
    const char *missing;    // what its exit status 3 means; NULL: nothing
    int threads;            // 0: all
    size_t arena_bytes;     // room for its largest request
    double load_seconds;
    lab_stage process;
    int started;
    lab_verdict verdict;  // of starting it
    char why[640];        // why it cannot be measured; "" when it can
    // Of the host's timer:
    int glance;               // nobody's points hang on it: a few rounds, and no long call
    long resident_bytes;      // without tensors, before the first measured call
    double seconds_per_flop;  // of its last point, which predicts the next one; 0 before the first
    // Of the device's timer:
    size_t device_bytes;  // what one request may take on the GPU
} lab_contender;

// Starts the process, at its first point or after a call that ended it. What cannot be started is not tried again.
// Returns 1 if it is alive; otherwise `why` says why not.
int lab_contender_start(lab_contender *c);

void lab_contender_stop(lab_contender *c);

// In a tree without the lab's answers: says in `why` what keeps c, the stage of a task, from being a measure of `stage`,
// a student's. What is left is the student's own file of that task.
void lab_contender_without_answers(lab_contender *c, const char *task, const char *stage);

#endif
