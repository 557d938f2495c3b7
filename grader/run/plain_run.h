// plain_run.h: a claim once more, on the student's file in C without optimisation: each line stands for itself.
#ifndef LAB_PLAIN_RUN_H
#define LAB_PLAIN_RUN_H

#include "judge.h"
#include "tasks.h"

// Compiles `source`, and judges the claim with a call of up to `seconds` by `runner`; options: of the run before. The
// verdict; stage->where and ->memory say what is known of its end. The stage is closed.
lab_verdict lab_plain_run(const lab_task *task, const char *source, const lab_stage_options *options, char *runner,
                          const lab_case *c, uint64_t seed, double seconds, lab_stage *stage);

// After a claim of a task in C that has failed: where the failure may come of memory from malloc, the claim is run in a
// guarded runner, and its line, and that of the malloc, become part of r's sentence.
void lab_memory_seen(const lab_task *task, const char *source, const lab_stage_options *options, const lab_case *c,
                     uint64_t seed, lab_result *r);

#endif
