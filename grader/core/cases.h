// cases.h: every claim that the lab tests, with its shape and inputs: the one place for them. Rows stand in
// cases_taskN.c; those about single TODOs, with what they call, in probes_taskN.c.
#ifndef LAB_CASES_H
#define LAB_CASES_H

#include "ops.h"

typedef struct lab_case {
    const char *task;       // "task1"
    const char *criterion;  // what rubric.json gives points for: "softmax"; "todo": no points
    const char *claim;      // a sentence in snake_case, the name of the CMocka test
    const lab_op *op;
    attn_shape shape;  // batch 0: drawn from the seed, so that a grading run holds shapes that nobody has seen
    lab_input_kind kind;
    const char
        *todo;     // "4.3": the claim holds when this TODO is right and later ones are open; NULL: of the whole task
    int tokens;    // of lab_generate: how many are wanted (they become shape.heads)
    int recorded;  // 1: the call is recorded in a CUDA graph, and the graph is run: all its work is on its stream
    int once;      // 1: no second call on the same inputs
    union {        // the two numbers that a request carries beside the shape, by their names
        int extra[2];
        struct {
            int Br, Bc;   // 0: the student's choice
        } tiles;          // of lab_tiled
        int n_splits;     // of lab_decode_split and lab_combine; 0: the student's choice
        struct {          // of lab_layer
            int prompt;   // tokens of the longest prompt
            int besides;  // LAB_BESIDES_NEITHER ... (sizes.h), or 0
        };
    };
} lab_case;

#define DRAWN                                                                                                          \
    { 0 }  // a shape drawn from the seed
#define DRAWN_CAUSAL                                                                                                   \
    { .causal = 1 }

// Row i of all tasks' claims, task by task, those about TODOs first; NULL behind the last.
const lab_case *lab_case_at(int i);

// The case of that claim with its shape (and extra numbers) filled in for `seed`. Returns 0 if there is no such claim.
int lab_case_find(const char *task, const char *claim, uint64_t seed, lab_case *found);

const lab_op *lab_op_find(const char *name);  // among those of all claims; NULL if there is none

#endif
