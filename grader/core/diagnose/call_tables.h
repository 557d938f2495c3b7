// call_tables.h: a batch of calls, and what a condition of task 6 says of each: which other condition says that?
#ifndef LAB_CALL_TABLES_H
#define LAB_CALL_TABLES_H

#include "heuristics.h"

// in[1]: `rows` rows of integers [S, past[B], count[B]]. The output has 0 neither, 1 prefill, 2 decode for each.
int lab_explain_kinds(const lab_symptom *s, int rows, char *text, size_t size);

// The output has 1 for each row that fits into seq_kv slots, and 0 for the others.
int lab_explain_room(const lab_symptom *s, int rows, char *text, size_t size);

#endif
