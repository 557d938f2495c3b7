// task.h: one task of a submission that is being graded.
#ifndef LAB_GRADE_TASK_H
#define LAB_GRADE_TASK_H

#include "grade.h"
#include "submission.h"

typedef struct {
    const lab_grading *g;
    lab_submission submission;
    json_t *machine;  // g->machine, or a copy with ceilings raised
    char work[4200];  // scratch, removed at the end
    char log[4200];
} grading;

// The task's object in results.json.
json_t *lab_grade_task(const grading *s, const lab_task *t);

// The "backend" of results.json.
const char *lab_backend_of(const lab_grading *g);

#endif
