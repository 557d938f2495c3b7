// probes_task3.c: the TODOs of task 3, one by one: what a probe (grader/probes/task3) computes, and its claims.
#include "cases.h"

const lab_case lab_todos_task3[] = {{0}};
