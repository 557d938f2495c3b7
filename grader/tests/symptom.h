// symptom.h: a wrong output with its memory, for the tests of the diagnosis.
#ifndef LAB_SYMPTOM_H
#define LAB_SYMPTOM_H

#include "diagnose.h"

// Tests begin(), spoil wrong.got, examine(), and look at wrong.text.
typedef struct {
    const lab_op *op;
    attn_shape shape;
    size_t n;
    float *in[LAB_MAX_TENSORS], *got;
    double *want;
    const float *work;     // what a test has set of the working memory; NULL: nothing
    int extra[2];          // what a test has set of the claim's own numbers
    lab_guesses *guesses;  // where all that fits is kept; NULL: nowhere
    char text[640];
} held_symptom;
extern held_symptom wrong;

void begin(const lab_op *op, attn_shape shape);  // random inputs, and the right output in wrong.got
void begin_kind(const lab_op *op, attn_shape shape, lab_input_kind kind);
void begin_claim(const char *task, const char *claim);  // of a TODO: its shape, inputs and own numbers
void hand_in(const double *out);                        // as the student's output
lab_comparison examine(void);                           // compares and diagnoses

// These examine; the second and third forget the claim's own numbers.
int sentences_that_fit(const char *words);   // of all that fits, how many sentences have these words
void says(const char *words);                // the sentence has these words
void is_among_what_fits(const char *words);  // a sentence that fits has these words

void it_says(const char *words);  // as says(), but it keeps them; "": of what is right, nothing is said

int release(void **state);  // frees it; CMocka's teardown

#endif
