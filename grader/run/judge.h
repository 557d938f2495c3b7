// judge.h: one claim against one stage: fill, call, compare, call again, compare the two.
#ifndef LAB_JUDGE_H
#define LAB_JUDGE_H

#include "cases.h"
#include "check.h"
#include "diagnose.h"
#include "stage.h"

typedef struct {
    lab_verdict verdict;
    int compared;  // cmp holds something: the stage came back and its output was judged
    lab_comparison cmp;
    size_t first_bad[4];   // batch, head, row, column of the first wrong element, if compared and not passed
    char diagnosis[1100];  // what went wrong, in words; "" when passed
    char todo[16];         // "1.2": the TODO that is still open, when that is the verdict's reason
    uint32_t nan;          // the bits of the first NaN of the output that is neither plain nor poison; 0: none
    lab_guesses guesses;   // every explanation that fits
    double seconds;        // wall clock of the first call
} lab_result;

// The stage must be open, with an arena of at least lab_layout_of(c->op, c->shape, 1).bytes.
// After a verdict that ended the runner, stage->alive is 0 and the caller opens a new one for the next case.
void lab_judge(lab_stage *stage, const lab_case *c, uint64_t seed, double seconds, lab_result *result);

// The same claim many times, for stages that change (grader/repair): inputs and oracle are made once. NULL: no memory.
typedef struct lab_prepared lab_prepared;
lab_prepared *lab_prepare(const lab_case *c, uint64_t seed);
int lab_holds(lab_prepared *p, lab_stage *stage, double seconds);  // one call: is all of it right?
const struct lab_trial *lab_prepared_trial(const lab_prepared *p);
void lab_prepared_free(lab_prepared *p);

#endif
