// implementations.h: who is measured: the student's stage, and what else computes the same. One table.
#ifndef LAB_IMPLEMENTATIONS_H
#define LAB_IMPLEMENTATIONS_H

#include "experiments.h"

enum { LAB_MAX_IMPLEMENTATIONS = 10 };

typedef struct {
    const char *task;  // NULL: beside every task
    lab_method method;
    const char *name;  // "yours", "task 2", "cuBLAS chain", "PyTorch", ...
    // Its shared object: a path below build/; "task2": that task's stage in the tree of the lab's answers; a script of
    // grader/baselines; NULL: the student's.
    const char *file;
    const char *argument;  // of a script, which a file with an argument is
    struct {
        const lab_op *what, *by;
    } does[5];           // which operations, and by which of its own; up to the first NULL
    int chain;           // whole score matrices pass through memory
    const char *series;  // those that it is measured in; NULL: all
} lab_implementation;

// The implementations of a task, "yours" first. Returns how many.
int lab_implementations(const char *task, lab_method method, lab_implementation found[LAB_MAX_IMPLEMENTATIONS]);

// The operation by which it computes `what`; NULL: it does not.
const lab_op *lab_does(const lab_implementation *is, const lab_op *what);

// The stage that does nothing, of any operation. Its time is what the lab's own boundary costs.
extern const lab_implementation lab_null_implementation;

#endif
