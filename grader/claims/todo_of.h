// todo_of.h: which TODO a sentence of the diagnosis is about.
#ifndef LAB_TODO_OF_H
#define LAB_TODO_OF_H

#include "tasks.h"

// "3.4", for "matches O that is not rescaled ..." in task 3; NULL: the sentence knows none.
const char *lab_todo_of(const lab_task *task, const char *sentence);

#endif
