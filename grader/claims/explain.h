// explain.h: what can be said about a task when all of its claims have been tried.
#ifndef LAB_EXPLAIN_H
#define LAB_EXPLAIN_H

#include "checked_run.h"

enum { LAB_NOTE = 1200 };

// A claim has been judged.
void lab_explain_keep(const lab_task *task, const char *source, const lab_stage_options *options, const lab_case *c,
                      const lab_result *r);

// Sentence i of what explains the failed claims: 0, 1, ... Returns 0 behind the last.
int lab_explain(int i, const lab_checked_ask *checked, char *note, size_t size);

// 1 if that leaves no doubt: a report of checked mode, or a known mistake that explains all claims.
int lab_explain_is_certain(void);

// What checked mode has reported of a claim that fails; "": nothing.
const char *lab_explain_report(void);

// What it reports, asked now, of the smallest claim about the whole file that fails; "": nothing.
const char *lab_explain_now(const lab_checked_ask *checked);

// Every claim holds, and checked mode has reported something: the claims that it was asked about, the one with the report
// first, and the report. Returns how many they are; 0: it is not so.
int lab_explain_reported(const lab_case **held, const char **report);

#endif
