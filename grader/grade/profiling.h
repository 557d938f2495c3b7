// profiling.h: what ncu and ptxas say about a submission's kernels, and what the tests had to remark.
#ifndef LAB_PROFILING_H
#define LAB_PROFILING_H

#include <jansson.h>

#include "grade.h"
#include "tasks.h"

int lab_has_profile(const lab_task *t);  // whether its kernels are looked at alone

// Runs build/bin/profile on the student's file; its rows become task's "profile", its remark "profile_note".
void lab_profile(const lab_grading *g, const lab_task *t, const char *source, const char *work, const char *log,
                 json_t *task);

// Appends the remarks that the claims of a task left beside their results (`results`.notes) to the message.
void lab_take_notes(const char *results, char *message, size_t size);

#endif
