// todo_calls.h: does a TODO's function call that of another one, itself or by a function between?
#ifndef LAB_TODO_CALLS_H
#define LAB_TODO_CALLS_H

// source: the student's file; text: the same without comments. Both TODOs of this task: "2.7", "2.6".
int lab_todo_calls(const char *source, const char *text, const char *task, const char *todo, const char *other);

#endif
