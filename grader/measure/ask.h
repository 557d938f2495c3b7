// ask.h: prompts to a model's process, tokens back, on the checker's clock. The checker believes nothing that comes
// back: it compares ids with the vocabulary, and their number and order with the question.
#ifndef LAB_ASK_H
#define LAB_ASK_H

#include "model.h"
#include "stage.h"

typedef struct {
    int batch, seq, n_new;    // sequences, at most LAB_MAX_STREAMS; tokens of a padded prompt; tokens to generate
    int max_seq;              // room in the cache
    int vocab;                // ids are 0 .. vocab - 1
    int logits;               // 1: the logits of every token are wanted, too
    const int *ids, *length;  // [batch, seq], [batch]
    lab_sampling sampling;
    double seconds;                                 // limit
    void (*each)(void *context, const int *token);  // every step as it comes: [batch]; may be NULL
    void *context;
} lab_question;

typedef struct {
    lab_verdict verdict;
    char why[512];        // one line, when it is not LAB_PASSED
    char todo[16];        // "6.1": the verdict is LAB_MISSING because of this
    int steps;            // that came, all of them right in form
    int *token;           // [steps, batch]
    double *at;           // [steps]: seconds from the call, with the prompts on the device, until the token was here
    const float *logits;  // in the arena: [batch, n_new, 1 + vocab], of each token its id first
} lab_answer;

// Bytes of the arena that a question needs.
size_t lab_question_bytes(const lab_question *q);

void lab_ask(lab_stage *stage, const lab_question *q, lab_answer *a);
void lab_answer_free(lab_answer *a);

// From a call's at[]: seconds until the first token; median and 99th percentile of the times between the others (0 when
// there is one token).
typedef struct {
    double ttft, tbt, tbt_p99;
} lab_token_times;
lab_token_times lab_times_of(const lab_answer *a);

#endif
