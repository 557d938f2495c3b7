// edits_list.h: what edits says of a file's text without a change in it: what its threads share, what nobody uses.
#ifndef LAB_EDITS_LIST_H
#define LAB_EDITS_LIST_H

#include "repair.h"

// The rows that `edits SOURCE WHAT OUTPUT [--number NUMBER]` lists; NULL: none. They stand until the next call.
char *lab_edits_list(const lab_repair_ask *ask, const char *what, const char *output, const char *number);

#endif
