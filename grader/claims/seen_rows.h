// seen_rows.h: attention of the whole that is wrong, and nobody knows why: which keys does a query see?
#ifndef LAB_SEEN_ROWS_H
#define LAB_SEEN_ROWS_H

#include "judge.h"

// Keeps a claim about attention whose output is wrong.
void lab_seen_rows_keep(const lab_stage_options *options, const lab_case *c, const lab_result *r);

// Calls the file with few keys and many dims. Writes a sentence and returns 1 if wrong rows are attention to other keys.
int lab_seen_rows(uint64_t seed, double seconds, char *note, size_t size);

#endif
