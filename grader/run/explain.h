// explain.h: what can be said about a task when all of its claims have been tried.
#ifndef LAB_EXPLAIN_H
#define LAB_EXPLAIN_H

#include "checked_run.h"

enum { LAB_NOTE = 1200 };

// A claim has been judged.
void lab_explain_keep(const lab_task *task, const lab_stage_options *options, const lab_case *c, const lab_result *r);

// Sentence i of what explains the failed claims: 0, 1, ... Returns 0 behind the last.
int lab_explain(int i, const lab_checked_ask *checked, char *note, size_t size);

// 1 if that leaves no doubt: a report of checked mode, or a known mistake that explains all claims.
int lab_explain_is_certain(void);

#endif
