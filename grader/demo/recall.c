// recall.c: questions in batches of prompts of different lengths.
#include "recall.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inputs.h"
#include "phonebook.h"
#include "reference.h"

static const double LOGITS_APART = 0.05;  // rms, of the oracle's

int demo_questions_draw(demo_questions *q, int n, uint64_t key, const gpt2_tokenizer *t) {
    int *all = calloc((size_t)n * BOOK_TEXT, sizeof *all), good = 1;
    *q = (demo_questions){n, 0, NULL, calloc(n, sizeof(int)), calloc(n, BOOK_DIGITS * sizeof(int)), NULL};
    good = all && q->length && q->answer;
    for (int i = 0; good && i < n; i++) {
        char text[BOOK_TEXT], why[256];
        phonebook b;
        phonebook_draw(&b, RECALL_ENTRIES, lab_bits(key, i / BOOK_QUESTIONS));
        const size_t length = phonebook_prompt(&b, i % BOOK_QUESTIONS, text);
        q->length[i] = (int)gpt2_encode(t, text, length, all + (size_t)i * BOOK_TEXT, why, sizeof why);
        const char *number = b.entry[b.asked[i % BOOK_QUESTIONS]].number;
        good = q->length[i] > 0 &&
               gpt2_encode(t, number, BOOK_DIGITS, q->answer + i * BOOK_DIGITS, why, sizeof why) == BOOK_DIGITS;
        if (q->length[i] > q->seq) q->seq = q->length[i];
    }
    q->ids = good ? calloc((size_t)n * q->seq, sizeof *q->ids) : NULL;
    for (int i = 0; q->ids && i < n; i++)
        memcpy(q->ids + (size_t)i * q->seq, all + (size_t)i * BOOK_TEXT, q->length[i] * sizeof *all);
    free(all);
    return q->ids != NULL;
}

void demo_questions_free(demo_questions *q) {
    free(q->ids);
    free(q->length);
    free(q->answer);
    free(q->want);
    *q = (demo_questions){0};
}

// Batches are as equal as can be: a new size costs new buffers.
lab_question demo_batch(const demo_questions *q, int first, int vocab, double seconds) {
    const int batches = (q->n + LAB_MAX_STREAMS - 1) / LAB_MAX_STREAMS, size = (q->n + batches - 1) / batches;
    const int batch = q->n - first < size ? q->n - first : size;
    return (lab_question){.batch = batch,
                          .seq = q->seq,
                          .n_new = BOOK_DIGITS,
                          .max_seq = q->seq + BOOK_DIGITS,
                          .vocab = vocab,
                          .logits = 1,
                          .ids = q->ids + (size_t)first * q->seq,
                          .length = q->length + first,
                          .sampling = {.mode = LAB_CACHED, .stop = -1},
                          .seconds = seconds};
}

// The digits of one answer, and logits behind them that are a model's: those of who reads the number in the prompt and pushes its
// digits are others. want: [BOOK_DIGITS, V], as the oracle has them; NULL where it has none.
static int is_right(const lab_answer *a, const lab_question *q, int b, const int *answer, const float *want) {
    double off = 0, all = 0;
    for (int i = 0; i < BOOK_DIGITS; i++) {
        const float *got = a->logits + ((size_t)b * BOOK_DIGITS + i) * (1 + q->vocab) + 1;
        if (a->token[i * q->batch + b] != answer[i]) return 0;
        for (int k = 0; want && k < q->vocab; k++) {
            const double w = want[(size_t)i * q->vocab + k], d = got[k] - w;
            off += d * d, all += w * w;
        }
    }
    return off <= LOGITS_APART * LOGITS_APART * all;  // no NaN either
}

int demo_recall_yours(const demo_questions *q, lab_stage *stage, int vocab, double seconds, lab_answer *a) {
    int right = 0;
    *a = (lab_answer){.verdict = LAB_PASSED};
    for (int first = 0; first < q->n && a->verdict == LAB_PASSED;) {
        const lab_question batch = demo_batch(q, first, vocab, seconds);
        lab_answer_free(a);
        lab_ask(stage, &batch, a);
        for (int b = 0; a->verdict == LAB_PASSED && b < batch.batch; b++)
            right += is_right(a, &batch, b, q->answer + (first + b) * BOOK_DIGITS,
                              q->want ? q->want + (size_t)(first + b) * BOOK_DIGITS * vocab : NULL);
        first += batch.batch;
    }
    return right;
}

// The questions about one book: each goes on from the one before.
static int recall_book(demo_questions *q, const gpt2_checkpoint *model, int first) {
    const size_t V = model->config.vocab_size;
    int right = 0, done = 0, one = 0;
    gpt2_oracle *o = NULL;
    for (int i = first; i < q->n && i < first + BOOK_QUESTIONS && one >= 0; i++) {
        one = demo_reference_recalls(model, &o, &done, q->ids + (size_t)i * q->seq, q->length[i],
                                     q->answer + i * BOOK_DIGITS, BOOK_DIGITS,
                                     q->want ? q->want + (size_t)i * BOOK_DIGITS * V : NULL);
        right += one;
    }
    gpt2_oracle_free(o);
    return one < 0 ? -1 : right;
}

// Books side by side: a small model's products are too short to be shared out.
int demo_recall_reference(demo_questions *q, const gpt2_checkpoint *model) {
    q->want = calloc((size_t)q->n * BOOK_DIGITS * model->config.vocab_size, sizeof *q->want);
    if (!q->want) return -1;
    int right = 0, failed = 0;
#pragma omp parallel for schedule(dynamic) reduction(+ : right, failed)
    for (int first = 0; first < q->n; first += BOOK_QUESTIONS) {
        const int of_book = recall_book(q, model, first);
        if (of_book < 0)
            failed++;
        else
            right += of_book;
    }
    return failed ? -1 : right;
}
