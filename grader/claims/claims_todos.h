// claims_todos.h: the lines of TODOs: those that hold in a row are one line, of those that fail the first says why.
#ifndef LAB_CLAIMS_TODOS_H
#define LAB_CLAIMS_TODOS_H

#include "claims_next.h"

// A claim of a TODO, in their order. each: every TODO that holds has its line.
void lab_todo_add(lab_seen *seen, const lab_case *c, const lab_result *r, int each);

// What the stage printed in that claim.
enum { LAB_LOG = 512 };
void lab_todo_log(const char *log);

// All claims of the last TODO have come in, and something else is printed now.
void lab_todo_print(lab_seen *seen);

#endif
