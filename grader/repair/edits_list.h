// idle.h: what the file's text says that needs no call of it.
#ifndef LAB_IDLE_H
#define LAB_IDLE_H

#include "repair.h"

// The rows that `edits SOURCE WHAT OUTPUT [--number NUMBER]` lists; NULL: none. They stand until the next call.
char *lab_edits_list(const lab_repair_ask *ask, const char *what, const char *output, const char *number);

#endif
