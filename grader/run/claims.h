// claims.h: how a run of claims looks to people, and to the grader. The program is claims.c.
#ifndef LAB_CLAIMS_H
#define LAB_CLAIMS_H

#include <jansson.h>
#include <stdio.h>

#include "judge.h"
#include "tasks.h"

// Each claim's result, in order: the TODOs' first, then those of the whole file.
void lab_show_claim(const lab_case *c, const lab_result *r);

// A stage's own output, when its claim failed.
void lab_show_log(const char *log);

// The end: how many hold, and what to do next. left_open: a TODO whose line still stands in the file, or "".
// Returns the exit status: 0 when the whole file's claims hold (or, where only TODOs were asked about, those).
int lab_show_summary(const lab_task *task, const char *left_open);

// claims_write.c. A claim as the grader reads it; and a line of the file of results, which takes the object. Returns 0 if
// it cannot be written.
json_t *lab_claim_json(const lab_case *c, const lab_result *r);
int lab_write_line(FILE *f, json_t *line);

#endif
