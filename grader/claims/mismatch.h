// mismatch.h: where a tiled attention goes wrong first: in which row, after which tile of keys, in m, l or O.
#ifndef LAB_MISMATCH_H
#define LAB_MISMATCH_H

#include "judge.h"
#include "tasks.h"

// A claim has been judged: it is kept if its output is wrong, and it is the one that is followed most easily.
void lab_mismatch_keep(const lab_case *c, const lab_result *r);

void lab_mismatch_forget(void);

// Follows it through the student's functions, which `probe` has (grader/probes, PROBE(steps)). Returns 0 where there is
// nothing to say: no such claim, no such probe, or m, l and O mean other things in this file.
int lab_mismatch(const lab_task *task, const lab_stage_options *probe, uint64_t seed, double seconds, char *note,
                 size_t size);

#endif
