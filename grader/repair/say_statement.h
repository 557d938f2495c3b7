// say_statement.h: in words what a change does to a whole statement. lines: "line 3", or "lines 3 and 4".
#ifndef LAB_SAY_STATEMENT_H
#define LAB_SAY_STATEMENT_H

#include "search.h"

// Each returns 0 if it is no such change.
int lab_say_barrier(const lab_repair_ask *ask, const lab_edit *e, const char *lines, char *text, size_t size);
// By the kind of the change.
int lab_say_kind(const lab_repair_ask *ask, const lab_edit *e, const char *lines, char *text, size_t size);

// A statement that stands elsewhere with the change.
void lab_say_moved(const lab_repair_ask *ask, const lab_edit *e, const char *lines, char *text, size_t size);

#endif
