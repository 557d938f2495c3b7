// ask.h: prompts to the student's process, tokens back, on the checker's clock. Nothing that comes back is believed: ids are
// checked against the vocabulary, and their number and order against what was asked.
#ifndef DEMO_ASK_H
#define DEMO_ASK_H

#include "model.h"
#include "stage.h"

typedef struct {
    int batch, seq, n_new,
        max_seq;              // sequences, at most LAB_MAX_STREAMS; tokens of a padded prompt; tokens to generate
    int vocab;                // ids are 0 .. vocab - 1
    const int *ids, *length;  // [batch, seq], [batch]
    lab_sampling sampling;
    double seconds;                                 // limit
    void (*each)(void *context, const int *token);  // every step as it comes: [batch]; may be NULL
    void *context;
} demo_question;

typedef struct {
    lab_verdict verdict;
    char why[512];  // one line, when it is not LAB_PASSED
    char todo[16];  // "6.1": the verdict is LAB_MISSING because of this
    int steps;      // that came, all of them right in form
    int *token;     // [steps, batch]
    double *at;     // [steps]: seconds from the call until the token was here
} demo_answer;

// Bytes of the arena that a question needs.
size_t demo_arena(const demo_question *q);

void demo_ask(lab_stage *stage, const demo_question *q, demo_answer *a);
void demo_answer_free(demo_answer *a);

// From a call's at[]: seconds until the first token; median and 99th percentile of the times between the others (0 when
// there is one token).
typedef struct {
    double ttft, tbt, tbt_p99;
} demo_times;
demo_times demo_times_of(const demo_answer *a);

#endif
