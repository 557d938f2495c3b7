// cases.h: every claim that the lab tests, with its shape, inputs and tolerance: the one place for them.
#ifndef LAB_CASES_H
#define LAB_CASES_H

#include "inputs.h"
#include "ops.h"
#include "shape.h"

typedef struct {
    const char *task;       // "task1"
    const char *criterion;  // what rubric.json gives points for: "softmax"
    const char *claim;      // a sentence in snake_case, the name of the CMocka test
    lab_op op;
    attn_shape shape;  // batch 0: drawn from the seed, so that a grading run holds shapes that nobody has seen
    lab_input_kind kind;
    int tiles[2];  // Br, Bc of task 3; task 5: n_splits; 0 is the student's choice. Task 6: tokens of the prompt
    const char
        *todo;  // "4.3": a claim about that TODO alone, through a probe (criterion "todo"); NULL: about the whole file
} lab_case;

extern const lab_case lab_cases[];
extern const int lab_n_cases;

// The case of that claim with its shape (and tiles) filled in for `seed`. Returns 0 if there is no such claim.
int lab_case_find(const char *task, const char *claim, uint64_t seed, lab_case *found);

// Fills input t (1 ..) of the case: lab_op_fill, and what only a case knows.
void lab_case_fill(const lab_case *c, int t, uint64_t key, float *x);

#endif
