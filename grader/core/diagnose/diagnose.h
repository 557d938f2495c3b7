// diagnose.h: which mistake was it, and where is the output wrong?
#ifndef LAB_DIAGNOSE_H
#define LAB_DIAGNOSE_H

#include <stddef.h>

#include "check.h"
#include "ops.h"

// Every explanation that fits an output: where one claim leaves several, others tell which.
enum { LAB_MOST_GUESSES = 40 };
typedef struct {
    char text[LAB_MOST_GUESSES][240];
    int n;
} lab_guesses;

typedef struct lab_symptom {
    const lab_op *op;
    attn_shape shape;
    const float *const *in;  // in[t] is input t as the lab made it; in[0] is unused
    const float *got;        // the student's output
    const double *want;      // the oracle's
    lab_comparison cmp;      // of the two
    int extra[2];
    lab_guesses *guesses;  // what fits goes here, too; may be NULL
    const float *work;     // the operation's working memory after the call; NULL: not kept
} lab_symptom;

// Keeps the sentence among what fits; the first one becomes text, which is "" before. Returns 1.
int lab_guess(lab_guesses *guesses, const char *sentence, char *text, size_t size);

// Writes one or two sentences to text, or "" when nothing is known.
void lab_diagnose(const lab_symptom *symptom, char *text, size_t size);

// Where it is wrong, "wrong: ..." or NULL: of a diagnosis the last sentence, and not words within one before it.
const char *lab_where_wrong(const char *diagnosis);

// Is element i of the output not within tolerance; or, with unwritten_only, never written?
int lab_element_bad(const lab_symptom *s, size_t i, int unwritten_only);

// Batch, head, row and column of element i of the output.
void lab_place(const lab_op *op, attn_shape shape, size_t i, size_t place[4]);

#endif
