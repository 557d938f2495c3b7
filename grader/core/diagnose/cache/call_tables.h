// call_tables.h: a batch of calls, and what a condition of task 6 says of each: which other condition says that?
#ifndef LAB_CALL_TABLES_H
#define LAB_CALL_TABLES_H

#include "heuristics.h"

// in[1]: `rows` rows of integers [S, past[B], count[B]]. The output has 0 neither, 1 prefill, 2 decode for each.
int lab_explain_kinds(const lab_symptom *s, int rows, char *text, size_t size);

// The output has 1 for each row that fits into seq_kv slots, and 0 for the others.
int lab_explain_room(const lab_symptom *s, int rows, char *text, size_t size);

// kinds_asked.c: of a whole layer, what the driver has found (grader/model/asked.cu). 0: it says nothing.
#define LAB_KINDS_WERE_ASKED "prefill or decode, asked with 17 calls"
int lab_say_kinds(int code, char *text, size_t size);

// room_asked.c: the same of the calls for which a layer finds room.
#define LAB_ROOM_WAS_ASKED "is there room in the cache, asked with 17 calls"
int lab_say_room(int code, char *text, size_t size);

#endif
