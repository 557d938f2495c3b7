// probes_task5.c: the TODOs of task 5, one by one: what a probe (grader/probes/task5) computes, and its claims.
#include "cases.h"

const lab_case lab_todos_task5[] = {{0}};
