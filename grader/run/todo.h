// todo.h: which TODOs does a student's file still have open?
#ifndef LAB_TODO_H
#define LAB_TODO_H

// The file's text, all of it. NULL if it cannot be read. The caller frees it.
char *lab_todo_text(const char *path);

// The same without comments and strings. NULL if it cannot be read. The caller frees it.
char *lab_todo_read(const char *path);

// 1 if the file, comments and all, speaks of a TODO of "task4". What is no filled-in skeleton, a rung of the ladder for
// instance, speaks of none.
int lab_todo_speaks_of(const char *path, const char *task);

// 1 if ATTN_TODO(4, 3) stands in that text, for the TODO "4.3".
int lab_todo_is_open(const char *text, const char *todo);

// The first that stands there, "4.3", or "".
void lab_todo_first(const char *text, char todo[24]);

// A switch of the file, "#define NAME 0", that it asks for: the name, or "".
void lab_todo_switch_off(const char *text, char name[40]);

#endif
