// hang.h: after a claim that did not end. What hangs once hangs in every claim like it: to wait for each of them tells nobody
// anything, and holds up a student for minutes and a class for hours.
#ifndef LAB_HANG_H
#define LAB_HANG_H

#include "judge.h"
#include "tasks.h"

// 1: the claim is not run, with the reason in why.
int lab_hang_expected(const lab_case *c, char *why, size_t size);

// Seconds for a call of this claim, where the calls of a file may take `seconds`.
double lab_hang_limit(const lab_case *c, double seconds);

// The claim has been judged with these options. Where it hung in C, the line is looked up again in a file that is not
// optimised: of some endless loops the compiler leaves one instruction, which has no line.
void lab_hang_seen(const lab_task *task, const char *source, const lab_stage_options *options, const lab_case *c,
                   uint64_t seed, lab_result *r);

// Of a claim that was seen: which threads wait for each other, at which lines; "": none do.
const char *lab_hang_apart(void);

#endif
