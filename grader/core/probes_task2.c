// probes_task2.c: the TODOs of task 2, one by one: what a probe (grader/probes/task2) computes, and its claims.
#include "cases.h"

const lab_case lab_todos_task2[] = {{0}};
