// probes_task1.c: the TODOs of task 1, one by one: what a probe (grader/probes/task1) computes, and its claims.
#include "cases.h"

const lab_case lab_todos_task1[] = {{0}};
