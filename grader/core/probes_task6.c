// probes_task6.c: the TODOs of task 6, one by one: what a probe (grader/probes/task6) computes, and its claims.
#include "cases.h"

const lab_case lab_todos_task6[] = {{0}};
