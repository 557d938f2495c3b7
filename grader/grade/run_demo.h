// run_demo.h: task 6's demo, run on a submission's stage (grader/demo).
#ifndef LAB_RUN_DEMO_H
#define LAB_RUN_DEMO_H

#include "grade.h"

// 1 if the task has a demo.
int lab_has_demo(const char *task);

// The "demo" of results.json; NULL when the program failed, which log then tells. Seed and kernels come from the
// environment: LAB_SEED, LAB_TASK4, LAB_TASK5, as for the tests.
json_t *lab_run_demo(const lab_grading *g, const char *stage, const char *work, const char *log);

#endif
