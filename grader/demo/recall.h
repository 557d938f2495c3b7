// recall.h: how many questions about fresh random phone books are answered with all four digits right.
#ifndef DEMO_RECALL_H
#define DEMO_RECALL_H

#include "ask.h"
#include "gpt2_oracle.h"
#include "tokenizer.h"

enum { RECALL_ENTRIES = 32 };  // of each book

typedef struct {
    int n;              // questions
    int seq;            // tokens of the longest prompt
    int *ids, *length;  // [n, seq], [n]
    int *answer;        // [n, BOOK_DIGITS]
    float *want;        // [n, BOOK_DIGITS, V], the oracle's logits, once demo_recall_reference has found them
} demo_questions;

// n questions about books drawn from the key, BOOK_QUESTIONS about each book. 0 when memory is short.
int demo_questions_draw(demo_questions *q, int n, uint64_t key, const gpt2_tokenizer *t);
void demo_questions_free(demo_questions *q);

// The question to the student's process that holds questions first .. first + batch - 1.
lab_question demo_batch(const demo_questions *q, int first, int vocab, double seconds);

// How many the oracle answers right; -1 when memory is short. It leaves its logits in q.
int demo_recall_reference(demo_questions *q, const gpt2_checkpoint *model);

// How many the student's process does, with logits like the oracle's, LAB_MAX_STREAMS at a time. answer->verdict says whether all
// were asked.
int demo_recall_yours(const demo_questions *q, lab_stage *stage, int vocab, double seconds, lab_answer *answer);

#endif
