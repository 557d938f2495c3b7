// class_run.h: the submissions of a run: one of them here, or all of them, a process each.
#ifndef LAB_CLASS_RUN_H
#define LAB_CLASS_RUN_H

#include "arguments.h"

// How it went with a submission.
typedef struct {
    int ok;
    int gpu_lost;  // it was not, and its GPU does not answer any more
    double score, max_score;
    char why[1024];  // why it could not be graded
} lab_outcome;

// Grades (or, with --rescore, counts again) one submission in this process, into DIR/FOLDER/. Each file there is whole
// or not there. The machine is locked meanwhile (lock.h).
void lab_run_entry(lab_arguments *all, const lab_entry *e, lab_outcome *outcome);

// The same for all, all->jobs at a time, and says how it went. Returns how many could not be graded.
int lab_run_class(lab_arguments *all);

// DIR holds this submission's result, and the grader itself failed on no task of it.
int lab_is_graded(const lab_arguments *all, const lab_entry *e);

#endif
