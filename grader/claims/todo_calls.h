// todo_calls.h: does a TODO's function call that of another one, itself or by a function between?
#ifndef LAB_TODO_CALLS_H
#define LAB_TODO_CALLS_H

#include "cases.h"

// source: the student's file; text: the same without comments. Both TODOs of this task: "2.7", "2.6".
int lab_todo_calls(const char *source, const char *text, const char *task, const char *todo, const char *other);

// The first open TODO before that of c whose function that of c calls: what comes out says nothing of c. held: " 2.6,"
// of each whose line still stands, and whose claims hold. NULL: there is none.
const char *lab_todo_waits(const char *source, const char *text, const lab_case *c, const char *held);

// All TODOs hold, and a change mends what fails: where that is a line of one TODO's function, the sentence goes on to say
// that this TODO's claims do not show it.
void lab_todo_of_change(const char *source, const char *task, char *change, size_t size);

#endif
